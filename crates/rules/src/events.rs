//! What happened, told to whoever listens: for logs, animation and explanations. Rules never read it.

use alloc::vec::Vec;

use crate::clause::Clause;
use crate::figures::Piece;
use crate::geometry::{Pos, Rotation};
use crate::moves::{FeatureId, MAX_SEATS, Seat, SeatSet, SegId, TileKind, TileSlot};
use crate::tally::Line;
use crate::vocabulary::{FeatureKind, Neutral, Token, Way, Why};

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A turn, or its second part, began.
    Began {
        /// Whose.
        seat: Seat,
        /// 1, or 2 for the second part.
        part: u8,
    },
    /// A tile was drawn.
    Drawn {
        /// By whom.
        seat: Seat,
        /// Which.
        kind: TileKind,
    },
    /// A drawn tile was not laid and is out of the game, or set aside for later.
    Discarded {
        /// Which.
        kind: TileKind,
        /// By which clause.
        clause: Clause,
    },
    /// A tile was laid.
    Laid {
        /// By whom.
        seat: Seat,
        /// Its number on the board.
        slot: TileSlot,
        /// Which tile.
        kind: TileKind,
        /// Where.
        pos: Pos,
        /// How turned.
        rotation: Rotation,
    },
    /// A figure came from a supply to the board.
    Arrived {
        /// The figure where it stands now.
        piece: Piece,
        /// How it came.
        way: Way,
    },
    /// A figure went from one spot to another.
    Moved {
        /// The figure where it was.
        from: Piece,
        /// The figure where it is.
        to: Piece,
        /// How it came there.
        way: Way,
        /// By which clause.
        clause: Clause,
    },
    /// A figure went home to its owner's supply.
    WentHome {
        /// The figure where it was.
        piece: Piece,
        /// Why.
        why: Why,
        /// By which clause.
        clause: Clause,
    },
    /// A trap looked for figures: what it found, near and far, and whom it caught.
    Sprung {
        /// The trap's tile.
        slot: TileSlot,
        /// Every figure that the trap could have caught, with its distance, nearest first.
        within: Vec<(Piece, u16)>,
        /// How many of them, from the front, were caught.
        caught: u16,
        /// By which clause.
        clause: Clause,
    },
    /// A neutral figure came to a square.
    NeutralMoved {
        /// Which.
        neutral: Neutral,
        /// Where; none when it is off the board.
        to: Option<Pos>,
        /// The figure it accompanies, if any.
        with: Option<Piece>,
        /// By which clause.
        clause: Clause,
    },
    /// Tokens or pieces changed hands or came onto the board.
    Tokens {
        /// Whose.
        seat: Seat,
        /// Of which kind.
        token: Token,
        /// How many the seat has now.
        now: u8,
        /// Gained, or lost when negative.
        change: i8,
        /// Where on the board it went or came from.
        at: Option<TileSlot>,
        /// By which clause.
        clause: Clause,
    },
    /// A feature was valued: who owns it, why, and what it is worth to one of them.
    Valued {
        /// The feature.
        feature: FeatureId,
        /// One of its segments.
        segment: SegId,
        /// What it is.
        kind: FeatureKind,
        /// The strength of every seat on it.
        strengths: [u8; MAX_SEATS],
        /// Who has the majority.
        owners: SeatSet,
        /// For whom the lines are: an owner, or nobody in particular.
        seat: Option<Seat>,
        /// The items of the sum.
        lines: Vec<Line>,
    },
    /// Points were given or taken.
    Awarded {
        /// To whom.
        seat: Seat,
        /// How many; negative when taken.
        points: i32,
        /// By which clause.
        clause: Clause,
        /// For which feature, if for one.
        feature: Option<SegId>,
        /// Whether they are what that feature was valued at for the seat, as told last.
        valued: bool,
        /// For tokens of which kind, if for some.
        token: Option<Token>,
    },
    /// A second part of the turn was earned.
    SecondPartEarned {
        /// By whom.
        seat: Seat,
        /// By which clause.
        clause: Clause,
    },
    /// A seat left the game.
    SeatLeft {
        /// Which.
        seat: Seat,
    },
    /// The game is over.
    Over {
        /// The seats with the most points.
        winners: SeatSet,
    },
}

/// Who listens to events.
pub trait Sink {
    /// Whether events are wanted at all; when not, none is made.
    fn wants(&self) -> bool {
        true
    }

    /// Takes an event.
    fn event(&mut self, event: Event);
}

/// Nobody listens.
impl Sink for () {
    fn wants(&self) -> bool {
        false
    }

    fn event(&mut self, _: Event) {}
}

impl Sink for Vec<Event> {
    fn event(&mut self, event: Event) {
        self.push(event);
    }
}
