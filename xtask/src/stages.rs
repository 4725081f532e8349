//! A list of named checks, each with its time.

use std::time::{Duration, Instant};

use anyhow::Result;

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
        println!("\n== {}", stage.name);
        let began = Instant::now();
        let (counts, text) = judge((stage.check)(project));
        println!("-- {text}");
        sum += counts;
        rows.push((stage.name, began.elapsed(), text));
    }
    let width = stages.iter().map(|s| s.name.len()).max().unwrap_or(0);
    println!("\n== summary");
    for (name, time, text) in &rows {
        println!(
            "{name:width$}  {:7.1} s  {}",
            time.as_secs_f32(),
            text.lines().next().unwrap_or("")
        );
    }
    sum
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
