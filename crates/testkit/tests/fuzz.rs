//! Every reader of outside bytes, fed with broken ones for a moment; `cargo xtask soak` does it for longer.

use trencavel_rules::{
    Chance, Edition, Ext, Illegal, Input, Moves, Rules, Seat, Setup, Symbols, TILES,
};
use trencavel_testkit::fuzz::{TARGETS, run};
use trencavel_testkit::play::random_game;
use trencavel_testkit::referee::Scope;

#[test]
fn broken_bytes_are_refused_or_used_but_never_a_panic() {
    for target in TARGETS {
        if let Err(crash) = run(target, 1, 1500) {
            panic!("{crash}");
        }
    }
}

/// Covers OP-105: nobody but who is asked can choose, however the seat is numbered.
#[test]
fn a_seat_that_no_game_has_cannot_choose() {
    let rules = Rules::new(&Setup::new(Edition::C1, 8)).expect("a setup");
    let mut state = rules.start();
    let mut moves = Moves::new();
    let draw = Input::Chance(Chance::Tile(rules.kind_of("BA/RFr").expect("a tile")));
    rules.apply(&mut state, draw, &mut ()).expect("a draw");
    rules.legal(&state, &mut moves);
    for seat in [1, 7, 8, 9, 16, 255] {
        let input = Input::Choice(Seat(seat), moves[0]);
        let applied = rules.apply(&mut state, input, &mut ());
        assert_eq!(applied, Err(Illegal::NotAsked), "seat {seat}");
    }
}

/// A player may draw a tile of their own with whatever picture, even that of a tile which is counted elsewhere (AM-18).
#[test]
fn tiles_of_players_with_the_pictures_of_others_break_nothing() {
    let mut everything = Setup::new(Edition::C2, 3);
    for ext in Ext::ALL {
        everything = everything.with(ext.expansion().slug);
    }
    let mut seed = 0;
    for tile in TILES {
        if tile.symbols == Symbols::NONE {
            continue;
        }
        let mut own = tile.clone();
        own.id = "own".into();
        let mut setup = everything.clone();
        setup.tiles = vec![own];
        setup.bag = Some(vec![("own".to_string(), 5), ("BA/RFr".to_string(), 5)]);
        seed += 1;
        if let Err(trouble) = random_game(&setup, seed, Scope::FULL) {
            panic!("{}: {trouble}", tile.id);
        }
    }
    assert!(seed > 20, "there are {seed} tiles with symbols");
}
