//! Matches between computer players: who is stronger, and how sure that is.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use trencavel_ai::{
    Budget, Entrant, GameResult, Match, SearchSettings, ThreadTime, Verdict, deal_shares, meetings,
    sequential, standings,
};
use trencavel_record::setup_text::setup_text;

use crate::players;
use crate::setup::SetupArgs;

/// Options of `arena`.
#[derive(clap::Args)]
#[command(after_help = "\
A player is a level or player of `trencavel levels`, with settings behind colons where it is to differ: \
search:time=200ms, search:iterations=500:winning=0.5, steady:tempo=1. The settings are `time`, `iterations`, those of the \
search and the numbers of the evaluation (docs/players.md). Without a budget a level has its own.

Time is the processor time of the thread that thinks, so that a loaded machine changes nothing but how long a match takes. With \
budgets in iterations the results depend on nothing but the options.")]
pub(crate) struct Args {
    #[command(flatten)]
    setup: SetupArgs,
    /// Who plays, two or more; every pair meets
    #[arg(long, value_delimiter = ',', required = true)]
    players: Vec<String>,
    /// How many games each pair plays; rounded up until every deal is played in every seating
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// What a player may spend on a decision, such as 1s or 200ms
    #[arg(long, value_parser = milliseconds, conflicts_with = "iterations")]
    time: Option<f64>,
    /// The same in iterations: reproducible
    #[arg(long)]
    iterations: Option<u32>,
    /// How many seats, which the players of a pair share
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..))]
    seats: u8,
    /// Decides all tiles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games are played at a time; 0 for one on each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Write the games to this file instead of the standard output; games that are in it already are not played again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// End as soon as a sequential test knows whether the first of two players is better than the second by HIGH Elo rather
    /// than by LOW, such as 0,20
    #[arg(long, value_name = "LOW,HIGH", value_delimiter = ',', num_args = 1..=2)]
    sequential: Vec<f64>,
}

/// The first line of a file of results: games of different matches do not belong together.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Head {
    arena: u32,
    setup: String,
    seed: u64,
    players: Vec<String>,
    budget: String,
}

/// Milliseconds from `200ms`, `1s`, `0.5s`.
pub(crate) fn milliseconds(text: &str) -> Result<f64, String> {
    let number = |digits: &str, factor: f64| {
        digits
            .trim()
            .parse::<f64>()
            .ok()
            .map(|number| number * factor)
    };
    let value = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(digits), _) => number(digits, 1.0),
        (None, Some(digits)) => number(digits, 1000.0),
        (None, None) => None,
    };
    value
        .filter(|ms| *ms >= 0.0 && *ms <= 3.6e6)
        .ok_or_else(|| "write it as 1s or 200ms, with at most an hour".to_string())
}

/// An entrant from its words on the command line.
fn entrant(text: &str, name: String, usual: Option<Budget>) -> Result<Entrant> {
    let mut words = text.split(':');
    let level = players::named(words.next().unwrap_or(text))?;
    let mut settings = SearchSettings::default();
    let mut budget = usual.unwrap_or(level.budget());
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            bail!("{text}: write \"{word}\" as KEY=VALUE");
        };
        match key {
            "time" => match milliseconds(value) {
                Ok(ms) => budget = Budget::Milliseconds(ms),
                Err(error) => bail!("{text}: {word}: {error}"),
            },
            "iterations" => match value.parse() {
                Ok(n) => budget = Budget::Iterations(n),
                Err(_) => bail!("{text}: {word}: this is not a number of iterations"),
            },
            _ => settings
                .set(key, value)
                .with_context(|| format!("{text}: {word}"))?,
        }
    }
    Ok(Entrant {
        name,
        make: Arc::new(move |seed| level.player_with(seed, settings)),
        budget,
    })
}

/// The names of the entrants: their words, numbered where the same come again.
fn names(texts: &[String]) -> Vec<String> {
    texts
        .iter()
        .enumerate()
        .map(
            |(i, text)| match texts.iter().take(i).filter(|other| *other == text).count() {
                0 => text.clone(),
                before => format!("{text}#{}", before + 1),
            },
        )
        .collect()
}

/// Plays the match.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if args.players.len() < 2 {
        bail!("--players: a match needs two players or more");
    }
    let limits = match args.sequential.as_slice() {
        [] => None,
        [low, high] if low < high && args.players.len() == 2 => Some((*low, *high)),
        _ => bail!("--sequential: two players, and two numbers of which the second is larger"),
    };
    let usual = match (args.time, args.iterations) {
        (Some(ms), _) => Some(Budget::Milliseconds(ms)),
        (None, Some(n)) => Some(Budget::Iterations(n)),
        (None, None) => None,
    };
    let names = names(&args.players);
    let entrants = args
        .players
        .iter()
        .zip(&names)
        .map(|(text, name)| entrant(text, name.clone(), usual));
    let game = Match {
        setup: args.setup.setup(args.seats)?,
        entrants: entrants.collect::<Result<_>>()?,
        games: args.games,
        seed: args.seed,
    };
    game.rules()?;
    let head = Head {
        arena: 1,
        setup: setup_text(&game.setup),
        seed: args.seed,
        players: names,
        budget: match usual {
            Some(Budget::Milliseconds(ms)) => format!("{ms} ms"),
            Some(Budget::Iterations(n)) => format!("{n} iterations"),
            None => "each its own".to_string(),
        },
    };
    let (mut out, had) = output(args.out.as_deref(), &head)?;
    let bar = ProgressBar::new(game.jobs(&[]).len() as u64);
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len} games, {eta} left  {msg}",
    )?);
    bar.set_position(bar.length().unwrap_or(0) - game.jobs(&had).len() as u64);
    let mut so_far = had.clone();
    let mut fault = None;
    let mut verdict = Verdict::Open;
    let results = game.run(&had, args.threads, &ThreadTime::new(), |result| {
        let line = serde_json::to_string(result).map_err(io::Error::from);
        if let Err(error) = line.and_then(|line| writeln!(out, "{line}").and_then(|()| out.flush()))
        {
            fault = Some(error);
            return false;
        }
        so_far.push(result.clone());
        bar.inc(1);
        if let [meeting] = meetings(&so_far).as_slice() {
            bar.set_message(format!(
                "{}: {:.1} %",
                meeting.pair.0,
                100.0 * meeting.share
            ));
        }
        if let Some((low, high)) = limits {
            verdict = sequential(&deal_shares(&so_far, game.seatings()), low, high);
        }
        verdict == Verdict::Open
    })?;
    bar.finish_and_clear();
    if let Some(error) = fault {
        return Err(error.into());
    }
    summary(&results, limits.map(|limits| (limits, verdict)));
    Ok(ExitCode::SUCCESS)
}

/// Where results go, and those that are there already.
fn output(
    path: Option<&Path>,
    head: &Head,
) -> Result<(Box<dyn io::Write + Send>, Vec<GameResult>)> {
    let Some(path) = path else {
        return Ok((Box::new(io::stdout()), Vec::new()));
    };
    let name = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| name.to_string()),
    };
    // A last line without its end was being written when the match was broken off.
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut had = Vec::new();
    for (number, line) in (1..).zip(text[..whole].lines()) {
        let place = || format!("{name}, line {number}");
        if number == 1 {
            let before: Head = serde_json::from_str(line).with_context(place)?;
            if before != *head {
                bail!("{name} holds another match: {line}");
            }
        } else {
            had.push(serde_json::from_str(line).with_context(place)?);
        }
    }
    let file = OpenOptions::new().create(true).append(true).open(path);
    let mut file: File = file.with_context(|| name.to_string())?;
    file.set_len(whole as u64)?;
    if whole == 0 {
        writeln!(file, "{}", serde_json::to_string(head)?)?;
    }
    Ok((Box::new(file), had))
}

/// Prints what came of the match.
fn summary(results: &[GameResult], test: Option<((f64, f64), Verdict)>) {
    let table = standings(results);
    let width = table
        .iter()
        .map(|row| row.name.chars().count())
        .max()
        .unwrap_or(0)
        .max(6);
    let _ = writeln!(
        io::stderr(),
        "{:<width$}  games   share     Elo  (95 %)              points   ms a move  longest",
        "player"
    );
    for row in &table {
        let _ = writeln!(
            io::stderr(),
            "{:<width$}  {:>5}  {:>5.1} %  {:>+6.0}  ({:>+6.0} to {:>+6.0})  {:>7.1}  {:>9.2}  {:>7.0}",
            row.name,
            row.games,
            100.0 * row.share,
            row.elo,
            row.elo_low,
            row.elo_high,
            row.points,
            row.milliseconds,
            row.longest
        );
    }
    for meeting in meetings(results) {
        let _ = writeln!(
            io::stderr(),
            "{} against {}: {:.1} % ({:.1} to {:.1}) of {} games, ahead by {:.1} points",
            meeting.pair.0,
            meeting.pair.1,
            100.0 * meeting.share,
            100.0 * meeting.low,
            100.0 * meeting.high,
            meeting.games,
            meeting.lead
        );
    }
    if let Some(((low, high), verdict)) = test {
        let word = match verdict {
            Verdict::Better => "the first is better",
            Verdict::NotBetter => "the first is not better",
            Verdict::Open => "not decided yet",
        };
        let _ = writeln!(
            io::stderr(),
            "sequential test of {low} against {high} Elo: {word}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(milliseconds("200ms"), Ok(200.0));
        assert_eq!(milliseconds("1s"), Ok(1000.0));
        assert_eq!(milliseconds("0.25s"), Ok(250.0));
        for wrong in ["", "1", "s", "-1s", "1m", "nans", "2h"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_same_words_are_told_apart() {
        let texts = ["a", "b", "a"].map(String::from);
        assert_eq!(names(&texts), ["a", "b", "a#2"]);
    }
}
