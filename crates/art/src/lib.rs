//! Tiles, figures and boards as SVG, drawn from the tiles' geometry, so that a tile somebody adds tomorrow has a picture.
//!
//! A tile is 100 units wide. Everything is drawn in the unturned position; whoever shows it turns the group. Colours are
//! CSS variables, so that a theme is a style sheet ([`style::sheet`]) and changing it draws nothing again.

pub mod board;
mod cities;
pub mod figures;
pub mod geometry;
mod ground;
pub mod places;
pub mod plan;
pub mod style;
mod symbols;
pub mod tile;
pub mod tokens;
mod town;
pub mod ways;

pub use board::{Mark, board_svg};
pub use figures::{figure, seat_style};
pub use plan::{Plan, SegmentShape};
pub use style::Theme;
pub use tile::{tile, tile_svg};
pub use tokens::{token, tower};
