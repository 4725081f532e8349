//! `cargo xtask clauses`: which clauses of the rule book have a test.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use trencavel_clauses::{Book, ClauseId, read_books};

use crate::citations::{self, Citations};
use crate::project::Project;
use crate::waivers::{self, Waivers};

/// Options of the command.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this file of the rule book; may be given several times
    #[arg(long, value_name = "SLUG")]
    slug: Vec<String>,
    /// Name the clauses that no test cites
    #[arg(long)]
    missing: bool,
    /// Fail when a listed file has a test for less than this share of its clauses
    #[arg(long, value_name = "PERCENT")]
    fail_under: Option<f64>,
}

/// Rule book, tests and waivers of a project.
struct Survey {
    books: Vec<Book>,
    citations: Citations,
    waivers: Waivers,
    implemented: Vec<String>,
}

/// How far one file of the rule book is tested.
#[derive(Debug, PartialEq, Eq)]
struct Row<'a> {
    slug: &'a str,
    clauses: usize,
    covered: usize,
    waived: usize,
    missing: Vec<&'a ClauseId>,
}

impl Row<'_> {
    /// The share of the clauses that need a test and have one.
    fn percent(&self) -> f64 {
        let need = self.covered + self.missing.len();
        if need == 0 {
            100.0
        } else {
            100.0 * self.covered as f64 / need as f64
        }
    }
}

/// Prints the table and the faults; `true` if there is nothing to complain about.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    let survey = Survey::read(project)?;
    let known: Vec<&str> = survey.books.iter().map(|b| b.slug.as_str()).collect();
    if let Some(slug) = args.slug.iter().find(|s| !known.contains(&s.as_str())) {
        bail!("the rule book has no file {slug}.md");
    }
    let mut rows = survey.rows();
    rows.retain(|row| args.slug.is_empty() || args.slug.iter().any(|s| s == row.slug));
    print_table(&rows, args.missing);
    let faults = survey.faults();
    for fault in &faults {
        say!("{fault}");
    }
    let mut good = faults.is_empty();
    if let Some(limit) = args.fail_under {
        for row in rows.iter().filter(|row| row.percent() < limit) {
            say!(
                "{}: {:.0} % of the clauses have a test, not {limit} %",
                row.slug,
                row.percent()
            );
            good = false;
        }
    }
    Ok(good)
}

/// Only the faults, as one error.
pub(crate) fn check(project: &Project) -> Result<()> {
    let survey = Survey::read(project)?;
    let faults = survey.faults();
    if !faults.is_empty() {
        bail!("the clauses are not in order\n{}", faults.join("\n"));
    }
    let rows = survey.rows();
    let (covered, need) = sum(&rows);
    say!("{covered} of {need} clauses have a test");
    Ok(())
}

impl Survey {
    fn read(project: &Project) -> Result<Survey> {
        Ok(Survey {
            books: read_books(&project.path("docs/rules"))?,
            citations: citations::read(project)?,
            waivers: waivers::read(project)?,
            implemented: project.implemented()?,
        })
    }

    fn rows(&self) -> Vec<Row<'_>> {
        self.books
            .iter()
            .map(|book| {
                let ids: Vec<&ClauseId> = book.clauses.iter().map(|c| &c.id).collect();
                let is_waived = |id: &ClauseId| self.waivers.reasons.contains_key(id);
                let waived = ids.iter().filter(|id| is_waived(id)).count();
                let missing: Vec<&ClauseId> = ids
                    .iter()
                    .filter(|id| !is_waived(id) && !self.citations.contains_key(id))
                    .copied()
                    .collect();
                let covered = ids.len() - waived - missing.len();
                Row {
                    slug: &book.slug,
                    clauses: ids.len(),
                    covered,
                    waived,
                    missing,
                }
            })
            .collect()
    }

    /// Everything in which tests, waivers and rule book contradict each other.
    fn faults(&self) -> Vec<String> {
        let known: BTreeSet<&ClauseId> = self
            .books
            .iter()
            .flat_map(|b| &b.clauses)
            .map(|c| &c.id)
            .collect();
        let mut faults = self.waivers.faults.clone();
        for (id, files) in &self.citations {
            let files = files
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(", ");
            if !known.contains(id) {
                faults.push(format!("unknown clause {id} cited in {files}"));
            }
            if self.waivers.reasons.contains_key(id) {
                faults.push(format!(
                    "{id} is waived and cited in {files}: one of them is to go"
                ));
            }
        }
        for (id, reason) in &self.waivers.reasons {
            if !known.contains(id) {
                faults.push(format!("unknown clause {id} in {}", waivers::FILE));
            }
            faults.extend(self.waiting(id, reason));
        }
        faults
    }

    /// What is wrong with the slugs that a waiver waits for.
    fn waiting(&self, id: &ClauseId, reason: &str) -> Option<String> {
        let slugs = waivers::needs(reason);
        if let Some(slug) = slugs
            .iter()
            .find(|s| self.books.iter().all(|b| b.slug != **s))
        {
            return Some(format!(
                "{id} is waived because it needs {slug}, which is no file of the rule book"
            ));
        }
        let here = |slug: &&str| self.implemented.iter().any(|s| s == slug);
        let over = !slugs.is_empty() && slugs.iter().all(here);
        over.then(|| {
            format!(
                "{id} is waived because it needs {}, which is there by now",
                slugs.join(", ")
            )
        })
    }
}

fn sum(rows: &[Row<'_>]) -> (usize, usize) {
    let covered = rows.iter().map(|r| r.covered).sum();
    let need = rows.iter().map(|r| r.clauses - r.waived).sum();
    (covered, need)
}

fn print_table(rows: &[Row<'_>], name_missing: bool) {
    let width = rows.iter().map(|r| r.slug.len()).max().unwrap_or(0);
    say!("{:width$}  clauses  covered  waived  missing", "");
    for row in rows {
        let (slug, missing) = (row.slug, row.missing.len());
        say!(
            "{slug:width$}  {:7}  {:7}  {:6}  {missing:7}  {:3.0} %",
            row.clauses,
            row.covered,
            row.waived,
            row.percent()
        );
        if name_missing && missing > 0 {
            let ids: Vec<&str> = row.missing.iter().map(|id| id.as_str()).collect();
            say!("  without: {}", ids.join(" "));
        }
    }
    let (covered, need) = sum(rows);
    say!("in all: {covered} of {need}");
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str =
        "prefix AA\n- **AA-01** One.\n- **AA-02** Two.\n- **AA-03** Three.\n- **AA-E01** Four.\n";

    fn survey(cited: &[&str], waived: &[(&str, &str)]) -> Survey {
        let id = |text: &str| ClauseId::new(text).unwrap();
        let files = || BTreeSet::from(["a.scn".to_string()]);
        Survey {
            books: vec![
                Book::parse("alpha", BOOK),
                Book::parse("beta", "prefix BB\n- **BB-01** x\n"),
            ],
            citations: cited.iter().map(|c| (id(c), files())).collect(),
            waivers: Waivers {
                reasons: waived.iter().map(|(c, r)| (id(c), r.to_string())).collect(),
                faults: Vec::new(),
            },
            implemented: vec!["alpha".to_string()],
        }
    }

    #[test]
    fn a_clause_is_covered_waived_or_missing() {
        let survey = survey(&["AA-01", "AA-E01"], &[("AA-02", "history")]);
        let rows = survey.rows();
        let missing: Vec<&str> = rows[0].missing.iter().map(|id| id.as_str()).collect();
        assert_eq!(
            (rows[0].clauses, rows[0].covered, rows[0].waived),
            (4, 2, 1)
        );
        assert_eq!(missing, ["AA-03"]);
        assert_eq!(
            format!("{:.1} {:.1}", rows[0].percent(), rows[1].percent()),
            "66.7 0.0"
        );
        assert_eq!(sum(&rows), (2, 4));
        assert_eq!(survey.faults(), Vec::<String>::new());
    }

    #[test]
    fn contradictions_are_faults() {
        let check = |cited: &[&str], waived: &[(&str, &str)], expected: &str| {
            assert_eq!(survey(cited, waived).faults(), [expected]);
        };
        check(&["AA-99"], &[], "unknown clause AA-99 cited in a.scn");
        check(
            &["AA-01"],
            &[("AA-01", "x")],
            "AA-01 is waived and cited in a.scn: one of them is to go",
        );
        check(
            &[],
            &[("AA-99", "x")],
            "unknown clause AA-99 in docs/waivers.txt",
        );
        check(
            &[],
            &[("AA-01", "needs alpha")],
            "AA-01 is waived because it needs alpha, which is there by now",
        );
        check(
            &[],
            &[("AA-01", "needs gamma")],
            "AA-01 is waived because it needs gamma, which is no file of the rule book",
        );
        assert_eq!(
            survey(&[], &[("AA-01", "needs alpha and beta")]).faults(),
            Vec::<String>::new()
        );
    }
}
