//! A game on a turned table, with other seats, or with an expansion of which nothing is in the box, goes alike.

use trencavel_rules::{Edition, Ext, Setup};
use trencavel_testkit::symmetry::{Twist, neutral, twins};

fn setups() -> Vec<Setup> {
    let mut setups = vec![Setup::new(Edition::C1, 2)];
    let mut everything = Setup::new(Edition::C2, 3);
    for ext in Ext::ALL {
        setups.push(Setup::new(Edition::C2, 3).with(ext.expansion().slug));
        everything = everything.with(ext.expansion().slug);
    }
    setups.push(everything);
    setups
}

fn check(twist: Twist, seed: u64) {
    for setup in setups() {
        if let Err(trouble) = twins(&setup, seed, twist) {
            panic!("{trouble}");
        }
    }
}

#[test]
fn a_turned_table_changes_nothing() {
    for quarters in 1..4 {
        check(
            Twist {
                quarters,
                places: 0,
            },
            u64::from(quarters),
        );
    }
}

#[test]
fn other_seats_change_nothing() {
    check(
        Twist {
            quarters: 0,
            places: 1,
        },
        4,
    );
}

#[test]
fn an_expansion_without_its_tiles_and_pieces_changes_nothing() {
    for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::Base) {
        for edition in [Edition::C1, Edition::C2] {
            if let Err(trouble) = neutral(edition, 2, *ext, 5) {
                panic!("{}: {trouble}", ext.expansion().slug);
            }
        }
    }
}
