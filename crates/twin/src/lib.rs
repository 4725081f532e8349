//! Plays a recorded game again. `cargo xtask test` builds this for WebAssembly, runs it in Node and compares what it writes with
//! what the native program wrote: every turn's state hash stands in it.

use trencavel_record::game::Game;
use wasm_bindgen::prelude::wasm_bindgen;

/// Reads a game file, plays it and writes it again; `error: …` if it cannot be read. Reading compares the hash of every turn with
/// that in the file, writing works each out once more.
#[wasm_bindgen]
pub fn played_again(game: &str) -> String {
    match Game::read(game.as_bytes()) {
        Ok(game) => game.to_text(),
        Err(error) => format!("error: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::played_again;

    #[test]
    fn a_game_is_written_as_it_was_read() {
        let game = include_str!("../../../records/road-and-city.game");
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.map(str::to_string).collect()
        };
        assert_eq!(lines(&played_again(game)), lines(game));
    }

    #[test]
    fn another_hash_is_an_error() {
        let game = include_str!("../../../records/road-and-city.game");
        let hash = game.lines().find(|line| line.starts_with("= "));
        let hash = hash.expect("a hash in the file");
        let broken = game.replace(hash, "= 0000000000000000");
        let line = 1 + broken
            .lines()
            .position(|line| line == "= 0000000000000000")
            .expect("the broken hash");
        let answer = played_again(&broken);
        assert!(
            answer.starts_with("error: ") && answer.contains(&format!("line {line}")),
            "{answer}"
        );
    }
}
