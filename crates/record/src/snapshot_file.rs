//! Snapshots as files: one position with its setup, to go on from without its inputs.
//!
//! The file is text: a first line, the setup and the tiles of players as in a game file, the hash, and the state in hexadecimal.

use std::fmt::Write as _;

use trencavel_rules::{Rules, Setup, State};

use crate::game::GameError;
use crate::setup_text::{clip, parse_setup, setup_text};
use crate::user_tiles::{MAX_USER_TILES, parse_tile, tile_text};

/// The first line of a file.
const MAGIC: &str = "trencavel snapshot 1";
/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// Bytes of the state on a line.
const ROW: usize = 40;

/// The file of a position.
pub fn snapshot_text(rules: &Rules, state: &State) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{MAGIC}");
    let _ = writeln!(out, "setup {}", setup_text(rules.setup()));
    for tile in &rules.setup().tiles {
        let _ = writeln!(out, "tile {}", tile_text(tile));
    }
    let _ = writeln!(out, "= {:016x}", state.hash());
    for row in state.save().chunks(ROW) {
        for byte in row {
            let _ = write!(out, "{byte:02x}");
        }
        out.push('\n');
    }
    out
}

/// Reads the file of a position: the linked setup, and the state, which is checked.
///
/// # Errors
/// The line that is wrong, and why; of any bytes.
pub fn read_snapshot(bytes: &[u8]) -> Result<(Rules, State), GameError> {
    let error = |line: usize, what: String| Err(GameError { line, what });
    if bytes.len() > MAX_BYTES {
        return error(0, format!("the file has more than {MAX_BYTES} bytes"));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return error(1, "this is not text (UTF-8)".to_owned());
    };
    let mut setup: Option<Setup> = None;
    let mut hash: Option<(usize, String)> = None;
    let mut state: Vec<u8> = Vec::new();
    let mut last = 0;
    for (n, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        last = n;
        if n == 1 {
            if line != MAGIC {
                return error(n, format!("a snapshot begins with \"{MAGIC}\""));
            }
        } else if line.is_empty() || line.starts_with('#') {
        } else if let Some(rest) = line.strip_prefix("setup ") {
            let parsed = parse_setup(rest).map_err(|what| GameError { line: n, what })?;
            setup = Some(parsed);
        } else if let Some(rest) = line.strip_prefix("tile ") {
            let tile = parse_tile(rest).map_err(|what| GameError { line: n, what })?;
            match &mut setup {
                Some(setup) if setup.tiles.len() < MAX_USER_TILES => setup.tiles.push(tile),
                Some(_) => return error(n, format!("more than {MAX_USER_TILES} tiles of players")),
                None => return error(n, "a tile comes after the setup".to_owned()),
            }
        } else if let Some(rest) = line.strip_prefix("= ") {
            hash = Some((n, rest.to_owned()));
        } else {
            match hex(line) {
                Some(row) => state.extend(row),
                None => return error(n, format!("\"{}\" is no row of a state", clip(line))),
            }
        }
    }
    let Some(setup) = setup else {
        return error(last, "the setup is missing".to_owned());
    };
    let rules = Rules::new(&setup).map_err(|faults| GameError {
        line: 2,
        what: faults.to_string(),
    })?;
    let state = rules.load(&state).map_err(|what| GameError {
        line: last,
        what: what.to_string(),
    })?;
    let here = format!("{:016x}", state.hash());
    match hash {
        Some((_, said)) if said == here => Ok((rules, state)),
        Some((n, said)) => error(n, format!("the hash is {here}, not {}", clip(&said))),
        None => error(last, "the hash is missing".to_owned()),
    }
}

fn hex(line: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = line.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(
        digits
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |n, digit| n * 16 + digit) as u8)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Chance, Edition, Ext, Input, Moves, Waiting};

    /// Positions of a game with everything survive, and the game goes on alike from them.
    #[test]
    fn positions_survive_as_files() {
        let mut setup = Setup::new(Edition::C2, 3);
        for ext in Ext::ALL.iter().skip(1) {
            setup = setup.with(ext.expansion().slug);
        }
        let rules = Rules::new(&setup).unwrap();
        let mut state = rules.start();
        let (mut moves, mut outcomes): (Moves, Vec<(Chance, u32)>) = Default::default();
        let mut n = 11;
        while state.waiting() != Waiting::Over {
            n = n * 75 % 65_537;
            if n % 10 == 0 {
                let (again_rules, again) =
                    read_snapshot(snapshot_text(&rules, &state).as_bytes()).unwrap();
                assert_eq!(again_rules.setup(), rules.setup());
                assert_eq!(again, state);
            }
            let input = match state.waiting() {
                Waiting::Over => break,
                Waiting::Chance(_) => {
                    rules.outcomes(&state, &mut outcomes);
                    Input::Chance(outcomes[n % outcomes.len()].0)
                }
                Waiting::Seats(seats) => {
                    rules.legal(&state, &mut moves);
                    Input::Choice(seats.iter().next().unwrap(), moves[n % moves.len()])
                }
            };
            rules.apply(&mut state, input, &mut ()).unwrap();
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
        let good = snapshot_text(&rules, &rules.start());
        let error = |text: String| read_snapshot(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error("hello".into()),
            "line 1: a snapshot begins with \"trencavel snapshot 1\""
        );
        assert_eq!(error(format!("{MAGIC}\n")), "line 1: the setup is missing");
        assert_eq!(
            error(good.replace("seats 2", "seats 9")),
            "line 2: 9 seats: a game has 1 to 8"
        );
        assert_eq!(
            error(format!("{good}xyz\n")),
            format!(
                "line {}: \"xyz\" is no row of a state",
                good.lines().count() + 1
            )
        );
        assert!(error(format!("{good}00\n")).ends_with("the snapshot is cut off or mangled"));
        assert!(error(good.replace("= ", "= 0")).starts_with("line 3: the hash is "));
        for cut in 0..good.len() - 1 {
            assert!(read_snapshot(&good.as_bytes()[..cut]).is_err(), "{cut}");
        }
        let mut bytes = good.clone().into_bytes();
        for i in 0..bytes.len() {
            bytes[i] ^= 1;
            let _ = read_snapshot(&bytes);
            bytes[i] ^= 1;
        }
    }
}
