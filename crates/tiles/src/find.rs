//! Finding a tile by any of its names.

use crate::tile::Tile;
use std::fmt;

/// Why a name does not name one tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FindError {
    /// No tile has this id, name or edge code.
    Unknown,
    /// Several tiles have this name or edge code; their ids.
    Ambiguous(Vec<String>),
}

/// Finds the tile that a person means among those of a setup.
///
/// The id comes first, then the other names of the tiles, then the edge codes (see [`Tile::code`]) in any rotation; the first
/// of these three that fits any tile decides. All are compared letter by letter, capitals and small letters apart.
///
/// # Errors
/// [`FindError::Unknown`] if nothing fits, [`FindError::Ambiguous`] if several tiles do. A name that is ambiguous among all
/// tiles may be unique in a setup, so give only the tiles of the setup.
pub fn find<'a>(
    tiles: impl IntoIterator<Item = &'a Tile>,
    name: &str,
) -> Result<&'a Tile, FindError> {
    let tiles: Vec<&Tile> = tiles.into_iter().collect();
    let by_id = |tile: &Tile| tile.id == name;
    let by_name = |tile: &Tile| tile.names.iter().any(|other| other == name);
    let by_code = |tile: &Tile| is_rotation(&tile.code(), name);
    let ways: [&dyn Fn(&Tile) -> bool; 3] = [&by_id, &by_name, &by_code];
    for way in ways {
        let found: Vec<&Tile> = tiles.iter().copied().filter(|tile| way(tile)).collect();
        match found.as_slice() {
            [] => {}
            [tile] => return Ok(tile),
            [first, others @ ..] => {
                if others.iter().all(|other| other.id == first.id) {
                    return Ok(first);
                }
                return Err(FindError::Ambiguous(
                    found.iter().map(|tile| tile.id.clone()).collect(),
                ));
            }
        }
    }
    Err(FindError::Unknown)
}

fn is_rotation(code: &str, name: &str) -> bool {
    code.len() == name.len() && code.is_ascii() && !name.is_empty() && code.repeat(2).contains(name)
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FindError::Unknown => f.write_str("no tile has this id, name or edge code"),
            FindError::Ambiguous(ids) => write!(f, "several tiles fit: {}", ids.join(", ")),
        }
    }
}

impl std::error::Error for FindError {}
