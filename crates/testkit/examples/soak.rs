//! Long runs, by hand: `cargo xtask soak --help`. Ends at the first fault, which it prints with the seed that shows it again.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::{Args, Parser, Subcommand, ValueEnum};
use trencavel_rules::{Edition, Ext, Setup};
use trencavel_testkit::fuzz::{self, TARGETS, Target};
use trencavel_testkit::play::{random_game, random_options, random_setup};
use trencavel_testkit::random::Random;
use trencavel_testkit::referee::{Scope, When};
use trencavel_testkit::symmetry::{Twist, neutral, twins};

/// How many broken bytes one target is fed with between games, and before the clock is looked at.
const BYTES_A_ROUND: usize = 500;

/// Long runs of random games and broken bytes. Without a command: a mixture of everything for a while.
#[derive(Parser)]
#[command(name = "cargo xtask soak", args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// For how many seconds
    #[arg(default_value_t = 60)]
    seconds: u64,
    /// The first seed; another at every start if it is not said
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum Command {
    /// Play so many random games and look whether everything that must hold holds
    Games(Games),
    /// Feed readers with broken bytes, each for so many seconds
    Bytes(Bytes),
}

#[derive(Args)]
struct Games {
    /// How many games
    games: u64,
    /// What is played: `base`, `all` expansions, `random` setups, or expansions by name
    #[arg(long, num_args = 1.., default_values_t = ["base".to_string()])]
    play: Vec<String>,
    /// C1, C2 or C3; any of them if it is not said
    #[arg(long, value_parser = edition)]
    edition: Option<Edition>,
    /// How many seats, or from how many to how many
    #[arg(long, default_value = "2-6", value_parser = seats)]
    seats: RangeInclusive<u8>,
    /// Choose options at random, too
    #[arg(long)]
    options: bool,
    /// What is looked at
    #[arg(long, value_enum, default_value_t = Check::All)]
    check: Check,
    /// When it is looked at
    #[arg(long, value_enum, default_value_t = Moment::Always)]
    when: Moment,
    /// How many threads
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// The seed of the first game; every game has the next one
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Check {
    /// The rules' own invariants, saved positions, and what events tell
    Invariants,
    /// The same, and whether the second implementation says the same
    Second,
    /// The same, every form of every input, every seat's view, and samples of wrong choices
    All,
}

/// When it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Moment {
    /// After every input
    Always,
    /// Invariants after every input, the rest at the end of the game
    Between,
    /// At the end of the game
    End,
}

#[derive(Args)]
struct Bytes {
    /// How many seconds each target
    seconds: u64,
    /// Which targets, by name; all if it is not said
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn edition(text: &str) -> Result<Edition, String> {
    Edition::from_name(text).ok_or_else(|| "C1, C2 or C3".to_string())
}

fn seats(text: &str) -> Result<RangeInclusive<u8>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to && to <= 8 => Ok(from..=to),
        _ => Err("a number from 1 to 8, or two with - between them".to_string()),
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // The panics of broken bytes are caught and shown once.
    std::panic::set_hook(Box::new(|_| {}));
    let result = match &cli.command {
        Some(Command::Games(games)) => games.run(),
        Some(Command::Bytes(bytes)) => bytes.run(),
        None => mixture(cli.seconds, cli.seed),
    };
    match result {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            println!("{fault}");
            ExitCode::FAILURE
        }
    }
}

// ---- games -----------------------------------------------------------------------------------------------------------

/// What all threads have done so far.
#[derive(Default)]
struct Done {
    begun: AtomicU64,
    games: AtomicU64,
    inputs: AtomicU64,
    tiles: AtomicU64,
    along: AtomicU64,
    stop: AtomicBool,
    fault: Mutex<Option<String>>,
}

impl Done {
    fn line(&self, began: Instant) -> String {
        let n = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let seconds = began.elapsed().as_secs_f64();
        let games = n(&self.games);
        format!(
            "{games} games, {} inputs, {} tiles, {} games played along by the second implementation, {seconds:.0} s, {:.1} games a second",
            n(&self.inputs),
            n(&self.tiles),
            n(&self.along),
            games as f64 / seconds.max(0.001)
        )
    }
}

impl Games {
    fn run(&self) -> Result<String, String> {
        let scope = self.scope();
        self.setup(self.seed)?;
        let began = Instant::now();
        let done = Done::default();
        std::thread::scope(|threads| {
            let running: Vec<_> = (0..self.threads.max(1))
                .map(|_| threads.spawn(|| self.play(scope, &done)))
                .collect();
            let mut told = Instant::now();
            while running.iter().any(|thread| !thread.is_finished()) {
                std::thread::sleep(Duration::from_millis(100));
                if told.elapsed() > Duration::from_secs(30) {
                    told = Instant::now();
                    println!("{} …", done.line(began));
                }
            }
        });
        let fault = done.fault.lock().ok().and_then(|fault| fault.clone());
        match fault {
            Some(fault) => Err(format!("{fault}\nafter {}", done.line(began))),
            None => Ok(format!("{}, no fault", done.line(began))),
        }
    }

    fn scope(&self) -> Scope {
        let when = match self.when {
            Moment::Always => When::Always,
            Moment::Between => When::Invariants,
            Moment::End => When::AtTheEnd,
        };
        let scope = match self.check {
            Check::Invariants => Scope {
                second: false,
                ..Scope::SECOND
            },
            Check::Second => Scope::SECOND,
            Check::All => Scope::FULL,
        };
        Scope { when, ..scope }
    }

    /// One thread's games.
    fn play(&self, scope: Scope, done: &Done) {
        while !done.stop.load(Ordering::Relaxed) {
            let n = done.begun.fetch_add(1, Ordering::Relaxed);
            if n >= self.games {
                return;
            }
            let seed = self.seed + n;
            let played = self.setup(seed).and_then(|setup| {
                random_game(&setup, seed, scope).map_err(|trouble| trouble.to_string())
            });
            match played {
                Ok(played) => {
                    done.games.fetch_add(1, Ordering::Relaxed);
                    done.inputs
                        .fetch_add(played.inputs as u64, Ordering::Relaxed);
                    done.tiles.fetch_add(played.tiles as u64, Ordering::Relaxed);
                    done.along
                        .fetch_add(u64::from(played.along), Ordering::Relaxed);
                }
                Err(fault) => {
                    done.stop.store(true, Ordering::Relaxed);
                    if let Ok(mut first) = done.fault.lock() {
                        first.get_or_insert(format!(
                            "{fault}\nagain: the same with 1 --seed {seed}"
                        ));
                    }
                }
            }
        }
    }

    /// The setup that belongs to a seed.
    fn setup(&self, seed: u64) -> Result<Setup, String> {
        let mut random = Random::new(!seed);
        if self.play == ["random"] {
            return Ok(random_setup(&mut random));
        }
        let edition = self.edition.or_else(|| random.of(Edition::ALL).copied());
        let (from, to) = (*self.seats.start(), *self.seats.end());
        let seats = from + random.below(usize::from(to - from) + 1) as u8;
        let mut setup = Setup::new(edition.unwrap_or(Edition::C2), seats);
        setup.first = random.below(usize::from(seats)) as u8;
        let mut used = vec![Ext::Base];
        for word in &self.play {
            let slugs: Vec<&str> = match word.as_str() {
                "base" => Vec::new(),
                "all" => Ext::ALL.iter().map(|ext| ext.expansion().slug).collect(),
                slug => vec![slug],
            };
            for slug in slugs {
                let ext = Ext::ALL.iter().find(|ext| ext.expansion().slug == slug);
                let ext = ext.ok_or_else(|| format!("there is no expansion `{slug}`"))?;
                if !used.contains(ext) {
                    used.push(*ext);
                    setup = setup.with(slug);
                }
            }
        }
        if self.options {
            setup = random_options(setup, &used, &mut random);
        }
        Ok(setup)
    }
}

// ---- bytes -----------------------------------------------------------------------------------------------------------

impl Bytes {
    fn run(&self) -> Result<String, String> {
        let named = |target: &&Target| {
            self.only.is_empty() || self.only.iter().any(|name| name == target.name)
        };
        let targets: Vec<&Target> = TARGETS.iter().filter(named).collect();
        if let Some(unknown) =
            (self.only.iter()).find(|name| TARGETS.iter().all(|target| target.name != **name))
        {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            return Err(format!(
                "there is no target `{unknown}`; there are: {}",
                names.join(", ")
            ));
        }
        let mut summary = Vec::new();
        for target in targets {
            let began = Instant::now();
            let (mut seed, mut tried, mut accepted) = (self.seed, 0, 0);
            while began.elapsed() < Duration::from_secs(self.seconds) {
                accepted += fuzz::run(target, seed, BYTES_A_ROUND).map_err(|crash| {
                    format!(
                        "{crash}\nagain: bytes 1 --only '{}' --seed {seed}",
                        target.name
                    )
                })?;
                tried += BYTES_A_ROUND;
                seed += 1;
            }
            let line = format!(
                "{}: {tried} broken bytes, {accepted} accepted, {} s, no fault",
                target.name,
                began.elapsed().as_secs()
            );
            println!("{line}");
            summary.push(line);
        }
        Ok(format!("{} targets without a fault", summary.len()))
    }
}

// ---- everything ------------------------------------------------------------------------------------------------------

fn mixture(seconds: u64, seed: Option<u64>) -> Result<String, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let clock = now.map_or(1, |time| time.as_millis() as u64);
    let first = seed.unwrap_or(clock);
    let began = Instant::now();
    println!("seeds from {first}, for {seconds} seconds");
    let mut games = 0;
    let mut seed = first;
    while began.elapsed() < Duration::from_secs(seconds) {
        let again = |fault: String| format!("{fault}\nagain: soak 1 {seed}");
        games += round(seed).map_err(again)?;
        let target = &TARGETS[(seed % TARGETS.len() as u64) as usize];
        fuzz::run(target, seed, BYTES_A_ROUND).map_err(|crash| again(crash.to_string()))?;
        seed += 1;
    }
    let broken = (seed - first) * BYTES_A_ROUND as u64;
    Ok(format!(
        "{games} games and {broken} broken bytes without a fault"
    ))
}

/// One base game, one game of a random setup, and twins; how many games these are.
fn round(seed: u64) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let edition = *random.of(Edition::ALL).unwrap_or(&Edition::C2);
    let base = Setup::new(edition, 1 + random.below(5) as u8);
    random_game(&base, seed, Scope::FULL).map_err(|trouble| trouble.to_string())?;
    let setup = random_setup(&mut random);
    random_game(&setup, seed, Scope::FULL).map_err(|trouble| trouble.to_string())?;
    let twist = Twist {
        quarters: random.below(4) as u8,
        places: random.below(usize::from(setup.seats)) as u8,
    };
    twins(&setup, seed, twist).map_err(|trouble| trouble.to_string())?;
    let others: Vec<Ext> = Ext::ALL
        .iter()
        .copied()
        .filter(|ext| *ext != Ext::Base)
        .collect();
    let Some(ext) = random.of(&others) else {
        return Ok(4);
    };
    neutral(edition, 2, *ext, seed).map_err(|trouble| trouble.to_string())?;
    Ok(6)
}
