//! The rules of Carcassonne and its expansions: exact, deterministic and fast.
//!
//! A game is its setup and its inputs. A [`Setup`] is linked into [`Rules`], which are immutable and shared; they make the
//! first [`State`] and change states by [`Input`]s: choices of seats and decisions of nature. The crate has no clock, no
//! random numbers, no input or output; the same inputs give the same states on every platform.

#![no_std]
#![deny(missing_docs)]
// What comes from outside is answered with an error, never with a panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable
    )
)]

extern crate alloc;

/// A broken invariant: panics in tests; in release the current operation ends without effect.
macro_rules! never {
    ($sentence:literal) => {
        debug_assert!(false, $sentence)
    };
}

mod board;
mod bytes;
pub mod clause;
mod events;
mod expansions;
mod explain;
mod figures;
mod geometry;
mod hooks;
mod moves;
mod order;
mod play;
mod position;
mod registry;
mod rules;
mod scoring;
mod setup;
mod snapshot;
mod state;
mod study;
mod tally;
mod tiles;
mod turn;
mod vocabulary;

pub use board::{Board, Feature, Join, Laid, Members, Pattern, Placed};
pub use clause::Clause;
pub use events::{Event, Sink};
pub use figures::{
    Class, Crowd, FIGURES, FigureDef, Piece, Pieces, Quirks, Spot, Standing, Strength,
};
pub use geometry::{AROUND, Half, MAX_COORDINATE, Pos, Rotation, Side};
pub use hooks::{Ctx, Deploy, Expansion, OptionDef, Placement, Printed, Shown, Values, Verdict};
pub use moves::{
    Chance, Choice, FeatureId, Illegal, Input, MAX_SEATS, MAX_SEGMENTS, MAX_TILES, Moves, Seat,
    SeatSet, SegId, Target, TileKind, TileSlot,
};
pub use order::{Rank, Step};
pub use position::{Position, PositionError};
pub use registry::Ext;
pub use rules::{Options, Rules};
pub use setup::{Fault, Setup, SetupError, StartTile};
pub use snapshot::SnapshotError;
pub use state::{Bag, SeatState, State, Turn, Waiting};
pub use study::Claimed;
pub use tally::{Claim, Line, Occasion, Rates, Tally, Unit, Units};
pub use tiles::{Quadrants, SETS, SegmentDef, SetDef, TILES, TileDef, printed_set, printed_tile};
pub use vocabulary::{
    Edition, FeatureKind, KINDS, Kind, Marks, Named, Nature, Neutral, Place, Symbols, Token, Used,
    Verb, Way, Why,
};

/// The README's example is tested like any other.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
