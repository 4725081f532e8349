//! The tidy check: what neither compiler nor clippy looks at.

use anyhow::{Result, bail};

use crate::links;
use crate::project::Project;
use crate::stages::Outcome;

/// A source file longer than this says at its head why.
const LONG: usize = 600;

/// Text we write by hand.
const TEXT: [&str; 12] = [
    ".rs", ".toml", ".md", ".sh", ".scn", ".ftl", ".js", ".mjs", ".css", ".html", ".yml", "/run",
];

/// Paths of other programs' sources and of single machines have no place here. Written in two parts, so that this file passes.
const FOREIGN: [(&str, &str); 7] = [
    ("src/main/", "java"),
    ("src/main/", "kotlin"),
    ("com.", "jcloisterzone"),
    ("com/", "jcloisterzone"),
    ("/home", "/"),
    ("/root", "/"),
    ("/Users", "/"),
];

/// The check.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let mut faults = Vec::new();
    for path in project.files(&TEXT)? {
        let text = project.read(&path)?;
        faults.extend(
            faults_in(&path, &text)
                .into_iter()
                .map(|fault| format!("{path}{fault}")),
        );
    }
    faults.extend(links::faults(project)?);
    if !faults.is_empty() {
        bail!("{} faults\n{}", faults.len(), faults.join("\n"));
    }
    Ok(Outcome::Passed)
}

fn faults_in(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let length = text.lines().count();
    let source = path.ends_with(".rs");
    let reason = text.lines().take(40).any(|l| l.starts_with("//! Long: "));
    if source && length > LONG && !reason {
        faults.push(format!(
            ": {length} lines; split it or say why at its head (`//! Long: …`)"
        ));
    }
    for (n, line) in text.lines().enumerate() {
        let at = n + 1;
        if let Some(word) = unnumbered(line) {
            faults.push(format!(":{at}: {word} without an issue number"));
        }
        let foreign = FOREIGN
            .iter()
            .map(|(a, b)| format!("{a}{b}"))
            .find(|f| line.contains(f.as_str()));
        if let Some(foreign) = foreign {
            faults.push(format!(":{at}: names a path {foreign}…"));
        }
        let bare = line.trim_start();
        if source && (bare.starts_with("#[ignore") || bare.starts_with("#[should_panic")) {
            faults.push(format!(":{at}: {bare} is not used; assert what happens"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        faults.push(": no line end at the end".to_string());
    }
    faults
}

/// A mark of unfinished work in a comment, not followed by `(#12)`. Such a mark as a code span in a text is a mention.
fn unnumbered(line: &str) -> Option<&'static str> {
    const MARKS: [&str; 3] = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
    ];
    MARKS.into_iter().find(|mark| {
        line.match_indices(mark).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + mark.len()..]);
            let inside = before
                .ends_with(|c: char| c.is_alphanumeric() || c == '`' || c == '"' || c == '_')
                || after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let digits = after
                .strip_prefix("(#")
                .unwrap_or("")
                .chars()
                .take_while(char::is_ascii_digit)
                .count();
            !inside && digits == 0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        assert_eq!(faults_in(path, text), expected, "{text:?}");
    }

    #[test]
    fn a_long_file_says_why() {
        let long = "//\n".repeat(LONG + 1);
        check(
            "a.rs",
            &long,
            &[": 601 lines; split it or say why at its head (`//! Long: …`)"],
        );
        check(
            "a.rs",
            &format!("//! A table.\n//! Long: it is one table.\n{long}"),
            &[],
        );
        check("a.md", &long, &[]);
        check("a.rs", &"//\n".repeat(LONG), &[]);
    }

    #[test]
    fn unfinished_work_has_a_number() {
        let mark = concat!("TO", "DO");
        check(
            "a.rs",
            &format!("// {mark} later\n"),
            &[&format!(":1: {mark} without an issue number")],
        );
        check(
            "a.rs",
            &format!("// {mark}(#): later\n"),
            &[&format!(":1: {mark} without an issue number")],
        );
        check("a.rs", &format!("// {mark}(#12): later\n"), &[]);
        check(
            "a.md",
            &format!("`{mark}` only with a number; MAS{mark}N\n"),
            &[],
        );
    }

    #[test]
    fn foreign_paths_and_hidden_tests_are_found() {
        let path = format!("src/main/{}/X", "java");
        check(
            "a.md",
            &format!("see {path}\n"),
            &[concat!(":1: names a path src/main/", "java…")],
        );
        check(
            "a.rs",
            "    #[ignore]\n",
            &[":1: #[ignore] is not used; assert what happens"],
        );
        check("a.rs", "x", &[": no line end at the end"]);
    }
}
