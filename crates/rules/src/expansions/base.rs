//! The base game (`docs/rules/base.md`): its pieces, options and steps.

use alloc::vec::Vec;

use crate::clause;
use crate::figures::FigureDef;
use crate::hooks::{Ctx, Expansion, Hook, OptionDef, StepDef, Took, Values};
use crate::moves::TileKind;
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, no_tasks};
use crate::rules::{Options, Rules};
use crate::scoring;
use crate::tally::{Claim, Rates, Tally};
use crate::turn::Work;
use crate::vocabulary::{FeatureKind, KINDS, Kind, Verb};

const FARMERS: usize = 1;
const TINY_CITY: usize = 2;
const FIELD_SCORING: usize = 3;
const UNPLACEABLE: usize = 4;
const UNUSED_START: usize = 5;
const SCORE_FLOOR: usize = 6;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "base",
    book: "BA",
    name: "Base game",
    sets: [&["basic:1"], &["basic:2"]],
    figures: &[(Kind::Normal, "small-follower")],
    options: &[
        OptionDef {
            key: "small-follower",
            values: Values::Number(20, [7, 7, 7]),
            clause: clause::BA_05,
        },
        OptionDef {
            key: "farmers",
            values: Values::Listed(&["true", "false"], [0; 3]),
            clause: clause::BA_28,
        },
        OptionDef {
            key: "tiny-city-scoring",
            values: Values::Listed(&["4", "2"], [0; 3]),
            clause: clause::BA_33,
        },
        OptionDef {
            key: "field-scoring",
            values: Values::Listed(&["3", "2", "1"], [0; 3]),
            clause: clause::BA_46,
        },
        OptionDef {
            key: "unplaceable-tile",
            values: Values::Listed(&["discard", "reshuffle"], [0; 3]),
            clause: clause::BA_09,
        },
        OptionDef {
            key: "unused-start-tile",
            values: Values::Listed(&["bag", "box"], [0; 3]),
            clause: clause::BA_04,
        },
        OptionDef {
            key: "score-floor",
            values: Values::Listed(&["none", "zero"], [0; 3]),
            clause: clause::SM_85,
        },
    ],
    start: &[("BA/RCr", 0, 0, 0)],
    hooks: &[
        Hook::Step(Step::Draw, StepDef::auto(play::draw)),
        Hook::Step(Step::Fit, StepDef::auto(play::fit)),
        Hook::Step(Step::Lay, StepDef::must(play::ask_to_lay, play::lay_offers)),
        Hook::Step(Step::TileTrap, StepDef::auto(play::tile_trap)),
        Hook::Step(
            Step::MoveWood,
            StepDef::may(play::move_wood, play::move_wood_offers),
        ),
        Hook::Step(Step::Score, StepDef::auto(scoring::score)),
        Hook::Step(Step::Return, StepDef::auto(scoring::go_home)),
        Hook::Step(Step::SecondPart, StepDef::auto(play::second_part)),
        Hook::Step(Step::TurnEnd, StepDef::auto(play::turn_end)),
        Hook::Step(Step::FinalFeatures, StepDef::auto(scoring::final_features)),
        Hook::Step(Step::FinalFields, StepDef::auto(scoring::final_fields)),
        Hook::Step(Step::Over, StepDef::auto(play::over)),
        Hook::Act(Verb::Lay, play::lay_act),
        Hook::Act(Verb::Deploy, play::deploy_act),
        Hook::Act(Verb::Pass, play::pass_act),
        Hook::Figures(farmers),
        Hook::Unplaceable(reshuffle),
        Hook::Tally(tiny_city),
        Hook::Check(check),
    ],
    ..Expansion::EMPTY
};

/// Tiles taken out by BA-09 that go back into the bag under `unplaceable-tile` = reshuffle.
pub(crate) type State = Vec<TileKind>;
no_tasks!();

fn option(rules: &Rules, index: usize) -> u8 {
    rules.options.get(Ext::Base, index)
}

/// SM-85: whether no payment takes a score below 0.
pub(crate) fn score_floor(rules: &Rules) -> bool {
    option(rules, SCORE_FLOOR) == 1
}

/// BA-44, BA-46, BA-47: 3, 2 or 1.
pub(crate) fn field_scoring(rules: &Rules) -> u8 {
    3 - option(rules, FIELD_SCORING)
}

/// BA-04: whether a base start tile that is not needed goes into the box.
pub(crate) fn drops_unused_start(options: &Options) -> bool {
    options.get(Ext::Base, UNUSED_START) == 1
}

/// BA-28: whether followers may be placed on fields.
pub(crate) fn has_farmers(rules: &Rules) -> bool {
    option(rules, FARMERS) == 0
}

/// BA-28: without farmers no figure may be placed on a field.
fn farmers(options: &Options, figures: &mut [FigureDef; KINDS]) {
    if options.get(Ext::Base, FARMERS) == 1 {
        for figure in figures {
            figure.claims &= !(1 << FeatureKind::Field.index());
        }
    }
}

/// BA-33, SM-25: under the first printings' rule a city on exactly two tiles is worth half.
fn tiny_city(c: Ctx, claim: &Claim, tally: &mut Tally) {
    if option(c.rules, TINY_CITY) == 1
        && claim.complete
        && c.board().feature(claim.feature).kind == FeatureKind::City
        && tally.units.tiles == 2
    {
        tally.rate(Rates::built(-1, -1), clause::BA_33);
    }
}

/// BA-09 with `unplaceable-tile` = reshuffle: the tile goes back after a tile that fits is drawn, unless no other is left.
fn reshuffle(w: &mut Work, kind: TileKind) -> Took {
    if option(w.rules, UNPLACEABLE) == 0 || w.state.bag.n_open() == 0 {
        return Took::No;
    }
    w.state.ext.base.push(kind);
    w.tell(|| crate::events::Event::Discarded {
        kind,
        clause: clause::BA_09,
    });
    Took::Yes
}

/// BA-09: puts reshuffled tiles back once a tile that fits is drawn. A replacement that fits nowhere either does not bring them
/// back, or two tiles that fit nowhere would be drawn for ever.
pub(crate) fn replacement_drawn(w: &mut Work) {
    while let Some(kind) = w.state.ext.base.pop() {
        play::put_in_bag(w, kind);
    }
}

/// BA-09: tiles that wait to go back are of kinds that exist, and the bag has room for them.
fn check(c: Ctx) -> Option<&'static str> {
    let aside = &c.state.ext.base;
    let has_room = |kind: &TileKind| {
        let n = aside.iter().filter(|other| *other == kind).count();
        kind.index() < c.rules.n_kinds()
            && usize::from(c.state.bag.count(*kind)) + n <= usize::from(u8::MAX)
    };
    (!aside.iter().all(has_room)).then_some("the tiles that go back into the bag exist")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use crate::snapshot::SnapshotError;
    use crate::vocabulary::Edition;

    /// Covers BA-09: no snapshot puts tiles into the bag that are not there, or more than it holds.
    #[test]
    fn tiles_that_wait_for_the_bag_exist() {
        let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
        let with = |tiles: &[u16]| {
            let mut state = rules.start();
            state.ext.base = tiles.iter().copied().map(TileKind).collect();
            rules.load(&state.save()).map(|_| ())
        };
        let broken = SnapshotError::Invariant("the tiles that go back into the bag exist");
        assert_eq!(with(&[0]), Ok(()));
        assert_eq!(with(&[254]), Err(broken));
        assert_eq!(with(&[0; 255]), Err(broken));
    }
}
