//! The Princess and the Dragon (`docs/rules/princess-and-dragon.md`): the dragon and its volcanoes, the fairy, princesses and
//! magic portals.
//!
//! Dragon tiles are a group of the bag that is shut while the dragon is off the board (OP-04): drawing, setting aside and
//! mixing in again comes to the same. Every single step of a walk is asked, also one with a single target, as a tile with
//! a single place is: it is a decision of its own in turn order (PD-75), and a record shows who made it.

mod dragon;
mod fairy;
mod portal;
mod princess;

use alloc::vec::Vec;

use crate::bytes::{enum_bytes, struct_bytes};
use crate::clause::{self, Clause};
use crate::figures::Piece;
use crate::hooks::{Ctx, Expansion, Hook, OptionDef, Shown, StepDef, Took, Values, Verdict};
use crate::moves::{Choice, Seat, TileSlot};
use crate::order::Step;
use crate::registry::{Ext, ExtTask};
use crate::state::Task as Agenda;
use crate::turn::Work;
use crate::vocabulary::{Neutral, Symbols, Verb};

const ACTION: usize = 0;
const PLACEMENT: usize = 1;
const MOVE: usize = 2;
const DRAGON: usize = 3;
const FAIRY: usize = 4;
const PRINCESS: usize = 5;
const PORTAL: usize = 6;

/// An element of the box that can be left out.
const fn element(key: &'static str, clause: Clause) -> OptionDef {
    OptionDef {
        key,
        values: Values::Listed(&["true", "false"], [0; 3]),
        clause,
    }
}

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "princess-and-dragon",
    book: "PD",
    name: "The Princess and the Dragon",
    sets: [&["princess-and-dragon:1"], &["princess-and-dragon:2"]],
    options: &[
        OptionDef {
            key: "princess-action",
            values: Values::Listed(&["may", "must"], [0; 3]),
            clause: clause::PD_29,
        },
        OptionDef {
            key: "fairy-placement",
            values: Values::Listed(&["next-follower", "on-tile"], [0; 3]),
            clause: clause::PD_41,
        },
        OptionDef {
            key: "dragon-move",
            values: Values::Listed(&["before-scoring", "after-scoring"], [0; 3]),
            clause: clause::PD_57,
        },
        element("dragon", clause::PD_02),
        element("fairy", clause::PD_02),
        element("princess", clause::PD_29),
        element("portal", clause::PD_20),
    ],
    prepare: Some(prepare),
    hooks: &[
        Hook::Draw(dragon::wait),
        Hook::Step(Step::FairyPoint, StepDef::auto(fairy::point)),
        Hook::Step(Step::Volcano, StepDef::auto(dragon::volcano)),
        Hook::Step(
            Step::Princess,
            StepDef::must(princess::ask, princess::offers),
        ),
        Hook::Step(
            Step::DragonBefore,
            StepDef::auto(dragon::walk_before_scoring),
        ),
        Hook::Step(Step::DragonAfter, StepDef::auto(dragon::walk_after_scoring)),
        Hook::MayDeploy(dragon::not_onto_it),
        Hook::MoreTargets(portal::targets),
        Hook::Offer(Step::MoveWood, fairy::offers),
        Hook::Act(Verb::Portal, portal::act),
        Hook::Act(Verb::Fairy, fairy::act),
        Hook::Act(Verb::Seduce, princess::seduce),
        Hook::Act(Verb::Dragon, dragon::step),
        Hook::WhyNot(Verb::Pass, why_not_pass),
        Hook::WhyNot(Verb::Portal, portal::why_not),
        Hook::WhyNot(Verb::Fairy, fairy::why_not),
        Hook::WhyNot(Verb::Seduce, princess::why_not),
        Hook::WhyNot(Verb::Dragon, dragon::why_not),
        Hook::Scored(fairy::bonus),
        Hook::Left(fairy::stay_behind),
        Hook::Shows(shows),
        Hook::Arrange(arrange),
        Hook::Check(check),
    ],
    ..Expansion::EMPTY
};

/// The neutral figures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    /// Where the dragon is, if on the board.
    dragon: Option<TileSlot>,
    /// Where the fairy is, if on the board.
    fairy: Option<TileSlot>,
    /// The follower that she is attached to (PD-41).
    companion: Option<Piece>,
    /// The tiles that the dragon has been on during the present walk, the first included (PD-60); empty between walks.
    walk: Vec<TileSlot>,
}
struct_bytes!(State {
    dragon,
    fairy,
    companion,
    walk
});

/// Unfinished work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// PD-58: the dragon walks, and this seat makes the next step.
    Walk(Seat),
}
enum_bytes!(Task { 0 = Walk(seat) });

fn option(c: Ctx, index: usize) -> u8 {
    c.rules.options.get(Ext::PrincessAndDragon, index)
}

/// Whether an element of the box is in play.
fn plays(c: Ctx, element: usize) -> bool {
    option(c, element) == 0
}

/// Whether the tile just laid shows a symbol.
fn laid_with(c: Ctx, symbol: Symbols) -> Option<TileSlot> {
    c.state
        .turn
        .laid
        .filter(|slot| c.tile_def(*slot).symbols.has(symbol))
}

/// Whether the dragon is on a tile: for rules of other expansions that bring a figure there (PD-19).
pub(crate) fn is_dragon_on(c: Ctx, slot: TileSlot) -> bool {
    dragon::is_on(c, slot)
}

/// PD-10 for a volcano in the opening layout.
fn prepare(w: &mut Work) {
    let c = w.ctx();
    let volcano = (0u16..)
        .map(TileSlot)
        .take(c.board().tiles().len())
        .filter(|slot| c.tile_def(*slot).symbols.has(Symbols::VOLCANO))
        .last();
    if plays(c, DRAGON) {
        w.state.ext.princess_and_dragon.dragon = volcano;
    }
}

/// PD-62: a step may not be refused. PD-29: nor the princess, with `must`.
fn why_not_pass(c: Ctx, _: Seat, _: &Choice) -> Verdict {
    match c.state.agenda.last() {
        Some(Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(_)))) => Err(clause::PD_62),
        _ if c.rules.step(c.state) == Some(Step::Princess) => Err(clause::PD_29),
        _ => Ok(()),
    }
}

fn shows(c: Ctx, out: &mut Vec<Shown>) {
    let here = &c.state.ext.princess_and_dragon;
    let both = [
        (Neutral::Dragon, here.dragon, None),
        (Neutral::Fairy, here.fairy, here.companion),
    ];
    for (neutral, slot, with) in both {
        if let Some(slot) = slot {
            out.push(Shown::Neutral {
                neutral,
                slot,
                with,
            });
        }
    }
}

/// In a position made by hand the dragon and the fairy stand where it is said.
fn arrange(w: &mut Work, thing: &Shown) -> Took {
    let (dragon, fairy) = (plays(w.ctx(), DRAGON), plays(w.ctx(), FAIRY));
    let here = &mut w.state.ext.princess_and_dragon;
    match *thing {
        Shown::Neutral {
            neutral: Neutral::Dragon,
            slot,
            with: None,
        } if dragon => here.dragon = Some(slot),
        Shown::Neutral {
            neutral: Neutral::Fairy,
            slot,
            with,
        } if fairy => {
            here.fairy = Some(slot);
            here.companion = with;
        }
        Shown::Neutral { .. } | Shown::Held { .. } | Shown::OnTile { .. } => return Took::No,
    }
    Took::Yes
}

fn check(c: Ctx) -> Option<&'static str> {
    let here = &c.state.ext.princess_and_dragon;
    let exists = |slot: &TileSlot| slot.index() < c.board().tiles().len();
    if !here
        .dragon
        .iter()
        .chain(&here.fairy)
        .chain(&here.walk)
        .all(exists)
    {
        return Some("the dragon and the fairy are on tiles");
    }
    if here.companion.is_some_and(|piece| {
        !c.state.pieces.contains(piece) || c.board().tile_of_spot(piece.spot) != here.fairy
    }) {
        return Some("the fairy is on her companion's tile");
    }
    let walking = c.state.agenda.iter().find_map(|task| match task {
        Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(seat))) => Some(*seat),
        _ => None,
    });
    if walking.is_some_and(|seat| seat.0 >= c.state.n_seats) {
        return Some("the seat that moves the dragon exists");
    }
    if walking.is_some() == here.walk.is_empty() {
        return Some("tiles of a walk are kept exactly while the dragon walks");
    }
    None
}
