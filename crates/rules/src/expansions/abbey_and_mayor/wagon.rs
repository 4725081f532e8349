//! The wagon: it may move on when its feature has been scored (AM-40 to AM-51). Where it may be placed at first stands in the
//! table of figures.

use alloc::vec::Vec;

use super::{Task, WAGON_MOVE, option};
use crate::clause;
use crate::figures::{Piece, Quirks, Spot};
use crate::geometry::Side;
use crate::hooks::{Ctx, Deploy, Verdict};
use crate::moves::{Choice, FeatureId, Moves, Seat, SegId, Target, TileSlot};
use crate::play;
use crate::registry::ExtTask;
use crate::state::Task as Agenda;
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{FeatureKind, Symbols, Verb, Way, Why};

/// AM-42, AM-50: a wagon that scoring sends home may move on, no other. AM-51: the final scoring sends none home.
pub(super) fn left(w: &mut Work, piece: Piece, why: Why) {
    if why == Why::Scored && w.rules.figure(piece.kind).is(Quirks::MOVES_ON) {
        w.state.ext.abbey_and_mayor.wagons.push(piece);
    }
}

/// AM-48, OP-81: after all scoring the owners decide, the active player first, then clockwise.
pub(super) fn wagons(w: &mut Work) -> Flow {
    if w.state.ext.abbey_and_mayor.wagons.is_empty() {
        return Flow::Done;
    }
    let (active, n) = (w.state.turn.active.0, w.state.n_seats);
    let turns = |piece: &Piece| (piece.seat.0 + n - active) % n;
    let wagons = &mut w.state.ext.abbey_and_mayor.wagons;
    wagons.sort_by_key(|piece| (turns(piece), *piece));
    w.push(Task::Wagons.on_agenda());
    Flow::Done
}

/// AM-47: a wagon without a target stays in the supply and nobody is asked.
pub(super) fn enter(w: &mut Work) -> Flow {
    while let Some(wagon) = w.state.ext.abbey_and_mayor.wagons.first().copied() {
        let mut moves = Moves::any_only();
        offers(w.ctx(), wagon.seat, &mut moves);
        if moves.found_any() && !w.state.seat(wagon.seat).gone {
            return Flow::Ask(wagon.seat);
        }
        w.state.ext.abbey_and_mayor.wagons.remove(0);
    }
    Flow::Done
}

/// The first wagon is decided upon; the next one's owner sees it (AM-48).
pub(super) fn decided(w: &mut Work) {
    w.state.ext.abbey_and_mayor.wagons.remove(0);
    w.push(Task::Wagons.on_agenda());
}

/// AM-43: an incomplete, unoccupied road, city or monastery, that AM-44 or AM-46 lets it reach.
pub(super) fn offers(c: Ctx, _: Seat, m: &mut Moves) {
    let Some(wagon) = c.state.ext.abbey_and_mayor.wagons.first() else {
        return;
    };
    let Some(from) = wagon.spot.as_segment() else {
        return;
    };
    for seg in reach(c, from) {
        if may_stop(c, *wagon, seg).is_ok() {
            m.push(Choice::put(Verb::Wagon, wagon.kind, seg));
            if m.is_satisfied() {
                return;
            }
        }
    }
}

/// AM-43 names the kinds of features: a hut is none of them, though a wagon may be placed there (RP-31).
const fn is_target(kind: FeatureKind) -> bool {
    matches!(
        kind,
        FeatureKind::Road | FeatureKind::City | FeatureKind::Monastery
    )
}

fn may_stop(c: Ctx, wagon: Piece, seg: SegId) -> Verdict {
    if !is_target(c.segment(seg).kind) {
        return Err(clause::AM_43);
    }
    let deploy = Deploy {
        seat: wagon.seat,
        kind: wagon.kind,
        seg,
        way: Way::Wagon,
    };
    play::may_deploy(c, &deploy)
}

/// Every segment that a wagon can get to, whatever is there, in ascending order.
fn reach(c: Ctx, from: SegId) -> Vec<SegId> {
    if option(c, WAGON_MOVE) == 1 {
        connected(c, from)
    } else {
        near(c, from)
    }
}

/// AM-46: the segments of the tile where it stood and of the eight tiles round it.
fn near(c: Ctx, from: SegId) -> Vec<SegId> {
    let pos = c.board().pos_of(from);
    let mut near: Vec<SegId> = core::iter::once(pos)
        .chain(pos.around())
        .filter_map(|pos| c.board().tile_at(pos))
        .flat_map(|slot| c.board().segments_of(slot))
        .collect();
    near.sort_unstable();
    near
}

/// AM-44, AM-45: every segment of the features that are directly connected with the one it was on.
fn connected(c: Ctx, from: SegId) -> Vec<SegId> {
    let board = c.board();
    let scored = board.feature_of(from);
    let mut features: Vec<FeatureId> = Vec::new();
    for seg in board.members(scored) {
        let linked = linked(c, seg).chain(across_an_abbey(c, seg));
        features.extend(linked.map(|other| board.feature_of(other)));
    }
    features.sort_unstable();
    features.dedup();
    let city = |id: FeatureId| board.feature(id).kind == FeatureKind::City;
    features.retain(|id| *id != scored && !(city(*id) && city(scored)));
    let mut segments: Vec<SegId> = features.iter().flat_map(|id| board.members(*id)).collect();
    segments.sort_unstable();
    segments
}

/// AM-44: the segments of the same tile that share a letter with this one.
fn linked(c: Ctx<'_>, seg: SegId) -> impl Iterator<Item = SegId> + '_ {
    let links = c.segment(seg).links;
    c.board()
        .segments_of(c.board().tile_of(seg))
        .filter(move |other| *other != seg && c.segment(*other).links & links != 0)
}

/// AM-44: an abbey touches the road or city segment at a side; of an abbey, the segments that it touches.
fn across_an_abbey(c: Ctx<'_>, seg: SegId) -> impl Iterator<Item = SegId> + '_ {
    let board = c.board();
    let tile = *board.tile(board.tile_of(seg));
    let is_abbey = move |slot: TileSlot| c.tile_def(slot).symbols.has(Symbols::ABBEY);
    let from_abbey = is_abbey(board.tile_of(seg));
    let sides = c.segment(seg).sides;
    Side::ALL.into_iter().filter_map(move |side| {
        let reaches = sides & (1 << side.turned_back(tile.rotation).index()) != 0;
        let slot = board.tile_at(tile.pos.beside(side))?;
        if from_abbey {
            let other = board.tile(slot);
            let kind = &c.rules.tiles[other.kind.index()];
            let index = kind.at_side(side.opposite(), other.rotation)?;
            Some(board.segment_of(slot, index))
        } else if reaches && is_abbey(slot) {
            board.segments_of(slot).next()
        } else {
            None
        }
    })
}

/// AM-42, AM-49: from the supply, where scoring put it, to its new feature; no figure step is used.
pub(super) fn act(w: &mut Work, _: Asked, choice: Choice) {
    let Some(wagon) = w.state.ext.abbey_and_mayor.wagons.first().copied() else {
        return;
    };
    decided(w);
    if let Target::Segment(seg) = choice.target {
        w.put(wagon.moved_to(Spot::segment(seg)), Way::Wagon);
    }
}

pub(super) fn why_not(c: Ctx, _: Seat, choice: &Choice) -> Verdict {
    let asked = matches!(
        c.state.agenda.last(),
        Some(Agenda::Ext(ExtTask::AbbeyAndMayor(Task::Wagons)))
    );
    let wagon = c.state.ext.abbey_and_mayor.wagons.first();
    let (Some(wagon), Target::Segment(seg), true) = (wagon, choice.target, asked) else {
        return Err(clause::AM_42);
    };
    let feature = c.board().at(seg);
    if !is_target(feature.kind) || feature.is_complete() || feature.crowd.followers > 0 {
        return Err(clause::AM_43);
    }
    let from = wagon.spot.as_segment();
    if !from.is_some_and(|from| reach(c, from).contains(&seg)) {
        return Err(if option(c, WAGON_MOVE) == 1 {
            clause::AM_44
        } else {
            clause::AM_46
        });
    }
    may_stop(c, *wagon, seg)
}
