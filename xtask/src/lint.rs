//! `cargo xtask lint`: everything a change must satisfy besides the tests.

use std::process::Command;

use anyhow::{Result, bail};

use crate::command::{cargo, on_path, output, run as run_command, watched};
use crate::project::Project;
use crate::stages::{Outcome, Stage, chosen, run_all};
use crate::{instructions, licences, readme, tidy};

/// Options of the command.
#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Leave out the instruction count, which builds the release profile
    #[arg(long)]
    quick: bool,
    /// Only these checks, by name
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
}

/// Runs the checks; `true` if none failed.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    let mut stages = vec![
        Stage {
            name: "format",
            check: &format,
        },
        Stage {
            name: "tidy",
            check: &tidy::check,
        },
        Stage {
            name: "generated text",
            check: &readme::check,
        },
        Stage {
            name: "rules stand alone",
            check: &rules_stand_alone,
        },
        Stage {
            name: "clippy",
            check: &clippy,
        },
        Stage {
            name: "documentation",
            check: &documentation,
        },
        Stage {
            name: "licences",
            check: &licences::check,
        },
        Stage {
            name: "advisories",
            check: &advisories,
        },
    ];
    if !args.quick {
        stages.push(Stage {
            name: "instruction count",
            check: &instructions::check,
        });
    }
    let stages = chosen(stages, &args.only)?;
    let counts = run_all(project, &stages);
    // Not in the form of the line that counts tests.
    let verdict = if counts.failed == 0 {
        "lint is clean"
    } else {
        "lint FAILED"
    };
    say!("\n{verdict}");
    Ok(counts.failed == 0)
}

fn format(project: &Project) -> Result<Outcome> {
    run_command(&mut cargo(project, &["fmt", "--all", "--check"]))?;
    Ok(Outcome::Passed)
}

fn clippy(project: &Project) -> Result<Outcome> {
    run_command(&mut cargo(
        project,
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--keep-going",
            "--",
            "-D",
            "warnings",
        ],
    ))?;
    Ok(Outcome::Passed)
}

fn documentation(project: &Project) -> Result<Outcome> {
    run_command(
        cargo(
            project,
            &["doc", "--workspace", "--no-deps", "--keep-going"],
        )
        .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    Ok(Outcome::Passed)
}

/// The rules crate depends on nothing at run time.
fn rules_stand_alone(project: &Project) -> Result<Outcome> {
    let tree = output(&mut cargo(
        project,
        &[
            "tree",
            "--package",
            "trencavel-rules",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ],
    ))?;
    let dependencies: Vec<&str> = tree.lines().skip(1).collect();
    if !dependencies.is_empty() {
        bail!("crates/rules depends on {}", dependencies.join(", "));
    }
    Ok(Outcome::Passed)
}

/// Known faults in the crates we use, by cargo-deny, which fetches the list of them.
fn advisories(project: &Project) -> Result<Outcome> {
    let Some(program) = on_path("cargo-deny") else {
        return Ok(Outcome::Skipped(
            "cargo-deny is not installed (cargo install --locked cargo-deny)".into(),
        ));
    };
    let mut unreachable = false;
    let mut command = Command::new(program);
    command
        .args(["--color", "never", "check", "advisories"])
        .current_dir(project.root());
    let good = watched(&mut command, &mut |line| {
        unreachable |= line.contains("failed to fetch advisory database");
    })?;
    match (good, unreachable) {
        (true, _) => Ok(Outcome::Passed),
        (false, true) => Ok(Outcome::Skipped(
            "the list of advisories cannot be fetched here".into(),
        )),
        (false, false) => bail!("a crate has a known fault"),
    }
}
