//! The list of what differs on purpose, step by step. `docs/jcz-differences.md` says why.

use std::path::Path;

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

/// How the list calls a file: the name on the list with which its path ends, without the ending of the file.
pub fn name_of(list: &[Listed], path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let endings = [".json.gz", ".json", ".jcz"];
    let bare = endings.iter().find_map(|ending| text.strip_suffix(ending));
    let bare = Path::new(bare.unwrap_or(text));
    let listed = list.iter().find(|listed| bare.ends_with(&listed.game));
    listed.map(|listed| listed.game.clone())
}

/// The line of the list that names this difference.
pub(crate) fn find<'l>(
    list: &'l [Listed],
    game: &str,
    step: usize,
    what: What,
    text: &str,
) -> Option<&'l Listed> {
    list.iter().find(|listed| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_the_end_of_their_path() {
        let list =
            read("tower/002 5 message TO-34 | RANSOM 0.small\njcz/tower/a 0 sentence TO-37 | x");
        let name = |path: &str| name_of(&list, Path::new(path));
        assert_eq!(
            name("/a/games/tower/002.json.gz").as_deref(),
            Some("tower/002")
        );
        assert_eq!(name("/a/games/big-tower/002.json.gz"), None);
        assert_eq!(name("/a/jcz/tower/a.jcz").as_deref(), Some("jcz/tower/a"));
        assert_eq!(name("/a/tower/a.jcz"), None);
    }
}
