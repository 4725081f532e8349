//! Game files of our own: text that a person can read and compare, from which a game is played again exactly.
//! `docs/records.md` describes the format.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use trencavel_rules::{Ext, Rules, Waiting};

use crate::history::History;
use crate::notation::{input_text, parse_input};
use crate::setup_text::{clip, parse_setup, setup_text};
use crate::user_tiles::{MAX_USER_TILES, parse_tile, tile_text};

/// The first line of a file.
const MAGIC: &str = "trencavel game 1";
/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 4 << 20;

/// What else a file says: who plays, where, when; the seed of the tiles. Keys are words, values lines.
pub type Notes = Vec<(String, String)>;

/// A game with everything its file says.
#[derive(Clone, Debug)]
pub struct Game {
    /// The inputs and positions.
    pub history: History,
    /// The players' names, by seat; may be fewer than seats.
    pub names: Vec<String>,
    /// What else is said.
    pub notes: Notes,
    /// Expansions whose behaviour has changed since the file was written: slug, the file's version, ours.
    pub changed: Vec<(String, u16, u16)>,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError {
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            f.write_str(&self.what)
        } else {
            write!(f, "line {}: {}", self.line, self.what)
        }
    }
}

impl std::error::Error for GameError {}

impl Game {
    /// A game that begins.
    pub fn new(rules: Arc<Rules>, names: Vec<String>) -> Game {
        Game {
            history: History::new(rules),
            names,
            notes: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// What the file says under a key.
    pub fn note(&self, key: &str) -> Option<&str> {
        self.notes
            .iter()
            .find(|(other, _)| other == key)
            .map(|(_, value)| value.as_str())
    }

    /// The file.
    pub fn to_text(&self) -> String {
        let rules = self.history.rules();
        let mut out = String::new();
        let _ = writeln!(out, "{MAGIC}");
        let _ = writeln!(out, "setup {}", setup_text(rules.setup()));
        for tile in &rules.setup().tiles {
            let _ = writeln!(out, "tile {}", tile_text(tile));
        }
        let versions: Vec<String> = Ext::ALL
            .iter()
            .filter(|ext| rules.has(**ext))
            .map(|ext| format!("{} {}", ext.expansion().slug, ext.expansion().version))
            .collect();
        let _ = writeln!(out, "versions {}", versions.join("; "));
        let names: Vec<String> = self
            .names
            .iter()
            .map(|name| one_line(name).replace(';', ","))
            .collect();
        let _ = writeln!(out, "names {}", names.join("; "));
        for (key, value) in &self.notes {
            let _ = writeln!(out, "note {} {}", one_word(key), one_line(value));
        }
        let mut state = rules.start();
        for (number, input) in (1usize..).zip(self.history.inputs()) {
            let turn = state.turn().number;
            let _ = writeln!(out, "{number} {}", input_text(rules, &state, *input));
            rules.apply_listed(&mut state, *input, &mut ());
            if state.turn().number != turn || state.waiting() == Waiting::Over {
                let _ = writeln!(out, "= {:016x}", state.hash());
            }
        }
        if state.waiting() == Waiting::Over {
            let scores: Vec<String> = state
                .seat_list()
                .map(|seat| state.seat(seat).score.to_string())
                .collect();
            let _ = writeln!(out, "result {}", scores.join(" "));
        }
        out
    }

    /// Reads a file and plays its game again.
    ///
    /// # Errors
    /// The line that is wrong, and why: of any bytes, in bounded time and memory.
    pub fn read(bytes: &[u8]) -> Result<Game, GameError> {
        let error = |line: usize, what: String| Err(GameError { line, what });
        if bytes.len() > MAX_BYTES {
            return error(
                0,
                format!(
                    "the file has {} bytes: at most {MAX_BYTES} are read",
                    bytes.len()
                ),
            );
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(wrong) => {
                let line = bytes
                    .iter()
                    .take(wrong.valid_up_to())
                    .filter(|byte| **byte == b'\n')
                    .count()
                    + 1;
                return error(line, "this is not text (UTF-8)".to_string());
            }
        };
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        match lines.next() {
            Some((_, line)) if line.trim() == MAGIC => {}
            Some((n, line)) if line.starts_with("trencavel game") => {
                return error(
                    n,
                    format!(
                        "\"{}\" is a version of the format that this program does not know",
                        clip(line)
                    ),
                );
            }
            Some((n, _)) => return error(n, format!("a game file begins with \"{MAGIC}\"")),
            None => return error(1, "the file is empty".to_string()),
        }
        let (n, mut setup) = match lines.next() {
            Some((n, line)) => {
                let Some(setup) = line.strip_prefix("setup") else {
                    return error(n, "the setup is missing: \"setup C2; seats 2\"".to_string());
                };
                (
                    n,
                    parse_setup(setup).map_err(|what| GameError { line: n, what })?,
                )
            }
            None => return error(2, "the setup is missing".to_string()),
        };
        let mut lines = lines.peekable();
        while let Some((n, line)) = lines.next_if(|(_, line)| line.starts_with("tile ")) {
            if setup.tiles.len() >= MAX_USER_TILES {
                return error(n, format!("more than {MAX_USER_TILES} tiles of players"));
            }
            let text = line.strip_prefix("tile ").unwrap_or_default();
            let tile = parse_tile(text).map_err(|what| GameError { line: n, what })?;
            setup.tiles.push(tile);
        }
        let rules = Rules::new(&setup).map_err(|faults| GameError {
            line: n,
            what: faults.to_string(),
        })?;
        let mut game = Game::new(Arc::new(rules), Vec::new());
        let mut result: Option<(usize, String)> = None;
        for (n, line) in lines {
            if result.is_some() {
                return error(n, "nothing follows the result".to_string());
            }
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match word {
                "versions" => game
                    .compare_versions(rest)
                    .map_err(|what| GameError { line: n, what })?,
                "names" => {
                    game.names = rest
                        .split(';')
                        .map(|name| name.trim().to_string())
                        .collect()
                }
                "note" => {
                    let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
                    game.notes.push((key.to_string(), value.to_string()));
                }
                "=" => {
                    let here = format!("{:016x}", game.history.state().hash());
                    if rest != here {
                        let changed = game.changed_text();
                        return error(
                            n,
                            format!(
                                "the position differs from the file's: hash {here}, not {}{changed}",
                                clip(rest)
                            ),
                        );
                    }
                }
                "result" => result = Some((n, rest.to_string())),
                _ => game
                    .read_input(word, rest)
                    .map_err(|what| GameError { line: n, what })?,
            }
        }
        if let Some((n, text)) = result {
            let state = game.history.state();
            if state.waiting() != Waiting::Over {
                return error(n, "there is a result, but the game is not over".to_string());
            }
            let scores: Vec<String> = state
                .seat_list()
                .map(|seat| state.seat(seat).score.to_string())
                .collect();
            if scores.join(" ") != text {
                return error(
                    n,
                    format!("the result is {}, not {}", scores.join(" "), clip(&text)),
                );
            }
        }
        Ok(game)
    }

    fn read_input(&mut self, number: &str, text: &str) -> Result<(), String> {
        let due = self.history.inputs().len() + 1;
        match number.parse::<usize>() {
            Ok(n) if n == due => {}
            Ok(n) => return Err(format!("input number {n} stands where number {due} is due")),
            Err(_) => {
                return Err(format!(
                    "\"{}\" is no keyword and no number of an input",
                    clip(number)
                ));
            }
        }
        let rules = self.history.rules().clone();
        let input =
            parse_input(&rules, self.history.state(), text).map_err(|error| error.to_string())?;
        self.history.apply(input, &mut ()).map_err(|illegal| {
            let clauses = match input {
                trencavel_rules::Input::Choice(seat, choice) => {
                    rules.why_not(self.history.state(), seat, choice)
                }
                trencavel_rules::Input::Chance(_) | trencavel_rules::Input::Leave(_) => Vec::new(),
            };
            let clauses: Vec<&str> = clauses.iter().map(|clause| clause.id()).collect();
            let by = if clauses.is_empty() {
                String::new()
            } else {
                format!(" ({})", clauses.join(", "))
            };
            format!("\"{}\": {illegal}{by}{}", clip(text), self.changed_text())
        })
    }

    fn compare_versions(&mut self, text: &str) -> Result<(), String> {
        for part in text
            .split(';')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (slug, version) = part
                .split_once(' ')
                .and_then(|(slug, version)| Some((slug, version.trim().parse::<u16>().ok()?)))
                .ok_or_else(|| {
                    format!("\"{}\" should be an expansion and its version", clip(part))
                })?;
            let ext = Ext::from_slug(slug)
                .ok_or_else(|| format!("there is no expansion \"{}\"", clip(slug)))?;
            if ext.expansion().version != version {
                self.changed
                    .push((slug.to_string(), version, ext.expansion().version));
            }
        }
        Ok(())
    }

    /// What may have caused a difference.
    fn changed_text(&self) -> String {
        let list: Vec<String> = self
            .changed
            .iter()
            .map(|(slug, theirs, ours)| format!("{slug} was version {theirs}, is {ours}"))
            .collect();
        if list.is_empty() {
            String::new()
        } else {
            format!("; since the file was written: {}", list.join(", "))
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn one_word(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("-")
}
