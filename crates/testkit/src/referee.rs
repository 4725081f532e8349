//! Watches a game and looks after every input whether everything that must hold holds.
//!
//! Samples are drawn by numbers that depend on the position alone, so that a fault is found again when the game is replayed.

mod base;
mod events;
mod ground;
mod samples;
mod traps;
mod worth;

pub(crate) use samples::mutated;

use trencavel_record::notation::{input_text, parse_input};
use trencavel_rules::{Input, Moves, Rules, Seat, Setup, State, Waiting, Way};

use crate::random::Random;

/// What a referee looks at besides the cheap things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// How many legal and how many wrong choices are tried in each position.
    pub samples: usize,
    /// Whether the second implementation looks at the landscape after every tile, and plays base games along.
    pub second: bool,
}

impl Scope {
    /// Everything.
    pub const FULL: Scope = Scope {
        samples: 6,
        second: true,
    };
}

/// A game being watched.
#[derive(Debug)]
pub struct Referee<'r> {
    rules: &'r Rules,
    scope: Scope,
    state: State,
    /// A state of long ago, into which others are copied.
    scratch: State,
    /// The position as a spectator and as every seat see it, kept up by what they see of the inputs.
    views: Vec<(Option<Seat>, State)>,
    told: events::Told,
    base: Option<base::Beside>,
    traps: Option<traps::Watch>,
    /// The inputs as text.
    record: Vec<String>,
}

/// What is wrong, as a sentence.
pub type Fault = String;

/// Fails with a sentence unless something holds.
macro_rules! demand {
    ($holds:expr, $($sentence:tt)+) => {
        if !$holds {
            return Err(format!($($sentence)+));
        }
    };
}
use demand;

impl<'r> Referee<'r> {
    /// Begins a game.
    ///
    /// # Errors
    /// What is wrong with the first position.
    pub fn new(rules: &'r Rules, scope: Scope) -> Result<Referee<'r>, Fault> {
        let mut heard = Vec::new();
        let state = rules.start_with(&mut heard);
        demand!(
            state == rules.start(),
            "listening changes the first position"
        );
        let mut told = events::Told::new(rules, &state);
        told.hear(&heard)?;
        let seats = std::iter::once(None).chain(state.seat_list().map(Some));
        let base = match scope.second {
            true => base::Beside::of(rules)?,
            false => None,
        };
        let traps = match scope.second {
            true => traps::Watch::of(rules, &state)?,
            false => None,
        };
        let mut referee = Referee {
            rules,
            scope,
            scratch: state.clone(),
            views: seats.map(|seat| (seat, rules.view(&state, seat))).collect(),
            told,
            base,
            traps,
            record: Vec::new(),
            state,
        };
        referee.look(true)?;
        Ok(referee)
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The inputs so far.
    pub fn record(&self) -> &[String] {
        &self.record
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.state.waiting() == Waiting::Over
    }

    /// The ways by which figures came so far that sprang a trap of the Russian promos.
    pub fn sprung_by(&self) -> Vec<Way> {
        let traps = self.traps.iter();
        traps.flat_map(|traps| traps.sprung_by()).copied().collect()
    }

    /// An input that is possible now, at random. None when the game is over.
    pub fn any_input(&self, random: &mut Random) -> Option<Input> {
        any_input(self.rules, &self.state, random)
    }

    /// Applies an input and looks at everything.
    ///
    /// # Errors
    /// What does not hold.
    pub fn apply(&mut self, input: Input) -> Result<(), Fault> {
        let text = input_text(self.rules, &self.state, input);
        let read = parse_input(self.rules, &self.state, &text);
        self.record.push(text.clone());
        demand!(
            read == Ok(input),
            "`{text}` reads as {read:?} and not as {input:?}"
        );
        let n_tiles = self.state.board().tiles().len();
        let before = self.state.clone();
        let mut heard = Vec::new();
        let applied = self.rules.apply(&mut self.state, input, &mut heard);
        demand!(applied.is_ok(), "`{text}` is refused: {applied:?}");
        self.scratch.clone_from(&before);
        demand!(
            self.scratch == before,
            "copying into an old state gives another state"
        );
        self.rules.apply_listed(&mut self.scratch, input, &mut ());
        demand!(
            self.scratch == self.state,
            "applying unheard and unchecked gives another state"
        );
        for (viewer, view) in &mut self.views {
            let seen = self.rules.redact(&before, input, *viewer);
            self.rules.apply_listed(view, seen, &mut ());
            let wanted = self.rules.view(&self.state, *viewer);
            demand!(
                *view == wanted,
                "what {viewer:?} sees of the inputs leads to another position"
            );
        }
        self.told.hear(&heard)?;
        if let Some(base) = &mut self.base {
            base.apply(self.rules, &before, input)?;
        }
        if let Some(traps) = &mut self.traps {
            traps.hear(self.rules, &self.state, &heard)?;
        }
        self.look(n_tiles != self.state.board().tiles().len())
    }

    /// Looks at the position.
    fn look(&mut self, new_tile: bool) -> Result<(), Fault> {
        let Referee { rules, state, .. } = self;
        if let Some(which) = rules.broken(state) {
            return Err(format!("an invariant is broken: {which}"));
        }
        let saved = state.save();
        match rules.load(&saved) {
            Ok(loaded) => {
                demand!(
                    loaded == *state,
                    "a saved and loaded position is another one"
                );
                demand!(
                    loaded.save() == saved,
                    "a loaded position is saved otherwise"
                );
                demand!(
                    loaded.hash() == state.hash(),
                    "a loaded position has another hash"
                );
            }
            Err(error) => return Err(format!("a saved position cannot be loaded: {error}")),
        }
        self.told.agrees(self.rules, &self.state)?;
        if self.scope.second {
            ground::figures_agree(&self.state)?;
            worth::worth_agrees(self.rules, &self.state)?;
            if new_tile {
                ground::landscape_agrees(self.rules, &self.state)?;
            }
            ground::placements_agree(self.rules, &self.state, self.base.is_some())?;
            if let Some(base) = &self.base {
                base.agrees(self.rules, &self.state)?;
            }
        }
        samples::choices(self.rules, &self.state, self.scope.samples)
    }
}

/// An input that is possible now, at random; seats and tiles by their weights. None when the game is over.
pub fn any_input(rules: &Rules, state: &State, random: &mut Random) -> Option<Input> {
    match state.waiting() {
        Waiting::Over => None,
        Waiting::Chance(_) => {
            let mut outcomes = Vec::new();
            rules.outcomes(state, &mut outcomes);
            random.weighted(&outcomes).map(Input::Chance)
        }
        Waiting::Seats(seats) => {
            let seats: Vec<Seat> = seats.iter().collect();
            let seat = *random.of(&seats)?;
            let mut moves = Moves::new();
            rules.legal_for(state, seat, &mut moves);
            random.of(&moves).map(|choice| Input::Choice(seat, *choice))
        }
    }
}

/// The setup in the words of a scenario.
pub fn setup_text(setup: &Setup) -> String {
    let mut text = format!(
        "setup {}; seats {}; first {}",
        setup.edition,
        setup.seats,
        setup.first + 1
    );
    if !setup.expansions.is_empty() {
        text.push_str(&format!("; with {}", setup.expansions.join(" ")));
    }
    let pairs = |what: &str, pairs: Vec<String>| match pairs.is_empty() {
        true => String::new(),
        false => format!("; {what} {}", pairs.join(" ")),
    };
    let options = setup
        .options
        .iter()
        .map(|(key, value)| format!("{key}={value}"));
    text.push_str(&pairs("option", options.collect()));
    let sets = setup.sets.iter().map(|(id, n)| format!("{id}={n}"));
    text.push_str(&pairs("sets", sets.collect()));
    if let Some(start) = &setup.start {
        for tile in start {
            text.push_str(&format!(
                "\nstart {} {} {}",
                tile.id, tile.pos, tile.rotation
            ));
        }
    }
    if let Some(bag) = &setup.bag {
        let tiles: Vec<String> = bag.iter().map(|(id, n)| format!("{id}*{n}")).collect();
        text.push_str(&format!("\nbag {}", tiles.join(" ")));
    }
    text
}
