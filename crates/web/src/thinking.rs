//! What the thread of a computer player does: a game as text comes in, a choice in the notation goes out.

use trencavel_ai::{Budget, Clock, level};
use trencavel_record::game::Game;
use trencavel_record::notation::choice_text;
use trencavel_rules::Waiting;

/// The browser's clock.
struct Dates;

impl Clock for Dates {
    fn now_ms(&self) -> f64 {
        js_sys::Date::now()
    }
}

/// The choice of a level for the seat that is asked; none if the game cannot be read or asks nobody.
pub fn think(game: &str, name: &str, milliseconds: f64) -> Option<String> {
    let game = Game::read(game.as_bytes()).ok()?;
    let rules = game.history.rules();
    let state = game.history.state();
    let Waiting::Seats(seats) = state.waiting() else {
        return None;
    };
    let seat = seats.iter().next()?;
    let mut player = level(name)?.player(game.history.inputs().len() as u64);
    let view = rules.view(state, Some(seat));
    let budget = Budget::Milliseconds(milliseconds);
    let decision = player.choose(rules, &view, seat, budget, &Dates)?;
    Some(choice_text(rules, state, decision.choice))
}
