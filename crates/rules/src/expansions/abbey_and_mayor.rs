//! Abbey and Mayor (`docs/rules/abbey-and-mayor.md`): four parts that do not depend on each other. The abbey, the wagon and
//! the barn have a file each; what the mayor is stands in the table of figures (AM-30 to AM-37).

mod abbey;
pub(crate) mod barn;
mod wagon;

use alloc::vec::Vec;

use crate::bytes::{enum_bytes, struct_bytes};
use crate::clause;
use crate::figures::{Piece, Quirks, Strength};
use crate::hooks::{
    Ctx, Deploy, Expansion, Hook, OptionDef, Shown, StepDef, Took, Values, Verdict,
};
use crate::moves::{Chance, Choice, MAX_SEATS, Moves, Seat, SegId, Target};
use crate::order::Step;
use crate::registry::{Ext, ExtTask};
use crate::state::Task as Agenda;
use crate::turn::{Flow, Work};
use crate::vocabulary::{Kind, Symbols, Token, Verb, Way};

const WAGON_MOVE: usize = 0;
const BARN_PLACEMENT: usize = 1;
const ABBEY_END_GAME: usize = 2;
const ABBEY: usize = 3;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "abbey-and-mayor",
    book: "AM",
    name: "Abbey and Mayor",
    sets: [&["abbey-and-mayor:1"], &["abbey-and-mayor:2"]],
    own_tiles: &["AM/A"],
    figures: &[
        (Kind::Mayor, "mayor"),
        (Kind::Wagon, "wagon"),
        (Kind::Barn, "barn"),
    ],
    options: &[
        OptionDef {
            key: "wagon-move",
            values: Values::Listed(&["C2", "C1"], [1, 0, 0]),
            clause: clause::AM_44,
        },
        OptionDef {
            key: "barn-placement",
            values: Values::Listed(&["not-occupied", "occupied"], [0; 3]),
            clause: clause::AM_64,
        },
        OptionDef {
            key: "abbey-end-game",
            values: Values::Listed(&["allowed", "not-allowed"], [0; 3]),
            clause: clause::AM_29,
        },
        element("abbey"),
        element("mayor"),
        element("wagon"),
        element("barn"),
    ],
    prepare: Some(abbey::deal),
    hooks: &[
        Hook::Step(Step::OwnTile, StepDef::may(abbey::own_tile, abbey::offers)),
        Hook::Step(Step::LastAbbeys, StepDef::auto(abbey::last_abbeys)),
        Hook::Act(Verb::Abbey, abbey::act),
        Hook::WhyNot(Verb::Abbey, abbey::why_not),
        Hook::WhyNot(Verb::Deploy, why_not_deploy),
        Hook::Step(Step::Wagons, StepDef::auto(wagon::wagons)),
        Hook::Left(wagon::left),
        Hook::Act(Verb::Wagon, wagon::act),
        Hook::WhyNot(Verb::Wagon, wagon::why_not),
        Hook::Offer(Step::MoveWood, barn::offers),
        Hook::Act(Verb::Barn, barn::act),
        Hook::WhyNot(Verb::Barn, barn::why_not),
        Hook::Arrived(barn::arrived),
        Hook::Left(barn::left),
        Hook::TileLaid(barn::tile_laid),
        Hook::MayDeploy(barn::no_farmer),
        Hook::Step(Step::BarnFields, StepDef::auto(barn::fields)),
        Hook::Step(Step::FinalBarns, StepDef::auto(barn::final_barns)),
        Hook::Shows(shows),
        Hook::Arrange(arrange),
        Hook::Check(check),
    ],
    ..Expansion::EMPTY
};

/// How many of a piece each player has.
const fn element(key: &'static str) -> OptionDef {
    OptionDef {
        key,
        values: Values::Number(9, [1; 3]),
        clause: clause::AM_01,
    }
}

/// What the expansion keeps.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    /// Abbeys in supply, by seat.
    abbeys: [u8; MAX_SEATS],
    /// AM-26: the seat that ended the game, once it is over.
    ender: Seat,
    /// AM-26: how many seats have had their last opportunity.
    asked: u8,
    /// AM-42: wagons sent home by scoring and not yet decided upon, where they stood.
    wagons: Vec<Piece>,
    /// AM-67: the field in which a barn was placed in this turn part.
    placed: Option<SegId>,
    /// AM-70: fields with farmers that the tile of this turn part joined to a barn's field.
    joined: Vec<SegId>,
}
struct_bytes!(State {
    abbeys,
    ender,
    asked,
    wagons,
    placed,
    joined
});

impl Clone for State {
    fn clone(&self) -> State {
        State {
            wagons: self.wagons.clone(),
            joined: self.joined.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &State) {
        let (mut wagons, mut joined) = (
            core::mem::take(&mut self.wagons),
            core::mem::take(&mut self.joined),
        );
        wagons.clone_from(&other.wagons);
        joined.clone_from(&other.joined);
        *self = State {
            wagons,
            joined,
            ..*other
        };
    }
}

/// Unfinished work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// AM-26: this seat may place its abbey after the end.
    LastAbbey(Seat),
    /// AM-42: the owner of the first scored wagon may move it on.
    Wagons,
}
enum_bytes!(Task { 0 = LastAbbey(seat), 1 = Wagons });

impl Task {
    const fn on_agenda(self) -> Agenda {
        Agenda::Ext(ExtTask::AbbeyAndMayor(self))
    }

    pub(crate) fn enter(self, w: &mut Work) -> Flow {
        match self {
            Task::LastAbbey(seat) => Flow::Ask(seat),
            Task::Wagons => wagon::enter(w),
        }
    }

    pub(crate) fn offers(self, c: Ctx, seat: Seat, m: &mut Moves) {
        match self {
            Task::LastAbbey(seat) => abbey::offers(c, seat, m),
            Task::Wagons => wagon::offers(c, seat, m),
        }
        m.push(Choice::PASS);
    }

    /// A pass: AM-26, declining is final; AM-42, the wagon stays in the supply.
    pub(crate) fn act(self, w: &mut Work, _: Seat, _: Choice) {
        match self {
            Task::LastAbbey(_) => w.jump(Step::LastAbbeys),
            Task::Wagons => wagon::decided(w),
        }
    }

    pub(crate) fn chance(self, _: &mut Work, _: Chance) {}

    pub(crate) fn outcomes(self, _: Ctx, _: &mut Vec<(Chance, u32)>) {}
}

fn option(c: Ctx, index: usize) -> u8 {
    c.rules.options.get(Ext::AbbeyAndMayor, index)
}

/// AM-21, AM-22: the abbey alone can be claimed, by those who may stand on a monastery. AM-30: a mayor claims cities only.
/// AM-40: a wagon claims no field, garden or river. AM-66 holds whoever else is in the field (AM-71).
fn why_not_deploy(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let (Some(kind), Target::Segment(seg)) = (choice.kind, choice.target) else {
        return Ok(());
    };
    let way = Way::Own;
    barn::no_farmer(
        c,
        &Deploy {
            seat,
            kind,
            seg,
            way,
        },
    )?;
    let figure = c.figure(kind);
    let refused = !figure.may_claim(c.board().at(seg).kind);
    if let Some(laid) = c.state.turn.laid
        && c.tile_def(laid).symbols.has(Symbols::ABBEY)
    {
        if c.board().tile_of(seg) != laid {
            return Err(clause::AM_21);
        }
        if refused {
            return Err(clause::AM_22);
        }
    }
    match figure.strength {
        Strength::Pennants if refused => Err(clause::AM_30),
        _ if refused && figure.is(Quirks::MOVES_ON) => Err(clause::AM_40),
        _ => Ok(()),
    }
}

/// AM-02: abbeys in front of players are public.
fn shows(c: Ctx, out: &mut Vec<Shown>) {
    for seat in c.state.seat_list() {
        let n = c.state.ext.abbey_and_mayor.abbeys[seat.index()];
        if n > 0 {
            out.push(Shown::Held {
                seat,
                token: Token::Abbey,
                n,
            });
        }
    }
}

/// In a position made by hand a seat has as many abbeys as are said.
fn arrange(w: &mut Work, thing: &Shown) -> Took {
    let Shown::Held {
        seat,
        token: Token::Abbey,
        n,
    } = *thing
    else {
        return Took::No;
    };
    w.state.ext.abbey_and_mayor.abbeys[seat.index()] = n;
    Took::Yes
}

fn check(c: Ctx) -> Option<&'static str> {
    let here = &c.state.ext.abbey_and_mayor;
    let segment = |seg: &SegId| c.board().has_segment(*seg);
    if !here.joined.iter().chain(&here.placed).all(segment) {
        return Some("the fields that a barn made to be scored exist");
    }
    let wagon = |piece: &Piece| {
        piece.seat.0 < c.state.n_seats
            && piece.spot.as_segment().is_some_and(|seg| segment(&seg))
            && c.state.seat(piece.seat).has(piece.kind) > 0
    };
    if !here.wagons.iter().all(wagon) {
        return Some("a scored wagon stood on a segment and is in the supply");
    }
    if here.ender.0 >= c.state.n_seats || here.asked > c.state.n_seats {
        return Some("the seats that may place a last abbey exist");
    }
    let asking = c.state.agenda.iter().any(
        |task| matches!(task, Agenda::Ext(ExtTask::AbbeyAndMayor(Task::LastAbbey(seat))) if seat.0 >= c.state.n_seats),
    );
    if asking {
        return Some("the seat that may place a last abbey exists");
    }
    abbey::check(c).or_else(|| barn::check(c))
}
