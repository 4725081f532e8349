//! Everything that a developer or newcomer runs, as `cargo xtask <command>`.

// `println!` panics when nobody reads any more.
#![warn(clippy::print_stdout, clippy::print_stderr)]

/// Prints a line. What is under way goes on when nobody reads any more.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

/// Prints a line to the standard error stream.
macro_rules! say_wrong {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod bench;
mod browser;
mod citations;
mod command;
mod counts;
mod coverage;
mod dist;
mod faults;
mod instructions;
mod licences;
mod links;
mod lint;
mod play;
mod project;
mod readme;
mod scaffold;
mod stages;
mod test;
mod tidy;
mod twin;
mod waivers;
mod wasm;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

use crate::project::Project;

/// The command line.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Subcommand)]
enum Command {
    /// Build what is missing, start the server on http://127.0.0.1:8420 and open a game
    Play(play::Args),
    /// Build the program with the client inside, as a server needs it
    Dist,
    /// Run every test; the last line counts them
    Test(test::Args),
    /// Run everything a change must satisfy besides the tests
    Lint(lint::Args),
    /// Run lint, then test
    Ci,
    /// Time the rules, the computer players or the server
    Bench(bench::Args),
    /// Play random games of random setups until a time is over or a rule breaks
    Soak(bench::SoakArgs),
    /// Kill the server many times under load, and open thousands of connections
    Faults(faults::Args),
    /// Show which clauses of the rule book have a test
    Clauses(coverage::Args),
    /// Write the first files of an expansion
    NewExpansion(scaffold::Args),
    /// Bring the generated parts of README.md up to date
    Readme,
    /// Build a package for WebAssembly and print the path of the .wasm file
    Wasm(wasm::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match Project::find().and_then(|project| run(cli.command, &project)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say_wrong!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all went well. An `Err` is something that could not even be tried.
fn run(command: Command, project: &Project) -> Result<bool> {
    match command {
        Command::Play(args) => play::run(project, &args),
        Command::Dist => dist::run(project),
        Command::Test(args) => test::run(project, &args),
        Command::Lint(args) => lint::run(project, &args),
        Command::Ci => {
            let clean = lint::run(project, &lint::Args::default())?;
            let passed = test::run(project, &test::Args::default())?;
            Ok(clean && passed)
        }
        Command::Bench(args) => bench::run(project, &args),
        Command::Soak(args) => bench::soak(project, &args),
        Command::Faults(args) => faults::run(project, &args),
        Command::Clauses(args) => coverage::run(project, &args),
        Command::NewExpansion(args) => scaffold::run(project, &args),
        Command::Readme => readme::write(project).map(|()| true),
        Command::Wasm(args) => wasm::run(project, &args),
    }
}

/// The names of the commands, as the documents may use them.
fn command_names() -> Vec<String> {
    Cli::command()
        .get_subcommands()
        .map(|c| c.get_name().to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
