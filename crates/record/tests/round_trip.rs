//! Games of ours written as `.jcz` and read again.

mod random;

use random::{linked, random_game};
use trencavel_record::jcz::convert::{Reading, convert};
use trencavel_record::jcz::file::JczFile;
use trencavel_record::jcz::setup::with_profile;
use trencavel_record::jcz::write::write;
use trencavel_rules::{Edition, Ext, Setup, Waiting};

/// The game comes back with the same tiles, figures and points. Where two of our answers are one there, the inputs may
/// differ by passes.
fn check(setup: &Setup, seed: u64) {
    let game = random_game(&linked(setup), seed);
    let written = write(&game);
    assert_eq!(written.unsaid, [""; 0], "{setup:?}");
    let file = JczFile::read(written.text.as_bytes()).unwrap();
    let back = convert(&file, Reading::default()).unwrap_or_else(|error| {
        panic!(
            "seed {seed}, {:?}: {error}\n{}",
            setup.expansions, written.text
        )
    });
    let (a, b) = (game.history.state(), back.game.history.state());
    assert_eq!(
        b.waiting(),
        Waiting::Over,
        "seed {seed}, {:?}",
        setup.expansions
    );
    assert_eq!(a.pieces(), b.pieces());
    assert_eq!(a.board().tiles().len(), b.board().tiles().len());
    for seat in a.seat_list() {
        assert_eq!(
            a.seat(seat),
            b.seat(seat),
            "seed {seed}, {:?}",
            setup.expansions
        );
    }
}

#[test]
fn games_of_each_expansion_come_back() {
    for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::HungarianPromo) {
        for (edition, seed) in [(Edition::C1, 1), (Edition::C2, 2)] {
            let setup = Setup::new(edition, 3).with(ext.expansion().slug);
            check(&with_profile(setup), seed);
        }
    }
}

#[test]
fn games_of_all_expansions_together_come_back() {
    for seed in 0..6 {
        let mut setup = Setup::new(Edition::C1, 3);
        for ext in Ext::ALL
            .iter()
            .skip(1)
            .filter(|ext| **ext != Ext::HungarianPromo)
        {
            setup = setup.with(ext.expansion().slug);
        }
        check(&with_profile(setup), seed);
    }
}

#[test]
fn what_the_format_cannot_say_is_listed() {
    let mut setup = Setup::new(Edition::C2, 2)
        .with("hungarian-promo")
        .with("traders-and-builders");
    setup.first = 1;
    let game = random_game(&linked(&setup.option("field-scoring", "1")), 7);
    let unsaid = write(&game).unsaid;
    for part in [
        "the expansion hungarian-promo",
        "the tile set hungarian-promo",
        "the option builder-double-turn=may",
        "the option field-scoring=1",
        "that another seat than the first begins",
    ] {
        assert!(unsaid.iter().any(|text| text == part), "{part}: {unsaid:?}");
    }
}
