//! The second implementation: slow, simple, and written from the rule book alone.
//!
//! It shares no type and no helper with the engine. It reads what is printed on tiles from the tile files, knows squares as
//! plain integers, and finds everything anew by flood fill each time it is asked. [`Landscape`] knows tiles and figures of
//! any expansion; [`BaseGame`] plays the base game by itself; [`traps`] says what the Russian promos' traps
//! must do.

mod game;
mod landscape;
pub mod traps;
mod worth;

pub use game::{BaseGame, FieldRule, Knobs, Now};
pub use landscape::{Area, Landscape, Lying, Part};
pub use worth::{Standing, Values, owners, strengths, value};

use std::path::Path;
use std::sync::OnceLock;

use trencavel_tiles::Shelf;

/// The project's tile files, read once.
///
/// # Errors
/// What is wrong with them.
pub fn shelf() -> Result<&'static Shelf, String> {
    static SHELF: OnceLock<Result<Shelf, String>> = OnceLock::new();
    let open = || {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/tiles");
        Shelf::open(&folder).map_err(|errors| errors.to_string())
    };
    SHELF.get_or_init(open).as_ref().map_err(String::clone)
}
