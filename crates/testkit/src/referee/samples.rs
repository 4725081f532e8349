//! Legal and wrong choices, tried on copies.

use trencavel_record::notation::choice_text;
use trencavel_rules::{
    Choice, Input, Kind, Moves, Place, Pos, Rotation, Rules, Seat, SegId, Spot, State, Target,
    TileSlot, Verb, Waiting,
};

use super::{Fault, demand};
use crate::random::Random;

/// Every seat that is asked can choose; nobody else can. Of legal choices some are applied, and explained as legal; of wrong
/// ones some are refused without a trace, and explained.
pub(super) fn choices(rules: &Rules, state: &State, samples: usize) -> Result<(), Fault> {
    let mut random = Random::new(state.hash());
    let mut moves = Moves::new();
    let mut again = Moves::new();
    for seat in state.seat_list() {
        rules.legal_for(state, seat, &mut moves);
        let asked = matches!(state.waiting(), Waiting::Seats(seats) if seats.has(seat));
        demand!(
            asked != moves.is_empty(),
            "seat {} is asked: {asked}, and has {} choices",
            seat.0 + 1,
            moves.len()
        );
        rules.legal_for(state, seat, &mut again);
        demand!(
            moves.as_slice() == again.as_slice(),
            "the legal choices are others when asked again"
        );
        let mut sorted = moves.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        demand!(
            sorted.len() == moves.len(),
            "a legal choice is listed twice"
        );
        for _ in 0..samples {
            if let Some(choice) = random.of(&moves) {
                legal(rules, state, seat, *choice)?;
            }
            let model = random.of(&moves).copied().unwrap_or(Choice::PASS);
            let changed = mutated(state, model, &mut random);
            if sorted.binary_search(&changed).is_err() {
                wrong(rules, state, seat, changed)?;
            }
        }
    }
    Ok(())
}

fn legal(rules: &Rules, state: &State, seat: Seat, choice: Choice) -> Result<(), Fault> {
    let text = choice_text(rules, state, choice);
    let why = rules.why_not(state, seat, choice);
    demand!(
        why.is_empty(),
        "`{text}` is legal and explained as illegal by {why:?}"
    );
    let mut copy = state.clone();
    let applied = rules.apply(&mut copy, Input::Choice(seat, choice), &mut ());
    demand!(
        applied.is_ok(),
        "`{text}` is legal and refused: {applied:?}"
    );
    demand!(copy != *state, "`{text}` changes nothing");
    if let Some(which) = rules.broken(&copy) {
        return Err(format!("`{text}` would break an invariant: {which}"));
    }
    Ok(())
}

fn wrong(rules: &Rules, state: &State, seat: Seat, choice: Choice) -> Result<(), Fault> {
    let why = rules.why_not(state, seat, choice);
    demand!(
        !why.is_empty(),
        "{choice:?} of seat {} is not legal, and nothing says why",
        seat.0 + 1
    );
    let mut copy = state.clone();
    let applied = rules.apply(&mut copy, Input::Choice(seat, choice), &mut ());
    demand!(
        applied.is_err(),
        "{choice:?} of seat {} is not legal and is applied",
        seat.0 + 1
    );
    demand!(
        copy == *state,
        "{choice:?} is refused but changes the state"
    );
    Ok(())
}

/// A choice like another but for one thing. It may name what does not exist.
pub(crate) fn mutated(state: &State, model: Choice, random: &mut Random) -> Choice {
    let mut choice = model;
    match random.below(4) {
        0 => choice.verb = *random.of(Verb::ALL).unwrap_or(&Verb::Pass),
        1 => {
            choice.kind = random
                .of(Kind::ALL)
                .copied()
                .filter(|_| !random.clone().one_in(5))
        }
        2 => choice.target = any_target(state, random),
        _ => choice.target = near(choice.target, random),
    }
    choice
}

fn any_target(state: &State, random: &mut Random) -> Target {
    let square =
        |random: &mut Random| Pos::new(random.below(9) as i8 - 4, random.below(9) as i8 - 4);
    let tile = |random: &mut Random| TileSlot(random.below(state.board().tiles().len() + 1) as u16);
    match random.below(8) {
        0 => Target::None,
        1 => Target::Square(
            square(random),
            Rotation::from_quarters(random.below(4) as u8),
        ),
        2 => Target::Segment(SegId::of(tile(random), random.below(12) as u8)),
        3 => Target::Tile(tile(random)),
        4 => Target::Corner(square(random)),
        5 => {
            let pieces: Vec<_> = state.pieces().iter().collect();
            let seat = Seat(random.below(usize::from(state.n_seats()) + 1) as u8);
            let kind = *random.of(Kind::ALL).unwrap_or(&Kind::Normal);
            let place = *random.of(Place::ALL).unwrap_or(&Place::Segment);
            let spot = Spot {
                place,
                at: random.below(300) as u16,
            };
            let made = trencavel_rules::Piece { spot, seat, kind };
            Target::Piece(
                random
                    .of(&pieces)
                    .copied()
                    .filter(|_| seat.0 % 4 != 3)
                    .unwrap_or(made),
            )
        }
        6 => Target::Seat(Seat(random.below(9) as u8)),
        _ => Target::Number(random.below(256) as u8),
    }
}

fn near(target: Target, random: &mut Random) -> Target {
    let step = |random: &mut Random| random.below(3) as i8 - 1;
    match target {
        Target::None => Target::Number(0),
        Target::Square(pos, rotation) => Target::Square(
            pos.offset(step(random), step(random)),
            Rotation::from_quarters(rotation.quarters() + random.below(4) as u8),
        ),
        Target::Segment(seg) => Target::Segment(SegId(seg.0.saturating_add(1))),
        Target::Tile(slot) => Target::Tile(TileSlot(slot.0.saturating_add(1))),
        Target::Corner(pos) => Target::Corner(pos.offset(step(random), step(random))),
        Target::Piece(piece) => Target::Piece(trencavel_rules::Piece {
            seat: Seat((piece.seat.0 + 1) % 8),
            ..piece
        }),
        Target::Seat(seat) => Target::Seat(Seat(seat.0.wrapping_add(1))),
        Target::Number(n) => Target::Number(n.wrapping_add(1)),
    }
}
