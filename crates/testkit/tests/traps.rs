//! Random games with the traps of the Russian promos, watched by the second working-out of their rules.

use std::collections::BTreeSet;

use trencavel_rules::{Edition, Pos, Rotation, Rules, Setup, StartTile, Way};
use trencavel_testkit::play::random_game;
use trencavel_testkit::random::Random;
use trencavel_testkit::referee::{Referee, Scope};

const FOUR: [&str; 4] = ["russian-promos", "hungarian-promo", "festival", "phantom"];
const LARGE: [&str; 7] = [
    "abbot",
    "river",
    "inns-and-cathedrals",
    "traders-and-builders",
    "princess-and-dragon",
    "tower",
    "abbey-and-mayor",
];

/// The figures are looked after here; choices are tried elsewhere.
const SCOPE: Scope = Scope {
    samples: 1,
    ..Scope::FULL
};

fn with(edition: Edition, seats: u8, slugs: &[&str]) -> Setup {
    let setup = Setup::new(edition, seats);
    slugs.iter().fold(setup, |setup, slug| setup.with(slug))
}

/// The same game with both traps on the table from the beginning.
fn with_traps_laid(mut setup: Setup) -> Setup {
    let tile = |id: &str, x, y| StartTile {
        id: id.to_string(),
        pos: Pos::new(x, y),
        rotation: Rotation::default(),
    };
    setup.start = Some(vec![
        tile("RU/SR", 0, 0),
        tile("BA/RFr", 1, 0),
        tile("BA/RFr", 2, 0),
        tile("RU/V", 2, 1),
    ]);
    setup
}

fn check(setup: &Setup, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        if let Err(trouble) = random_game(setup, seed, SCOPE) {
            panic!("{trouble}");
        }
    }
}

/// Covers RP-50 to RP-62, RP-64 to RP-68, RP-80 to RP-94, RP-101, RP-102, RP-110 to RP-114, RP-120 to RP-125.
#[test]
fn the_four_sets() {
    check(&with(Edition::C1, 2, &FOUR), 0..6);
    check(&with_traps_laid(with(Edition::C2, 3, &FOUR)), 0..6);
}

#[test]
fn the_four_sets_with_the_large_expansions() {
    let slugs = [&FOUR[..], &LARGE[..]].concat();
    check(&with(Edition::C2, 4, &slugs), 0..3);
    check(&with_traps_laid(with(Edition::C1, 3, &slugs)), 0..4);
}

/// Covers RP-52, RP-56, RP-86, RP-94, RP-103.
#[test]
fn every_option_of_the_traps() {
    let slugs = ["russian-promos", "traders-and-builders", "abbey-and-mayor"];
    let setup = with_traps_laid(with(Edition::C2, 3, &slugs));
    for (key, value) in [
        ("russian-trap-figures", "followers"),
        ("solovei-capture", "all"),
        ("vodyanoy-penalty", "followers"),
        ("vodyanoy-tile-field", "closed"),
        ("score-floor", "zero"),
    ] {
        check(&setup.clone().option(key, value), 0..2);
    }
}

/// Covers RP-62, RP-91, RP-120: whatever brings a figure to where a trap can take it springs the trap; each way there is is
/// seen to do so, and after every input no figure is where a trap should have taken it.
#[test]
fn every_way_of_moving_springs_the_traps() {
    let must: BTreeSet<Way> = Way::ALL.iter().copied().filter(brings_to_a_tile).collect();
    let slugs = [&FOUR[..], &LARGE[..]].concat();
    let mut setup = with_traps_laid(with(Edition::C2, 3, &slugs));
    // Tiles that offer every way, and roads that are soon complete.
    let tiles = [
        ("AM/R", 14),
        ("BA/RFr", 6),
        ("BA/LR", 4),
        ("DG/RRR.g", 4),
        ("HP/RRrr", 8),
        ("TO/F", 4),
    ];
    setup.bag = Some(tiles.map(|(id, n)| (id.to_string(), n)).to_vec());
    let rules = Rules::new(&setup).unwrap();
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let mut referee = Referee::new(&rules, SCOPE).unwrap();
        let mut random = Random::new(seed);
        while let Some(input) = referee.any_input(&mut random) {
            if let Err(fault) = referee.apply(input) {
                panic!("seed {seed}: {fault}\n{}", referee.record().join("\n"));
            }
        }
        seen.extend(referee.sprung_by());
        if seen.is_superset(&must) {
            return;
        }
    }
    let missing: Vec<&Way> = must.difference(&seen).collect();
    panic!("no trap was sprung by {missing:?}");
}

/// Whether a figure that comes in this way stands on a tile; a new way must say so here.
fn brings_to_a_tile(way: &Way) -> bool {
    match way {
        Way::Own | Way::Portal | Way::Diagonal | Way::Tower | Way::Wagon => true,
        // What the traps do themselves, and places that no trap reaches.
        Way::Trap | Way::Capture | Way::Corner => false,
    }
}
