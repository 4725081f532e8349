//! Which clauses the tests cite.
//!
//! A test cites a clause in one of two ways, and nothing else counts: a scenario file (`*.scn`) has a line that begins with
//! `clauses` and names it; or a doc comment line that begins with `Covers`, directly above a function with the attribute
//! `test`, names it there or on a doc comment line after it. Other comments and attributes of one line may stand between.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use trencavel_clauses::{ClauseId, find_ids};

use crate::project::Project;

/// For each cited clause, the files that cite it.
pub(crate) type Citations = BTreeMap<ClauseId, BTreeSet<String>>;

/// Reads all scenarios and tests of the project.
pub(crate) fn read(project: &Project) -> Result<Citations> {
    let mut citations = Citations::new();
    for path in project.files(&[".scn", ".rs"])? {
        let text = project.read(&path)?;
        let ids = if path.ends_with(".scn") {
            in_scenario(&text)
        } else {
            in_source(&text)
        };
        for id in ids {
            citations.entry(id).or_default().insert(path.clone());
        }
    }
    Ok(citations)
}

fn in_scenario(text: &str) -> Vec<ClauseId> {
    text.lines()
        .filter(|line| line.starts_with("clauses"))
        .flat_map(find_ids)
        .collect()
}

fn in_source(text: &str) -> Vec<ClauseId> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut ids = Vec::new();
    for (n, first) in lines.iter().enumerate() {
        if !first.starts_with("/// Covers") {
            continue;
        }
        let mut named = find_ids(first);
        for line in &lines[n + 1..] {
            if line.starts_with("///") {
                named.extend(find_ids(line));
            } else if line.starts_with("#[test") {
                ids.append(&mut named);
                break;
            } else if !(line.starts_with("#[") || line.starts_with("//")) {
                break;
            }
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(ids: Vec<ClauseId>) -> String {
        ids.iter()
            .map(ClauseId::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_scenario_cites_in_its_clauses_line() {
        let text =
            "# RP-01 in a comment\nclauses  RP-25 RP-E01\nlay x\n clauses RP-02\nclauses SM-87\n";
        assert_eq!(names(in_scenario(text)), "RP-25 RP-E01 SM-87");
    }

    #[test]
    fn a_test_cites_above_its_attribute() {
        let text = "    /// Covers RP-25,\n    /// RP-26. More.\n    // a note\n    #[cfg(x)]\n    #[test]\n    fn a() {}\n";
        assert_eq!(names(in_source(text)), "RP-25 RP-26");
    }

    #[test]
    fn other_comments_cite_nothing() {
        assert_eq!(
            names(in_source(
                "/// Covers RP-25.\nfn not_a_test() {}\n#[test]\nfn a() {}\n"
            )),
            ""
        );
        assert_eq!(
            names(in_source("/// Covers RP-25.\n\n#[test]\nfn a() {}\n")),
            ""
        );
        assert_eq!(names(in_source("/// See RP-25.\n#[test]\nfn a() {}\n")), "");
        assert_eq!(
            names(in_source("// Covers RP-25.\n#[test]\nfn a() {}\n")),
            ""
        );
    }
}
