//! What players choose before a game, and what is wrong with it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::geometry::{Pos, Rotation};
use crate::tiles::TileDef;
use crate::vocabulary::Edition;

/// What players choose before a game. Everything is checked when it is linked by [`crate::Rules::new`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Which printed edition's tiles and defaults.
    pub edition: Edition,
    /// How many seats, 1 to 8 (BA-01).
    pub seats: u8,
    /// The seat that begins, from 0 (BA-06).
    pub first: u8,
    /// Slugs of the expansions in play, besides the base game.
    pub expansions: Vec<String>,
    /// Options that differ from their default, by key.
    pub options: Vec<(String, String)>,
    /// How many copies of a tile set, where that differs from what the expansions bring.
    pub sets: Vec<(String, u8)>,
    /// Tiles that are not printed ones, to be named in `bag` or `start`.
    pub tiles: Vec<TileDef>,
    /// The exact tiles to draw from, instead of the sets: ids and counts.
    pub bag: Option<Vec<(String, u8)>>,
    /// The opening layout, instead of the usual one.
    pub start: Option<Vec<StartTile>>,
}

/// A tile that lies on the table when the game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartTile {
    /// Its id.
    pub id: String,
    /// Where it lies.
    pub pos: Pos,
    /// How it is turned.
    pub rotation: Rotation,
}

impl Setup {
    /// The base game in one edition for so many seats.
    pub fn new(edition: Edition, seats: u8) -> Setup {
        Setup {
            edition,
            seats,
            first: 0,
            expansions: Vec::new(),
            options: Vec::new(),
            sets: Vec::new(),
            tiles: Vec::new(),
            bag: None,
            start: None,
        }
    }

    /// The same with an expansion.
    pub fn with(mut self, slug: &str) -> Setup {
        if !self.expansions.iter().any(|other| other == slug) {
            self.expansions.push(slug.to_string());
        }
        self
    }

    /// The same with an option.
    pub fn option(mut self, key: &str, value: &str) -> Setup {
        self.options.retain(|(other, _)| other != key);
        self.options.push((key.to_string(), value.to_string()));
        self
    }
}

/// A fault of a setup.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Not 1 to 8 seats.
    Seats(u8),
    /// The first seat is not one of the seats.
    First(u8),
    /// No expansion has this slug.
    UnknownExpansion(String),
    /// An expansion is named twice.
    Twice(String),
    /// No option has this key.
    UnknownOption(String),
    /// The option's expansion is not in play.
    NeedsExpansion(String, &'static str),
    /// The option has no such value; the values it has.
    UnknownValue(String, String, String),
    /// No tile set has this id.
    UnknownSet(String),
    /// No tile has this id.
    UnknownTile(String),
    /// Two tiles have the same id.
    SameTile(String),
    /// Too many tiles: more than 60000 segments or 255 of one kind.
    TooManyTiles(String),
    /// A start tile does not lie beside the ones before it, overlaps one, or does not match.
    StartTile(String, Pos),
    /// A tile that players have in their supplies (AM-01) is named in the bag or in the opening layout.
    OwnTile(String),
    /// A tile that a user added is not sound.
    BadTile(String, &'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Seats(n) => write!(f, "{n} seats: a game has 1 to 8"),
            Fault::First(n) => write!(
                f,
                "seat {} cannot begin: there is no such seat",
                u16::from(*n) + 1
            ),
            Fault::UnknownExpansion(slug) => write!(f, "there is no expansion \"{slug}\""),
            Fault::Twice(slug) => write!(f, "the expansion \"{slug}\" is named twice"),
            Fault::UnknownOption(key) => write!(f, "there is no option \"{key}\""),
            Fault::NeedsExpansion(key, slug) => {
                write!(f, "the option \"{key}\" needs the expansion \"{slug}\"")
            }
            Fault::UnknownValue(key, value, values) => {
                write!(
                    f,
                    "the option \"{key}\" cannot be \"{value}\": it is one of {values}"
                )
            }
            Fault::UnknownSet(id) => write!(f, "there is no tile set \"{id}\""),
            Fault::UnknownTile(id) => write!(f, "there is no tile \"{id}\""),
            Fault::SameTile(id) => write!(f, "two tiles have the id \"{id}\""),
            Fault::TooManyTiles(id) => write!(f, "too many tiles (at \"{id}\")"),
            Fault::StartTile(id, pos) => write!(f, "the start tile \"{id}\" cannot lie at {pos}"),
            Fault::OwnTile(id) => write!(
                f,
                "the tile \"{id}\" belongs to the players, not into the bag or the opening layout"
            ),
            Fault::BadTile(id, why) => write!(f, "the tile \"{id}\": {why}"),
        }
    }
}

/// Everything that is wrong with a setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError(pub Vec<Fault>);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl core::error::Error for SetupError {}
