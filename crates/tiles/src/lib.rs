//! Tile files: what is printed on each tile of an expansion, and how many tiles there are in its sets.
//!
//! [`TileFile::read`] turns the bytes of a file into plain data and checks every tile on the way; [`Tile::check`] is the same
//! check for a tile made otherwise. [`Shelf`] holds many files that go together. Input of any kind gives either a file or
//! [`Errors`] with the line of each mistake, never a panic. `docs/tiles.md` describes the format.
//!
//! ```
//! use trencavel_tiles::{Edge, Kind, Side, TileFile};
//!
//! let text = r#"
//! slug = "mine"
//! prefix = "MY"
//! [[set]]
//! id = "mine"
//! [set.tiles]
//! "MY/RCr" = 2
//! [[tile]]
//! id = "MY/RCr"
//! segments = ["road E W", "city N", "field EL WR | touches N", "field ER SL SR WL"]
//! "#;
//! let file = TileFile::read("mine.toml", text.as_bytes())?;
//! let tile = &file.tiles[0];
//! assert_eq!(tile.code(), "CRFR");
//! assert_eq!(tile.edge(Side::N), Edge::City);
//! assert_eq!(tile.segments[2].kind, Kind::Field);
//!
//! let wrong = text.replace(" | touches N", "");
//! let errors = TileFile::read("mine.toml", wrong.as_bytes()).unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "mine.toml:10: MY/RCr: `field EL WR`: lies beside `city N`, but does not say that it touches it"
//! );
//! # Ok::<(), trencavel_tiles::Errors>(())
//! ```

mod border;
mod check;
mod error;
mod fault;
mod file;
mod find;
mod plan;
mod shelf;
mod tile;
mod words;

pub use border::{Half, Halves, Point, Points, Side, Sides};
pub use error::{Error, Errors, Problem};
pub use fault::{Fault, What};
pub use file::{
    MAX_COPIES, MAX_ERRORS, MAX_FILE, MAX_ID, MAX_NAMES, MAX_SEGMENTS, MAX_SETS, MAX_SYMBOLS,
    MAX_TILES, TileFile, TileSet,
};
pub use find::{FindError, find};
pub use shelf::Shelf;
pub use tile::{
    Edge, How, Kind, Mark, Passes, QuadrantSign, Segment, SegmentNo, Symbol, Tile, Touch, Watched,
};
pub use words::{MAX_TEXT, known_words, read_segments};
