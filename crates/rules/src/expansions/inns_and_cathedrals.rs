//! Inns and Cathedrals (`docs/rules/inns-and-cathedrals.md`): roads and cities that are worth more when complete and nothing
//! when not, also when only tiles of other sets have an inn (IC-42). The large follower stands in the table of figures.

use crate::clause;
use crate::hooks::{Ctx, Expansion, Hook, OptionDef, Printed, Values};
use crate::registry::{Ext, no_tasks};
use crate::rules::Rules;
use crate::tally::{Claim, Rates, Tally};
use crate::vocabulary::{FeatureKind, Kind, Marks};

const INN: usize = 1;
const CATHEDRAL: usize = 2;
const FINAL_SCORING: usize = 3;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "inns-and-cathedrals",
    book: "IC",
    name: "Inns and Cathedrals",
    sets: [&["inns-and-cathedrals:1"], &["inns-and-cathedrals:2"]],
    figures: &[(Kind::Large, "big-follower")],
    options: &[
        OptionDef {
            key: "big-follower",
            values: Values::Number(7, [1; 3]),
            clause: clause::IC_02,
        },
        OptionDef {
            key: "inn",
            values: Values::Listed(&["true", "false"], [0; 3]),
            clause: clause::IC_35,
        },
        OptionDef {
            key: "cathedral",
            values: Values::Listed(&["true", "false"], [0; 3]),
            clause: clause::IC_35,
        },
        OptionDef {
            key: "inn-and-cathedral-final-scoring",
            values: Values::Listed(&["zero", "ignore"], [0; 3]),
            clause: clause::IC_33,
        },
    ],
    printed: Printed {
        marks: Marks::INN.with(Marks::CATHEDRAL),
        options: &["inn", "cathedral", "inn-and-cathedral-final-scoring"],
        hooks: &[Hook::Tally(tally)],
    },
    ..Expansion::EMPTY
};

pub(crate) type State = ();
no_tasks!();

fn option(rules: &Rules, index: usize) -> u8 {
    rules.options.get(Ext::InnsAndCathedrals, index)
}

/// IC-25, IC-26: an inn adds one for each tile of a complete road, a cathedral one for each tile and pennant of a complete
/// city, however many there are (IC-14, IC-15). IC-31 to IC-33: an incomplete one is worth nothing at the end.
fn tally(c: Ctx, claim: &Claim, tally: &mut Tally) {
    let feature = c.board().feature(claim.feature);
    let (mark, element, rates, more, nothing) = match feature.kind {
        FeatureKind::Road => (
            Marks::INN,
            INN,
            Rates::built(1, 0),
            clause::IC_25,
            clause::IC_31,
        ),
        FeatureKind::City => (
            Marks::CATHEDRAL,
            CATHEDRAL,
            Rates::built(1, 1),
            clause::IC_26,
            clause::IC_32,
        ),
        FeatureKind::Field
        | FeatureKind::River
        | FeatureKind::Monastery
        | FeatureKind::Garden
        | FeatureKind::Hut => return,
    };
    if !feature.marks.has(mark) || option(c.rules, element) == 1 {
        return;
    }
    if claim.complete {
        tally.rate(rates, more);
    } else if option(c.rules, FINAL_SCORING) == 0 {
        tally.void(nothing);
    }
}
