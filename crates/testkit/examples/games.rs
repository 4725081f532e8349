//! Writes whole random games as game files: `cargo run -p trencavel-testkit --example games -- DIRECTORY`. The test that compares
//! native positions with those in WebAssembly plays them again.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use trencavel_record::game::Game;
use trencavel_rules::{Edition, Ext, Rules, Setup};
use trencavel_testkit::random::Random;
use trencavel_testkit::referee::any_input;

/// The small sets, and the large expansions.
const SETS: [&str; 4] = ["russian-promos", "hungarian-promo", "festival", "phantom"];
const LARGE: [&str; 5] = [
    "inns-and-cathedrals",
    "traders-and-builders",
    "princess-and-dragon",
    "tower",
    "abbey-and-mayor",
];

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("which directory?")?;
    let directory = Path::new(&directory);
    if directory.exists() {
        std::fs::remove_dir_all(directory)?;
    }
    std::fs::create_dir_all(directory)?;
    for (seed, (name, setup)) in (1..).zip(setups()) {
        let game = random_game(&setup, seed)?;
        std::fs::write(directory.join(format!("{name}.game")), game.to_text())?;
    }
    Ok(())
}

/// What is played, by name.
fn setups() -> Vec<(String, Setup)> {
    let mut setups = Vec::new();
    for (seats, edition) in (2..).zip(Edition::ALL.iter().copied()) {
        setups.push((format!("base-{edition}"), Setup::new(edition, seats)));
    }
    let first = Setup::new(Edition::C1, 5);
    setups.push((
        "base-fields-1".to_string(),
        first.option("field-scoring", "1"),
    ));
    setups.push(("base-8-seats".to_string(), Setup::new(Edition::C2, 8)));
    for (n, ext) in (0..).zip(Ext::ALL).filter(|(_, ext)| **ext != Ext::Base) {
        let slug = ext.expansion().slug;
        setups.push((
            slug.to_string(),
            Setup::new(Edition::C2, 2 + n % 5).with(slug),
        ));
    }
    let with = |edition, seats, slugs: &[&str]| {
        (slugs.iter()).fold(Setup::new(edition, seats), |setup, slug| setup.with(slug))
    };
    setups.push(("four-sets".to_string(), with(Edition::C1, 3, &SETS)));
    setups.push(("five-large".to_string(), with(Edition::C1, 4, &LARGE)));
    let all: Vec<&str> = Ext::ALL.iter().map(|ext| ext.expansion().slug).collect();
    let all: Vec<&str> = all.into_iter().filter(|slug| *slug != "base").collect();
    for (seats, edition) in [(2, Edition::C1), (6, Edition::C2)] {
        setups.push((format!("everything-{edition}"), with(edition, seats, &all)));
    }
    setups
}

fn random_game(setup: &Setup, seed: u64) -> Result<Game, Box<dyn Error>> {
    let names = (1..=setup.seats).map(|n| format!("Player {n}")).collect();
    let rules = Rules::new(setup).map_err(|faults| faults.to_string())?;
    let mut game = Game::new(Arc::new(rules), names);
    let mut random = Random::new(seed);
    loop {
        let history = &mut game.history;
        let Some(input) = any_input(history.rules(), history.state(), &mut random) else {
            return Ok(game);
        };
        history
            .apply(input, &mut ())
            .map_err(|why| format!("seed {seed}: {why}"))?;
    }
}
