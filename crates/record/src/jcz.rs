//! Saved games of JCloisterZone and its kin, `.jcz`: reading, following, checking, comparing, writing.
//!
//! `docs/jcz.md` says what of the format means what with us, `docs/jcz-differences.md` where the readings differ.

pub mod check;
pub mod compare;
pub mod convert;
pub mod differences;
pub mod error;
pub mod file;
pub mod follow;
mod numbers;
mod read;
pub mod recorded;
pub mod said;
pub mod setup;
pub mod words;
pub mod write;

pub use read::words_elsewhere;
