//! Why a choice is refused: for people, from the same code that rules. It is not a second validator: a property test
//! demands that it is empty exactly for what `legal` lists.

use alloc::vec::Vec;

use crate::clause::{self, Clause};
use crate::geometry::Side;
use crate::hooks::{Ctx, Deploy, Placement};
use crate::moves::{Choice, Moves, Seat, Target, TileKind};
use crate::order::Step;
use crate::play;
use crate::rules::{ONLY_WHAT_IS_OFFERED, Rules};
use crate::state::{State, Waiting};
use crate::vocabulary::{Used, Verb, Way};

pub(crate) fn why_not(rules: &Rules, state: &State, seat: Seat, choice: Choice) -> Vec<Clause> {
    let mut moves = Moves::new();
    rules.legal_for(state, seat, &mut moves);
    if moves.contains(&choice) {
        return Vec::new();
    }
    let mut reasons = Vec::new();
    let c = Ctx { rules, state };
    match state.waiting {
        Waiting::Seats(seats) if seats.has(seat) => {}
        Waiting::Over => return alloc::vec![clause::BA_42],
        Waiting::Seats(_) | Waiting::Chance(_) => return alloc::vec![clause::OP_105],
    }
    match (choice.verb, choice.target) {
        (Verb::Lay, Target::Square(pos, rotation)) => {
            if let Some(kind) = state.turn.drawn {
                lay(
                    c,
                    &Placement {
                        kind,
                        pos,
                        rotation,
                    },
                    &mut reasons,
                );
            }
        }
        (Verb::Deploy, Target::Segment(seg)) if state.board.has_segment(seg) => {
            deploy(
                c,
                seat,
                choice,
                Deploy {
                    seat,
                    kind: kind_or_first(choice),
                    seg,
                    way: Way::Own,
                },
                &mut reasons,
            );
        }
        _ => {}
    }
    for (verb, hook) in &rules.links.why_not {
        if *verb == choice.verb
            && is_sound(state, choice)
            && let Err(clause) = hook(c, seat, &choice)
        {
            reasons.push(clause);
        }
    }
    reasons.dedup();
    if reasons.is_empty() {
        reasons.push(rules.asked_by(state).unwrap_or(ONLY_WHAT_IS_OFFERED));
    }
    reasons
}

/// Whether what a choice names exists at all, so that hooks need not look.
fn is_sound(state: &State, choice: Choice) -> bool {
    match choice.target {
        Target::None | Target::Number(_) | Target::Square(..) | Target::Corner(_) => true,
        Target::Segment(seg) => state.board.has_segment(seg),
        Target::Tile(slot) => slot.index() < state.board.tiles().len(),
        Target::Piece(piece) => state.pieces.contains(piece),
        Target::Seat(seat) => seat.0 < state.n_seats,
    }
}

fn kind_or_first(choice: Choice) -> crate::vocabulary::Kind {
    choice.kind.unwrap_or(crate::vocabulary::Kind::Normal)
}

/// BA-12, BA-14: an empty square beside a tile, all edges matching.
fn lay(c: Ctx, placement: &Placement, reasons: &mut Vec<Clause>) {
    if c.board().gap_at(placement.pos).is_none() {
        reasons.push(clause::BA_12);
        return;
    }
    if mismatched_sides(c, placement.kind, placement)
        .next()
        .is_some()
    {
        reasons.push(clause::BA_14);
        return;
    }
    if let Err(clause) = play::may_place(c, placement) {
        reasons.push(clause);
    }
}

/// The sides at which a tile does not match what lies there.
pub(crate) fn mismatched_sides<'a>(
    c: Ctx<'a>,
    kind: TileKind,
    placement: &Placement,
) -> impl Iterator<Item = Side> + use<'a> {
    let signature =
        c.rules.tiles[kind.index()].signature[usize::from(placement.rotation.quarters())];
    let gap = c.board().gap_at(placement.pos).copied();
    Side::ALL.into_iter().filter(move |side| {
        gap.is_some_and(|gap| gap.pattern().differs(signature) >> (4 * side.index()) & 0xf != 0)
    })
}

fn deploy(c: Ctx, seat: Seat, choice: Choice, deploy: Deploy, reasons: &mut Vec<Clause>) {
    let Some(kind) = choice.kind else { return };
    if c.state.seat(seat).has(kind) == 0 {
        reasons.push(clause::BA_25);
    }
    if c.state
        .turn
        .laid
        .is_some_and(|slot| c.board().tile_of(deploy.seg) != slot)
    {
        reasons.push(clause::BA_21);
    } else if let Err(clause) = play::may_deploy(c, &deploy) {
        reasons.push(clause);
    }
    if reasons.is_empty() && c.used(Used::FIRST) && c.rules.step(c.state) != Some(Step::Second) {
        reasons.push(clause::OP_64);
    }
}
