//! From a `.jcz` game to one of ours.

use std::sync::Arc;

use super::error::{JczError, JczProblem};
use super::file::JczFile;
use super::follow::Follow;
use super::setup::{Strictness, link, translate, with_bag_of};
use crate::game::Game;
use crate::history::History;
use trencavel_rules::{Chance, Input, Rules, Setup, State, TileKind, Waiting};

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// What is done with keys and sets that mean nothing to us.
    pub strictness: Strictness,
    /// Whether the game is known to be over: tiles that were never laid were discarded, and the bag is without them.
    pub finished: bool,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            strictness: Strictness::Strict,
            finished: false,
        }
    }
}

/// A `.jcz` game as one of ours.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The game.
    pub game: Game,
    /// After how many of our inputs each message was carried out.
    pub after: Vec<usize>,
    /// What was left out: keys, sets, messages.
    pub warnings: Vec<JczError>,
    /// Whether the file's order of draws is not one that our stacks allow, so that the bag is just what the file draws.
    pub own_bag: bool,
    /// Tiles that are left, with their numbers, when the file does not end with the end of the game. They were discarded
    /// there, or the game was not over: the format does not say which.
    pub left: Vec<(String, u8)>,
}

/// Converts a file.
///
/// # Errors
/// If its setup means nothing to us, or a message does nothing that is legal.
pub fn convert(file: &JczFile, reading: Reading) -> Result<Converted, JczError> {
    let translated = translate(file, reading.strictness)?;
    let mut setup = translated.setup;
    let mut own_bag = false;
    if reading.finished && file.draw_order.is_none() {
        setup = with_bag_of(file, setup);
        own_bag = true;
    }
    let mut result = run(file, &setup, reading.strictness);
    if file.draw_order.is_some()
        && matches!(&result, Err(error) if matches!(error.problem, JczProblem::Draw(..)))
        && let Ok(done) = run(file, &with_bag_of(file, setup), reading.strictness)
    {
        result = Ok(done);
        own_bag = true;
    }
    let (history, after, skipped) = result?;
    let mut warnings = translated.warnings;
    warnings.extend(skipped);
    let left = left_in_bag(history.rules(), history.state());
    let mut game = Game::new(history.rules().clone(), file.players.clone());
    game.history = history;
    game.notes
        .push(("from".to_owned(), format!("jcz {}", file.version)));
    if let Some(description) = &file.description {
        game.notes.push(("about".to_owned(), description.clone()));
    }
    Ok(Converted {
        game,
        after,
        warnings,
        own_bag,
        left,
    })
}

/// The game, after how many inputs each message was carried out, and the messages that were left out.
type Ran = (History, Vec<usize>, Vec<JczError>);

fn run(file: &JczFile, setup: &Setup, strictness: Strictness) -> Result<Ran, JczError> {
    let rules = Arc::new(link(setup)?);
    let mut follow = Follow::new(&rules, file.draw_order.clone());
    let mut after = Vec::with_capacity(file.messages.len());
    let mut skipped = Vec::new();
    for (number, message) in (1..).zip(&file.messages) {
        if let Some(fault) = follow.take_if_known(number, message, strictness)? {
            skipped.push(fault);
        }
        after.push(follow.inputs().len());
    }
    let rest = if follow.is_open() {
        Vec::new()
    } else {
        discards(&rules, follow.state())
    };
    let mut history = History::new(rules.clone());
    for input in follow.into_inputs().into_iter().chain(rest) {
        let done = history.apply(input, &mut ());
        if let Err(illegal) = done {
            return Err(JczError {
                line: 0,
                problem: JczProblem::Setup(illegal.to_string()),
            });
        }
    }
    Ok((history, after, skipped))
}

/// If none of the tiles that are left can be laid, they were all discarded: the draws that end the game.
pub fn discards(rules: &Rules, state: &State) -> Vec<Input> {
    let mut state = state.clone();
    let mut draws = Vec::new();
    let mut outcomes = Vec::new();
    while let Waiting::Chance(_) = state.waiting() {
        rules.outcomes(&state, &mut outcomes);
        let Some((chance, _)) = outcomes.first().copied() else {
            return Vec::new();
        };
        let input = Input::Chance(chance);
        if rules.apply(&mut state, input, &mut ()).is_err() {
            return Vec::new();
        }
        draws.push(input);
    }
    if state.waiting() == Waiting::Over {
        draws
    } else {
        Vec::new()
    }
}

fn left_in_bag(rules: &Rules, state: &State) -> Vec<(String, u8)> {
    if state.waiting() == Waiting::Over {
        return Vec::new();
    }
    let kinds = (0..rules.n_kinds() as u16).map(TileKind);
    kinds
        .map(|kind| (rules.tile(kind).id.to_string(), state.bag().count(kind)))
        .filter(|(_, n)| *n > 0)
        .collect()
}

/// The tiles drawn in a game, in order.
pub fn draws(rules: &Rules, inputs: &[Input]) -> Vec<String> {
    let drawn = inputs.iter().filter_map(|input| match input {
        Input::Chance(Chance::Tile(kind)) => Some(rules.tile(*kind).id.to_string()),
        _ => None,
    });
    drawn.collect()
}
