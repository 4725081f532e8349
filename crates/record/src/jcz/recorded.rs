//! Recorded games: whole games of that engine with every legal option after every message.

use std::io::Read as _;

use super::error::{JczError, JczProblem};
use super::file::{JczSetup, Message};
use super::read::{read_message, read_setup};
use crate::json::{Json, Limits, Value};

/// The largest recorded game, in bytes, unpacked.
pub const MAX_RECORDED: usize = 16 << 20;

/// The most steps.
pub const MAX_STEPS: usize = 10_000;

/// The most options of a step.
pub const MAX_OPTIONS: usize = 5_000;

const LIMITS: Limits = Limits {
    bytes: MAX_RECORDED,
    depth: 32,
    values: 500_000,
};

/// A recorded game.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// What the players chose.
    pub setup: JczSetup,
    /// How many players.
    pub players: u8,
    /// Whether the game came to its end there.
    pub complete: bool,
    /// The steps.
    pub steps: Vec<RecordedStep>,
}

/// The position that the engine was in, and the message that leads to the next one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordedStep {
    /// The phase, like `TilePhase`.
    pub phase: String,
    /// The player to decide.
    pub active: Option<u8>,
    /// The points of the players.
    pub scores: Vec<i32>,
    /// The tile that waits to be laid.
    pub tile: Option<String>,
    /// The tiles drawn by the last message.
    pub drawn: Vec<String>,
    /// The tiles among them that were not laid.
    pub discarded: Vec<String>,
    /// The figures on the board, sorted.
    pub figures: Vec<String>,
    /// Neutral figures and where they are, sorted.
    pub neutrals: Vec<(String, String)>,
    /// The legal options.
    pub options: Vec<String>,
    /// The option taken.
    pub chosen: Option<String>,
    /// The message for it.
    pub message: Option<Message>,
}

impl RecordedStep {
    /// Whether there is nothing to decide but to confirm what was done.
    pub fn is_confirmation(&self) -> bool {
        let mut real = self
            .options
            .iter()
            .filter(|option| !option.starts_with("RANSOM "));
        real.next().is_some_and(|option| option == "COMMIT") && real.next().is_none()
    }
}

impl Recorded {
    /// Reads a recorded game, packed by gzip or not.
    ///
    /// # Errors
    /// The first thing that is wrong. Any bytes are safe to try.
    pub fn read(bytes: &[u8]) -> Result<Recorded, JczError> {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut unpacked = Vec::new();
            let limit = MAX_RECORDED as u64 + 1;
            let read = flate2::read::GzDecoder::new(bytes)
                .take(limit)
                .read_to_end(&mut unpacked);
            if read.is_err() {
                return not_one(0, "packed by gzip, but cut off or mangled");
            }
            Recorded::read_json(&unpacked)
        } else {
            Recorded::read_json(bytes)
        }
    }

    fn read_json(bytes: &[u8]) -> Result<Recorded, JczError> {
        let json = Json::read(bytes, LIMITS)?;
        let (Some(setup), Some(steps)) =
            (json.get("setup"), json.get("steps").and_then(Json::list))
        else {
            return not_one(
                json.line,
                "not a recorded game: it has no setup or no steps",
            );
        };
        let too_many = |line, what, limit| JczError {
            line,
            problem: JczProblem::TooMany(what, limit),
        };
        if steps.len() > MAX_STEPS {
            return Err(too_many(json.line, "steps", MAX_STEPS));
        }
        let options = |step: &Json| step.get("options").and_then(Json::list).map(<[_]>::len);
        if let Some(step) = steps.iter().find(|step| options(step) > Some(MAX_OPTIONS)) {
            return Err(too_many(step.line, "options of a step", MAX_OPTIONS));
        }
        let players = json
            .get("players")
            .and_then(Json::whole)
            .and_then(|n| u8::try_from(n).ok());
        let Some(players) = players else {
            return wrong(json.line, "players", "a number of players");
        };
        Ok(Recorded {
            setup: read_setup(setup)?,
            players,
            complete: json.get("complete").map(|json| &json.value) == Some(&Value::Bool(true)),
            steps: steps.iter().map(read_step).collect::<Result<_, _>>()?,
        })
    }
}

fn not_one<T>(line: u32, what: &'static str) -> Result<T, JczError> {
    Err(JczError {
        line,
        problem: JczProblem::File(what),
    })
}

fn wrong<T>(line: u32, key: &'static str, what: &'static str) -> Result<T, JczError> {
    Err(JczError {
        line,
        problem: JczProblem::Wrong(key, what),
    })
}

fn read_step(json: &Json) -> Result<RecordedStep, JczError> {
    let word = |key: &str| json.get(key).and_then(Json::text).map(str::to_owned);
    let words = |key: &'static str| -> Result<Vec<String>, JczError> {
        let Some(list) = json.get(key) else {
            return Ok(Vec::new());
        };
        let texts = list.list().map(|list| list.iter().map(Json::text));
        match texts.and_then(|texts| texts.map(|text| Some(text?.to_owned())).collect()) {
            Some(texts) => Ok(texts),
            None => wrong(list.line, key, "a list of texts"),
        }
    };
    let Some(phase) = word("phase") else {
        return wrong(json.line, "phase", "there in every step");
    };
    let scores = json.get("scores").and_then(Json::list).unwrap_or_default();
    let scores = scores.iter().map(|n| i32::try_from(n.whole()?).ok());
    let Some(scores) = scores.collect() else {
        return wrong(json.line, "scores", "a list of numbers");
    };
    let mut neutrals = Vec::new();
    for (name, place) in json
        .get("neutral")
        .and_then(Json::table)
        .unwrap_or_default()
    {
        if let Some(place) = place.text() {
            neutrals.push((name.to_string(), place.to_owned()));
        }
    }
    neutrals.sort();
    let discards = words("events")?.into_iter();
    let discarded = discards
        .filter_map(|e| e.strip_prefix("discard ").map(str::to_owned))
        .collect();
    let mut figures = words("meeples")?;
    figures.sort();
    Ok(RecordedStep {
        phase,
        active: json
            .get("active")
            .and_then(Json::whole)
            .and_then(|n| u8::try_from(n).ok()),
        scores,
        tile: word("tile"),
        drawn: words("drawn")?,
        discarded,
        figures,
        neutrals,
        options: words("options")?,
        chosen: word("chosen"),
        message: json.get("message").map(read_message).transpose()?,
    })
}
