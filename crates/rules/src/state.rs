//! The state of a game: plain data, cheap to copy, equal when equal.

use alloc::vec::Vec;

use crate::board::{Board, Join};
use crate::bytes::{enum_bytes, struct_bytes};
use crate::clause::Clause;
use crate::figures::{Piece, Pieces};
use crate::geometry::Pos;
use crate::moves::{Choice, MAX_SEATS, Seat, SeatSet, SegId, TileKind, TileSlot};
use crate::registry::{ExtState, ExtTask};
use crate::vocabulary::{KINDS, Kind, Nature, Used, Way};

/// What one seat has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatState {
    /// Points; may be below zero (SM-85).
    pub score: i32,
    /// Figures not on the board, by kind.
    pub supply: [u8; KINDS],
    /// Whether the seat has left the game.
    pub gone: bool,
}

impl SeatState {
    /// How many figures of a kind are in the supply.
    pub const fn has(&self, kind: Kind) -> u8 {
        self.supply[kind.index()]
    }
}

/// The tiles not yet drawn: how many of each kind. The state never knows their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bag {
    /// By kind.
    pub(crate) left: Vec<u8>,
    /// How many in each group.
    pub(crate) in_group: [u16; 8],
    /// Which groups can be drawn now (bits).
    pub(crate) open: u32,
}

impl Bag {
    /// How many of a kind are left.
    pub fn count(&self, kind: TileKind) -> u8 {
        self.left.get(kind.index()).copied().unwrap_or(0)
    }

    /// How many of each kind are left, in the order of the kinds.
    pub fn counts(&self) -> &[u8] {
        &self.left
    }

    /// How many tiles are left in all.
    pub fn len(&self) -> u16 {
        self.in_group.iter().sum()
    }

    /// Whether no tile is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many tiles can be drawn now.
    pub(crate) fn n_open(&self) -> u16 {
        (0..8)
            .filter(|group| self.open & (1 << group) != 0)
            .map(|group| self.in_group[group])
            .sum()
    }
}

/// The turn being played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// Turns begun, from 1.
    pub number: u16,
    /// Whose turn it is.
    pub active: Seat,
    /// 1, or 2 for the second part of a double turn.
    pub part: u8,
    /// What was used up.
    pub used: Used,
    /// The tile in the hand, not yet laid.
    pub drawn: Option<TileKind>,
    /// The tile laid in this part.
    pub laid: Option<TileSlot>,
    /// A segment of each feature completed in this part.
    pub(crate) completed: Vec<SegId>,
}

/// Work begun and not finished. The top of the agenda is done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// A step of the linked order of play, then the ones after it.
    Step(u8),
    /// A step that is asking.
    At(u8),
    /// The next feature of the scoring batch.
    Score(u8),
    /// An expansion's own.
    Ext(ExtTask),
}

/// Whom the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// Seats that must choose; more than one only for sealed choices.
    Seats(SeatSet),
    /// Nature.
    Chance(Nature),
    /// Nobody: the game is over.
    Over,
}

/// What one event brought, gathered until it is settled (OP-91).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct News {
    /// Figures that came to a spot, and how.
    pub arrivals: Vec<(Piece, Way)>,
    /// Occupied parts that a new tile joined.
    pub joins: Vec<Join>,
    /// The tile laid by this event.
    pub laid: Option<TileSlot>,
    /// Whether any figure left a spot.
    pub left: bool,
    /// Whether settling waits for its step (between laying a tile and the traps).
    pub held: bool,
}

impl News {
    pub(crate) fn is_empty(&self) -> bool {
        self.arrivals.is_empty() && self.joins.is_empty() && self.laid.is_none() && !self.left
    }

    pub(crate) fn clear(&mut self) {
        self.arrivals.clear();
        self.joins.clear();
        self.laid = None;
        self.left = false;
        self.held = false;
    }
}

/// One feature of a scoring batch: owners and value from one picture of the board (SM-73).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// A segment of the feature.
    pub segment: SegId,
    /// Who has the majority.
    pub owners: SeatSet,
    /// What it is worth to each seat, if it owns it.
    pub values: [i16; MAX_SEATS],
    /// The feature's value without any seat.
    pub value: i16,
    /// Whether followers stand on it: only then it is scored (SM-57).
    pub occupied: bool,
    /// The clause of the value.
    pub clause: Clause,
}

/// The position of a game.
#[derive(PartialEq, Eq, Debug)]
pub struct State {
    pub(crate) board: Board,
    pub(crate) pieces: Pieces,
    pub(crate) n_seats: u8,
    pub(crate) seats: [SeatState; MAX_SEATS],
    pub(crate) bag: Bag,
    pub(crate) turn: Turn,
    pub(crate) agenda: Vec<Task>,
    pub(crate) waiting: Waiting,
    /// Choices given while others asked at the same time have not answered.
    pub(crate) sealed: Vec<(Seat, Choice)>,
    pub(crate) news: News,
    pub(crate) batch: Vec<Entry>,
    pub(crate) ext: ExtState,
}

impl Clone for State {
    fn clone(&self) -> State {
        State {
            board: self.board.clone(),
            pieces: self.pieces.clone(),
            n_seats: self.n_seats,
            seats: self.seats,
            bag: self.bag.clone(),
            turn: self.turn.clone(),
            agenda: self.agenda.clone(),
            waiting: self.waiting,
            sealed: self.sealed.clone(),
            news: self.news.clone(),
            batch: self.batch.clone(),
            ext: self.ext.clone(),
        }
    }

    /// Copies into memory that is already there: several times faster than `clone`.
    fn clone_from(&mut self, other: &State) {
        self.board.clone_from(&other.board);
        self.pieces.copy_from(&other.pieces);
        self.n_seats = other.n_seats;
        self.seats = other.seats;
        self.bag.left.clone_from(&other.bag.left);
        self.bag.in_group = other.bag.in_group;
        self.bag.open = other.bag.open;
        let mut completed = core::mem::take(&mut self.turn.completed);
        completed.clone_from(&other.turn.completed);
        self.turn = Turn {
            completed,
            ..other.turn
        };
        self.agenda.clone_from(&other.agenda);
        self.waiting = other.waiting;
        self.sealed.clone_from(&other.sealed);
        self.news.arrivals.clone_from(&other.news.arrivals);
        self.news.joins.clone_from(&other.news.joins);
        self.news.laid = other.news.laid;
        self.news.left = other.news.left;
        self.news.held = other.news.held;
        self.batch.clone_from(&other.batch);
        self.ext.clone_from(&other.ext);
    }
}

impl State {
    /// The landscape.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Every figure that is not in a supply.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// How many seats play.
    pub fn n_seats(&self) -> u8 {
        self.n_seats
    }

    /// The seats in the order of play from the first.
    pub fn seat_list(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.n_seats).map(Seat)
    }

    /// What a seat has.
    pub fn seat(&self, seat: Seat) -> &SeatState {
        &self.seats[seat.index()]
    }

    /// The tiles not yet drawn.
    pub fn bag(&self) -> &Bag {
        &self.bag
    }

    /// The turn being played.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Whom the game waits for.
    pub fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// The seat whose turn it is.
    pub fn active(&self) -> Seat {
        self.turn.active
    }

    /// The seats clockwise from one, that one first.
    pub fn clockwise_from(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let n = self.n_seats;
        (0..n).map(move |i| Seat((first.0 + i) % n))
    }

    /// The seat after another.
    pub fn next_seat(&self, seat: Seat) -> Seat {
        Seat((seat.0 + 1) % self.n_seats)
    }

    /// The tile laid in this turn part.
    pub fn laid(&self) -> Option<TileSlot> {
        self.turn.laid
    }

    /// The square of the tile laid in this turn part.
    pub fn laid_pos(&self) -> Option<Pos> {
        self.turn.laid.map(|slot| self.board.tile(slot).pos)
    }

    /// Bytes used, the vectors' contents included.
    pub fn n_bytes(&self) -> usize {
        size_of::<State>()
            + self.board.n_bytes()
            + self.pieces.len() * size_of::<Piece>()
            + self.bag.left.len()
            + size_of_val(&*self.turn.completed)
            + size_of_val(&*self.agenda)
            + size_of_val(&*self.sealed)
            + size_of_val(&*self.news.arrivals)
            + size_of_val(&*self.news.joins)
            + size_of_val(&*self.batch)
    }
}

struct_bytes!(SeatState {
    score,
    supply,
    gone
});
struct_bytes!(Bag {
    left,
    in_group,
    open
});
struct_bytes!(Used { 0 });
struct_bytes!(Turn {
    number,
    active,
    part,
    used,
    drawn,
    laid,
    completed
});
enum_bytes!(Task { 0 = Step(i), 1 = At(i), 2 = Score(i), 3 = Ext(task) });
enum_bytes!(Waiting { 0 = Seats(seats), 1 = Chance(nature), 2 = Over });
struct_bytes!(Join {
    segment,
    marks,
    crowd
});
struct_bytes!(News {
    arrivals,
    joins,
    laid,
    left,
    held
});
struct_bytes!(Entry {
    segment,
    owners,
    values,
    value,
    occupied,
    clause
});
