//! The program `trencavel`.

// `println!` panics when nobody reads any more; `writeln!` gives an error that `main` knows.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod setup;
mod show;

mod analyse;
mod arena;
mod batch;
mod catalogue;
mod check;
mod compare;
mod convert;
mod files;
mod play;
mod players;
mod rule_book;
mod serve;
mod simulate;
mod tell;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Carcassonne, complete: play, simulate and study games.
///
/// A game is its setup and its inputs. Expansions are named by their slug (see `trencavel expansions`), options by their
/// key, moves by the notation of docs/notation.md.
#[derive(Parser)]
#[command(
    name = "trencavel",
    version,
    after_help = "Exit codes: 0 all is well, 1 a check failed, 2 the command cannot be understood or carried out."
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game in the terminal, hot seat or against computer players
    Play(play::Args),
    /// Play many games by computer players and print their results
    Simulate(simulate::Args),
    /// Play matches between computer players and say who is stronger
    Arena(arena::Args),
    /// Judge every decision of a game: what was lost, and who was winning when
    Analyse(analyse::Args),
    /// List the computer players and their levels
    Levels(players::LevelsArgs),
    /// Run the server: tables, seats, storage, and the client
    Serve(serve::Args),
    /// Step through a game file, or print it with every score
    Replay(files::ReplayArgs),
    /// Check game files and saved games of JCloisterZone: every move, every hash, every sentence
    Check(check::Args),
    /// Compare recorded games of another engine with ours, step by step
    Compare(compare::Args),
    /// Convert saved games of JCloisterZone (.jcz) to game files, and back
    Convert(convert::Args),
    /// List the expansions with their options
    Expansions(catalogue::ExpansionsArgs),
    /// List the tiles, with their names and what is on them
    Tiles(catalogue::TilesArgs),
    /// Say what clauses of the rule book say
    Rule(rule_book::Args),
}

fn main() -> ExitCode {
    let args = Args::parse();
    // A server that loses a connection has not been read to the end.
    let is_read = !matches!(args.command, Command::Serve(_));
    let result = match args.command {
        Command::Play(args) => play::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Arena(args) => arena::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Levels(args) => players::levels(&args),
        Command::Serve(args) => serve::run(args),
        Command::Replay(args) => files::replay(&args),
        Command::Check(args) => check::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Expansions(args) => catalogue::expansions(&args),
        Command::Tiles(args) => catalogue::tiles(&args),
        Command::Rule(args) => rule_book::rule(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_read && is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "trencavel: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whoever reads the output has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
