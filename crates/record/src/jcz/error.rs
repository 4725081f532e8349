//! What can be wrong with a `.jcz` file.

use std::fmt;

use crate::json::JsonError;

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JczError {
    /// The line, from 1; 0 of what does not stand in the file.
    pub line: u32,
    /// What is wrong.
    pub problem: JczProblem,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum JczProblem {
    /// It is no JSON, or larger than what is read.
    Json(JsonError),
    /// A key is missing: in what, and which.
    Missing(&'static str, &'static str),
    /// A value is not what it should be: of which key, and what it should be.
    Wrong(&'static str, &'static str),
    /// The file is not what it should be.
    File(&'static str),
    /// There are too many of something.
    TooMany(&'static str, usize),
    /// The version of the format is not one that is read.
    Version(String),
    /// A key is not known: in what, and which.
    UnknownKey(&'static str, String),
    /// A tile set is not known.
    UnknownSet(String),
    /// An element is not known.
    UnknownElement(String),
    /// A rule is not known.
    UnknownRule(String),
    /// A rule has a value that is not known.
    UnknownValue(String, String),
    /// A message is not known.
    UnknownMessage(String),
    /// Something of an expansion that the engine does not have: what, and which expansion.
    NeedsExpansion(String, &'static str),
    /// The setup cannot be linked.
    Setup(String),
    /// A message does nothing that is legal: its number from 1, what it says, why it is refused.
    Illegal(usize, String, String),
    /// A message comes when the game waits for something else: its number from 1, what it says, for what the game waits.
    OutOfPlace(usize, String, String),
    /// A tile cannot be drawn: before which message, which tile, and why.
    Draw(usize, String, String),
}

impl JczError {
    /// Whether it is about something that is not known, or of an expansion that the engine does not have: reading
    /// leniently leaves such things out.
    pub fn is_unknown(&self) -> bool {
        match self.problem {
            JczProblem::UnknownKey(..)
            | JczProblem::UnknownSet(_)
            | JczProblem::UnknownElement(_)
            | JczProblem::UnknownRule(_)
            | JczProblem::UnknownValue(..)
            | JczProblem::UnknownMessage(_)
            | JczProblem::NeedsExpansion(..) => true,
            JczProblem::Json(_)
            | JczProblem::Missing(..)
            | JczProblem::Wrong(..)
            | JczProblem::File(_)
            | JczProblem::TooMany(..)
            | JczProblem::Version(_)
            | JczProblem::Setup(_)
            | JczProblem::Illegal(..)
            | JczProblem::OutOfPlace(..)
            | JczProblem::Draw(..) => false,
        }
    }

    /// The expansion that the engine does not have, if that is what is wrong.
    pub fn missing_expansion(&self) -> Option<&'static str> {
        match self.problem {
            JczProblem::NeedsExpansion(_, slug) => Some(slug),
            _ => None,
        }
    }
}

impl fmt::Display for JczProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JczProblem::Json(error) => error.fault.fmt(f),
            JczProblem::Missing(of, key) => write!(f, "\"{key}\" is missing in {of}"),
            JczProblem::Wrong(key, what) => write!(f, "\"{key}\" is not {what}"),
            JczProblem::File(what) => f.write_str(what),
            JczProblem::TooMany(what, limit) => write!(f, "more than {limit} {what}"),
            JczProblem::Version(version) => {
                write!(
                    f,
                    "version \"{version}\" of the format is not read: versions 5 and 6 are"
                )
            }
            JczProblem::UnknownKey(of, key) => {
                write!(f, "the key \"{key}\" in {of} is not known")
            }
            JczProblem::UnknownSet(id) => write!(f, "the tile set \"{id}\" is not known"),
            JczProblem::UnknownElement(key) => write!(f, "the element \"{key}\" is not known"),
            JczProblem::UnknownRule(key) => write!(f, "the rule \"{key}\" is not known"),
            JczProblem::UnknownValue(key, value) => {
                write!(
                    f,
                    "the rule \"{key}\" has no value \"{value}\" that is known"
                )
            }
            JczProblem::UnknownMessage(name) => write!(f, "the message \"{name}\" is not known"),
            JczProblem::NeedsExpansion(what, slug) => {
                write!(
                    f,
                    "{what} needs the expansion {slug}, which the engine does not have"
                )
            }
            JczProblem::Setup(why) => write!(f, "the setup is not sound: {why}"),
            JczProblem::Illegal(n, message, why) => {
                write!(f, "message {n}, {message}: not legal here ({why})")
            }
            JczProblem::OutOfPlace(n, message, waits) => {
                write!(f, "message {n}, {message}: the game waits for {waits}")
            }
            JczProblem::Draw(n, tile, why) => {
                write!(f, "before message {n}: {tile} cannot be drawn: {why}")
            }
        }
    }
}

impl fmt::Display for JczError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.problem, self.line) {
            (JczProblem::Json(error), _) => error.fmt(f),
            (problem, 0) => problem.fmt(f),
            (problem, line) => write!(f, "line {line}: {problem}"),
        }
    }
}

impl std::error::Error for JczError {}

impl From<JsonError> for JczError {
    fn from(error: JsonError) -> JczError {
        JczError {
            line: error.line,
            problem: JczProblem::Json(error),
        }
    }
}
