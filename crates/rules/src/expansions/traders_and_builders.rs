//! Traders and Builders (`docs/rules/traders-and-builders.md`): trade goods, the builder's double turn, and the pig. Where
//! builder and pig may stand is said of all companions in the table of figures.

use alloc::vec::Vec;

use crate::bytes::struct_bytes;
use crate::clause;
use crate::events::Event;
use crate::figures::Quirks;
use crate::hooks::{
    Ctx, Expansion, Hook, OptionDef, Printed, Shown, StepDef, Took, Values, Verdict,
};
use crate::moves::{Choice, FeatureId, MAX_SEATS, Moves, Seat, Target};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, no_tasks};
use crate::rules::Rules;
use crate::tally::{Claim, Occasion, Rates, Tally};
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{FeatureKind, Kind, Marks, Token, Used, Verb};

const TRADERS: usize = 0;
const DOUBLE_TURN: usize = 3;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "traders-and-builders",
    book: "TB",
    name: "Traders and Builders",
    sets: [&["traders-and-builders:1"], &["traders-and-builders:2"]],
    figures: &[(Kind::Builder, "builder"), (Kind::Pig, "pig")],
    options: &[
        OptionDef {
            key: "traders",
            values: Values::Listed(&["true", "false"], [0; 3]),
            clause: clause::TB_10,
        },
        OptionDef {
            key: "builder",
            values: Values::Number(7, [1; 3]),
            clause: clause::TB_26,
        },
        OptionDef {
            key: "pig",
            values: Values::Number(7, [1; 3]),
            clause: clause::TB_52,
        },
        OptionDef {
            key: "builder-double-turn",
            values: Values::Listed(&["may", "must"], [0; 3]),
            clause: clause::TB_38,
        },
    ],
    hooks: &[
        Hook::Step(Step::DoubleTurn, StepDef::auto(earn)),
        Hook::Step(Step::AskSecondPart, StepDef::may(ask, offers)),
        Hook::Act(Verb::Continue, go_on),
        Hook::WhyNot(Verb::Continue, why_not),
        Hook::WhyNot(Verb::Deploy, why_not_deploy),
        Hook::Tally(pig),
    ],
    printed: Printed {
        marks: Marks::WINE.with(Marks::GRAIN).with(Marks::CLOTH),
        options: &["traders"],
        hooks: &[
            Hook::Completed(take_goods),
            Hook::Shows(shows),
            Hook::Arrange(arrange),
            Hook::Step(Step::FinalThings, StepDef::auto(score_goods)),
        ],
    },
    ..Expansion::EMPTY
};

/// What was taken and earned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    /// How many tokens of each of [`GOODS`] each seat has.
    goods: [[u8; 3]; MAX_SEATS],
}

struct_bytes!(State { goods });
no_tasks!();

fn option(rules: &Rules, index: usize) -> u8 {
    rules.options.get(Ext::TradersAndBuilders, index)
}

// ---- trade goods -----------------------------------------------------------------------------------------------------

/// The three goods.
const GOODS: [(Marks, Token); 3] = [
    (Marks::WINE, Token::Wine),
    (Marks::GRAIN, Token::Grain),
    (Marks::CLOTH, Token::Cloth),
];

/// TB-10 to TB-13: whoever completed a city takes a token for each goods symbol in it, whoever scores it.
fn take_goods(w: &mut Work, feature: FeatureId) {
    let c = w.ctx();
    if c.board().feature(feature).kind != FeatureKind::City || option(w.rules, TRADERS) == 1 {
        return;
    }
    let mut found = [0u8; 3];
    for seg in c.board().members(feature) {
        let marks = c.segment(seg).marks;
        for (n, (mark, _)) in found.iter_mut().zip(GOODS) {
            *n = n.saturating_add(u8::from(marks.has(mark)));
        }
    }
    let seat = w.state.turn.active;
    for (i, (_, token)) in GOODS.into_iter().enumerate() {
        let change = found[i];
        if change == 0 {
            continue;
        }
        let goods = &mut w.state.ext.traders_and_builders.goods[seat.index()][i];
        *goods = goods.saturating_add(change);
        let now = *goods;
        w.tell(|| Event::Tokens {
            seat,
            token,
            now,
            change: i8::try_from(change).unwrap_or(i8::MAX),
            at: None,
            clause: clause::TB_10,
        });
    }
}

/// TB-58: for each kind of goods the seats with most tokens of it score 10 each.
fn score_goods(w: &mut Work) -> Flow {
    let goods = w.state.ext.traders_and_builders.goods;
    for (i, (_, token)) in GOODS.into_iter().enumerate() {
        let most = goods.iter().map(|of| of[i]).max().unwrap_or(0);
        for seat in w.state.clockwise_from(w.state.turn.active) {
            if most > 0 && goods[seat.index()][i] == most {
                w.award_for(seat, 10, clause::TB_58, token);
            }
        }
    }
    Flow::Done
}

/// TB-14: the tokens lie open before their owners.
fn shows(c: Ctx, out: &mut Vec<Shown>) {
    for seat in c.state.seat_list() {
        let goods = c.state.ext.traders_and_builders.goods[seat.index()];
        for ((_, token), n) in GOODS.into_iter().zip(goods) {
            if n > 0 {
                out.push(Shown::Held { seat, token, n });
            }
        }
    }
}

fn arrange(w: &mut Work, thing: &Shown) -> Took {
    let Shown::Held { seat, token, n } = *thing else {
        return Took::No;
    };
    let Some(i) = GOODS.iter().position(|(_, other)| *other == token) else {
        return Took::No;
    };
    w.state.ext.traders_and_builders.goods[seat.index()][i] = n;
    Took::Yes
}

// ---- the builder -----------------------------------------------------------------------------------------------------

/// TB-30 to TB-34, TB-36, OP-28: a second part is earned when the tile just laid, in the first part, adds a segment to a
/// feature on which the own builder stood before. OP-96: not after the end.
fn earn(w: &mut Work) -> Flow {
    let c = w.ctx();
    let turn = &c.state.turn;
    let Some(laid) = turn.laid else {
        return Flow::Done;
    };
    if turn.part != 1 || c.used(Used::LAST_TURN) {
        return Flow::Done;
    }
    let extended = |feature: FeatureId| {
        c.on_feature(feature)
            .any(|piece| piece.seat == turn.active && c.figure(piece.kind).is(Quirks::DOUBLE_TURN))
    };
    let board = c.board();

    if board
        .segments_of(laid)
        .any(|seg| extended(board.feature_of(seg)))
    {
        let seat = turn.active;
        w.use_up(Used::SECOND_DUE.with(Used::MAY_DECLINE));
        w.tell(|| Event::SecondPartEarned {
            seat,
            clause: clause::TB_30,
        });
    }
    Flow::Done
}

/// TB-38: before drawing for the second part, the player may decline it; unless taken, it is. Asked again after a ransom (TO-34),
/// it is as much due as before.
fn ask(w: &mut Work) -> Flow {
    let optional = w.ctx().used(Used::MAY_DECLINE) && option(w.rules, DOUBLE_TURN) == 0;
    if optional {
        w.use_up(Used::SECOND_DUE);
        if play::second_part_is_due(w) {
            w.state.turn.used = w.state.turn.used.without(Used::SECOND_DUE);
            return Flow::Ask(w.state.turn.active);
        }
    }
    Flow::Done
}

fn offers(_: Ctx, _: Seat, m: &mut Moves) {
    m.push(Choice::new(Verb::Continue, Target::None));
}

/// TB-35: the second part follows.
fn go_on(w: &mut Work, _: Asked, _: Choice) {
    w.use_up(Used::SECOND_DUE);
}

fn why_not(_: Ctx, _: Seat, _: &Choice) -> Verdict {
    Err(clause::TB_30)
}

/// For people, besides the table of figures: a builder stands on a road or city (TB-23) with an own follower (TB-21), a pig on a
/// field with an own farmer (TB-51), and one of a kind is enough (TB-26, TB-52).
fn why_not_deploy(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let (Some(kind), Target::Segment(seg)) = (choice.kind, choice.target) else {
        return Ok(());
    };
    let figure = c.figure(kind);
    let is_pig = figure.is(Quirks::CITY_BONUS);
    if !is_pig && !figure.is(Quirks::DOUBLE_TURN) {
        return Ok(());
    }
    let feature = c.board().feature_of(seg);
    let alone = !c.has_follower(seat, feature);
    match figure.may_claim(c.board().feature(feature).kind) {
        false if is_pig => Err(clause::TB_51),
        false => Err(clause::TB_23),
        true if alone && is_pig => Err(clause::TB_51),
        true if alone => Err(clause::TB_21),
        true => {
            let another =
                (c.on_feature(feature)).any(|piece| piece.seat == seat && piece.kind == kind);
            match another {
                true if is_pig => Err(clause::TB_52),
                true => Err(clause::TB_26),
                false => Ok(()),
            }
        }
    }
}

// ---- the pig ---------------------------------------------------------------------------------------------------------

/// TB-55 to TB-57: each completed city is worth one more to the owner of a pig on the field.
fn pig(c: Ctx, claim: &Claim, tally: &mut Tally) {
    let Some(seat) = claim.seat else { return };
    if c.board().feature(claim.feature).kind != FeatureKind::Field
        || matches!(claim.occasion, Occasion::AtRate { animals: false, .. })
    {
        return;
    }
    let own_pig = |piece: crate::figures::Piece| {
        piece.seat == seat && c.figure(piece.kind).is(Quirks::CITY_BONUS)
    };
    if c.on_feature(claim.feature).any(own_pig) {
        tally.rate(Rates::field(1), clause::TB_55);
    }
}
