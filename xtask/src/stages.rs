//! A list of named checks, each with its time.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::counts::Counts;
use crate::project::Project;

/// What a check found out, when it could be carried out.
pub(crate) enum Outcome {
    /// All is well.
    Passed,
    /// It was not done, and why.
    Skipped(String),
    /// It ran tests.
    Counted(Counts),
}

/// A check with a name.
pub(crate) struct Stage<'a> {
    pub(crate) name: &'a str,
    pub(crate) check: &'a dyn Fn(&Project) -> Result<Outcome>,
}

/// Runs all stages, whether or not one fails, prints a summary, and gives the sum. A stage without tests of its own counts as
/// one test.
pub(crate) fn run_all(project: &Project, stages: &[Stage<'_>]) -> Counts {
    let mut sum = Counts::default();
    let mut rows: Vec<(&str, Duration, String)> = Vec::new();
    for stage in stages {
        say!("\n== {}", stage.name);
        let began = Instant::now();
        let (counts, text) = judge((stage.check)(project));
        say!("-- {text}");
        sum += counts;
        rows.push((stage.name, began.elapsed(), text));
    }
    let width = stages.iter().map(|s| s.name.len()).max().unwrap_or(0);
    say!("\n== summary");
    for (name, time, text) in &rows {
        say!(
            "{name:width$}  {:7.1} s  {}",
            time.as_secs_f32(),
            text.lines().next().unwrap_or("")
        );
    }
    sum
}

/// The stages that are named; all of them if none is.
///
/// # Errors
/// A name that no stage has, and the names there are.
pub(crate) fn chosen<'a>(stages: Vec<Stage<'a>>, only: &[String]) -> Result<Vec<Stage<'a>>> {
    if let Some(unknown) = (only.iter()).find(|name| stages.iter().all(|s| s.name != **name)) {
        let names: Vec<&str> = stages.iter().map(|stage| stage.name).collect();
        bail!(
            "there is no stage `{unknown}`; there are: {}",
            names.join(", ")
        );
    }
    let is_chosen = |stage: &Stage| only.is_empty() || only.iter().any(|name| name == stage.name);
    Ok(stages.into_iter().filter(is_chosen).collect())
}

fn judge(result: Result<Outcome>) -> (Counts, String) {
    let one = |passed, failed, skipped| Counts {
        passed,
        failed,
        skipped,
    };
    match result {
        Ok(Outcome::Passed) => (one(1, 0, 0), "ok".to_string()),
        Ok(Outcome::Skipped(why)) => (one(0, 0, 1), format!("SKIPPED: {why}")),
        Ok(Outcome::Counted(counts)) if counts.failed == 0 => (counts, format!("ok: {counts}")),
        Ok(Outcome::Counted(counts)) => (counts, format!("FAILED: {counts}")),
        Err(error) => (one(0, 1, 0), format!("FAILED: {error:#}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_chosen_by_name() {
        let stages = || {
            ["a", "b"].map(|name| Stage {
                name,
                check: &|_| Ok(Outcome::Passed),
            })
        };
        let names = |only: &[&str]| -> Result<Vec<&str>> {
            let only: Vec<String> = only.iter().map(|name| name.to_string()).collect();
            let chosen = chosen(stages().into(), &only)?;
            Ok(chosen.iter().map(|stage| stage.name).collect())
        };
        assert_eq!(names(&[]).unwrap(), ["a", "b"]);
        assert_eq!(names(&["b"]).unwrap(), ["b"]);
        let error = names(&["c"]).unwrap_err().to_string();
        assert_eq!(error, "there is no stage `c`; there are: a, b");
    }

    #[test]
    fn every_stage_runs_and_counts() {
        let project = Project::at(std::path::Path::new("."));
        let counted = Counts {
            passed: 5,
            failed: 1,
            skipped: 2,
        };
        let stages = [
            Stage {
                name: "good",
                check: &|_| Ok(Outcome::Passed),
            },
            Stage {
                name: "bad",
                check: &|_| anyhow::bail!("no"),
            },
            Stage {
                name: "not here",
                check: &|_| Ok(Outcome::Skipped("no tool".into())),
            },
            Stage {
                name: "tests",
                check: &move |_| Ok(Outcome::Counted(counted)),
            },
        ];
        assert_eq!(
            run_all(&project, &stages),
            Counts {
                passed: 6,
                failed: 2,
                skipped: 3
            }
        );
    }
}
