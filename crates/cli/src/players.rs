//! The computer players on the command line.

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::{Result, bail};
use trencavel_ai::{LEVELS, Level, PLAYERS, level};

/// The level or player with this name.
pub(crate) fn named(name: &str) -> Result<&'static Level> {
    match level(name) {
        Some(level) => Ok(level),
        None => bail!(
            "there is no player \"{name}\": the players are {}",
            names().join(", ")
        ),
    }
}

/// The names of all levels and players, weakest first.
pub(crate) fn names() -> Vec<&'static str> {
    LEVELS
        .iter()
        .chain(PLAYERS)
        .map(|level| level.name)
        .collect()
}

/// What the help of commands says about levels.
pub(crate) fn help() -> String {
    format!(
        "Computer players, from gentle to strong: {} (see `trencavel levels`)",
        LEVELS
            .iter()
            .map(|level| level.name)
            .collect::<Vec<_>>()
            .join(", ")
    )
}

/// Options of `levels`.
#[derive(clap::Args)]
pub(crate) struct LevelsArgs {}

/// Lists the levels.
pub(crate) fn levels(_: &LevelsArgs) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    writeln!(out, "levels, from gentle to strong:")?;
    for level in LEVELS {
        line(&mut out, level)?;
    }
    writeln!(out, "players as such, for measurements:")?;
    for level in PLAYERS {
        line(&mut out, level)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn line(out: &mut impl io::Write, level: &Level) -> io::Result<()> {
    let time = if level.milliseconds > 0.0 {
        format!("up to {} s a move", level.milliseconds / 1000.0)
    } else {
        "at once".to_string()
    };
    writeln!(out, "  {:<12} {:<52} {time}", level.name, level.about)
}
