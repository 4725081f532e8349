//! The Festival (`docs/rules/festival.md`): tiles that bring an own figure back from anywhere on the board.

use crate::clause;
use crate::figures::{FigureDef, Quirks};
use crate::hooks::{Ctx, Expansion, Hook, OptionDef, Values, Verdict};
use crate::moves::{Choice, Moves, Seat, Target};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, no_tasks};
use crate::rules::Options;
use crate::turn::{Asked, Work};
use crate::vocabulary::{KINDS, Place, Symbols, Used, Verb, Why};

const SYMBOLS_ACT: usize = 0;
const RETURN: usize = 1;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "festival",
    book: "FE",
    name: "The Festival",
    sets: [&["festival"]; 2],
    options: &[
        OptionDef {
            key: "festival",
            values: Values::Number(1, [1; 3]),
            clause: clause::FE_10,
        },
        OptionDef {
            key: "festival-return",
            values: Values::Listed(&["meeple", "follower"], [0; 3]),
            clause: clause::FE_15,
        },
    ],
    hooks: &[
        Hook::Figures(figures),
        Hook::Offer(Step::MoveWood, offers),
        Hook::Act(Verb::Festival, act),
        Hook::WhyNot(Verb::Festival, why_not),
    ],
    ..Expansion::EMPTY
};

pub(crate) type State = ();
no_tasks!();

/// FE-15: with `festival-return` = follower only followers may be returned.
fn figures(options: &Options, figures: &mut [FigureDef; KINDS]) {
    if options.get(Ext::Festival, RETURN) == 1 {
        for figure in figures.iter_mut().filter(|figure| !figure.is_follower()) {
            figure.quirks = figure.quirks.without(Quirks::FESTIVAL);
        }
    }
}

/// FE-04: whether the tile just laid has a festival, and festivals act.
fn is_festival(c: Ctx) -> bool {
    let laid = c.state.turn.laid;
    c.rules.options.get(Ext::Festival, SYMBOLS_ACT) == 1
        && laid.is_some_and(|slot| c.tile_def(slot).symbols.has(Symbols::FESTIVAL))
}

/// FE-10, FE-14, FE-18, FE-25: one own figure from anywhere in the playing area. FE-19: a prisoner is not in it.
fn offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if !is_festival(c) {
        return;
    }
    let mut last = None;
    for piece in c.state.pieces.iter() {
        let mine = piece.seat == seat && piece.spot.place != Place::Prison;
        if mine && last != Some(piece) && c.figure(piece.kind).is(Quirks::FESTIVAL) {
            m.push(Choice::new(Verb::Festival, Target::Piece(piece)));
            last = Some(piece);
        }
    }
}

/// FE-12, FE-20, FE-24: the figure is in the supply at once, for no points, and that was the step's action.
fn act(w: &mut Work, _: Asked, choice: Choice) {
    if let Target::Piece(piece) = choice.target {
        play::use_figure_step(w, None);
        w.take_home(piece, Why::Festival, clause::FE_10);
    }
}

fn why_not(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    if !is_festival(c) {
        return Err(clause::FE_04);
    }
    let Target::Piece(piece) = choice.target else {
        return Err(clause::FE_10);
    };
    if piece.seat != seat {
        return Err(clause::FE_17);
    }
    if piece.spot.place == Place::Prison {
        return Err(clause::FE_19);
    }
    if !c.figure(piece.kind).is(Quirks::FESTIVAL) {
        return Err(clause::FE_15);
    }
    if c.used(Used::FIRST) {
        return Err(clause::FE_12);
    }
    Ok(())
}
