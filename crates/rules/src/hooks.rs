//! The vocabulary of hooks: everything an expansion can have a say in. Only this file can add a hook.
//!
//! Each expansion lists its hooks as data; linking a setup sorts them into flat tables of function pointers, so that an
//! unused hook costs the test of a length.

// The signatures stand here once, in the open; names for them would hide what a hook is given.
#![allow(clippy::type_complexity)]

use alloc::string::String;
use alloc::vec::Vec;

use crate::clause::Clause;
use crate::figures::{FigureDef, Piece};
use crate::geometry::{Pos, Rotation};
use crate::moves::{Choice, FeatureId, Moves, Seat, SeatSet, SegId, TileKind, TileSlot};
use crate::order::{Rank, Step};
use crate::rules::{Options, Rules};
use crate::state::State;
use crate::tally::{Claim, Tally};
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{KINDS, Kind, Marks, Neutral, Token, Verb, Way, Why};

/// What hooks read: the rules of this game and its state.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// The linked setup.
    pub rules: &'a Rules,
    /// The position.
    pub state: &'a State,
}

/// Allowed, or the clause that forbids it.
pub type Verdict = Result<(), Clause>;

/// A tile about to be laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Which tile.
    pub kind: TileKind,
    /// Where.
    pub pos: Pos,
    /// How turned.
    pub rotation: Rotation,
}

/// A figure about to be put on a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deploy {
    /// Whose.
    pub seat: Seat,
    /// Which kind, from the supply or (a wagon moving on) from a scored feature.
    pub kind: Kind,
    /// Where.
    pub seg: SegId,
    /// How it comes there.
    pub way: Way,
}

/// Which groups of tiles can be drawn now (bits by linked group).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gates {
    /// The open groups.
    pub open: u32,
}

impl Gates {
    /// Lets only this group be drawn.
    pub fn only(&mut self, group: u8) {
        self.open = 1 << group;
    }

    /// Keeps a group from being drawn.
    pub fn shut(&mut self, group: u8) {
        self.open &= !(1 << group);
    }
}

/// A feature that was scored, for rules that follow from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// The feature.
    pub feature: FeatureId,
    /// The seats with the majority.
    pub owners: SeatSet,
    /// The feature's own value, the same for all owners where a seat makes no difference.
    pub value: i32,
    /// In the final scoring.
    pub last: bool,
}

/// Something that lies on the table besides tiles and figures: for those who look at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A neutral figure on the board.
    Neutral {
        /// Which.
        neutral: Neutral,
        /// The tile on which it stands.
        slot: TileSlot,
        /// The figure it accompanies, if any.
        with: Option<Piece>,
    },
    /// Tokens that a seat has.
    Held {
        /// Whose.
        seat: Seat,
        /// Of which kind.
        token: Token,
        /// How many.
        n: u8,
    },
    /// Tokens on a tile.
    OnTile {
        /// Which tile.
        slot: TileSlot,
        /// Of which kind.
        token: Token,
        /// How many.
        n: u8,
    },
}

/// A step of the order of play: what happens, and what can be chosen if it asks.
#[derive(Clone, Copy)]
pub struct StepDef {
    /// Does the step's work, or asks.
    pub enter: fn(&mut Work) -> Flow,
    /// What the asked seat can choose; nothing for steps that never ask.
    pub offers: fn(Ctx, Seat, &mut Moves),
    /// Whether the asked seat may pass.
    pub optional: bool,
}

/// For steps that never ask.
pub(crate) fn no_offers(_: Ctx, _: Seat, _: &mut Moves) {}

impl StepDef {
    /// A step that just happens.
    pub const fn auto(enter: fn(&mut Work) -> Flow) -> StepDef {
        StepDef {
            enter,
            offers: no_offers,
            optional: false,
        }
    }

    /// A step in which a seat may choose something.
    pub const fn may(enter: fn(&mut Work) -> Flow, offers: fn(Ctx, Seat, &mut Moves)) -> StepDef {
        StepDef {
            enter,
            offers,
            optional: true,
        }
    }

    /// A step in which a seat must choose something.
    pub const fn must(enter: fn(&mut Work) -> Flow, offers: fn(Ctx, Seat, &mut Moves)) -> StepDef {
        StepDef {
            enter,
            offers,
            optional: false,
        }
    }
}

/// Whether a hook replaced what would have happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Took {
    /// It did.
    Yes,
    /// It did not.
    No,
}

/// What an expansion has a say in.
#[derive(Clone, Copy)]
pub enum Hook {
    /// Changes rows of the table of figures when the setup is linked.
    Figures(fn(&Options, &mut [FigureDef; KINDS])),
    /// May forbid laying a tile; all must agree.
    MayPlace(fn(Ctx, &Placement) -> Verdict),
    /// May forbid putting a figure somewhere; all must agree.
    MayDeploy(fn(Ctx, &Deploy) -> Verdict),
    /// More places for a figure of this kind in the first or (true) second figure step.
    MoreTargets(fn(Ctx, Seat, Kind, bool, &mut Moves)),
    /// More to do at a step that asks the active player.
    Offer(Step, fn(Ctx, Seat, &mut Moves)),
    /// More to do at any open decision of the active player.
    AnyTime(fn(Ctx, Seat, &mut Moves)),
    /// What a verb does.
    Act(Verb, fn(&mut Work, Asked, Choice)),
    /// Why a choice with this verb is refused, if it is.
    WhyNot(Verb, fn(Ctx, Seat, &Choice) -> Verdict),
    /// A step of its own.
    Step(Step, StepDef),
    /// Which groups of tiles can be drawn.
    Draw(fn(Ctx, &mut Gates)),
    /// A drawn tile fits nowhere: something else than its removal.
    Unplaceable(fn(&mut Work, TileKind) -> Took),
    /// A tile was laid (before the step in which traps are settled).
    TileLaid(fn(&mut Work, TileSlot)),
    /// A figure arrived at its spot, in whatever way.
    Arrived(fn(&mut Work, Piece, Way)),
    /// A figure left its spot, for whatever reason.
    Left(fn(&mut Work, Piece, Why)),
    /// Arrivals and joins of one event are settled, in the order of the ranks.
    Settle(Rank, fn(&mut Work)),
    /// A say in a feature's value for one seat.
    Tally(fn(Ctx, &Claim, &mut Tally)),
    /// A feature was completed and is being scored, with or without figures on it.
    Completed(fn(&mut Work, FeatureId)),
    /// A feature with followers was scored: bonuses beside its points (SM-44 to SM-48).
    Scored(fn(&mut Work, &Scored)),
    /// A turn part or turn is over (true: the whole turn).
    PartEnd(fn(&mut Work, bool)),
    /// The value of a kind of feature the core does not know by itself.
    Value(fn(Ctx, &Claim) -> Option<Tally>),
    /// What it has on the table besides tiles and figures.
    Shows(fn(Ctx, &mut Vec<Shown>)),
    /// Puts something that it shows on the table while a position is being made; says whether it is its own to put.
    Arrange(fn(&mut Work, &Shown) -> Took),
    /// Checks that hold in every state, for tests and loaded snapshots: what is broken, if anything.
    Check(fn(Ctx) -> Option<&'static str>),
}

/// The hooks of a linked setup, sorted into tables.
#[derive(Default)]
pub(crate) struct Links {
    pub(crate) figures: Vec<fn(&Options, &mut [FigureDef; KINDS])>,
    pub(crate) may_place: Vec<fn(Ctx, &Placement) -> Verdict>,
    pub(crate) may_deploy: Vec<fn(Ctx, &Deploy) -> Verdict>,
    pub(crate) more_targets: Vec<fn(Ctx, Seat, Kind, bool, &mut Moves)>,
    pub(crate) offers: Vec<(Step, fn(Ctx, Seat, &mut Moves))>,
    pub(crate) any_time: Vec<fn(Ctx, Seat, &mut Moves)>,
    pub(crate) acts: Vec<Option<fn(&mut Work, Asked, Choice)>>,
    pub(crate) why_not: Vec<(Verb, fn(Ctx, Seat, &Choice) -> Verdict)>,
    pub(crate) steps: Vec<(Step, StepDef)>,
    pub(crate) draw: Vec<fn(Ctx, &mut Gates)>,
    pub(crate) unplaceable: Vec<fn(&mut Work, TileKind) -> Took>,
    pub(crate) tile_laid: Vec<fn(&mut Work, TileSlot)>,
    pub(crate) arrived: Vec<fn(&mut Work, Piece, Way)>,
    pub(crate) left: Vec<fn(&mut Work, Piece, Why)>,
    pub(crate) settle: Vec<(Rank, fn(&mut Work))>,
    pub(crate) tally: Vec<fn(Ctx, &Claim, &mut Tally)>,
    pub(crate) completed: Vec<fn(&mut Work, FeatureId)>,
    pub(crate) scored: Vec<fn(&mut Work, &Scored)>,
    pub(crate) part_end: Vec<fn(&mut Work, bool)>,
    pub(crate) value: Vec<fn(Ctx, &Claim) -> Option<Tally>>,
    pub(crate) shows: Vec<fn(Ctx, &mut Vec<Shown>)>,
    pub(crate) arrange: Vec<fn(&mut Work, &Shown) -> Took>,
    pub(crate) check: Vec<fn(Ctx) -> Option<&'static str>>,
}

impl Links {
    /// Sorts the hooks of the core and of the expansions that are on.
    pub(crate) fn new<'h>(hooks: impl Iterator<Item = &'h Hook>) -> Links {
        let mut links = Links {
            acts: alloc::vec![None; Verb::ALL.len()],
            ..Links::default()
        };
        for hook in hooks {
            match *hook {
                Hook::Figures(f) => links.figures.push(f),
                Hook::MayPlace(f) => links.may_place.push(f),
                Hook::MayDeploy(f) => links.may_deploy.push(f),
                Hook::MoreTargets(f) => links.more_targets.push(f),
                Hook::Offer(step, f) => links.offers.push((step, f)),
                Hook::AnyTime(f) => links.any_time.push(f),
                Hook::Act(verb, f) => links.acts[verb.index()] = Some(f),
                Hook::WhyNot(verb, f) => links.why_not.push((verb, f)),
                Hook::Step(step, def) => links.steps.push((step, def)),
                Hook::Draw(f) => links.draw.push(f),
                Hook::Unplaceable(f) => links.unplaceable.push(f),
                Hook::TileLaid(f) => links.tile_laid.push(f),
                Hook::Arrived(f) => links.arrived.push(f),
                Hook::Left(f) => links.left.push(f),
                Hook::Settle(rank, f) => links.settle.push((rank, f)),
                Hook::Tally(f) => links.tally.push(f),
                Hook::Completed(f) => links.completed.push(f),
                Hook::Scored(f) => links.scored.push(f),
                Hook::PartEnd(f) => links.part_end.push(f),
                Hook::Value(f) => links.value.push(f),
                Hook::Shows(f) => links.shows.push(f),
                Hook::Arrange(f) => links.arrange.push(f),
                Hook::Check(f) => links.check.push(f),
            }
        }
        links.steps.sort_by_key(|(step, _)| *step);
        links.settle.sort_by_key(|(rank, _)| *rank);
        links
    }
}

/// What is said of a setting that players choose before a game.
#[derive(Clone, Copy, Debug)]
pub struct OptionDef {
    /// The key in setups and files.
    pub key: &'static str,
    /// The listed values, or the range of a number.
    pub values: Values,
    /// The clause that it changes.
    pub clause: Clause,
}

/// The values of an option.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// One of these; the defaults by edition C1, C2, C3 are indices.
    Listed(&'static [&'static str], [u8; 3]),
    /// A number up to a maximum; the defaults by edition C1, C2, C3.
    Number(u8, [u8; 3]),
}

/// An expansion: its name in the rule book, and everything it adds.
#[derive(Clone, Copy)]
pub struct Expansion {
    /// The file name of its rules, and its name in setups.
    pub slug: &'static str,
    /// The prefix of its clauses.
    pub book: &'static str,
    /// Raised when its behaviour changes; kept in game files.
    pub version: u16,
    /// Its name for people.
    pub name: &'static str,
    /// Tile sets by edition: C1, then C2 and C3.
    pub sets: [&'static [&'static str]; 2],
    /// Tiles that players have in their supplies; they are never drawn.
    pub own_tiles: &'static [&'static str],
    /// Figures each player gets: the option that says how many.
    pub figures: &'static [(Kind, &'static str)],
    /// Its options.
    pub options: &'static [OptionDef],
    /// The opening layout it brings instead of the usual one: tile, x, y, quarter turns; usually none.
    pub start: &'static [(&'static str, i8, i8, u8)],
    /// Changes the tiles to draw from, as ids and counts, before the start tiles are taken out.
    pub adjust_bag: Option<fn(&Options, &mut Vec<(String, u32)>)>,
    /// Prepares the first position.
    pub prepare: Option<fn(&mut Work)>,
    /// What it has a say in.
    pub hooks: &'static [Hook],
    /// The part of it that acts by itself: what marks mean that tiles of other sets carry as well.
    pub printed: Printed,
}

/// What marks on tiles mean. It holds in every game with a tile that has one of them, whether or not the expansion is in play
/// (IC-42).
#[derive(Clone, Copy)]
pub struct Printed {
    /// The marks.
    pub marks: Marks,
    /// The options that change their meaning; they can be set in every game.
    pub options: &'static [&'static str],
    /// What they have a say in; linked besides the expansion's other hooks when it is in play.
    pub hooks: &'static [Hook],
}

impl Printed {
    /// No meaning of that sort.
    pub const NOTHING: Printed = Printed {
        marks: Marks::NONE,
        options: &[],
        hooks: &[],
    };
}

impl Expansion {
    /// An expansion that adds nothing yet: the base of every declaration.
    pub const EMPTY: Expansion = Expansion {
        slug: "",
        book: "",
        version: 1,
        name: "",
        sets: [&[], &[]],
        own_tiles: &[],
        figures: &[],
        options: &[],
        start: &[],
        adjust_bag: None,
        prepare: None,
        hooks: &[],
        printed: Printed::NOTHING,
    };
}
