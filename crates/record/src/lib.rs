//! Games as text: the move notation, game files, and the saved games of other programs.
//!
//! [`any::open`] reads a game of any format into a [`game::Game`]; [`replay::Replay`] steps through it with what happens, and
//! [`replay::awards`] lists every award of points with its clause and items. [`jcz`] follows, checks, compares and writes the
//! saved games of JCloisterZone and its kin.

pub mod any;
pub mod dealer;
pub mod drawing;
pub mod game;
pub mod history;
pub mod jcz;
pub mod json;
pub mod notation;
pub mod replay;
pub mod setup_text;
pub mod snapshot_file;
pub mod user_tiles;

pub(crate) use notation::clip;
