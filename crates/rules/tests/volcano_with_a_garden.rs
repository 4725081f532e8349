//! No printed volcano has a garden, so a tile of the table's own shows the rule.

use std::borrow::Cow;

use trencavel_rules::{
    Chance, Choice, Clause, Edition, FeatureKind, Input, Kind, Marks, Moves, Pos, Rotation, Rules,
    Seat, SegId, SegmentDef, Setup, Symbols, TileDef, TileSlot, Verb,
};

fn segment(kind: FeatureKind, halves: u8) -> SegmentDef {
    SegmentDef {
        kind,
        sides: 0,
        halves,
        touches: 0,
        marks: Marks::NONE,
        pennants: 0,
        links: 0,
    }
}

fn garden(symbols: Symbols) -> TileDef {
    TileDef {
        id: Cow::Borrowed("garden"),
        names: Cow::Borrowed(&[]),
        group: Cow::Borrowed(""),
        limit: u8::MAX,
        segments: Cow::Owned(vec![
            segment(FeatureKind::Garden, 0),
            segment(FeatureKind::Field, 0xff),
        ]),
        symbols,
        quadrants: None,
    }
}

/// Lays the garden below the start tile, with a follower on a road so that the fairy can be moved, and says whether an
/// abbot may go into it, and why not.
fn abbot_into_the_garden(symbols: Symbols) -> (bool, Vec<Clause>) {
    let mut setup = Setup::new(Edition::C2, 1)
        .with("abbot")
        .with("princess-and-dragon");
    setup.tiles.push(garden(symbols));
    setup.bag = Some(vec![("garden".into(), 9), ("BA/RFr".into(), 1)]);
    let rules = Rules::new(&setup).unwrap();
    let mut state = rules.start();
    let mut apply = |input| rules.apply(&mut state, input, &mut ()).unwrap();
    let seat = Seat(0);
    let draw = |id| Input::Chance(Chance::Tile(rules.kind_of(id).unwrap()));
    apply(draw("BA/RFr"));
    apply(Input::Choice(
        seat,
        Choice::lay(Pos::new(1, 0), Rotation::from_quarters(0)),
    ));
    // The road of the tile laid second.
    apply(Input::Choice(
        seat,
        Choice::put(Verb::Deploy, Kind::Normal, SegId::of(TileSlot(1), 0)),
    ));
    apply(draw("garden"));
    apply(Input::Choice(
        seat,
        Choice::lay(Pos::new(0, 1), Rotation::from_quarters(0)),
    ));
    let abbot = Choice::put(Verb::Deploy, Kind::Abbot, SegId::of(TileSlot(2), 0));
    let mut moves = Moves::new();
    rules.legal(&state, &mut moves);
    assert!(!moves.is_empty(), "the fairy can be moved");
    (moves.contains(&abbot), rules.why_not(&state, seat, abbot))
}

/// Covers PD-80.
#[test]
fn a_garden_on_the_volcano_just_laid_cannot_be_claimed() {
    let (legal, why) = abbot_into_the_garden(Symbols::NONE);
    assert!(legal && why.is_empty());
    let (legal, why) = abbot_into_the_garden(Symbols::VOLCANO);
    assert!(!legal);
    assert_eq!(
        why,
        Clause::from_id("PD-12").into_iter().collect::<Vec<_>>()
    );
}
