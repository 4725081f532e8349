//! Every reader of outside bytes, fed with broken ones for a moment; `cargo xtask soak` does it for longer.

use trencavel_rules::{Chance, Edition, Illegal, Input, Moves, Rules, Seat, Setup};
use trencavel_testkit::fuzz::{TARGETS, run};

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
