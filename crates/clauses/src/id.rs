//! Clause ids and how they are found in text.

use std::fmt;

/// The name of a clause: two capitals, a hyphen, `E` for a worked example, two or three digits (`RP-25`, `RP-E01`).
///
/// Ids are ordered as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClauseId(String);

impl ClauseId {
    /// The id that is exactly `text`, or `None` if `text` is not of that form.
    pub fn new(text: &str) -> Option<ClauseId> {
        match id_at(text, 0) {
            Some((id, end)) if end == text.len() => Some(id),
            _ => None,
        }
    }

    /// The id as it is printed: `RP-25`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The two capitals that all clauses of one file share: `RP`.
    pub fn prefix(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// Whether the clause is a worked example, such as `RP-E01`.
    pub fn is_example(&self) -> bool {
        self.0.as_bytes().get(3) == Some(&b'E')
    }

    /// The name of its constant in Rust: `RP_25`, `RP_E01`.
    pub fn constant(&self) -> String {
        self.0.replace('-', "_").to_uppercase()
    }
}

impl fmt::Display for ClauseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All ids that occur in `text` as whole words, in order, repeated as often as they occur.
pub fn find_ids(text: &str) -> Vec<ClauseId> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match id_at(text, at) {
            Some((id, end)) => {
                found.push(id);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The id that starts at byte `start`, with the byte after its end, if a whole word starts there.
pub(crate) fn id_at(text: &str, start: usize) -> Option<(ClauseId, usize)> {
    let before = text.get(..start)?.chars().next_back();
    if before.is_some_and(is_word) {
        return None;
    }
    let bytes = text.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    if !(at(start).is_ascii_uppercase()
        && at(start + 1).is_ascii_uppercase()
        && at(start + 2) == b'-')
    {
        return None;
    }
    let mut end = start + 3;
    if at(end) == b'E' {
        end += 1;
    }
    let digits = (end..).take_while(|&i| at(i).is_ascii_digit()).count();
    if !(2..=3).contains(&digits) {
        return None;
    }
    end += digits;
    if at(end).is_ascii_lowercase() {
        end += 1;
    }
    if text[end..].chars().next().is_some_and(is_word) {
        return None;
    }
    Some((ClauseId(text[start..end].to_string()), end))
}

/// Whether `c` belongs to a word, so that no word begins or ends between it and a letter.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<String> = find_ids(text).iter().map(ClauseId::to_string).collect();
        assert_eq!(found.join(" "), expected, "in {text:?}");
    }

    #[test]
    fn ids_are_found_in_text() {
        check("clauses  RP-25 RP-E01", "RP-25 RP-E01");
        check("/// Covers RP-25, SM-121.", "RP-25 SM-121");
        check("see BA-47/48 (BA-49)", "BA-47 BA-49");
        check("TV-37 to TV-39a", "TV-37 TV-39a");
        check("« é RP-25 »", "RP-25");
    }

    #[test]
    fn what_only_looks_like_an_id_is_not_found() {
        check(
            "XRP-25 RP-2 RP-1234 RP-25ab rp-25 R-25 RP_25 éRP-25 RP-25é",
            "",
        );
    }

    #[test]
    fn an_id_knows_its_parts() {
        let id = ClauseId::new("RP-E01").unwrap();
        assert_eq!(
            (id.prefix(), id.is_example(), id.constant().as_str()),
            ("RP", true, "RP_E01")
        );
        assert!(!ClauseId::new("RP-25").unwrap().is_example());
        assert_eq!(ClauseId::new("RP-25 "), None);
        assert_eq!(ClauseId::new(""), None);
    }
}
