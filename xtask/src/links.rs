//! What the documents refer to: files that must exist, commands that must be there, lines that are quoted.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use crate::project::Project;

/// Links to files that are missing, and `cargo xtask` commands that do not exist, in all documents.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let commands = crate::command_names();
    for path in project.files(&[".md"])? {
        let text = project.read(&path)?;
        let dir = Path::new(&path).parent().unwrap_or(Path::new(""));
        for target in link_targets(&text) {
            if !project.root().join(dir).join(&target).exists() {
                faults.push(format!("{path}: links to {target}, which does not exist"));
            }
        }
        for (file, line) in quoted_lines(&text) {
            let there = project.read(&file).unwrap_or_default();
            if !there.lines().any(|other| other.trim() == line) {
                faults.push(format!("{path}: quotes `{line}`, which is not in {file}"));
            }
        }
        for name in xtask_commands(&text) {
            if !commands.contains(&name) {
                faults.push(format!("{path}: cargo xtask has no command {name}"));
            }
        }
    }
    faults.extend(forgotten_names(project)?);
    Ok(faults)
}

/// The lines of code blocks that follow a paragraph which ends with `From [file](file):`, with the file; without those that say
/// `…`.
fn quoted_lines(text: &str) -> Vec<(String, &str)> {
    let mut quoted = Vec::new();
    let mut paragraph = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("```") {
            if !line.is_empty() {
                paragraph.push_str(line);
                paragraph.push(' ');
            }
            continue;
        }
        let source = paragraph.trim_end().strip_suffix("):");
        let source = source.filter(|text| text.contains("From ["));
        let file = source
            .and_then(|text| text.rsplit_once("]("))
            .map(|(_, file)| file);
        for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
            let line = line.trim();
            if let Some(file) = file
                && !line.is_empty()
                && line != "…"
            {
                quoted.push((file.to_string(), line));
            }
        }
        paragraph.clear();
    }
    quoted
}

/// Names in the last column of the glossary that no source file has.
fn forgotten_names(project: &Project) -> Result<Vec<String>> {
    const GLOSSARY: &str = "docs/glossary.md";
    let mut words = BTreeSet::new();
    for path in project.files(&[".rs"])? {
        let text = project.read(&path)?;
        let split = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.extend(split.map(str::to_string));
    }
    let names = names_in_code(&project.read(GLOSSARY)?);
    let gone = names.into_iter().filter(|name| !words.contains(name));
    Ok(gone
        .map(|name| format!("{GLOSSARY}: {name} is not in the code"))
        .collect())
}

/// The names in the fourth column of the glossary's tables.
fn names_in_code(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| line.starts_with('|'))
        .filter_map(|line| line.trim_end_matches('|').rsplit('|').next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(str::to_string)
        .collect()
}

/// The files that `[text](file#part)` names; addresses with a scheme are left out.
fn link_targets(text: &str) -> Vec<String> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next())
        .filter_map(|target| target.split('#').next())
        .filter(|target| !target.is_empty() && !target.contains(':'))
        .map(str::to_string)
        .collect()
}

/// The words after `cargo xtask`.
fn xtask_commands(text: &str) -> Vec<String> {
    text.split("cargo xtask ")
        .skip(1)
        .filter_map(|rest| {
            rest.split(|c: char| !(c.is_ascii_lowercase() || c == '-'))
                .next()
        })
        .filter(|name| !name.is_empty())
        .map(str::to_string)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_lines_are_found() {
        let text = "From [a](b/c.rs):\n\n```rust\nx;\n…\n  y;\n```\n\nNot quoted:\n\n```\nz\n```\nMore. From\n[a](d):\n```\nw\n```\n";
        let quoted = quoted_lines(text);
        let quoted: Vec<_> = quoted.iter().map(|(f, l)| (f.as_str(), *l)).collect();
        assert_eq!(quoted, [("b/c.rs", "x;"), ("b/c.rs", "y;"), ("d", "w")]);
    }

    #[test]
    fn links_to_files_are_found() {
        let text = "[a](docs/a.md#part) ![b](b.svg) [c](https://x.org/) [d](#here) (e) [f] (g)";
        assert_eq!(link_targets(text), ["docs/a.md", "b.svg"]);
    }

    #[test]
    fn commands_are_found() {
        let text =
            "run `cargo xtask new-expansion SLUG`, then cargo xtask test.\ncargo xtask <command>";
        assert_eq!(xtask_commands(text), ["new-expansion", "test"]);
    }
    #[test]
    fn the_glossary_names_the_code_in_its_last_column() {
        let text =
            "| word | meaning | not | in code |\n| a | `b` | c | `D`, `e_f` |\n| g | h | i | |\n";
        assert_eq!(names_in_code(text), ["D", "e_f"]);
    }
}
