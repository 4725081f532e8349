//! The list of what differs on purpose, step by step. `docs/jcz-differences.md` says why.

use super::compare::What;

/// A difference that is known and meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The recorded game.
    pub game: String,
    /// The step.
    pub step: usize,
    /// What differs.
    pub what: String,
    /// The option or other text.
    pub text: String,
    /// The clause that decides.
    pub clause: String,
}

/// The list that comes with the program.
pub fn all() -> Vec<Listed> {
    read(include_str!("differences.txt"))
}

/// Reads a list: a line each, `game step what clause | text`; of a sentence in a saved game the step is 0.
pub fn read(text: &str) -> Vec<Listed> {
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (head, text) = line.split_once(" | ")?;
            let mut words = head.split_whitespace();
            Some(Listed {
                game: words.next()?.to_owned(),
                step: words.next()?.parse().ok()?,
                what: words.next()?.to_owned(),
                clause: words.next()?.to_owned(),
                text: text.to_owned(),
            })
        })
        .collect()
}

pub(crate) fn is_listed(list: &[Listed], game: &str, step: usize, what: What, text: &str) -> bool {
    list.iter().any(|listed| {
        listed.game == game
            && listed.step == step
            && listed.what == what.word()
            && listed.text == text
    })
}

pub(crate) fn find_sentence<'l>(
    list: &'l [Listed],
    name: &str,
    sentence: &str,
) -> Option<&'l Listed> {
    list.iter()
        .find(|listed| listed.game == name && listed.what == "sentence" && listed.text == sentence)
}
