//! What can happen to a game: the choices of seats and the decisions of nature.

use alloc::vec::Vec;
use core::fmt;

use crate::figures::Piece;
use crate::geometry::{Pos, Rotation};
use crate::vocabulary::{Kind, Verb};

/// The largest number of seats.
pub const MAX_SEATS: usize = 8;

/// A seat at the table, from 0, in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SeatSet(pub u8);

impl SeatSet {
    /// No seat.
    pub const NONE: SeatSet = SeatSet(0);

    /// Just this seat.
    pub const fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// Whether the seat is in it; a seat that no game has is in none.
    pub const fn has(self, seat: Seat) -> bool {
        (seat.0 as usize) < MAX_SEATS && self.0 & (1 << seat.0) != 0
    }

    /// The set with this seat too.
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | (1 << seat.0))
    }

    /// The set without this seat.
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !(1 << seat.0))
    }

    /// Whether no seat is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..MAX_SEATS as u8)
            .map(Seat)
            .filter(move |seat| self.has(*seat))
    }
}

/// A segment on the board: the number of its tile in the order of laying, and its place among those of the tile. So the
/// tile of a segment is known without looking anywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SegId(pub u16);

/// A feature: segments that are joined. The number may change when features join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FeatureId(pub u16);

/// A tile on the board, numbered in the order of laying.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TileSlot(pub u16);

/// A kind of tile in a linked setup.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TileKind(pub u16);

/// A tile has at most as many segments.
pub const MAX_SEGMENTS: usize = 16;

/// At most as many tiles can lie on the board, so that every segment has a number and one number is left over.
pub const MAX_TILES: usize = u16::MAX as usize / MAX_SEGMENTS;

impl SegId {
    /// The segment with this place among those of a tile.
    pub const fn of(tile: TileSlot, index: u8) -> SegId {
        SegId(tile.0 * MAX_SEGMENTS as u16 + index as u16)
    }

    /// Its tile.
    pub const fn tile(self) -> TileSlot {
        TileSlot(self.0 / MAX_SEGMENTS as u16)
    }

    /// Its place among the segments of its tile.
    pub const fn index_on_tile(self) -> u8 {
        (self.0 % MAX_SEGMENTS as u16) as u8
    }
}

impl FeatureId {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TileSlot {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TileKind {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a choice is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// Nothing more to say.
    None,
    /// A square and how the tile is turned.
    Square(Pos, Rotation),
    /// A segment on the board.
    Segment(SegId),
    /// A tile on the board.
    Tile(TileSlot),
    /// A corner where four tiles meet: the square to the south-east of it.
    Corner(Pos),
    /// A figure that is not in a supply.
    Piece(Piece),
    /// A seat.
    Seat(Seat),
    /// A number.
    Number(u8),
}

/// A decision of a seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Choice {
    /// What is done.
    pub verb: Verb,
    /// With which kind of figure from the supply, if with one.
    pub kind: Option<Kind>,
    /// Where or to what.
    pub target: Target,
}

impl Choice {
    /// Doing nothing more in this step.
    pub const PASS: Choice = Choice {
        verb: Verb::Pass,
        kind: None,
        target: Target::None,
    };

    /// A choice without a figure from the supply.
    pub const fn new(verb: Verb, target: Target) -> Choice {
        Choice {
            verb,
            kind: None,
            target,
        }
    }

    /// Laying the drawn tile.
    pub const fn lay(pos: Pos, rotation: Rotation) -> Choice {
        Choice::new(Verb::Lay, Target::Square(pos, rotation))
    }

    /// Putting a figure from the supply on a segment.
    pub const fn put(verb: Verb, kind: Kind, seg: SegId) -> Choice {
        Choice {
            verb,
            kind: Some(kind),
            target: Target::Segment(seg),
        }
    }
}

/// A decision of nature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Chance {
    /// This kind of tile is drawn.
    Tile(TileKind),
    /// A die, a token from a bag, and the like.
    Number(u8),
    /// Something was decided that this viewer may not know.
    Hidden,
}

/// What a game is made of, after its setup.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Input {
    /// A seat decides.
    Choice(Seat, Choice),
    /// Nature decides.
    Chance(Chance),
    /// A seat leaves the game for good; what follows is the table's business (BA-50).
    Leave(Seat),
}

/// The list that `legal` fills. Its order is promised.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    list: Vec<Choice>,
    /// Only whether there is anything to choose is wanted; nothing is listed.
    any_only: bool,
    found: bool,
}

impl Moves {
    /// An empty list.
    pub fn new() -> Moves {
        Moves::default()
    }

    /// A list that only notes whether there is anything to choose: generators may stop early.
    pub(crate) fn any_only() -> Moves {
        Moves {
            list: Vec::new(),
            any_only: true,
            found: false,
        }
    }

    /// Whether nothing more is wanted.
    pub(crate) fn is_satisfied(&self) -> bool {
        self.any_only && self.found
    }

    /// Whether anything was offered.
    pub(crate) fn found_any(&self) -> bool {
        self.found || !self.list.is_empty()
    }

    pub(crate) fn push(&mut self, choice: Choice) {
        if self.any_only {
            self.found = true;
        } else {
            self.list.push(choice);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// The choices.
    pub fn as_slice(&self) -> &[Choice] {
        &self.list
    }
}

impl core::ops::Deref for Moves {
    type Target = [Choice];
    fn deref(&self) -> &[Choice] {
        &self.list
    }
}

/// Why an input was refused. The state is as it was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// Somebody else is asked: a seat that is not asked, or nature.
    NotAsked,
    /// The choice is not among the legal ones.
    NotLegal,
    /// Nature cannot decide this: no such tile is left, or another kind of decision is due.
    NotPossible,
    /// A rule was broken inside the engine; the game should be looked at.
    Broken,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::Over => "the game is over",
            Illegal::NotAsked => "this seat is not asked now",
            Illegal::NotLegal => "the choice is not among the legal ones",
            Illegal::NotPossible => "chance cannot decide this here",
            Illegal::Broken => "the engine broke a rule of its own; the state is unchanged",
        })
    }
}

impl core::error::Error for Illegal {}
