//! What the thread of a computer player does: a game as text comes in, a choice in the notation goes out.

use trencavel_ai::{Budget, Clock, SearchSettings, analyse, level};
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

/// What a computer player thinks of the choices after so many inputs: a line each of expected lead, chance of winning and the
/// choice in the notation, best first. None if the game cannot be read or asks nobody there.
pub fn weigh(game: &str, at: usize, milliseconds: f64) -> Option<String> {
    let game = Game::read(game.as_bytes()).ok()?;
    let rules = game.history.rules();
    let state = game.history.at(at);
    let Waiting::Seats(seats) = state.waiting() else {
        return None;
    };
    let seat = seats.iter().next()?;
    let mut player = strongest()?.player(at as u64);
    let view = rules.view(&state, Some(seat));
    let budget = Budget::Milliseconds(milliseconds);
    let decision = player.choose(rules, &view, seat, budget, &Dates)?;
    let lines = decision.candidates.iter().map(|candidate| {
        let choice = choice_text(rules, &state, candidate.choice);
        format!("{:.2} {:.3} {choice}\n", candidate.value, candidate.win)
    });
    Some(lines.collect())
}

/// The analysis of a whole game as JSON (`trencavel_ai::Analysis`), with so many milliseconds for each decision; `tell` hears
/// how many inputs have been looked at. None if the game cannot be read.
pub fn survey(game: &str, milliseconds: f64, tell: impl FnMut(usize)) -> Option<String> {
    let game = Game::read(game.as_bytes()).ok()?;
    let rules = game.history.rules();
    let analysis = analyse(
        rules,
        game.history.inputs(),
        SearchSettings::default(),
        Budget::Milliseconds(milliseconds),
        &Dates,
        &|state, choice| choice_text(rules, state, choice),
        tell,
    );
    serde_json::to_string(&analysis).ok()
}

/// The strongest level there is.
fn strongest() -> Option<&'static trencavel_ai::Level> {
    trencavel_ai::LEVELS.last()
}
