//! `cargo xtask play`: from a fresh clone to a game in the browser.

use anyhow::{Result, bail};

use crate::command::{cargo, run as run_command};
use crate::project::Project;
use crate::wasm;

/// Options of the command.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Passed on to `trencavel serve`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds the client and starts the server, which serves it and opens a game.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    for needed in ["crates/web/Cargo.toml", "crates/cli/Cargo.toml"] {
        if !project.has(needed) {
            bail!("there is no {needed}: client and server are not part of this version");
        }
    }
    client(project)?;
    let mut command = cargo(
        project,
        &[
            "run",
            "--release",
            "--package",
            "trencavel-cli",
            "--",
            "serve",
        ],
    );
    run_command(command.args(&args.rest))?;
    Ok(true)
}

/// Builds the client, ready to be served.
fn client(project: &Project) -> Result<()> {
    let compiler = wasm::Compiler::find_or_install()?;
    let module = compiler.build(project, "trencavel-web", wasm::PROFILE)?;
    println!("client: {}", module.display());
    Ok(())
}
