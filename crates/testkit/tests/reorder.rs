//! The order in which tiles came to lie changes nothing that follows.

use trencavel_rules::{Edition, Ext, Setup};
use trencavel_testkit::play::random_options;
use trencavel_testkit::random::Random;
use trencavel_testkit::reorder::relaid;

/// How many games: more with `REORDERED=1000`, other ones with `SEED=7`.
fn number(key: &str, usual: u64) -> u64 {
    std::env::var(key)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(usual)
}

#[test]
fn tiles_in_another_order_change_nothing() {
    let first = number("SEED", 1);
    let mut compared = 0;
    for seed in first..first + number("REORDERED", 40) {
        let mut random = Random::new(seed);
        let edition = *random.of(Edition::ALL).unwrap_or(&Edition::C2);
        let mut setup = Setup::new(edition, 1 + random.below(4) as u8);
        let mut used = vec![Ext::Base];
        for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::Base) {
            if random.one_in(2) {
                setup = setup.with(ext.expansion().slug);
                used.push(*ext);
            }
        }
        let mut setup = random_options(setup, &used, &mut random);
        // Which of the own scored wagons a player is asked for first is said nowhere.
        setup.options.retain(|(key, _)| key != "wagon");
        match relaid(&setup, seed) {
            Ok(inputs) => compared += inputs,
            Err(trouble) => panic!("{trouble}"),
        }
    }
    assert!(compared > 0, "no game lasted long enough");
    println!("{compared} inputs compared");
}
