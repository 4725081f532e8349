//! How Trencavel is tested: scenarios that people write without Rust (`docs/scenarios.md`), and random games watched by a
//! second implementation of the base game.

#![deny(missing_docs)]

pub mod choices;
pub mod fuzz;
pub mod perft;
pub mod play;
pub mod random;
pub mod referee;
pub mod reorder;
pub mod scenario;
pub mod scored;
pub mod second;
pub mod symmetry;
