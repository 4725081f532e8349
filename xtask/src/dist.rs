//! `cargo xtask dist`: one program with the client inside, which is all that a server needs.

use anyhow::Result;

use crate::command::{cargo, run as run_command};
use crate::play;
use crate::project::Project;

/// Builds the client, then the program around it.
pub(crate) fn run(project: &Project) -> Result<bool> {
    let client = play::client(project)?;
    let mut command = cargo(
        project,
        &["build", "--release", "--package", "trencavel-cli"],
    );
    command.env("TRENCAVEL_CLIENT_FILES", &client);
    run_command(&mut command)?;
    let program = project.path("target/release/trencavel");
    let size = std::fs::metadata(&program)?.len();
    say!(
        "{}: {} MB with the client inside",
        program.display(),
        size / 1_000_000
    );
    Ok(true)
}
