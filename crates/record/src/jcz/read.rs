//! Reading a `.jcz` file into plain data.

use super::error::{JczError, JczProblem};
use super::file::{
    Action, Entry, Goal, JczFile, JczSetup, LIMITS, MAX_DRAWS, MAX_MESSAGES, MAX_SENTENCES,
    MAX_START, Meeple, Message, Pointer, StartAt,
};
use super::words::kind_of_word;
use crate::clip;
use crate::json::{Json, Value};
use trencavel_rules::{Pos, Rotation};

impl JczFile {
    /// Reads a file.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line. Any bytes are safe to try.
    pub fn read(bytes: &[u8]) -> Result<JczFile, JczError> {
        let json = Json::read(bytes, LIMITS)?;
        if json.table().is_none() {
            return error(json.line, JczProblem::File("not a table"));
        }
        let Some(app) = json.get("appVersion") else {
            return error(json.line, JczProblem::Missing("the file", "appVersion"));
        };
        let version = text(app, "appVersion")?.to_owned();
        if !(version.starts_with("6.") || version.starts_with("5.")) {
            return error(app.line, JczProblem::Version(clip(&version)));
        }
        let Some(setup) = json.get("setup") else {
            return error(json.line, JczProblem::Missing("the file", "setup"));
        };
        let Some(replay) = json.get("replay") else {
            return error(json.line, JczProblem::Missing("the file", "replay"));
        };
        let replay_list = bounded(replay, "replay", "messages", MAX_MESSAGES)?;
        let mut unknown = Vec::new();
        note_unknown(&mut unknown, "the file", json.table(), KEYS);
        for message in replay_list {
            note_unknown(&mut unknown, "a message", message.table(), MESSAGE_KEYS);
            let payload = message.get("payload").and_then(Json::table);
            note_unknown(&mut unknown, "a payload", payload, PAYLOAD_KEYS);
        }
        let mut file = JczFile {
            version,
            setup: read_setup(setup)?,
            players: Vec::new(),
            messages: replay_list
                .iter()
                .map(read_message)
                .collect::<Result<_, _>>()?,
            draw_order: None,
            end_turn: None,
            description: None,
            assertions: Vec::new(),
            unknown,
        };
        if file.is_old() {
            file.setup.name_editions();
        }
        match json.get("players") {
            Some(players) => {
                for player in list(players, "players")? {
                    note_unknown(&mut file.unknown, "a player", player.table(), PLAYER_KEYS);
                    let name = player
                        .get("name")
                        .map(|name| text(name, "name"))
                        .transpose()?;
                    file.players
                        .push(name.unwrap_or_default().chars().take(40).collect());
                }
            }
            None => return error(json.line, JczProblem::Missing("the file", "players")),
        }
        if let Some(annotations) = json.get("gameAnnotations").filter(|json| !json.is_null()) {
            let keys = &["drawOrder", "endTurn"];
            note_unknown(
                &mut file.unknown,
                "gameAnnotations",
                annotations.table(),
                keys,
            );
            if let Some(order) = annotations.get("drawOrder") {
                let ids = bounded(order, "drawOrder", "tiles in the order of draws", MAX_DRAWS)?;
                let ids = ids.iter();
                let ids = ids.map(|id| text(id, "drawOrder").map(str::to_owned));
                file.draw_order = Some(ids.collect::<Result<_, _>>()?);
            }
            if let Some(end) = annotations.get("endTurn") {
                match end.whole().and_then(|n| usize::try_from(n).ok()) {
                    Some(n) => file.end_turn = Some(n),
                    None => return error(end.line, JczProblem::Wrong("endTurn", "a number")),
                }
            }
        }
        if let Some(test) = json.get("test").filter(|json| !json.is_null()) {
            let keys = &["description", "assertions"];
            note_unknown(&mut file.unknown, "test", test.table(), keys);
            if let Some(description) = test.get("description") {
                file.description = Some(text(description, "description")?.to_owned());
            }
            if let Some(assertions) = test.get("assertions") {
                for assertion in bounded(assertions, "assertions", "sentences", MAX_SENTENCES)? {
                    let sentence = text(assertion, "assertions")?.to_owned();
                    file.assertions.push((assertion.line, sentence));
                }
            }
        }
        file.unknown.sort_by_key(|fault| fault.line);
        Ok(file)
    }
}

/// The keys of a file.
const KEYS: &[&str] = &[
    "appVersion",
    "gameId",
    "name",
    "initialRandom",
    "initialSeed",
    "created",
    "clock",
    "setup",
    "players",
    "chat",
    "replay",
    "gameAnnotations",
    "test",
];

/// The keys of a setup.
const SETUP_KEYS: &[&str] = &[
    "options",
    "sets",
    "elements",
    "rules",
    "timer",
    "start",
    "ai",
    "addons",
    // Of recorded games.
    "players",
    "initialRandom",
    "gameId",
    "gameAnnotations",
];

/// The keys of a player.
const PLAYER_KEYS: &[&str] = &["name", "slot", "ai", "clientId"];

/// The keys of a message.
const MESSAGE_KEYS: &[&str] = &["type", "payload", "player", "clock"];

/// The keys of the payload of any message.
const PAYLOAD_KEYS: &[&str] = &[
    "tileId",
    "rotation",
    "position",
    "random",
    "pointer",
    "meepleId",
    "token",
    "value",
    "figureId",
    "to",
    "source",
    "supplyIndex",
    "price",
];

/// At most so many faults are gathered; nobody reads more.
const MAX_UNKNOWN: usize = 100;

/// Notes the keys of a table that are not known.
fn note_unknown(
    faults: &mut Vec<JczError>,
    of: &'static str,
    table: Option<Entries>,
    known: &[&str],
) {
    let entries = table.unwrap_or_default().iter();
    let strange = entries.filter(|(key, _)| !known.contains(&&**key));
    let left = MAX_UNKNOWN.saturating_sub(faults.len());
    faults.extend(strange.take(left).map(|(key, value)| JczError {
        line: value.line,
        problem: JczProblem::UnknownKey(of, clip(key)),
    }));
}

/// A list of at most so many.
fn bounded<'j, 't>(
    json: &'j Json<'t>,
    key: &'static str,
    what: &'static str,
    limit: usize,
) -> Result<&'j [Json<'t>], JczError> {
    let list = list(json, key)?;
    if list.len() > limit {
        return error(json.line, JczProblem::TooMany(what, limit));
    }
    Ok(list)
}

/// Messages of expansions that are not there.
const ELSEWHERE: &[(&str, &str)] = &[
    ("BAZAAR_BID", "bridges-castles-bazaars"),
    ("BAZAAR_BUY_OR_SELL", "bridges-castles-bazaars"),
    ("CIRCLE_REMOVE_OR_DEPLOY", "crop-circles"),
    ("FLOCK_EXPAND_OR_SCORE", "hills-and-sheep"),
    ("SHEPHERD_CONFIRM", "hills-and-sheep"),
    ("SCORE_ACROBATS", "under-the-big-top"),
];

/// Words within messages, each with its key: what the engine has, and what is of expansions that are not there.
struct Words {
    key: &'static str,
    known: &'static [&'static str],
    elsewhere: &'static [(&'static str, &'static str)],
}

/// The words of each kind of message.
const WORDS: &[Words] = &[
    Words {
        key: "token",
        known: &["TOWER_PIECE"],
        elsewhere: &[
            ("BLACK_TOWER_PIECE", "black-tower"),
            ("WHITE_TOWER_PIECE", "black-tower"),
            ("BRIDGE", "bridges-castles-bazaars"),
            ("CASTLE", "bridges-castles-bazaars"),
            ("TUNNEL_A", "tunnel"),
            ("TUNNEL_B", "tunnel"),
            ("TUNNEL_C", "tunnel"),
            ("FERRY", "ferries"),
            ("GOLD", "goldmines"),
            ("LB_SHED", "little-buildings"),
            ("LB_HOUSE", "little-buildings"),
            ("LB_TOWER", "little-buildings"),
        ],
    },
    Words {
        key: "source",
        known: &["ABBOT_RETURN", "FESTIVAL", "TRAP", "PRINCESS"],
        elsewhere: &[("SIEGE_ESCAPE", "siege"), ("CORN_CIRCLE", "crop-circles")],
    },
    Words {
        key: "figureId",
        known: &["dragon.1", "fairy.1"],
        elsewhere: &[
            ("count.1", "count-of-carcassonne"),
            ("mage.1", "mage-and-witch"),
            ("witch.1", "mage-and-witch"),
            ("bigtop.1", "under-the-big-top"),
        ],
    },
];

/// Figures of players that are of expansions that are not there.
const KINDS_ELSEWHERE: &[(&str, &str)] = &[
    ("shepherd", "hills-and-sheep"),
    ("ringmaster", "under-the-big-top"),
];

/// Every word of messages that belongs to an expansion that is not there, and the expansion.
pub fn words_elsewhere() -> impl Iterator<Item = (&'static str, &'static str)> {
    let words = WORDS.iter().flat_map(|words| words.elsewhere);
    words.chain(KINDS_ELSEWHERE).chain(ELSEWHERE).copied()
}

/// The word of a message that is not one that the engine knows, if there is one.
fn strange_word(name: &str, json: &Json) -> Option<Action> {
    let payload = json.get("payload")?;
    for words in WORDS {
        let Some(word) = payload.get(words.key).and_then(Json::text) else {
            continue;
        };
        if let Some((word, slug)) = words.elsewhere.iter().find(|(other, _)| *other == word) {
            return Some(Action::Elsewhere(format!("{} {word}", clip(name)), slug));
        }
        if !words.known.contains(&word) {
            return Some(Action::Unknown(format!("{} {}", clip(name), clip(word))));
        }
    }
    let holders = [Some(payload), payload.get("pointer"), payload.get("to")];
    let ids = holders
        .iter()
        .flatten()
        .filter_map(|json| json.get("meepleId")?.text());
    let kind = ids
        .filter_map(Meeple::read)
        .map(|meeple| meeple.kind)
        .next()?;
    if let Some((kind, slug)) = KINDS_ELSEWHERE.iter().find(|(other, _)| **other == kind) {
        return Some(Action::Elsewhere(format!("{} {kind}", clip(name)), slug));
    }
    let known = kind_of_word(&kind).is_some();
    (!known).then(|| Action::Unknown(format!("{} {}", clip(name), clip(&kind))))
}

fn error<T>(line: u32, problem: JczProblem) -> Result<T, JczError> {
    Err(JczError { line, problem })
}

/// Reads the part of a file that says what the players chose.
pub(crate) fn read_setup(json: &Json) -> Result<JczSetup, JczError> {
    if json.table().is_none() {
        return error(json.line, JczProblem::Wrong("setup", "a table"));
    }
    let mut setup = JczSetup::default();
    note_unknown(&mut setup.unknown, "the setup", json.table(), SETUP_KEYS);
    // Nothing is known that could be in these.
    for (of, key) in [
        ("the setup's options", "options"),
        ("the setup's addons", "addons"),
    ] {
        let table = json.get(key).and_then(Json::table);
        note_unknown(&mut setup.unknown, of, table, &[]);
    }
    for (key, value) in entries(json, "sets")? {
        setup.sets.push(Entry {
            line: value.line,
            key: key.to_string(),
            value: count(value, "sets")?,
        });
    }
    for (key, value) in entries(json, "elements")? {
        setup.elements.push(Entry {
            line: value.line,
            key: key.to_string(),
            value: count(value, "elements")?,
        });
    }
    for (key, value) in entries(json, "rules")? {
        let chosen = match &value.value {
            Value::Text(text) => text.to_string(),
            Value::Bool(on) => on.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Null | Value::List(_) | Value::Table(_) => {
                return error(
                    value.line,
                    JczProblem::Wrong("rules", "texts, numbers, true or false"),
                );
            }
        };
        setup.rules.push(Entry {
            line: value.line,
            key: key.to_string(),
            value: chosen,
        });
    }
    if let Some(start) = json.get("start").filter(|json| !json.is_null()) {
        for tile in bounded(start, "start", "start tiles", MAX_START)? {
            let id = needed(tile, "a start tile", "tile")?;
            let number = |key: &'static str| {
                let value = needed(tile, "a start tile", key)?;
                match value.whole().and_then(|n| i8::try_from(n).ok()) {
                    Some(n) => Ok(n),
                    None => error(value.line, JczProblem::Wrong(key, "a small number")),
                }
            };
            let turn = needed(tile, "a start tile", "rotation")?;
            let rotation = match turn.whole() {
                Some(n @ (0 | 90 | 180 | 270)) => Rotation::from_quarters((n / 90) as u8),
                _ => {
                    return error(
                        turn.line,
                        JczProblem::Wrong("rotation", "0, 90, 180 or 270"),
                    );
                }
            };
            setup.start.push(StartAt {
                line: tile.line,
                tile: text(id, "tile")?.to_owned(),
                pos: Pos::new(number("x")?, number("y")?),
                rotation,
            });
        }
    }
    Ok(setup)
}

/// Reads a message.
pub(crate) fn read_message(json: &Json) -> Result<Message, JczError> {
    let name = text(needed(json, "a message", "type")?, "type")?;
    let player = match json.get("player").filter(|json| !json.is_null()) {
        None => None,
        Some(player) => match player.whole().and_then(|n| u8::try_from(n).ok()) {
            Some(n) => Some(n),
            None => return error(player.line, JczProblem::Wrong("player", "a seat")),
        },
    };
    let action = match name {
        "PASS" => Action::Pass,
        "COMMIT" => Action::Commit,
        "UNDO" => Action::Undo,
        _ => read_action(name, json)?,
    };
    Ok(Message {
        line: json.line,
        player,
        action,
    })
}

fn read_action(name: &str, json: &Json) -> Result<Action, JczError> {
    if let Some((name, slug)) = ELSEWHERE.iter().find(|(known, _)| *known == name) {
        return Ok(Action::Elsewhere((*name).to_owned(), slug));
    }
    if let Some(strange) = strange_word(name, json) {
        return Ok(strange);
    }
    let payload = || needed(json, "a message", "payload");
    let part = |key: &'static str| needed(payload()?, "a payload", key);
    Ok(match name {
        "PLACE_TILE" => Action::PlaceTile {
            tile: text(part("tileId")?, "tileId")?.to_owned(),
            pos: square(part("position")?)?,
            rotation: rotation(part("rotation")?)?,
        },
        "DEPLOY_MEEPLE" => Action::Deploy {
            meeple: meeple(part("meepleId")?)?,
            at: pointer(part("pointer")?)?,
        },
        "RETURN_MEEPLE" => {
            let (at, meeple) = standing(part("pointer")?)?;
            Action::Return {
                source: text(part("source")?, "source")?.to_owned(),
                meeple,
                at,
            }
        }
        "MOVE_NEUTRAL_FIGURE" => Action::MoveNeutral {
            figure: text(part("figureId")?, "figureId")?.to_owned(),
            to: goal(part("to")?)?,
        },
        "PLACE_TOKEN" => Action::PlaceToken {
            token: text(part("token")?, "token")?.to_owned(),
            at: goal(part("pointer")?)?,
        },
        "CAPTURE_FOLLOWER" => {
            let (at, meeple) = standing(part("pointer")?)?;
            Action::Capture { meeple, at }
        }
        "EXCHANGE_FOLLOWER" => Action::Exchange(meeple(part("meepleId")?)?),
        "PAY_RANSOM" => Action::Ransom(meeple(part("meepleId")?)?),
        _ => Action::Unknown(clip(name)),
    })
}

fn goal(json: &Json) -> Result<Goal, JczError> {
    if json.list().is_some() {
        Ok(Goal::Square(square(json)?))
    } else if json.get("featurePointer").is_some() {
        let (at, meeple) = standing(json)?;
        Ok(Goal::Figure(at, meeple))
    } else {
        Ok(Goal::Part(pointer(json)?))
    }
}

fn standing(json: &Json) -> Result<(Pointer, Meeple), JczError> {
    Ok((
        pointer(needed(json, "a pointer", "featurePointer")?)?,
        meeple(needed(json, "a pointer", "meepleId")?)?,
    ))
}

fn pointer(json: &Json) -> Result<Pointer, JczError> {
    let word = |key: &'static str| {
        let json = needed(json, "a pointer", key)?;
        let word = text(json, key)?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_';
        if word.len() <= 40 && word.bytes().all(is_word) {
            Ok(word.to_owned())
        } else {
            error(
                json.line,
                JczProblem::Wrong(key, "the name of a part of a tile"),
            )
        }
    };
    Ok(Pointer {
        pos: square(needed(json, "a pointer", "position")?)?,
        feature: word("feature")?,
        location: word("location")?,
    })
}

fn meeple(json: &Json) -> Result<Meeple, JczError> {
    match Meeple::read(text(json, "meepleId")?) {
        Some(meeple) => Ok(meeple),
        None => error(
            json.line,
            JczProblem::Wrong("meepleId", "a figure like 0.small.1"),
        ),
    }
}

fn square(json: &Json) -> Result<Pos, JczError> {
    let number = |json: &Json| json.whole().and_then(|n| i8::try_from(n).ok());
    let pos = match json.list() {
        Some([x, y]) => number(x).zip(number(y)).map(|(x, y)| Pos::new(x, y)),
        _ => None,
    };
    match pos.filter(|pos| pos.is_on_the_table()) {
        Some(pos) => Ok(pos),
        None => error(
            json.line,
            JczProblem::Wrong("position", "two small numbers"),
        ),
    }
}

fn rotation(json: &Json) -> Result<Rotation, JczError> {
    match text(json, "rotation")? {
        "R0" => Ok(Rotation::from_quarters(0)),
        "R90" => Ok(Rotation::from_quarters(1)),
        "R180" => Ok(Rotation::from_quarters(2)),
        "R270" => Ok(Rotation::from_quarters(3)),
        _ => error(
            json.line,
            JczProblem::Wrong("rotation", "R0, R90, R180 or R270"),
        ),
    }
}

fn needed<'j, 't>(
    json: &'j Json<'t>,
    of: &'static str,
    key: &'static str,
) -> Result<&'j Json<'t>, JczError> {
    match json.get(key) {
        Some(value) => Ok(value),
        None => error(json.line, JczProblem::Missing(of, key)),
    }
}

fn text<'j>(json: &'j Json, key: &'static str) -> Result<&'j str, JczError> {
    match json.text() {
        Some(text) => Ok(text),
        None => error(json.line, JczProblem::Wrong(key, "a text")),
    }
}

fn list<'j, 't>(json: &'j Json<'t>, key: &'static str) -> Result<&'j [Json<'t>], JczError> {
    match json.list() {
        Some(list) => Ok(list),
        None => error(json.line, JczProblem::Wrong(key, "a list")),
    }
}

type Entries<'j, 't> = &'j [(std::borrow::Cow<'t, str>, Json<'t>)];

/// The entries of a table that may be missing.
fn entries<'j, 't>(json: &'j Json<'t>, key: &'static str) -> Result<Entries<'j, 't>, JczError> {
    match json.get(key) {
        None => Ok(&[]),
        Some(value) if value.is_null() => Ok(&[]),
        Some(value) => match value.table() {
            Some(entries) => Ok(entries),
            None => error(value.line, JczProblem::Wrong(key, "a table")),
        },
    }
}

/// How many of something; `true` is one.
fn count(json: &Json, key: &'static str) -> Result<u8, JczError> {
    let n = match json.value {
        Value::Bool(on) => Some(u8::from(on)),
        Value::Null => Some(0),
        Value::Number(_) => json
            .whole()
            .and_then(|n| u8::try_from(n).ok())
            .filter(|n| *n <= 50),
        Value::Text(_) | Value::List(_) | Value::Table(_) => None,
    };
    match n {
        Some(n) => Ok(n),
        None => error(
            json.line,
            JczProblem::Wrong(key, "numbers to 50, true or false"),
        ),
    }
}
