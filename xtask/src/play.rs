//! `cargo xtask play`: from a fresh clone to a game in the browser.

use std::path::PathBuf;

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
    let directory = client(project)?;
    if !project.has("crates/server/Cargo.toml") {
        let directory = directory.display().to_string();
        return bundle(project, &["serve", &directory]).map(|()| true);
    }
    let mut command = cargo(
        project,
        &[
            "run",
            "--release",
            "--package",
            "trencavel-cli",
            "--",
            "serve",
            "--client",
            &directory.display().to_string(),
        ],
    );
    run_command(command.args(&args.rest))?;
    Ok(true)
}

/// Builds the client, ready to be served, and gives its directory.
pub(crate) fn client(project: &Project) -> Result<PathBuf> {
    let compiler = wasm::Compiler::find_or_install()?;
    let module = compiler.build(project, "trencavel-web", wasm::PROFILE)?;
    let directory = project.path("target/client");
    let paths = [project.root(), &module, &directory].map(|path| path.display().to_string());
    bundle(project, &["make", &paths[0], &paths[1], &paths[2]])?;
    Ok(directory)
}

/// Runs the program that makes the client's files.
fn bundle(project: &Project, args: &[&str]) -> Result<()> {
    let mut command = cargo(
        project,
        &[
            "run",
            "--quiet",
            "--release",
            "--package",
            "trencavel-bundle",
            "--",
        ],
    );
    run_command(command.args(args))
}
