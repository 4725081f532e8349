//! Reading a game whatever its format: one of ours or `.jcz`.

use std::fmt;

use crate::game::{Game, GameError};
use crate::jcz::convert::{Reading, convert};
use crate::jcz::error::JczError;
use crate::jcz::file::JczFile;

/// A game that was read, and what has to be said about it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The game.
    pub game: Game,
    /// Its format.
    pub format: Format,
    /// What was left out or could not be told, a sentence each.
    pub remarks: Vec<String>,
}

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A game file of ours.
    Game,
    /// A `.jcz` file.
    Jcz,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenError {
    /// A game file of ours is wrong.
    Game(GameError),
    /// A `.jcz` file is wrong.
    Jcz(JczError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Game(error) => error.fmt(f),
            OpenError::Jcz(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

/// The format of a file, by its first character: `.jcz` files are JSON tables.
pub fn format_of(bytes: &[u8]) -> Format {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => Format::Jcz,
        _ => Format::Game,
    }
}

/// Reads a game.
///
/// # Errors
/// What is wrong with the file, of its format. Any bytes are safe to try.
pub fn open(bytes: &[u8], reading: Reading) -> Result<Opened, OpenError> {
    match format_of(bytes) {
        Format::Game => {
            let game = Game::read(bytes).map_err(OpenError::Game)?;
            Ok(Opened {
                game,
                format: Format::Game,
                remarks: Vec::new(),
            })
        }
        Format::Jcz => {
            let file = JczFile::read(bytes).map_err(OpenError::Jcz)?;
            let converted = convert(&file, reading).map_err(OpenError::Jcz)?;
            let mut remarks = file.remarks();
            let left_out = converted.warnings.iter();
            remarks.extend(left_out.map(|warning| format!("left out: {warning}")));
            if converted.own_bag {
                remarks.push("the bag holds just the tiles that the file draws or lays".to_owned());
            }
            if file.draw_order.is_none() && !converted.left.is_empty() {
                let n: u32 = converted.left.iter().map(|(_, n)| u32::from(*n)).sum();
                remarks.push(format!(
                    "{n} tiles were not laid: they were discarded, or the game was not over; the file does not say which"
                ));
            }
            Ok(Opened {
                game: converted.game,
                format: Format::Jcz,
                remarks,
            })
        }
    }
}
