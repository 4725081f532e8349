//! The abbot (`docs/rules/abbot.md`): a follower for monasteries and gardens that its owner may take back early. What it
//! claims stands in the table of figures; this module has the taking back.

use crate::clause;
use crate::events::Event;
use crate::figures::{FigureDef, Piece, Quirks};
use crate::hooks::{Ctx, Expansion, Hook, OptionDef, Values, Verdict};
use crate::moves::{Choice, Moves, Seat, SeatSet, SegId, Target};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, no_tasks};
use crate::rules::Options;
use crate::scoring;
use crate::tally::{Claim, Occasion};
use crate::turn::{Asked, Work};
use crate::vocabulary::{FeatureKind, KINDS, Kind, Used, Verb, Why};

const GARDEN: usize = 1;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "abbot",
    book: "AB",
    name: "The Abbot",
    figures: &[(Kind::Abbot, "abbot")],
    options: &[
        OptionDef {
            key: "abbot",
            values: Values::Number(7, [1, 1, 1]),
            clause: clause::AB_01,
        },
        OptionDef {
            key: "garden",
            values: Values::Listed(&["true", "false"], [0; 3]),
            clause: clause::BA_51,
        },
    ],
    hooks: &[
        Hook::Figures(gardens),
        Hook::Offer(Step::MoveWood, offer),
        Hook::Act(Verb::Recall, recall),
        Hook::WhyNot(Verb::Recall, why_not),
    ],
    ..Expansion::EMPTY
};

pub(crate) type State = ();
no_tasks!();

/// BA-51: with gardens off they are decoration, and nobody stands on them.
fn gardens(options: &Options, figures: &mut [FigureDef; KINDS]) {
    if options.get(Ext::Abbot, GARDEN) == 1 {
        for figure in figures {
            figure.claims &= !(1 << FeatureKind::Garden.index());
        }
    }
}

/// AB-09, AB-11: an own abbot on an incomplete feature; where it stands if so.
fn may_recall(c: Ctx, seat: Seat, piece: Piece) -> Result<SegId, clause::Clause> {
    if piece.seat != seat || !c.figure(piece.kind).is(Quirks::RECALL) {
        return Err(clause::AB_09);
    }
    match piece.spot.as_segment() {
        None => Err(clause::AB_26),
        Some(seg) if c.board().at(seg).is_complete() => Err(clause::AB_11),
        Some(seg) => Ok(seg),
    }
}

/// AB-09: instead of placing a figure the own abbot may be taken back.
fn offer(c: Ctx, seat: Seat, m: &mut Moves) {
    let mut last = None;
    for piece in c.state.pieces.iter() {
        // Equal figures on one spot are one choice (AB-14: only one of them comes back).
        if last != Some(piece) && may_recall(c, seat, piece).is_ok() {
            m.push(Choice::new(Verb::Recall, Target::Piece(piece)));
        }
        last = Some(piece);
    }
}

/// AB-10, AB-12: the abbot scores what its feature is worth at this moment and comes back; the feature is not scored, so
/// nothing else follows. AB-15: the action of the figure step is used up.
fn recall(w: &mut Work, asked: Asked, choice: Choice) {
    let Target::Piece(piece) = choice.target else {
        return;
    };
    let Ok(segment) = may_recall(w.ctx(), asked.seat, piece) else {
        return;
    };
    play::use_figure_step(w, None);
    let c = w.ctx();
    let feature = c.board().feature_of(segment);
    let claim = Claim {
        feature,
        seat: Some(asked.seat),
        complete: false,
        occasion: Occasion::Recall,
    };
    let tally = scoring::tally(c, claim);
    let strengths = scoring::strengths(c, feature);
    let kind = c.board().feature(feature).kind;
    w.tell(|| Event::Valued {
        feature,
        segment,
        kind,
        strengths,
        owners: SeatSet::one(asked.seat),
        seat: Some(asked.seat),
        lines: tally.lines(),
    });
    w.pay(asked.seat, tally.total(), clause::AB_10, segment);
    w.take_home(piece, Why::Recalled, clause::AB_09);
}

fn why_not(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let Target::Piece(piece) = choice.target else {
        return Err(clause::AB_09);
    };
    may_recall(c, seat, piece)?;
    if c.used(Used::FIRST) {
        return Err(clause::AB_09);
    }
    Ok(())
}
