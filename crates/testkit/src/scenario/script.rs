//! The text of a scenario as lines of parts.

use trencavel_rules::Clause;

use super::Wrong;

/// The most clauses, besides worked examples, that one scenario may cover.
const MAX_CLAUSES: usize = 3;

/// An option and one of its values.
pub(super) type Pair = (String, String);

/// A piece of a line, between the dots.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The line of the file on which it stands.
    pub(super) line: usize,
    pub(super) text: String,
}

impl Part {
    pub(super) fn words(&self) -> Vec<&str> {
        self.text.split_whitespace().collect()
    }

    /// The first word and the rest.
    pub(super) fn split(&self) -> (&str, &str) {
        match self.text.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (self.text.as_str(), ""),
        }
    }

    /// The part without its first word.
    pub(super) fn rest(&self) -> Part {
        Part {
            line: self.line,
            text: self.split().1.to_string(),
        }
    }

    pub(super) fn is_wrong(&self, what: impl Into<String>) -> Wrong {
        Wrong::at(self.line, what)
    }
}

/// A line, with those that continue it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Only under this value of an option.
    pub(super) only: Option<Pair>,
    /// At least one.
    pub(super) parts: Vec<Part>,
}

impl Line {
    pub(super) fn first(&self) -> &Part {
        &self.parts[0]
    }

    pub(super) fn keyword(&self) -> &str {
        self.first().split().0
    }

    pub(super) fn expects(&self) -> bool {
        let after_end = self.keyword() == "end" && !self.first().rest().text.is_empty();
        after_end || self.parts.iter().any(|part| part.split().0 == "expect")
    }
}

/// A scenario that has been read.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) clauses: Vec<Clause>,
    pub(super) lines: Vec<Line>,
}

impl Script {
    pub(super) fn read(name: &str, text: &str) -> Result<Script, Wrong> {
        let mut lines: Vec<Line> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = without_comment(line).trim();
            if line.is_empty() {
                continue;
            }
            let continued = line.starts_with(['·', ';']);
            let (only, rest) = if continued {
                (None, line)
            } else {
                condition(number, line)?
            };
            let parts = rest.split(['·', ';']).map(str::trim);
            let parts = parts.filter(|part| !part.is_empty()).map(|part| Part {
                line: number,
                text: part.to_string(),
            });
            match lines.last_mut() {
                Some(last) if continued => last.parts.extend(parts),
                None if continued => {
                    return Err(Wrong::at(number, "there is no line to continue"));
                }
                _ => {
                    let parts: Vec<Part> = parts.collect();
                    if parts.is_empty() {
                        return Err(Wrong::at(number, "nothing is said here"));
                    }
                    lines.push(Line { only, parts });
                }
            }
        }
        let clauses = clauses(name, &lines)?;
        Ok(Script { clauses, lines })
    }

    /// The option that is paired, with its values, if the scenario pairs one.
    pub(super) fn pairs(&self) -> Result<Option<(String, Vec<String>)>, Wrong> {
        let mut pairs: Option<(String, Vec<String>)> = None;
        for line in &self.lines {
            let Some((key, value)) = &line.only else {
                continue;
            };
            match &mut pairs {
                None => pairs = Some((key.clone(), vec![value.clone()])),
                Some((other, _)) if other != key => {
                    let what =
                        format!("a scenario pairs one option: here `{other}`, there `{key}`");
                    return Err(line.first().is_wrong(what));
                }
                Some((_, values)) if !values.contains(value) => values.push(value.clone()),
                Some(_) => {}
            }
        }
        Ok(pairs)
    }

    /// The lines that hold in a run.
    pub(super) fn lines_of<'s>(&'s self, pair: Option<&'s Pair>) -> impl Iterator<Item = &'s Line> {
        let holds = move |line: &&Line| line.only.is_none() || line.only.as_ref() == pair;
        self.lines.iter().filter(holds)
    }
}

/// The line up to a `#` that begins it or follows a space.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if c == '#' && before.is_whitespace() {
            return line.get(..at).unwrap_or(line);
        }
        before = c;
    }
    line
}

/// `option KEY=VALUE => …`: the condition and what it holds for.
fn condition(number: usize, line: &str) -> Result<(Option<Pair>, &str), Wrong> {
    let Some(rest) = line.strip_prefix("option ") else {
        return Ok((None, line));
    };
    let parts = rest.split_once("=>").and_then(|(pair, rest)| {
        let (key, value) = pair.trim().split_once('=')?;
        Some((key.trim(), value.trim(), rest.trim()))
    });
    match parts {
        Some((key, value, rest)) if !key.is_empty() && !value.is_empty() => {
            Ok((Some((key.to_string(), value.to_string())), rest))
        }
        _ => Err(Wrong::at(number, "should be `option KEY=VALUE => …`")),
    }
}

/// The clauses that the scenario covers; the file's name begins with one of them.
fn clauses(name: &str, lines: &[Line]) -> Result<Vec<Clause>, Wrong> {
    let mut clauses = Vec::new();
    let mut at = 0;
    for line in lines.iter().filter(|line| line.keyword() == "clauses") {
        at = line.first().line;
        for id in line.first().rest().words() {
            match Clause::from_id(id) {
                Some(clause) => clauses.push(clause),
                None => return Err(Wrong::at(at, format!("there is no clause `{id}`"))),
            }
        }
    }
    if clauses.is_empty() {
        return Err(Wrong::at(
            at,
            "the scenario covers no clause: a line `clauses XX-07` is needed",
        ));
    }
    let is_example = |clause: &&Clause| clause.id().contains("-E");
    if clauses.iter().filter(|clause| !is_example(clause)).count() > MAX_CLAUSES {
        let what =
            format!("more than {MAX_CLAUSES} clauses: a failure would not say which is broken");
        return Err(Wrong::at(at, what));
    }
    let file = name.rsplit('/').next().unwrap_or(name);
    let begins = |clause: &Clause| {
        let rest = file.strip_prefix(clause.id());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    if !clauses.iter().any(begins) {
        let what = format!("the file's name `{file}` begins with none of its clauses");
        return Err(Wrong::at(at, what));
    }
    Ok(clauses)
}
