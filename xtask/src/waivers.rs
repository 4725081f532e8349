//! Clauses that no test can show: `docs/waivers.txt`, one clause and its reason a line, `#` before a comment.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use anyhow::Result;
use trencavel_clauses::ClauseId;

use crate::project::Project;

/// Where they stand.
pub(crate) const FILE: &str = "docs/waivers.txt";

/// The waived clauses with their reasons.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Waivers {
    /// Reason by clause.
    pub(crate) reasons: BTreeMap<ClauseId, String>,
    /// What is wrong with the file itself.
    pub(crate) faults: Vec<String>,
}

/// Reads the file; no file is no waiver.
pub(crate) fn read(project: &Project) -> Result<Waivers> {
    if project.has(FILE) {
        Ok(parse(&project.read(FILE)?))
    } else {
        Ok(Waivers::default())
    }
}

fn parse(text: &str) -> Waivers {
    let mut waivers = Waivers::default();
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = format!("{FILE}:{}", n + 1);
        let (word, reason) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let Some(id) = ClauseId::new(word) else {
            waivers
                .faults
                .push(format!("{at}: {word:?} is not a clause"));
            continue;
        };
        if reason.is_empty() {
            waivers
                .faults
                .push(format!("{at}: {id} is waived without a reason"));
            continue;
        }
        match waivers.reasons.entry(id) {
            Entry::Occupied(there) => {
                waivers
                    .faults
                    .push(format!("{at}: {} is waived twice", there.key()));
            }
            Entry::Vacant(place) => {
                place.insert(reason.trim().to_string());
            }
        }
    }
    waivers
}

/// The slugs that a reason waits for: `needs tower` or `needs tower, phantom and abbot: …`.
pub(crate) fn needs(reason: &str) -> Vec<&str> {
    let mut words = reason.split_whitespace();
    if words.next() != Some("needs") {
        return Vec::new();
    }
    let mut slugs = Vec::new();
    let mut more = true;
    for word in words {
        if word == "and" {
            more = true;
        } else if more {
            slugs.push(word.trim_end_matches([',', ';', ':', '.']));
            more = word.ends_with(',');
        } else {
            break;
        }
    }
    slugs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_clause_and_its_reason() {
        let waivers = parse("# comment\n\nRP-13 history\n  RP-14\tthemes of the tiles  \n");
        let id = |text| ClauseId::new(text).unwrap();
        assert_eq!(waivers.faults, Vec::<String>::new());
        assert_eq!(waivers.reasons[&id("RP-13")], "history");
        assert_eq!(waivers.reasons[&id("RP-14")], "themes of the tiles");
    }

    #[test]
    fn a_waiver_without_reason_is_a_fault() {
        let waivers = parse("RP-13\nRP-14 a\nRP-14 b\nnonsense\n");
        assert_eq!(waivers.reasons.len(), 1);
        assert_eq!(
            waivers.faults,
            [
                "docs/waivers.txt:1: RP-13 is waived without a reason",
                "docs/waivers.txt:3: RP-14 is waived twice",
                "docs/waivers.txt:4: \"nonsense\" is not a clause",
            ]
        );
    }

    #[test]
    fn a_reason_can_wait_for_expansions() {
        assert_eq!(needs("needs tower"), ["tower"]);
        assert_eq!(needs("needs tower: the captured figure"), ["tower"]);
        assert_eq!(
            needs("needs tower, phantom and abbot to show it"),
            ["tower", "phantom", "abbot"]
        );
        assert_eq!(needs("history"), Vec::<&str>::new());
    }
}
