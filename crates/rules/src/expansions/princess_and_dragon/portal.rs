//! Magic portals bring a follower to another tile (PD-20 to PD-28).

use super::dragon;
use super::{PORTAL, laid_with, plays};
use crate::clause;
use crate::figures::Quirks;
use crate::hooks::{Ctx, Deploy, Verdict};
use crate::moves::{Choice, Moves, Seat, Target};
use crate::play;
use crate::turn::{Asked, Work};
use crate::vocabulary::{Kind, Symbols, Used, Verb, Way};

/// PD-20, PD-21, PD-24 to PD-26, PD-124: one follower onto an unoccupied, incomplete feature of another tile.
pub(super) fn targets(c: Ctx, seat: Seat, kind: Kind, _: bool, m: &mut Moves) {
    let Some(slot) = laid_with(c, Symbols::PORTAL) else {
        return;
    };
    let figure = c.figure(kind);
    if !figure.is(Quirks::PORTAL) || c.used(Used::PORTAL) || !plays(c, PORTAL) {
        return;
    }
    let board = c.board();
    for (id, feature) in board.features() {
        if feature.crowd.followers > 0 || feature.is_complete() || !figure.may_claim(feature.kind) {
            continue;
        }
        for seg in board.members(id) {
            let deploy = Deploy {
                seat,
                kind,
                seg,
                way: Way::Portal,
            };
            if board.tile_of(seg) != slot && play::may_deploy(c, &deploy).is_ok() {
                m.push(Choice::put(Verb::Portal, kind, seg));
                if m.is_satisfied() {
                    return;
                }
            }
        }
    }
}

pub(super) fn act(w: &mut Work, asked: Asked, choice: Choice) {
    w.use_up(Used::PORTAL);
    play::put_on_segment(w, asked, choice, Way::Portal);
}

pub(super) fn why_not(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let (Some(kind), Target::Segment(seg)) = (choice.kind, choice.target) else {
        return Ok(());
    };
    let board = c.board();
    let Some(slot) = laid_with(c, Symbols::PORTAL).filter(|_| plays(c, PORTAL)) else {
        return Err(clause::PD_20);
    };
    if c.used(Used::SKIPPED) {
        return Err(clause::PD_31);
    }
    if c.used(Used::PORTAL) {
        return Err(clause::PD_26);
    }
    if c.state.seat(seat).has(kind) == 0 {
        return Err(clause::BA_25);
    }
    if !c.figure(kind).is(Quirks::PORTAL) {
        return Err(clause::PD_24);
    }
    if board.tile_of(seg) == slot {
        return Err(clause::PD_22);
    }
    if dragon::is_on(c, board.tile_of(seg)) {
        return Err(clause::PD_27);
    }
    if !c.figure(kind).may_claim(board.at(seg).kind) {
        return Err(clause::PD_25);
    }
    if board.at(seg).crowd.followers > 0 {
        return Err(clause::PD_21);
    }
    if board.at(seg).is_complete() {
        let now = c.state.turn.completed.iter();
        let now = now
            .map(|seg| board.feature_of(*seg))
            .any(|feature| feature == board.feature_of(seg));
        return Err(if now { clause::PD_23 } else { clause::PD_21 });
    }
    let deploy = Deploy {
        seat,
        kind,
        seg,
        way: Way::Portal,
    };
    play::may_deploy(c, &deploy)
}
