//! The fairy stands with a follower and pays points (PD-40 to PD-55).

use alloc::vec::Vec;

use super::{FAIRY, PLACEMENT, option, plays};
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::figures::{Piece, Quirks};
use crate::hooks::{Ctx, Scored, Verdict};
use crate::moves::{Choice, Moves, Seat, Target, TileSlot};
use crate::order::Step;
use crate::play;
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{Neutral, Used, Verb, Why};

fn is_on_tile(c: Ctx) -> bool {
    option(c, PLACEMENT) == 1
}

/// Whether she may stand with a figure: a follower on a tile (PD-40, PD-53).
fn may_accompany(c: Ctx, piece: Piece) -> bool {
    piece.spot.place.is_on_a_tile() && c.figure(piece.kind).is(Quirks::FAIRY)
}

/// Whether a seat has a follower on her tile (PD-42).
fn is_beside_her(c: Ctx, seat: Seat) -> bool {
    c.state.ext.princess_and_dragon.fairy.is_some_and(|slot| {
        c.on_tile(slot)
            .any(|piece| piece.seat == seat && may_accompany(c, piece))
    })
}

/// PD-40 to PD-44: she moves to an own follower, or to a tile with one, where she is not yet.
pub(super) fn offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if !plays(c, FAIRY) {
        return;
    }
    let here = &c.state.ext.princess_and_dragon;
    let own = c.state.pieces.iter();
    let own = own.filter(|piece| piece.seat == seat && may_accompany(c, *piece));
    if is_on_tile(c) {
        let mut tiles: Vec<TileSlot> = own
            .filter_map(|piece| c.board().tile_of_spot(piece.spot))
            .filter(|slot| here.fairy != Some(*slot))
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        for slot in tiles {
            m.push(Choice::new(Verb::Fairy, Target::Tile(slot)));
        }
        return;
    }
    let mut before = here.companion;
    for piece in own {
        if before != Some(piece) && here.companion != Some(piece) {
            m.push(Choice::new(Verb::Fairy, Target::Piece(piece)));
            if m.is_satisfied() {
                return;
            }
        }
        before = Some(piece);
    }
}

/// PD-18: the move is the figure action.
pub(super) fn act(w: &mut Work, _: Asked, choice: Choice) {
    let (slot, companion) = match choice.target {
        Target::Piece(piece) => (w.state.board.tile_of_spot(piece.spot), Some(piece)),
        Target::Tile(slot) => (Some(slot), None),
        _ => return,
    };
    play::use_figure_step(w, None);
    w.state.ext.princess_and_dragon.fairy = slot;
    w.state.ext.princess_and_dragon.companion = companion;
    tell(w, clause::PD_40);
}

fn tell(w: &mut Work, clause: Clause) {
    let here = &w.state.ext.princess_and_dragon;
    let with = here.companion;
    let to = here.fairy.map(|slot| w.state.board.tile(slot).pos);
    w.tell(|| Event::NeutralMoved {
        neutral: Neutral::Fairy,
        to,
        with,
        clause,
    });
}

/// PD-46: 1 point at the start of a whole turn.
pub(super) fn point(w: &mut Work) -> Flow {
    let c = w.ctx();
    let seat = c.state.turn.active;
    let here = &c.state.ext.princess_and_dragon;
    let earned = match here.companion {
        Some(companion) => companion.seat == seat,
        None => here.fairy.is_some() && is_on_tile(c) && is_beside_her(c, seat),
    };
    if earned {
        w.award(seat, 1, clause::PD_46, None);
    }
    Flow::Done
}

/// PD-47 to PD-50: 3 points when the companion's feature is scored, whoever has the majority. PD-42: with `on-tile`, to each
/// player with a follower of the feature on her tile.
pub(super) fn bonus(w: &mut Work, scored: &Scored) {
    let here = &w.state.ext.princess_and_dragon;
    let Some(fairy) = here.fairy else {
        return;
    };
    if let Some(companion) = here.companion {
        if let Some(seg) = companion.spot.as_segment()
            && w.state.board.feature_of(seg) == scored.feature
        {
            w.award(companion.seat, 3, clause::PD_47, Some(seg));
        }
        return;
    }
    if !is_on_tile(w.ctx()) {
        return;
    }
    for seat in w.state.clockwise_from(w.state.turn.active) {
        let c = w.ctx();
        let beside = c.on_feature(scored.feature).find(|piece| {
            piece.seat == seat
                && may_accompany(c, *piece)
                && c.board().tile_of_spot(piece.spot) == Some(fairy)
        });
        if let Some(piece) = beside {
            w.award(seat, 3, clause::PD_42, piece.spot.as_segment());
        }
    }
}

/// PD-52: when the companion leaves its place the fairy stays on the tile, attached to nobody.
pub(super) fn stay_behind(w: &mut Work, piece: Piece, _: Why) {
    if w.state.ext.princess_and_dragon.companion == Some(piece) && !w.state.pieces.contains(piece) {
        w.state.ext.princess_and_dragon.companion = None;
        tell(w, clause::PD_52);
    }
}

pub(super) fn why_not(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    if !plays(c, FAIRY) {
        return Err(clause::PD_02);
    }
    if c.used(Used::SKIPPED) {
        return Err(clause::PD_31);
    }
    if c.rules.step(c.state) == Some(Step::Second) {
        return Err(clause::PD_18);
    }
    let here = &c.state.ext.princess_and_dragon;
    match choice.target {
        Target::Piece(_) if is_on_tile(c) => Err(clause::PD_42),
        Target::Piece(piece) if piece.seat != seat => Err(clause::PD_40),
        Target::Piece(piece) if !c.figure(piece.kind).is(Quirks::FAIRY) => Err(clause::PD_53),
        Target::Piece(piece) if !may_accompany(c, piece) => Err(clause::PD_40),
        Target::Piece(piece) if here.companion == Some(piece) => Err(clause::PD_44),
        Target::Tile(_) if !is_on_tile(c) => Err(clause::PD_41),
        Target::Tile(slot) if here.fairy == Some(slot) => Err(clause::PD_44),
        Target::Tile(_) => Err(clause::PD_42),
        _ => Ok(()),
    }
}
