//! `cargo xtask test`: every test, and one line that counts them.

use anyhow::Result;

use crate::browser;
use crate::command::{cargo, on_path, watched};
use crate::counts::Counts;
use crate::coverage;
use crate::project::Project;
use crate::stages::{Outcome, Stage, chosen, run_all};
use crate::twin;

/// Options of the command.
#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Use plain `cargo test` even where cargo-nextest is installed
    #[arg(long)]
    plain: bool,
    /// Only these stages, by name
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
}

/// Runs the stages. The last line printed is `N passed, N failed`, with `, N skipped` when there are some.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    let nextest = !args.plain && on_path("cargo-nextest").is_some();
    let stages = [
        Stage {
            name: "tests",
            check: &move |p| tests(p, nextest),
        },
        Stage {
            name: "doc tests",
            check: &doc_tests,
        },
        Stage {
            name: "clauses",
            check: &clauses,
        },
        Stage {
            name: "WebAssembly",
            check: &twin::check,
        },
        Stage {
            name: "browser",
            check: &browser::check,
        },
    ];
    let stages = chosen(stages.into(), &args.only)?;
    let counts = run_all(project, &stages);
    say!("\n{counts}");
    Ok(counts.failed == 0)
}

fn tests(project: &Project, nextest: bool) -> Result<Outcome> {
    let args: &[&str] = if nextest {
        &["nextest", "run", "--workspace", "--no-fail-fast"]
    } else {
        &[
            "test",
            "--workspace",
            "--no-fail-fast",
            "--lib",
            "--bins",
            "--tests",
            "--examples",
        ]
    };
    count(project, args)
}

fn doc_tests(project: &Project) -> Result<Outcome> {
    count(project, &["test", "--workspace", "--no-fail-fast", "--doc"])
}

/// Adds up what a runner prints. A run that fails without a failing test (it did not compile, a test process died) has one
/// failure.
fn count(project: &Project, args: &[&str]) -> Result<Outcome> {
    let mut counts = Counts::default();
    let succeeded = watched(&mut cargo(project, args), &mut |line| {
        if let Some(found) = Counts::in_line(line) {
            counts += found;
        }
    })?;
    if !succeeded && counts.failed == 0 {
        counts.failed = 1;
    }
    Ok(Outcome::Counted(counts))
}

/// The tests and the waivers name clauses that exist, and do not contradict each other.
fn clauses(project: &Project) -> Result<Outcome> {
    coverage::check(project)?;
    Ok(Outcome::Passed)
}
