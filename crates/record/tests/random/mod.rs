//! Games to write and read: played at random to their end.

use std::sync::Arc;

use trencavel_record::game::Game;
use trencavel_rules::{Chance, Input, Moves, Rules, Setup, Waiting};

/// A setup, linked.
pub(crate) fn linked(setup: &Setup) -> Arc<Rules> {
    Arc::new(Rules::new(setup).unwrap())
}

/// A game of Ann and Bo (and Cy) to its end; the same for the same seed.
pub(crate) fn random_game(rules: &Arc<Rules>, mut seed: u64) -> Game {
    let mut game = Game::new(rules.clone(), vec!["Ann".into(), "Bo".into(), "Cy".into()]);
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
