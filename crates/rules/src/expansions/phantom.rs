//! The phantom (`docs/rules/phantom.md`): a follower that may be placed as a second figure. What it is stands in the table
//! of figures; this module has the second step.

use crate::figures::Quirks;
use crate::hooks::{Ctx, Expansion, Hook, OptionDef, StepDef, Values, Verdict};
use crate::moves::{Choice, Moves, Seat};
use crate::order::Step;
use crate::registry::no_tasks;
use crate::turn::{Flow, Work};
use crate::vocabulary::{Kind, Used, Verb};
use crate::{clause, play};

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "phantom",
    book: "PH",
    name: "The Phantom",
    figures: &[(Kind::Phantom, "phantom")],
    options: &[OptionDef {
        key: "phantom",
        values: Values::Number(7, [1, 1, 1]),
        clause: clause::PH_01,
    }],
    hooks: &[
        Hook::Step(Step::Second, StepDef::may(second, offers)),
        Hook::WhyNot(Verb::Deploy, why_not),
        Hook::WhyNot(Verb::Portal, why_not),
        Hook::WhyNot(Verb::Diagonal, why_not),
    ],
    ..Expansion::EMPTY
};

pub(crate) type State = ();
no_tasks!();

/// PH-10, OP-66: after the first figure step the phantom may be placed from the supply. PH-14, PH-62: not if it was the first
/// figure, nor if both steps are skipped.
fn second(w: &mut Work) -> Flow {
    if w.ctx().used(Used::SKIPPED.with(Used::PHANTOM)) || w.state.turn.laid.is_none() {
        return Flow::Done;
    }
    w.ask_if_any(Step::Second, w.state.turn.active)
}

/// PH-12, PH-30, PH-31: everything a follower could do in a step of its own.
fn offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if c.state.seat(seat).has(Kind::Phantom) > 0 {
        play::figure_targets(c, seat, Kind::Phantom, true, m);
    }
}

/// PH-11: no other figure is placed in the second step.
fn why_not(c: Ctx, _: Seat, choice: &Choice) -> Verdict {
    let second = c.rules.step(c.state) == Some(Step::Second);
    let first = choice
        .kind
        .is_some_and(|kind| !c.figure(kind).is(Quirks::SECOND));
    if second && first {
        return Err(clause::PH_11);
    }
    Ok(())
}
