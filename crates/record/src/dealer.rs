//! The dealer: decides for nature by a seed that is kept secret until the game is over. Its hash is published first, so
//! that everybody can check afterwards that nothing was changed.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};
use trencavel_rules::{Chance, Input, Rules, State};

use crate::game::Game;
use crate::history::History;

/// A dealer with its seed.
#[derive(Clone, Debug)]
pub struct Dealer {
    rng: ChaCha20Rng,
}

impl Dealer {
    /// The dealer with this seed.
    pub fn new(seed: [u8; 32]) -> Dealer {
        Dealer {
            rng: ChaCha20Rng::from_seed(seed),
        }
    }

    /// The dealer with this seed, after it has decided what nature decided in a game so far.
    pub fn after(seed: [u8; 32], history: &History) -> Dealer {
        let mut dealer = Dealer::new(seed);
        let rules = history.rules();
        let mut state = rules.start();
        for input in history.inputs() {
            if matches!(input, Input::Chance(_)) {
                dealer.decide(rules, &state);
            }
            rules.apply_listed(&mut state, *input, &mut ());
        }
        dealer
    }

    /// What nature decides in a position; `None` when it is not asked.
    pub fn decide(&mut self, rules: &Rules, state: &State) -> Option<Chance> {
        let weight = rules.draw_weight(state);
        if weight > 0 {
            let place = self.below(weight);
            return rules.draw_at(state, place);
        }
        let mut outcomes = Vec::new();
        rules.outcomes(state, &mut outcomes);
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        let mut pick = if total == 0 {
            return None;
        } else {
            self.below(total)
        };
        for (chance, weight) in outcomes {
            if pick < weight {
                return Some(chance);
            }
            pick -= weight;
        }
        None
    }

    /// A number below `n`, each with exactly the same chance.
    fn below(&mut self, n: u32) -> u32 {
        let n = u64::from(n.max(1));
        let limit = u64::MAX - u64::MAX % n;
        loop {
            let word = self.rng.next_u64();
            if word < limit {
                return (word % n) as u32;
            }
        }
    }
}

/// The SHA-256 of a seed, in hexadecimal digits: what is published before the game.
pub fn seed_hash(seed: &[u8; 32]) -> String {
    hex(&Sha256::digest(seed))
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A seed from hexadecimal digits.
pub fn parse_seed(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut seed = [0; 32];
    for (i, byte) in seed.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(seed)
}

/// Checks that nature decided by this seed in a whole game.
///
/// # Errors
/// The number of the first input, from 1, that the seed would have decided otherwise.
pub fn verify(history: &History, seed: [u8; 32]) -> Result<(), usize> {
    let mut dealer = Dealer::new(seed);
    let rules = history.rules();
    let mut state = rules.start();
    for (number, input) in (1..).zip(history.inputs()) {
        if let Input::Chance(chance) = input
            && dealer.decide(rules, &state) != Some(*chance)
        {
            return Err(number);
        }
        rules.apply_listed(&mut state, *input, &mut ());
    }
    Ok(())
}

/// Checks what a file says about its dealer: whether it says anything.
///
/// # Errors
/// The seed is not the one whose hash was published, or the tiles did not come as it would have drawn them.
pub fn check(game: &Game) -> Result<bool, String> {
    let Some(text) = game.note("dealer-seed") else {
        return Ok(false);
    };
    let seed = parse_seed(text).ok_or("the dealer's seed is not 64 hexadecimal digits")?;
    match game.note("dealer-hash") {
        Some(hash) if hash != seed_hash(&seed) => {
            return Err("the dealer's seed is not the one whose hash was published".to_string());
        }
        _ => {}
    }
    match verify(&game.history, seed) {
        Ok(()) => Ok(true),
        Err(number) => Err(format!(
            "input {number} is not what the dealer's seed decides"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use trencavel_rules::{Edition, Moves, Setup, Waiting};

    #[test]
    fn a_game_is_verified_by_its_seed() {
        let rules = Arc::new(Rules::new(&Setup::new(Edition::C2, 2)).unwrap());
        let seed = [7; 32];
        let (mut history, mut dealer) = (History::new(rules.clone()), Dealer::new(seed));
        let mut moves = Moves::new();
        for _ in 0..60 {
            let input = match history.state().waiting() {
                Waiting::Over => break,
                Waiting::Chance(_) => {
                    Input::Chance(dealer.decide(&rules, history.state()).unwrap())
                }
                Waiting::Seats(seats) => {
                    rules.legal(history.state(), &mut moves);
                    Input::Choice(seats.iter().next().unwrap(), moves[moves.len() / 2])
                }
            };
            history.apply(input, &mut ()).unwrap();
        }
        assert_eq!(verify(&history, seed), Ok(()));
        assert!(verify(&history, [8; 32]).is_err());
        // A dealer that comes back goes on where it was.
        let mut again = Dealer::after(seed, &history);
        assert_eq!(again.rng.next_u64(), dealer.rng.next_u64());
        assert_eq!(parse_seed(&hex(&seed)), Some(seed));
        let mut game = Game::new(rules, Vec::new());
        game.history = history;
        assert_eq!(check(&game), Ok(false));
        game.notes.push(("dealer-seed".into(), hex(&seed)));
        assert_eq!(check(&game), Ok(true));
        game.notes.push(("dealer-hash".into(), seed_hash(&[8; 32])));
        assert!(check(&game).unwrap_err().contains("published"));
        game.notes = vec![("dealer-seed".into(), hex(&[8; 32]))];
        assert!(check(&game).unwrap_err().contains("decides"));
        // FIPS 180-4: the hash of 32 bytes 07, computed by another program.
        assert_eq!(
            seed_hash(&seed),
            "4bb06f8e4e3a7715d201d573d0aa423762e55dabd61a2c02278fa56cc6d294e0"
        );
    }
}
