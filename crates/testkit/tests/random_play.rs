//! Random games: whatever is played, everything that must hold holds. A failure prints its seed and the shortest record.

use trencavel_rules::{Edition, Ext, Setup};
use trencavel_testkit::play::{random_game, random_setup};
use trencavel_testkit::random::Random;
use trencavel_testkit::referee::Scope;

fn check(setup: &Setup, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        if let Err(trouble) = random_game(setup, seed, Scope::FULL) {
            panic!("{trouble}");
        }
    }
}

/// Covers BA-07 to BA-16, BA-20 to BA-25, BA-29 to BA-32, BA-35 to BA-40, BA-42 to BA-44: the engine and the second
/// implementation agree on everything in base games.
#[test]
fn base_games_of_both_editions() {
    check(&Setup::new(Edition::C1, 2), 0..4);
    check(&Setup::new(Edition::C2, 3), 0..4);
}

#[test]
fn base_games_with_one_to_eight_seats() {
    for seats in 1..=8 {
        let mut setup = Setup::new(Edition::C1, seats);
        setup.first = seats - 1;
        check(&setup, 0..1);
    }
}

/// Covers BA-28, BA-33, BA-46, BA-47.
#[test]
fn base_games_with_options() {
    for (key, values) in [
        ("field-scoring", ["1", "2"]),
        ("farmers", ["false", "true"]),
        ("tiny-city-scoring", ["2", "4"]),
        ("small-follower", ["1", "3"]),
        ("unplaceable-tile", ["reshuffle", "discard"]),
    ] {
        for value in values {
            check(&Setup::new(Edition::C1, 2).option(key, value), 0..1);
        }
    }
}

#[test]
fn every_expansion_by_itself() {
    for ext in Ext::ALL {
        for edition in [Edition::C1, Edition::C2] {
            check(&Setup::new(edition, 3).with(ext.expansion().slug), 0..1);
        }
    }
}

#[test]
fn all_expansions_together() {
    let mut setup = Setup::new(Edition::C2, 4);
    for ext in Ext::ALL {
        setup = setup.with(ext.expansion().slug);
    }
    check(&setup, 0..2);
}

#[test]
fn random_setups() {
    let mut random = Random::new(7);
    for seed in 0..8 {
        check(&random_setup(&mut random), seed..seed + 1);
    }
}
