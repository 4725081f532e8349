//! A `.jcz` file as plain data: what it says, with the line of every part, before it means anything to us.

use std::fmt;

use super::error::JczError;
use crate::json::Limits;
use trencavel_rules::{Pos, Rotation};

/// The largest file, in bytes.
pub const MAX_FILE: usize = 8 << 20;

/// What a file may have.
pub(crate) const LIMITS: Limits = Limits {
    bytes: MAX_FILE,
    depth: 32,
    values: 400_000,
};

/// The most messages in a file.
pub const MAX_MESSAGES: usize = 10_000;

/// The most tiles in an order of draws.
pub const MAX_DRAWS: usize = 5_000;

/// The most tiles that lie on the table when the game begins.
pub const MAX_START: usize = 200;

/// The most sentences in a file.
pub const MAX_SENTENCES: usize = 1_000;

/// A saved game as it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct JczFile {
    /// The version of the program that wrote it, like `6.2.0`.
    pub version: String,
    /// What the players chose.
    pub setup: JczSetup,
    /// The names of the players, in the order of seats.
    pub players: Vec<String>,
    /// The messages.
    pub messages: Vec<Message>,
    /// The tiles in the order in which they are drawn, if the file fixes it.
    pub draw_order: Option<Vec<String>>,
    /// After how many turns the game ends, if the file fixes it.
    pub end_turn: Option<usize>,
    /// What the file says about its purpose.
    pub description: Option<String>,
    /// Sentences that must hold after the last message, each with its line.
    pub assertions: Vec<(u32, String)>,
    /// Keys that are not known, outside the setup.
    pub unknown: Vec<JczError>,
}

impl JczFile {
    /// Whether a program of version 5 wrote it.
    pub fn is_old(&self) -> bool {
        self.version.starts_with("5.")
    }

    /// What has to be said about the file before anything is made of it, a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.is_old() {
            remarks.push(format!(
                "written by version {}: its messages are read as those of version 6, its draws are taken from them \
                 and not from \"initialSeed\"",
                self.version
            ));
        }
        remarks
    }
}

/// What the players chose, as it is written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JczSetup {
    /// Tile sets and how many copies of each.
    pub sets: Vec<Entry<u8>>,
    /// Figures and mechanics: `true` counts as 1.
    pub elements: Vec<Entry<u8>>,
    /// Rules.
    pub rules: Vec<Entry<String>>,
    /// The tiles that lie on the table when the game begins; none said when empty.
    pub start: Vec<StartAt>,
    /// Keys that are not known.
    pub unknown: Vec<JczError>,
}

/// A key with its value and its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<T> {
    /// The line.
    pub line: u32,
    /// The key.
    pub key: String,
    /// Its value.
    pub value: T,
}

/// A tile that lies on the table when the game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartAt {
    /// The line.
    pub line: u32,
    /// Its id.
    pub tile: String,
    /// Where.
    pub pos: Pos,
    /// How turned.
    pub rotation: Rotation,
}

/// A place: a part of a feature on one tile, as the format names it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The square.
    pub pos: Pos,
    /// What it is, like `City`.
    pub feature: String,
    /// Which part, like `NW` or `EL.SR`.
    pub location: String,
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.pos, self.feature, self.location)
    }
}

/// A figure, like `2.small.1`: its owner from 0, its kind, its number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Meeple {
    /// Whose, from 0.
    pub seat: u8,
    /// Which kind, in the words of the format.
    pub kind: String,
    /// Which of several.
    pub number: u8,
}

impl Meeple {
    /// Reads an id like `2.small.1`.
    pub fn read(text: &str) -> Option<Meeple> {
        let mut parts = text.split('.');
        let meeple = Meeple {
            seat: parts.next()?.parse().ok()?,
            kind: parts.next()?.to_owned(),
            number: parts.next()?.parse().ok()?,
        };
        let is_word = meeple.kind.bytes().all(|byte| byte.is_ascii_lowercase());
        (parts.next().is_none() && is_word && meeple.kind.len() < 20).then_some(meeple)
    }

    /// The id without its number, like `2.small`.
    pub fn short(&self) -> String {
        format!("{}.{}", self.seat, self.kind)
    }
}

impl fmt::Display for Meeple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.seat, self.kind, self.number)
    }
}

/// Where a neutral figure goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To a square.
    Square(Pos),
    /// To a part of a feature.
    Part(Pointer),
    /// To a figure.
    Figure(Pointer, Meeple),
}

/// What a message does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Lays a tile.
    PlaceTile {
        /// Which.
        tile: String,
        /// Where.
        pos: Pos,
        /// How turned.
        rotation: Rotation,
    },
    /// Puts a figure somewhere.
    Deploy {
        /// Which.
        meeple: Meeple,
        /// Where.
        at: Pointer,
    },
    /// Takes a figure back.
    Return {
        /// By what, like `FESTIVAL`.
        source: String,
        /// Which.
        meeple: Meeple,
        /// From where.
        at: Pointer,
    },
    /// Moves a neutral figure.
    MoveNeutral {
        /// Which, like `dragon.1`.
        figure: String,
        /// Where to.
        to: Goal,
    },
    /// Puts a token somewhere.
    PlaceToken {
        /// Which, like `TOWER_PIECE`.
        token: String,
        /// Where.
        at: Goal,
    },
    /// Takes a prisoner.
    Capture {
        /// Whom.
        meeple: Meeple,
        /// Where it stands.
        at: Pointer,
    },
    /// Chooses the prisoner that comes back in an exchange.
    Exchange(Meeple),
    /// Buys a prisoner back.
    Ransom(Meeple),
    /// Does nothing.
    Pass,
    /// Confirms what was done.
    Commit,
    /// Takes the last message back.
    Undo,
    /// Something that only expansions do that the engine does not have: which message or word, and of which expansion.
    Elsewhere(String, &'static str),
    /// A message that is not known.
    Unknown(String),
}

impl Action {
    /// The player's figure that it is about.
    pub fn meeple(&self) -> Option<&Meeple> {
        match self {
            Action::Deploy { meeple, .. }
            | Action::Return { meeple, .. }
            | Action::Capture { meeple, .. }
            | Action::Exchange(meeple)
            | Action::Ransom(meeple) => Some(meeple),
            Action::MoveNeutral { to, .. } | Action::PlaceToken { at: to, .. } => match to {
                Goal::Figure(_, meeple) => Some(meeple),
                Goal::Square(_) | Goal::Part(_) => None,
            },
            Action::PlaceTile { .. }
            | Action::Pass
            | Action::Commit
            | Action::Undo
            | Action::Elsewhere(..)
            | Action::Unknown(_) => None,
        }
    }
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its line.
    pub line: u32,
    /// Whose, from 0, if it says so.
    pub player: Option<u8>,
    /// What it does.
    pub action: Action,
}
