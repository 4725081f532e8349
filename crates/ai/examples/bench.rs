//! Thinking speed and strength of the computer players: `bench [--full] [--only NAME] [--threads T] [--keep FILE]`.
//!
//! Without `--full` the matches are short and say only whether something is badly wrong. With it they are those of
//! docs/players.md. Time is the processor time of the thread that plays. Games are written to FILE, one JSON object a line,
//! and those that are there already are not played again.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::Arc;

use trencavel_ai::{
    Budget, Clock as _, Entrant, GameResult, Match, Player as _, Search, SearchSettings, Steady,
    ThreadTime, level, meetings, play, seated, standings,
};
use trencavel_rules::{Edition, Input, Rules, Setup, Waiting};

type Fault = Box<dyn std::error::Error>;

/// The five large expansions.
const LARGE: [&str; 5] = [
    "inns-and-cathedrals",
    "traders-and-builders",
    "princess-and-dragon",
    "tower",
    "abbey-and-mayor",
];

/// The four sets.
const FOUR: [&str; 4] = ["russian-promos", "hungarian-promo", "festival", "phantom"];

/// A match with a question: does the first win this share at least?
struct Trial {
    name: &'static str,
    slugs: Vec<&'static str>,
    seats: u8,
    players: [&'static str; 2],
    /// Milliseconds and games in full, and short.
    full: (f64, u32),
    short: (f64, u32),
    share: Option<f64>,
    points: Option<f64>,
}

fn trials() -> Vec<Trial> {
    let expansions: Vec<&str> = LARGE.into_iter().chain(FOUR).collect();
    let trial = |name, players, full, short| Trial {
        name,
        slugs: Vec::new(),
        seats: 2,
        players,
        full,
        short,
        share: None,
        points: None,
    };
    vec![
        Trial {
            share: Some(0.85),
            ..trial(
                "steady-greedy",
                ["steady", "greedy"],
                (1000.0, 400),
                (20.0, 100),
            )
        },
        Trial {
            share: Some(0.8),
            ..trial(
                "search-steady",
                ["search", "steady"],
                (1000.0, 100),
                (20.0, 20),
            )
        },
        Trial {
            share: Some(0.97),
            ..trial(
                "search-greedy",
                ["search", "greedy"],
                (1000.0, 100),
                (20.0, 10),
            )
        },
        Trial {
            points: Some(105.0),
            ..trial(
                "search-itself",
                ["search", "search again"],
                (1000.0, 40),
                (20.0, 6),
            )
        },
        Trial {
            seats: 3,
            ..trial(
                "three-seats",
                ["search", "search paranoid"],
                (20.0, 120),
                (5.0, 6),
            )
        },
        Trial {
            slugs: expansions,
            share: Some(0.9),
            ..trial("expansions", ["search", "greedy"], (100.0, 40), (20.0, 4))
        },
    ]
}

fn main() -> Result<(), Fault> {
    let (mut full, mut only, mut threads, mut keep) = (false, None, 2usize, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg}: a value is missing"));
        match arg.as_str() {
            "--full" => full = true,
            "--only" => only = Some(value()?),
            "--threads" => threads = value()?.parse()?,
            "--keep" => keep = Some(value()?),
            _ => {
                return Err(format!("{arg}: not known (--full, --only, --threads, --keep)").into());
            }
        }
    }
    let wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
    if wanted("speed") {
        speed()?;
    }
    let mut had = match &keep {
        Some(path) if std::path::Path::new(path).exists() => read(path)?,
        _ => Vec::new(),
    };
    let mut file = match &keep {
        Some(path) => Some(OpenOptions::new().append(true).create(true).open(path)?),
        None => None,
    };
    for trial in trials().into_iter().filter(|trial| wanted(trial.name)) {
        strength(&trial, full, threads, &mut had, &mut file)?;
    }
    Ok(())
}

/// What is kept of a game: which match it belongs to, and its result.
type Kept = (String, GameResult);

fn read(path: &str) -> Result<Vec<Kept>, Fault> {
    let mut kept = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(File::open(path)?).lines()) {
        kept.push(serde_json::from_str(&line?).map_err(|e| format!("{path}, line {number}: {e}"))?);
    }
    Ok(kept)
}

/// Plays a match and prints what came of it.
fn strength(
    trial: &Trial,
    full: bool,
    threads: usize,
    had: &mut [Kept],
    file: &mut Option<File>,
) -> Result<(), Fault> {
    let (milliseconds, games) = if full { trial.full } else { trial.short };
    let mut setup = Setup::new(Edition::C1, trial.seats);
    for slug in &trial.slugs {
        setup = setup.with(slug);
    }
    let entrants = trial.players.iter().map(|name| {
        let kind = name.split(' ').next().unwrap_or(name);
        let level = level(kind).ok_or(format!("there is no player {kind}"))?;
        let settings = SearchSettings {
            paranoid: name.ends_with("paranoid"),
            ..SearchSettings::default()
        };
        Ok(Entrant {
            name: (*name).to_string(),
            make: Arc::new(move |seed| level.player_with(seed, settings)),
            budget: Budget::Milliseconds(milliseconds),
        })
    });
    let game = Match {
        setup,
        entrants: entrants.collect::<Result<_, String>>()?,
        games,
        seed: 6,
    };
    let key = format!("{} {milliseconds}", trial.name);
    let before: Vec<GameResult> = had
        .iter()
        .filter(|(of, _)| *of == key)
        .map(|(_, result)| result.clone())
        .collect();
    let results = game.run(&before, threads, &ThreadTime::new(), |result| {
        if let Some(file) = file {
            let line = serde_json::to_string(&(&key, result)).unwrap_or_default();
            if let Err(error) = writeln!(file, "{line}").and_then(|()| file.flush()) {
                eprintln!("bench: {error}");
                return false;
            }
        }
        true
    })?;
    for meeting in meetings(&results) {
        println!(
            "{} at {milliseconds} ms: {} wins {:.1} % ({:.1} to {:.1}) of {} games against {}, ahead by {:.1} points",
            trial.name,
            meeting.pair.0,
            100.0 * meeting.share,
            100.0 * meeting.low,
            100.0 * meeting.high,
            meeting.games,
            meeting.pair.1,
            meeting.lead
        );
        if let Some(share) = trial.share {
            let word = if meeting.share >= share {
                "reached"
            } else {
                "missed"
            };
            println!("    wanted: {:.0} %, {word}", 100.0 * share);
        }
    }
    let table = standings(&results);
    for row in &table {
        println!(
            "    {}: {:.1} points a game, {:.2} ms a decision, the longest {:.0} ms",
            row.name, row.points, row.milliseconds, row.longest
        );
    }
    if let Some(points) = trial.points {
        let mean = table.iter().map(|row| row.points).sum::<f64>() / table.len().max(1) as f64;
        let word = if mean >= points { "reached" } else { "missed" };
        println!("    {mean:.1} points a seat; wanted: {points:.0}, {word}");
    }
    Ok(())
}

/// How many positions the search evaluates in a second, in the middle of base games.
fn speed() -> Result<(), Fault> {
    const GAMES: u64 = 10;
    const MS: f64 = 300.0;
    let rules = Rules::new(&Setup::new(Edition::C1, 2))?;
    let clock = ThreadTime::new();
    let (mut leaves, mut spent) = (0, 0.0);
    for game in 0..GAMES {
        let mut players = [SearchSettings::default(); 2].map(Steady::new);
        let mut chairs = seated(&mut players, Budget::Iterations(1));
        let played = play(&rules, &mut chairs, game, &clock, |_, _, _| {});
        let mut state = rules.start();
        for input in played.inputs {
            let middle = state.turn().number == 36 && matches!(input, Input::Choice(..));
            if let (true, Waiting::Seats(seats)) = (middle, state.waiting())
                && let Some(seat) = seats.iter().next()
            {
                let mut search = Search::new(SearchSettings::default());
                let view = rules.view(&state, Some(seat));
                let began = clock.now_ms();
                search.choose(&rules, &view, seat, Budget::Milliseconds(MS), &clock);
                spent += clock.now_ms() - began;
                leaves += search.leaves();
                break;
            }
            rules.apply_listed(&mut state, input, &mut ());
        }
    }
    println!(
        "speed: {:.0} evaluated positions a second on one core, at turn 36 of {GAMES} base games (wanted: 15000 positions)",
        leaves as f64 / spent * 1e3
    );
    Ok(())
}
