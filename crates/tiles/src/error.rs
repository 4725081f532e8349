//! What can be wrong with a file of tiles.

use crate::fault::Fault;
use crate::file::{MAX_COPIES, MAX_FILE};
use std::fmt;

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The name of the file, as it was given.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The id of the tile or set.
    pub about: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

/// Everything that is wrong with a file or some files, at least one error and at most [`MAX_ERRORS`](crate::MAX_ERRORS).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Errors(pub Vec<Error>);

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The file cannot be opened or read.
    Unreadable(String),
    /// The file is too large.
    TooLarge,
    /// The file is not UTF-8.
    NotUtf8,
    /// It is not TOML, or a table has other keys or values than it should.
    Toml(String),
    /// A slug, prefix, id, name or group is empty, too long or has a character that it may not have.
    BadWord {
        /// What it is.
        what: &'static str,
        /// The word.
        word: String,
    },
    /// The id of a tile does not begin with the file's prefix and `/` or `.`.
    ForeignTile,
    /// An id or name is there already.
    Twice(&'static str, String),
    /// There is too much of something.
    TooMany {
        /// Of what.
        of: &'static str,
        /// The greatest number.
        limit: usize,
    },
    /// A set has a tile that is not in the file, or is without a tile that is in no file.
    UnknownTile(String),
    /// A number of copies, or a limit, is out of bounds.
    BadNumber(i64),
    /// A set has no tiles.
    EmptySet,
    /// A set needs a group that no tile has.
    UnknownGroup(String),
    /// A quadrant has an unknown sign, or there are not four.
    BadQuadrants,
    /// A half of a wall is unknown or named twice.
    BadWall(String),
    /// `fits` is not `anything`.
    BadFits(String),
    /// Something is wrong with the tile.
    Tile(Fault),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.file, self.line)?;
        if let Some(about) = &self.about {
            write!(f, "{about}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Problem::TooLarge => write!(f, "larger than {MAX_FILE} bytes"),
            Problem::NotUtf8 => f.write_str("not UTF-8"),
            Problem::Toml(message) => f.write_str(message),
            Problem::BadWord { what, word } => write!(f, "`{word}` is no {what}"),
            Problem::ForeignTile => {
                f.write_str("the id does not begin with the prefix of the file and `/` or `.`")
            }
            Problem::Twice(what, word) => write!(f, "the {what} {word} is there twice"),
            Problem::TooMany { of, limit } => write!(f, "more than {limit} {of}"),
            Problem::UnknownTile(id) => write!(f, "no tile {id} is known"),
            Problem::BadNumber(n) => write!(f, "{n} is not a number from 1 to {MAX_COPIES}"),
            Problem::EmptySet => f.write_str("the set has no tiles"),
            Problem::UnknownGroup(group) => write!(f, "no tile is in the group {group}"),
            Problem::BadQuadrants => {
                f.write_str("quadrants are four of city, road, field, monastery")
            }
            Problem::BadWall(word) => write!(f, "`{word}` is no half of a side, or is named twice"),
            Problem::BadFits(word) => write!(f, "a tile can fit `anything`, not `{word}`"),
            Problem::Tile(fault) => fault.fmt(f),
        }
    }
}
