//! Random games, watched by the [`Referee`]; a fault comes with its seed and the shortest record that still shows it.

use std::fmt;

use trencavel_record::notation::parse_chance;
use trencavel_record::notation::parse_choice;
use trencavel_rules::{
    Choice, Edition, Ext, Input, Moves, Position, Rules, SETS, SetDef, Setup, State, Symbols,
    TileKind, Values, Waiting,
};

use crate::random::Random;
use crate::referee::{Referee, Scope, setup_text};

/// More inputs than any game has: one that has not ended by then does not end.
const MAX_INPUTS: usize = 20_000;
/// How often a record is replayed to shorten it.
const MAX_REPLAYS: usize = 600;

/// A fault that a game showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// The game's setup in the words of a scenario.
    pub setup: String,
    /// The seed that found it.
    pub seed: u64,
    /// The inputs up to the fault, as short as they could be made.
    pub record: Vec<String>,
    /// What is wrong.
    pub fault: String,
}

impl Trouble {
    /// What went wrong in the game of a seed.
    pub(crate) fn new(
        setup: &Setup,
        seed: u64,
        record: Vec<String>,
        fault: String,
    ) -> Box<Trouble> {
        Box::new(Trouble {
            setup: setup_text(setup),
            seed,
            record,
            fault,
        })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {}", self.seed, self.fault)?;
        writeln!(f, "{}", self.setup)?;
        for line in &self.record {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Trouble {}

/// What a game was like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// How many inputs it had.
    pub inputs: usize,
    /// How many tiles lie at the end.
    pub tiles: usize,
    /// Whether the second implementation played along.
    pub along: bool,
    /// The final scores.
    pub scores: Vec<i32>,
}

/// Plays a random game of a setup.
///
/// # Errors
/// The first fault.
pub fn random_game(setup: &Setup, seed: u64, scope: Scope) -> Result<Played, Box<Trouble>> {
    let trouble = |record, fault| Trouble::new(setup, seed, record, fault);
    let rules = Rules::new(setup).map_err(|error| trouble(Vec::new(), error.to_string()))?;
    let mut referee = Referee::new(&rules, scope).map_err(|fault| trouble(Vec::new(), fault))?;
    let mut random = Random::new(seed);
    loop {
        let applied = match referee.any_input(&mut random) {
            None if referee.is_over() => break,
            None => Err("nobody can do anything, and the game is not over".to_string()),
            Some(_) if referee.n_inputs() == MAX_INPUTS => Err("the game does not end".to_string()),
            Some(input) => referee.apply(input),
        };
        if let Err(fault) = applied {
            let (record, fault) = shorten(&rules, scope, referee.record(), fault);
            return Err(trouble(record, fault));
        }
    }
    let state = referee.state();
    Ok(Played {
        inputs: referee.n_inputs(),
        tiles: state.board().tiles().len(),
        along: referee.is_played_along(),
        scores: state
            .seat_list()
            .map(|seat| state.seat(seat).score)
            .collect(),
    })
}

/// A random setup: edition, seats, expansions, options, and now and then other copies of tile sets.
pub fn random_setup(random: &mut Random) -> Setup {
    let edition = *random.of(Edition::ALL).unwrap_or(&Edition::C2);
    let seats = 1 + random.below(8) as u8;
    let mut setup = Setup::new(edition, seats);
    setup.first = random.below(usize::from(seats)) as u8;
    let share = 1 + random.below(4);
    let mut used = vec![Ext::Base];
    for ext in Ext::ALL.iter().copied().filter(|ext| *ext != Ext::Base) {
        if random.below(4) < share - 1 {
            setup = setup.with(ext.expansion().slug);
            used.push(ext);
        }
    }
    setup = random_options(setup, &used, random);
    let is_used = |id: &str| (used.iter()).any(|ext| id.starts_with(ext.expansion().slug));
    let sets: Vec<&SetDef> = SETS.iter().filter(|set| is_used(set.id)).collect();
    while random.one_in(2)
        && let Some(set) = random.of(&sets)
    {
        setup.sets.retain(|(id, _)| id != set.id);
        setup.sets.push((set.id.to_string(), random.below(3) as u8));
    }
    setup
}

/// A setup of one to four seats with about two thirds of the expansions, and some options of them at random.
pub fn mixed_setup(random: &mut Random) -> Setup {
    let edition = *random.of(Edition::ALL).unwrap_or(&Edition::C2);
    let mut setup = Setup::new(edition, 1 + random.below(4) as u8);
    let mut used = vec![Ext::Base];
    for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::Base) {
        if random.below(3) != 0 {
            setup = setup.with(ext.expansion().slug);
            used.push(*ext);
        }
    }
    random_options(setup, &used, random)
}

/// A number of the environment, as `GAMES=1000` or `SEED=7`, or the usual one.
pub fn asked_for(key: &str, usual: u64) -> u64 {
    let value = std::env::var(key).ok();
    value.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The same setup with some options of these expansions at random.
pub fn random_options(mut setup: Setup, used: &[Ext], random: &mut Random) -> Setup {
    for option in used.iter().flat_map(|ext| ext.expansion().options) {
        if !random.one_in(4) {
            continue;
        }
        let value = match option.values {
            Values::Listed(values, _) => random.of(values).unwrap_or(&"").to_string(),
            Values::Number(max, _) => random.below(usize::from(max) + 1).to_string(),
        };
        setup = setup.option(option.key, &value);
    }
    setup
}

/// The same setup with so many tiles of its bag, at random, at most half of them with a symbol: games that end soon and in
/// which much happens.
///
/// # Errors
/// What is wrong with the setup.
pub fn with_few_tiles(setup: &Setup, n: usize, random: &mut Random) -> Result<Setup, String> {
    let rules = Rules::new(setup).map_err(|error| error.to_string())?;
    let table = Position::new(&rules);
    let (mut rare, mut other): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (kind, n) in (0..).map(TileKind).zip(table.state().bag().counts()) {
        let tile = rules.tile(kind);
        let common = tile.symbols == Symbols::NONE && tile.quadrants.is_none();
        let list = if common { &mut other } else { &mut rare };
        list.extend((0..*n).map(|_| tile.id.to_string()));
    }
    let mut bag: Vec<(String, u8)> = Vec::new();
    for i in 0..n {
        let list = match i < n / 2 && !rare.is_empty() {
            true => &mut rare,
            false => &mut other,
        };
        if list.is_empty() {
            break;
        }
        let id = list.swap_remove(random.below(list.len()));
        match bag.iter_mut().find(|(other, _)| *other == id) {
            Some((_, n)) => *n += 1,
            None => bag.push((id, 1)),
        }
    }
    let mut setup = setup.clone();
    setup.bag = Some(bag);
    Ok(setup)
}

// ---- shortening ------------------------------------------------------------------------------------------------------

/// Leaves out as many turns, then as many inputs, as possible so that some fault still shows.
fn shorten(
    rules: &Rules,
    scope: Scope,
    record: Vec<String>,
    fault: String,
) -> (Vec<String>, String) {
    let mut best = (record, fault);
    let mut replays = 0;
    let mut chunk = best.0.len().div_ceil(4);
    while chunk > 0 && replays < MAX_REPLAYS {
        let mut at = 0;
        let mut shortened = false;
        while replays < MAX_REPLAYS {
            let turns = turns(&best.0);
            if at >= turns.len() {
                break;
            }
            let kept = turns
                .iter()
                .enumerate()
                .filter(|(n, _)| !(at..at + chunk).contains(n));
            let shorter: Vec<String> = kept.flat_map(|(_, turn)| turn.to_vec()).collect();
            replays += 1;
            match replay(rules, scope, &shorter) {
                Some(found) if found.0.len() < best.0.len() => {
                    best = found;
                    shortened = true;
                }
                _ => at += chunk,
            }
        }
        if chunk > 1 || !shortened {
            chunk /= 2;
        }
    }
    best
}

/// The record in pieces, each with one draw.
fn turns(record: &[String]) -> Vec<&[String]> {
    let mut turns = Vec::new();
    let mut from = 0;
    for at in 1..=record.len() {
        if record.get(at).is_none_or(|text| text.starts_with("draw")) {
            turns.push(&record[from..at]);
            from = at;
        }
    }
    turns
}

/// Replays inputs, leaving out those that are not possible where they come; the record and fault if one shows.
fn replay(rules: &Rules, scope: Scope, record: &[String]) -> Option<(Vec<String>, String)> {
    let mut referee = match Referee::new(rules, scope) {
        Ok(referee) => referee,
        Err(fault) => return Some((Vec::new(), fault)),
    };
    for turn in turns(record) {
        if !can_be_laid(rules, referee.state(), turn) {
            continue;
        }
        for text in turn {
            while let Some(input) = next_input(rules, referee.state(), text) {
                let is_pass = matches!(input, Input::Choice(_, Choice::PASS));
                if let Err(fault) = referee.apply(input) {
                    return Some((referee.record(), fault));
                }
                if !is_pass || text.ends_with("pass") {
                    break;
                }
            }
        }
    }
    while let Some(input) = next_input(rules, referee.state(), "pass") {
        if let Err(fault) = referee.apply(input) {
            return Some((referee.record(), fault));
        }
    }
    None
}

/// Whether the first tile that is laid in a turn can still be laid there; without it nothing after it could be replayed.
fn can_be_laid(rules: &Rules, state: &State, turn: &[String]) -> bool {
    let mut ahead = state.clone();
    for text in turn {
        let is_lay = text.contains(": lay ");
        while let Some(input) = next_input(rules, &ahead, text) {
            let is_pass = matches!(input, Input::Choice(_, Choice::PASS));
            if rules.apply(&mut ahead, input, &mut ()).is_err() {
                return false;
            }
            if !is_pass {
                if is_lay {
                    return true;
                }
                break;
            }
        }
        if is_lay {
            return false;
        }
    }
    true
}

/// The input that a text means here; a pass if it fits only later; none if it does not fit.
fn next_input(rules: &Rules, state: &State, text: &str) -> Option<Input> {
    match state.waiting() {
        Waiting::Over => None,
        Waiting::Chance(_) => {
            let chance = parse_chance(rules, text).ok()?;
            let mut outcomes = Vec::new();
            rules.outcomes(state, &mut outcomes);
            let possible = outcomes.iter().any(|(other, _)| *other == chance);
            possible.then_some(Input::Chance(chance))
        }
        Waiting::Seats(seats) => {
            let seat = seats.iter().next()?;
            let mut moves = Moves::new();
            rules.legal_for(state, seat, &mut moves);
            let words = text.split_once(": ").map_or(text, |(_, words)| words);
            let choice = parse_choice(rules, state, words).ok();
            match choice.filter(|choice| moves.contains(choice)) {
                Some(choice) => Some(Input::Choice(seat, choice)),
                None if moves.contains(&Choice::PASS) => Some(Input::Choice(seat, Choice::PASS)),
                None => None,
            }
        }
    }
}
