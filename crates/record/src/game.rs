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

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Chance, Edition, Input, Moves, Setup};

    fn random_game(setup: &Setup, mut seed: u64) -> Game {
        let rules = Arc::new(Rules::new(setup).unwrap());
        let mut game = Game::new(rules.clone(), vec!["Ann".into(), "Bo; b".into()]);
        game.notes.push(("place".into(), "at home".into()));
        let mut below = |n: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((seed >> 33) as usize) % n
        };
        let (mut moves, mut outcomes): (Moves, Vec<(Chance, u32)>) = Default::default();
        loop {
            let state = game.history.state();
            let input = match state.waiting() {
                Waiting::Over => return game,
                Waiting::Chance(_) => {
                    rules.outcomes(state, &mut outcomes);
                    Input::Chance(outcomes[below(outcomes.len())].0)
                }
                Waiting::Seats(seats) => {
                    rules.legal(state, &mut moves);
                    Input::Choice(seats.iter().next().unwrap(), moves[below(moves.len())])
                }
            };
            game.history.apply(input, &mut ()).unwrap();
        }
    }

    #[test]
    fn games_with_everything_survive_as_text() {
        let mut setup = Setup::new(Edition::C2, 3);
        for ext in Ext::ALL.iter().skip(1) {
            setup = setup.with(ext.expansion().slug);
        }
        for seed in 0..4 {
            let game = random_game(&setup, seed);
            let text = game.to_text();
            let again = Game::read(text.as_bytes()).unwrap();
            assert_eq!(again.history.inputs(), game.history.inputs());
            assert_eq!(again.to_text(), text);
            assert_eq!(again.note("place"), Some("at home"));
            assert_eq!(again.names, ["Ann", "Bo, b"]);
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let error = |text: &str| Game::read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error(""), "line 1: the file is empty");
        assert_eq!(
            error("hello"),
            "line 1: a game file begins with \"trencavel game 1\""
        );
        assert_eq!(
            error("trencavel game 9\n"),
            "line 1: \"trencavel game 9\" is a version of the format that this program does not know"
        );
        let head = "trencavel game 1\n# a comment\n";
        assert_eq!(error(head), "line 2: the setup is missing");
        assert_eq!(
            error(&format!("{head}setup C1; seats 9\n")),
            "line 3: 9 seats: a game has 1 to 8"
        );
        let head = "trencavel game 1\nsetup C1; seats 2\n";
        assert_eq!(
            error(&format!("{head}2 draw BA/L\n")),
            "line 3: input number 2 stands where number 1 is due"
        );
        assert_eq!(
            error(&format!("{head}1 draw BA/X\n")),
            "line 3: word 2: there is no tile \"BA/X\" in this game"
        );
        assert_eq!(
            error(&format!("{head}1 1: pass\n")),
            "line 3: \"1: pass\": this seat is not asked now (OP-105)"
        );
        assert_eq!(
            error(&format!("{head}1 draw BA/L\n2 1: lay 1,0 r0\n")),
            "line 4: \"1: lay 1,0 r0\": the choice is not among the legal ones (BA-14)"
        );
        assert!(
            error(&format!("{head}1 draw BA/L\n= 00\n"))
                .starts_with("line 4: the position differs from the file's: hash ")
        );
        assert_eq!(
            error(&format!("{head}result 1 2\n")),
            "line 3: there is a result, but the game is not over"
        );
        assert_eq!(
            error(&format!("{head}jump\n")),
            "line 3: \"jump\" is no keyword and no number of an input"
        );
        assert_eq!(
            Game::read(b"trencavel game 1\n\xff")
                .unwrap_err()
                .to_string(),
            "line 2: this is not text (UTF-8)"
        );
    }

    /// Tiles that players made are in the file, so that it is played again without their tile file.
    #[test]
    fn tiles_of_players_are_kept() {
        let village = "MV/RCr; names gate; segment road E W; segment city N | pennant; \
                       segment field EL WR | touches N; segment field ER SL SR WL";
        let mut setup = Setup::new(Edition::C1, 2);
        setup.tiles.push(parse_tile(village).unwrap());
        setup.bag = Some(vec![("MV/RCr".into(), 9), ("BA/L".into(), 2)]);
        let game = random_game(&setup, 3);
        let text = game.to_text();
        assert!(text.contains(&format!("\ntile {village}\n")), "{text}");
        let again = Game::read(text.as_bytes()).unwrap();
        assert_eq!(again.to_text(), text);
        let wrong = text.replace("segment road E W", "segment road E N");
        assert_eq!(
            Game::read(wrong.as_bytes()).unwrap_err().to_string(),
            "line 3: the tile \"MV/RCr\": two segments at one side"
        );
    }

    #[test]
    fn cut_and_mangled_files_are_refused_or_read() {
        let text = random_game(&Setup::new(Edition::C1, 2), 5).to_text();
        for cut in (0..text.len()).step_by(97) {
            if let Some(part) = text.get(..cut) {
                let _ = Game::read(part.as_bytes());
            }
            let mut bytes = text.clone().into_bytes();
            bytes[cut] ^= 0x15;
            let _ = Game::read(&bytes);
        }
    }
}
