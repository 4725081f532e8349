//! `cargo xtask bench` and `cargo xtask soak`: the timing and endurance programs, which are examples of the crates they are
//! about.

use anyhow::{Result, bail};

use crate::command::{cargo, run as run_command};
use crate::instructions;
use crate::project::Project;

/// Options of `bench`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to time
    subject: Subject,
    /// Count the instructions of the fixed runs and record them in benches/instructions.toml
    #[arg(long)]
    record: bool,
    /// Passed on to the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// What can be timed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Subject {
    /// Random games a second
    Rules,
    /// Thinking speed and strength of the computer players
    Players,
    /// Moves a second and how long an answer takes
    Server,
}

/// Options of `soak`.
#[derive(clap::Args)]
pub(crate) struct SoakArgs {
    /// Passed on to the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs the program.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    if args.record {
        if args.subject != Subject::Rules {
            bail!("only the rules have fixed runs to record");
        }
        return instructions::record(project).map(|()| true);
    }
    let crate_name = match args.subject {
        Subject::Rules => "rules",
        Subject::Players => "ai",
        Subject::Server => "server",
    };
    let done = example(project, crate_name, "bench", &args.rest)?;
    if args.subject == Subject::Rules && args.rest.is_empty() {
        match instructions::a_game(project)? {
            Some(n) => say!("instructions a game: {n}"),
            None => say!("instructions a game: not counted, valgrind is not installed"),
        }
    }
    Ok(done)
}

/// Runs the endurance program.
pub(crate) fn soak(project: &Project, args: &SoakArgs) -> Result<bool> {
    example(project, "testkit", "soak", &args.rest)
}

fn example(project: &Project, crate_name: &str, name: &str, rest: &[String]) -> Result<bool> {
    let file = format!("crates/{crate_name}/examples/{name}.rs");
    if !project.has(&file) {
        bail!("there is no {file}");
    }
    let package = format!("trencavel-{crate_name}");
    let mut command = cargo(
        project,
        &[
            "run",
            "--release",
            "--package",
            &package,
            "--all-features",
            "--example",
            name,
            "--",
        ],
    );
    run_command(command.args(rest))?;
    Ok(true)
}
