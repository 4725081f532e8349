//! Random games, twins and broken bytes for a set time: `cargo xtask soak [SECONDS [SEED]]`. Ends at the first fault, which it prints.

use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use trencavel_rules::{Edition, Ext, Setup};
use trencavel_testkit::fuzz::{TARGETS, run};
use trencavel_testkit::play::{Trouble, random_game, random_setup};
use trencavel_testkit::random::Random;
use trencavel_testkit::referee::Scope;
use trencavel_testkit::symmetry::{Twist, neutral, twins};

/// How many broken bytes one target is fed with between games.
const BYTES_A_ROUND: usize = 500;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let seconds = numbers.first().copied().unwrap_or(60);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let clock = now.map_or(1, |time| time.as_millis() as u64);
    let first = numbers.get(1).copied().unwrap_or(clock);
    let began = Instant::now();
    println!("seeds from {first}, for {seconds} seconds");
    // The panics of broken bytes are caught and shown once.
    std::panic::set_hook(Box::new(|_| {}));
    let mut games = 0;
    let mut seed = first;
    while began.elapsed() < Duration::from_secs(seconds) {
        if let Err(trouble) = round(seed) {
            println!("{trouble}\nagain: soak 1 {seed}");
            return ExitCode::FAILURE;
        }
        let target = &TARGETS[(seed % TARGETS.len() as u64) as usize];
        if let Err(crash) = run(target, seed, BYTES_A_ROUND) {
            println!("{crash}\nagain: soak 1 {seed}");
            return ExitCode::FAILURE;
        }
        seed += 1;
        games += 4;
    }
    let broken = games / 4 * BYTES_A_ROUND;
    println!("{games} games and {broken} broken bytes without a fault");
    ExitCode::SUCCESS
}

/// One base game, one game of a random setup, and twins.
fn round(seed: u64) -> Result<(), Box<Trouble>> {
    let mut random = Random::new(seed);
    let edition = *random.of(Edition::ALL).unwrap_or(&Edition::C2);
    random_game(
        &Setup::new(edition, 1 + random.below(5) as u8),
        seed,
        Scope::FULL,
    )?;
    let setup = random_setup(&mut random);
    random_game(&setup, seed, Scope::FULL)?;
    let twist = Twist {
        quarters: random.below(4) as u8,
        places: random.below(usize::from(setup.seats)) as u8,
    };
    twins(&setup, seed, twist)?;
    let others: Vec<Ext> = Ext::ALL
        .iter()
        .copied()
        .filter(|ext| *ext != Ext::Base)
        .collect();
    match random.of(&others) {
        Some(ext) => neutral(edition, 2, *ext, seed),
        None => Ok(()),
    }
}
