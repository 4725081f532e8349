//! The dragon: it comes to volcanoes and walks by dragon tiles (PD-03 to PD-16, PD-19, PD-56 to PD-76).

use alloc::vec::Vec;

use super::{DRAGON, MOVE, Task, laid_with, option, plays};
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::figures::Quirks;
use crate::geometry::Side;
use crate::hooks::{Ctx, Deploy, Gates, Verdict};
use crate::moves::{Chance, Choice, Moves, Seat, Target, TileSlot};
use crate::registry::ExtTask;
use crate::state::Task as Agenda;
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{Neutral, Symbols, Verb, Way, Why};

/// PD-58: how many steps a walk has at most.
const STEPS: usize = 6;

/// Whether the dragon is on a tile: for rules of other expansions that bring a figure there (PD-19).
pub(super) fn is_on(c: Ctx, slot: TileSlot) -> bool {
    c.state.ext.princess_and_dragon.dragon == Some(slot)
}

/// PD-03 to PD-06: dragon tiles wait until the dragon is on the board, and do not count as remaining.
pub(super) fn wait(c: Ctx, gates: &mut Gates) {
    if c.state.ext.princess_and_dragon.dragon.is_none()
        && plays(c, DRAGON)
        && let Some(group) = c.rules.group("dragon")
    {
        gates.shut(group);
    }
}

/// PD-10, PD-11: the dragon comes to the volcano just laid; no figure is removed.
pub(super) fn volcano(w: &mut Work) -> Flow {
    if let Some(slot) = laid_with(w.ctx(), Symbols::VOLCANO)
        && plays(w.ctx(), DRAGON)
    {
        place(w, slot, clause::PD_10);
    }
    Flow::Done
}

fn place(w: &mut Work, slot: TileSlot, clause: Clause) {
    w.state.ext.princess_and_dragon.dragon = Some(slot);
    let to = w.state.board.tile(slot).pos;
    w.tell(|| Event::NeutralMoved {
        neutral: Neutral::Dragon,
        to: Some(to),
        with: None,
        clause,
    });
}

/// PD-12, PD-19: no figure comes onto the tile where the dragon stands. PD-95: a barn is not on a single tile.
pub(super) fn not_onto_it(c: Ctx, deploy: &Deploy) -> Verdict {
    let slot = c.board().tile_of(deploy.seg);
    if !is_on(c, slot) || deploy.way == Way::Corner {
        return Ok(());
    }
    Err(if laid_with(c, Symbols::VOLCANO) == Some(slot) {
        clause::PD_12
    } else {
        clause::PD_19
    })
}

/// PD-57: `dragon-move` = before-scoring.
pub(super) fn walk_before_scoring(w: &mut Work) -> Flow {
    begin_walk(w, 0)
}

/// PD-57: `dragon-move` = after-scoring.
pub(super) fn walk_after_scoring(w: &mut Work) -> Flow {
    begin_walk(w, 1)
}

/// PD-56: a dragon tile makes the dragon walk, if it is on the board. PD-60: where it begins counts as visited.
fn begin_walk(w: &mut Work, moment: u8) -> Flow {
    let c = w.ctx();
    if laid_with(c, Symbols::DRAGON).is_none() || option(c, MOVE) != moment || !plays(c, DRAGON) {
        return Flow::Done;
    }
    let here = &mut w.state.ext.princess_and_dragon;
    if let Some(slot) = here.dragon {
        here.walk.push(slot);
        let first = w.state.turn.active;
        w.push(Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(first))));
    }
    Flow::Done
}

/// PD-59 to PD-61: the tiles beside the dragon that it has not been on during this walk, and where the fairy is not.
fn steps(c: Ctx<'_>) -> impl Iterator<Item = TileSlot> + '_ {
    let here = &c.state.ext.princess_and_dragon;
    let pos = here.dragon.map(|slot| c.board().tile(slot).pos);
    Side::ALL
        .into_iter()
        .filter_map(move |side| c.board().tile_at(pos?.beside(side)))
        .filter(|slot| !here.walk.contains(slot) && here.fairy != Some(*slot))
}

impl Task {
    /// PD-62, PD-63: the seat must move the dragon one step; after six, or when it cannot go on, the walk is over.
    pub(crate) fn enter(self, w: &mut Work) -> Flow {
        let Task::Walk(seat) = self;
        let done = w.state.ext.princess_and_dragon.walk.len() > STEPS;
        if done || steps(w.ctx()).next().is_none() {
            w.state.ext.princess_and_dragon.walk.clear();
            return Flow::Done;
        }
        Flow::Ask(seat)
    }

    pub(crate) fn offers(self, c: Ctx, _: Seat, m: &mut Moves) {
        for slot in steps(c) {
            m.push(Choice::new(Verb::Dragon, Target::Tile(slot)));
        }
    }

    pub(crate) fn act(self, _: &mut Work, _: Seat, _: Choice) {}

    pub(crate) fn chance(self, _: &mut Work, _: Chance) {}

    pub(crate) fn outcomes(self, _: Ctx, _: &mut Vec<(Chance, u32)>) {}
}

/// PD-58, PD-64: one step; what the dragon finds there goes home; then the next player clockwise who has not left the game
/// makes one.
pub(super) fn step(w: &mut Work, asked: Asked, choice: Choice) {
    let Target::Tile(slot) = choice.target else {
        return;
    };
    place(w, slot, clause::PD_58);
    w.state.ext.princess_and_dragon.walk.push(slot);
    eat(w, slot);
    let next = w
        .state
        .clockwise_from(w.state.next_seat(asked.seat))
        .find(|seat| !w.state.seat(*seat).gone)
        .unwrap_or(asked.seat);
    w.push(Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(next))));
}

/// PD-64 to PD-66: every edible figure on the tile, its tower and its trap goes home, without points.
fn eat(w: &mut Work, slot: TileSlot) {
    let edible = |c: Ctx| {
        c.on_tile(slot)
            .find(|piece| c.figure(piece.kind).is(Quirks::EDIBLE))
    };
    while let Some(piece) = edible(w.ctx()) {
        w.take_home(piece, Why::Eaten, clause::PD_64);
    }
}

pub(super) fn why_not(c: Ctx, _: Seat, choice: &Choice) -> Verdict {
    let here = &c.state.ext.princess_and_dragon;
    let (Some(dragon), Target::Tile(slot)) = (here.dragon, choice.target) else {
        return Err(clause::PD_56);
    };
    if here.walk.is_empty() {
        return Err(clause::PD_56);
    }
    let pos = c.board().tile(dragon).pos;
    let beside = Side::ALL
        .into_iter()
        .any(|side| c.board().tile_at(pos.beside(side)) == Some(slot));
    if here.walk.contains(&slot) {
        Err(clause::PD_60)
    } else if !beside {
        Err(clause::PD_59)
    } else {
        Err(clause::PD_61)
    }
}
