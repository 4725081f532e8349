//! A reader and writer of JSON that knows the line of every value, and has limits: for files that come from outside.
//!
//! A file is refused when it is larger, nested deeper or has more values than [`Limits`] allows, so that no file can take
//! much memory or time. Numbers are kept as they are written.

use std::borrow::Cow;
use std::fmt;

/// How large a file may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes.
    pub bytes: usize,
    /// Lists and tables within each other.
    pub depth: usize,
    /// Values in all.
    pub values: usize,
}

/// A value and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Json<'t> {
    /// The line, from 1.
    pub line: u32,
    /// The byte within the line, from 1.
    pub column: u32,
    /// What it is.
    pub value: Value<'t>,
}

/// What a value is.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is written.
    Number(&'t str),
    /// A text.
    Text(Cow<'t, str>),
    /// A list.
    List(Vec<Json<'t>>),
    /// A table in the order of the file; no key is there twice.
    Table(Vec<(Cow<'t, str>, Json<'t>)>),
}

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    /// The line, from 1.
    pub line: u32,
    /// The byte within the line, from 1.
    pub column: u32,
    /// What is wrong.
    pub fault: JsonFault,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JsonFault {
    /// It has more bytes than this.
    TooLarge(usize),
    /// It is nested deeper than this.
    TooDeep(usize),
    /// It has more values than this.
    TooMany(usize),
    /// It is not UTF-8.
    NotUtf8,
    /// It ends in the middle of something.
    CutOff,
    /// Something stands where something else should.
    Expected(&'static str),
    /// A key is twice in a table.
    Twice(String),
    /// Something follows after the end.
    Rest,
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonFault::TooLarge(limit) => write!(f, "larger than {limit} bytes"),
            JsonFault::TooDeep(limit) => write!(f, "nested deeper than {limit}"),
            JsonFault::TooMany(limit) => write!(f, "more than {limit} values"),
            JsonFault::NotUtf8 => f.write_str("not UTF-8"),
            JsonFault::CutOff => f.write_str("the file ends in the middle of something"),
            JsonFault::Expected(what) => write!(f, "{what} is expected here"),
            JsonFault::Twice(key) => write!(f, "the key \"{key}\" is there twice"),
            JsonFault::Rest => f.write_str("something follows after the end"),
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.fault
        )
    }
}

impl std::error::Error for JsonError {}

impl<'t> Json<'t> {
    /// Reads a file.
    ///
    /// # Errors
    /// The first thing that is wrong. Any bytes are safe to try.
    pub fn read(bytes: &'t [u8], limits: Limits) -> Result<Json<'t>, JsonError> {
        let at_start = |fault| JsonError {
            line: 1,
            column: 1,
            fault,
        };
        if bytes.len() > limits.bytes {
            return Err(at_start(JsonFault::TooLarge(limits.bytes)));
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let (line, column) = place(good);
                return Err(JsonError {
                    line,
                    column,
                    fault: JsonFault::NotUtf8,
                });
            }
        };
        let mut reader = Reader {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            at: 0,
            line: 1,
            line_start: 0,
            left: limits.values,
            limits,
        };
        let value = reader.value(0)?;
        reader.space();
        if reader.at < reader.text.len() {
            return Err(reader.error(JsonFault::Rest));
        }
        Ok(value)
    }

    /// The value of a key of a table.
    pub fn get(&self, key: &str) -> Option<&Json<'t>> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The entries of a table.
    pub fn table(&self) -> Option<&[(Cow<'t, str>, Json<'t>)]> {
        match &self.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The values of a list.
    pub fn list(&self) -> Option<&[Json<'t>]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// A text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number.
    pub fn whole(&self) -> Option<i64> {
        match self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether there is nothing: `null`.
    pub fn is_null(&self) -> bool {
        self.value == Value::Null
    }
}

/// Line and column after some bytes.
fn place(bytes: &[u8]) -> (u32, u32) {
    let line = bytes.iter().filter(|byte| **byte == b'\n').count();
    let start = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |i| i + 1);
    (line as u32 + 1, (bytes.len() - start) as u32 + 1)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    line_start: usize,
    left: usize,
    limits: Limits,
}

impl<'t> Reader<'t> {
    fn error(&self, fault: JsonFault) -> JsonError {
        JsonError {
            line: self.line,
            column: (self.at - self.line_start) as u32 + 1,
            fault,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The error that something else stands here, or nothing at all.
    fn expected<T>(&self, what: &'static str) -> Result<T, JsonError> {
        Err(self.error(match self.peek() {
            None => JsonFault::CutOff,
            Some(_) => JsonFault::Expected(what),
        }))
    }

    fn space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.line_start = self.at + 1;
                }
                b' ' | b'\t' | b'\r' => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json<'t>, JsonError> {
        self.space();
        if depth > self.limits.depth {
            return Err(self.error(JsonFault::TooDeep(self.limits.depth)));
        }
        let Some(left) = self.left.checked_sub(1) else {
            return Err(self.error(JsonFault::TooMany(self.limits.values)));
        };
        self.left = left;
        let line = self.line;
        let column = (self.at - self.line_start) as u32 + 1;
        let value = match self.peek() {
            Some(b'{') => self.table(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            _ if self.word("true") => Value::Bool(true),
            _ if self.word("false") => Value::Bool(false),
            _ if self.word("null") => Value::Null,
            _ => return self.expected("a value"),
        };
        Ok(Json {
            line,
            column,
            value,
        })
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self
            .text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(word));
        if found {
            self.at += word.len();
        }
        found
    }

    fn list(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        let mut list = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(list));
                }
                _ => return self.expected("`,` or `]`"),
            }
        }
    }

    fn table(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        let mut entries: Vec<(Cow<'t, str>, Json<'t>)> = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Table(entries));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return self.expected("a key in quotes");
            }
            let key_at = self.error(JsonFault::Rest);
            let key = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return self.expected("`:`");
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            entries.push((key, value));
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return match repeated(&entries) {
                        None => Ok(Value::Table(entries)),
                        Some(fault) => Err(JsonError { fault, ..key_at }),
                    };
                }
                _ => return self.expected("`,` or `}`"),
            }
        }
    }

    fn number(&mut self) -> Result<&'t str, JsonError> {
        let start = self.at;
        while let Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        // Numbers of more digits mean nothing to anybody who writes these files.
        if text.len() > 40 || text.parse::<f64>().is_err() {
            self.at = start;
            return Err(self.error(JsonFault::Expected("a number of at most 40 digits")));
        }
        Ok(text)
    }

    fn string(&mut self) -> Result<Cow<'t, str>, JsonError> {
        self.at += 1;
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut kept = start;
        loop {
            match self.peek() {
                None => return Err(self.error(JsonFault::CutOff)),
                Some(b'"') => {
                    let rest = self.text.get(kept..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok(match owned {
                        None => Cow::Borrowed(rest),
                        Some(text) => Cow::Owned(text + rest),
                    });
                }
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    text.push_str(self.text.get(kept..self.at).unwrap_or_default());
                    self.at += 1;
                    let c = self.escape()?;
                    owned.get_or_insert_default().push(c);
                    kept = self.at;
                }
                Some(0..=0x1f) => {
                    return Err(self.error(JsonFault::Expected("a closing quote")));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return self.expected("one of \" \\ / b f n r t u"),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char, JsonError> {
        let high = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&high) {
            if !self.word("\\u") {
                return self.expected("the second half of a character");
            }
            let low = self.hex()?;
            let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400);
            match low {
                Some(low) => 0x10000 + ((high - 0xd800) << 10) + low,
                None => return self.expected("the second half of a character"),
            }
        } else {
            high
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.expected("a character"),
        }
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4);
        let all_hex = |text: &&str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = digits
            .filter(all_hex)
            .and_then(|text| u32::from_str_radix(text, 16).ok());
        match code {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.expected("four hexadecimal digits"),
        }
    }
}

/// The fault of a table with a key twice.
fn repeated(entries: &[(Cow<'_, str>, Json<'_>)]) -> Option<JsonFault> {
    let mut keys: Vec<&str> = entries.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    let twice = keys.windows(2).find(|pair| pair.first() == pair.last());
    twice
        .and_then(|pair| pair.first())
        .map(|key| JsonFault::Twice(crate::clip(key)))
}

/// A text in quotes, as JSON has it.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        bytes: 10_000,
        depth: 8,
        values: 100,
    };

    fn error(text: &str) -> String {
        Json::read(text.as_bytes(), LIMITS).unwrap_err().to_string()
    }

    #[test]
    fn values_are_read_with_their_places() {
        let text = "{\"a\": [1, -2.5e3, true,\n  null],\n \"b\\u00e9\\ud83d\\ude00\\n\": {}}";
        let json = Json::read(text.as_bytes(), LIMITS).unwrap();
        let list = json.get("a").unwrap().list().unwrap();
        assert_eq!(list[0].whole(), Some(1));
        assert_eq!(list[1].value, Value::Number("-2.5e3"));
        assert_eq!(list[2].value, Value::Bool(true));
        assert!(list[3].is_null());
        assert_eq!((list[3].line, list[3].column), (2, 3));
        assert_eq!(json.table().unwrap()[1].0, "bé😀\n");
    }

    #[test]
    fn faults_are_named_with_their_places() {
        assert_eq!(
            error("[1,\n 2"),
            "line 2, column 3: the file ends in the middle of something"
        );
        assert_eq!(
            error("[1 2]"),
            "line 1, column 4: `,` or `]` is expected here"
        );
        assert_eq!(
            error("{a: 1}"),
            "line 1, column 2: a key in quotes is expected here"
        );
        assert_eq!(
            error("[] []"),
            "line 1, column 4: something follows after the end"
        );
        assert_eq!(
            error("{\"a\":1,\"b\":2,\"a\":3}"),
            "line 1, column 14: the key \"a\" is there twice"
        );
        assert_eq!(
            error("\"\\ud800x\""),
            "line 1, column 8: the second half of a character is expected here"
        );
        assert_eq!(
            error("-"),
            "line 1, column 1: a number of at most 40 digits is expected here"
        );
        assert_eq!(
            error(&"[".repeat(5000)),
            "line 1, column 10: nested deeper than 8"
        );
        assert_eq!(
            error(&format!("[{}1]", "1,".repeat(100))),
            "line 1, column 200: more than 100 values"
        );
        assert_eq!(
            error(&" ".repeat(10_001)),
            "line 1, column 1: larger than 10000 bytes"
        );
        let bytes = b"[\"a\",\n\"\xff\"]";
        assert_eq!(
            Json::read(bytes, LIMITS).unwrap_err().to_string(),
            "line 2, column 2: not UTF-8"
        );
    }

    #[test]
    fn every_prefix_of_a_file_is_an_error() {
        let text = r#"{"a": [1, {"b": "c\u00e9"}], "d": null, "e": "\"\\"}"#;
        for end in 0..text.len() {
            assert!(
                Json::read(&text.as_bytes()[..end], LIMITS).is_err(),
                "{end}"
            );
        }
        assert_eq!(quoted("a\"b\\\n\u{1}"), "\"a\\\"b\\\\\\n\\u0001\"");
    }
}
