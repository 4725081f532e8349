//! Many games by computer players: the same results whatever the number of threads.

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use trencavel_ai::{Budget, NoClock, Player, Rng, level};
use trencavel_rules::{Chance, Input, Rules, Seat, State, Waiting};

use crate::players;
use crate::setup::SetupArgs;

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Format {
    /// One JSON object a line
    Json,
    /// Comma-separated values with a heading
    Csv,
    /// Only the summary
    None,
}

/// Options of `simulate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    setup: SetupArgs,
    /// How many games
    #[arg(long, short = 'n', default_value_t = 100)]
    games: u32,
    /// The players, by level (see `trencavel levels`), in the order of the seats
    #[arg(long, value_delimiter = ',', default_value = "random,random")]
    players: Vec<String>,
    /// What a searching player may spend on a decision, in iterations
    #[arg(long, default_value_t = 200)]
    iterations: u32,
    /// Game number I is played with the seed S + I
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads; 0 for one on each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// How the games are printed; the summary goes to the standard error stream
    #[arg(long, value_enum, default_value = "json")]
    format: Format,
}

/// The result of one game.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
struct Outcome {
    game: u32,
    seed: u64,
    scores: Vec<i32>,
    winners: Vec<u8>,
    turns: u16,
    inputs: u32,
    hash: String,
}

/// Plays the games.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let seats = u8::try_from(args.players.len()).unwrap_or(u8::MAX);
    let rules = args.setup.rules(seats)?;
    for name in &args.players {
        players::named(name)?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let bar = ProgressBar::new(u64::from(args.games));
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {pos}/{len} games, {per_sec}, {eta} left",
    )?);
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.format == Format::Csv {
        let names: Vec<String> = (1..=seats).map(|seat| format!("score{seat}")).collect();
        writeln!(
            out,
            "game,seed,{},winners,turns,inputs,hash",
            names.join(",")
        )?;
    }
    let mut totals = Totals::new(args.players.len());
    let mut first = 0;
    while first < args.games {
        let last = args.games.min(first.saturating_add(512));
        let outcomes: Vec<Outcome> = pool.install(|| {
            (first..last)
                .into_par_iter()
                .map(|game| {
                    let outcome = play(&rules, args, game);
                    bar.inc(1);
                    outcome
                })
                .collect()
        });
        for outcome in &outcomes {
            match args.format {
                Format::Json => writeln!(out, "{}", serde_json::to_string(outcome)?)?,
                Format::Csv => {
                    let join = |list: Vec<String>, by: &str| list.join(by);
                    let scores = join(outcome.scores.iter().map(i32::to_string).collect(), ",");
                    let winners = join(outcome.winners.iter().map(u8::to_string).collect(), " ");
                    let Outcome {
                        game,
                        seed,
                        turns,
                        inputs,
                        hash,
                        ..
                    } = outcome;
                    writeln!(
                        out,
                        "{game},{seed},{scores},{winners},{turns},{inputs},{hash}"
                    )?;
                }
                Format::None => {}
            }
            totals.add(outcome);
        }
        first = last;
    }
    out.flush()?;
    bar.finish_and_clear();
    totals.print(&args.players);
    Ok(ExitCode::SUCCESS)
}

/// Plays one game. Its seed decides the tiles and the players' chances.
fn play(rules: &Rules, args: &Args, game: u32) -> Outcome {
    let seed = args.seed.wrapping_add(u64::from(game));
    let mut players: Vec<Box<dyn Player>> = (0u64..)
        .zip(&args.players)
        .filter_map(|(seat, name)| {
            Some(level(name)?.player(seed.wrapping_mul(31).wrapping_add(seat)))
        })
        .collect();
    let mut rng = Rng::new(seed);
    let mut state = rules.start();
    let mut outcomes: Vec<(Chance, u32)> = Vec::new();
    let mut inputs = 0;
    loop {
        let input = match state.waiting() {
            Waiting::Over => break,
            Waiting::Chance(_) => match draw(rules, &state, &mut outcomes, &mut rng) {
                Some(chance) => Input::Chance(chance),
                None => break,
            },
            Waiting::Seats(seats) => {
                let Some(seat) = seats.iter().next() else {
                    break;
                };
                let view = rules.view(&state, Some(seat));
                let budget = Budget::Iterations(args.iterations);
                let decision = players
                    .get_mut(seat.index())
                    .and_then(|p| p.choose(rules, &view, seat, budget, &NoClock));
                match decision {
                    Some(decision) => Input::Choice(seat, decision.choice),
                    None => break,
                }
            }
        };
        if rules.apply(&mut state, input, &mut ()).is_err() {
            break;
        }
        inputs += 1;
    }
    Outcome {
        game,
        seed,
        scores: state
            .seat_list()
            .map(|seat| state.seat(seat).score)
            .collect(),
        winners: state.winners().iter().map(|seat| seat.0 + 1).collect(),
        turns: state.turn().number,
        inputs,
        hash: format!("{:016x}", state.hash()),
    }
}

/// Lets nature decide by the generator.
pub(crate) fn draw(
    rules: &Rules,
    state: &State,
    outcomes: &mut Vec<(Chance, u32)>,
    rng: &mut Rng,
) -> Option<Chance> {
    rules.outcomes(state, outcomes);
    let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut pick = rng.below(total);
    for (chance, weight) in outcomes.iter() {
        if pick < *weight {
            return Some(*chance);
        }
        pick -= weight;
    }
    None
}

/// Sums over games.
struct Totals {
    games: u32,
    sums: Vec<f64>,
    squares: Vec<f64>,
    wins: Vec<f64>,
    turns: u64,
}

impl Totals {
    fn new(seats: usize) -> Totals {
        Totals {
            games: 0,
            sums: vec![0.0; seats],
            squares: vec![0.0; seats],
            wins: vec![0.0; seats],
            turns: 0,
        }
    }

    fn add(&mut self, outcome: &Outcome) {
        self.games += 1;
        self.turns += u64::from(outcome.turns);
        for (seat, score) in outcome.scores.iter().enumerate() {
            self.sums[seat] += f64::from(*score);
            self.squares[seat] += f64::from(*score) * f64::from(*score);
        }
        for winner in &outcome.winners {
            self.wins[Seat(winner - 1).index()] += 1.0 / outcome.winners.len() as f64;
        }
    }

    fn print(&self, players: &[String]) {
        let n = f64::from(self.games.max(1));
        let _ = writeln!(
            io::stderr(),
            "{} games, {:.1} turns a game",
            self.games,
            self.turns as f64 / n
        );
        for (seat, player) in players.iter().enumerate() {
            let mean = self.sums[seat] / n;
            let spread = (self.squares[seat] / n - mean * mean).max(0.0).sqrt();
            let wins = self.wins[seat];
            let _ = writeln!(
                io::stderr(),
                "seat {} {player:<12} mean {mean:7.2}  spread {spread:6.2}  wins {wins:8.1} ({:.1} %)",
                seat + 1,
                100.0 * wins / n
            );
        }
    }
}
