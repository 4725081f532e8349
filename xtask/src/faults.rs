//! `cargo xtask faults`: the server's fault tests at length, with the optimised program: killed many times, thousands of idle
//! connections.

use anyhow::Result;

use crate::command::{cargo, run as run_command};
use crate::project::Project;

/// Options of the command.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How often the server is killed, with SQLite and with PostgreSQL
    #[arg(default_value_t = 50)]
    kills: u32,
    /// How many connections do nothing
    #[arg(default_value_t = 10_000)]
    idle: u32,
}

/// Runs the tests one after the other, so that their figures are not disturbed.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    let mut command = cargo(
        project,
        &[
            "test",
            "--release",
            "--package",
            "trencavel-cli",
            "--test",
            "server",
            "--",
            "--nocapture",
            "--test-threads=1",
            "faults::",
            "abuse::idle",
            "abuse::a_client_that_does_not_read",
        ],
    );
    command.env("TRENCAVEL_KILLS", args.kills.to_string());
    command.env("TRENCAVEL_IDLE", args.idle.to_string());
    run_command(&mut command)?;
    Ok(true)
}
