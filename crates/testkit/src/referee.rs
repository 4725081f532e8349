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
use trencavel_rules::{Event, Input, Moves, Rules, Seat, Setup, State, Waiting, Way};

use crate::random::Random;

/// What a referee looks at besides the invariants, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// How many legal and how many wrong choices are tried in each position.
    pub samples: usize,
    /// Whether the second implementation looks at the landscape after every tile, and plays base games along.
    pub second: bool,
    /// Whether inputs are written and read, positions saved and loaded, copied, and seen by every seat.
    pub forms: bool,
    /// When everything but the rules' own invariants is looked at.
    pub when: When,
}

/// When a referee looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// After every input.
    Always,
    /// After every input, but only at the invariants; at everything when the game is over.
    Invariants,
    /// When the game is over.
    AtTheEnd,
}

impl Scope {
    /// Everything, always.
    pub const FULL: Scope = Scope {
        samples: 6,
        second: true,
        forms: true,
        when: When::Always,
    };
    /// The second implementation after every input, and nothing else.
    pub const SECOND: Scope = Scope {
        samples: 0,
        second: true,
        forms: false,
        when: When::Always,
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
    ground: ground::Ground,
    inputs: Vec<Input>,
    /// The events of the last input.
    heard: Vec<Event>,
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
        let seats = seats.filter(|_| scope.forms);
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
            ground: ground::Ground::default(),
            inputs: Vec::new(),
            heard: Vec::new(),
            state,
        };
        referee.look(true)?;
        Ok(referee)
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How many inputs there were so far.
    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The inputs so far, as texts.
    pub fn record(&self) -> Vec<String> {
        let mut state = self.rules.start();
        let mut texts = Vec::new();
        for input in &self.inputs {
            texts.push(input_text(self.rules, &state, *input));
            // The last one may be what the engine refuses.
            if self.rules.apply(&mut state, *input, &mut ()).is_err() {
                break;
            }
        }
        texts
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.state.waiting() == Waiting::Over
    }

    /// Whether the second implementation plays the whole game along.
    pub fn is_played_along(&self) -> bool {
        self.base.is_some()
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

    /// Applies an input and looks at everything that the scope names.
    ///
    /// # Errors
    /// What does not hold.
    pub fn apply(&mut self, input: Input) -> Result<(), Fault> {
        self.inputs.push(input);
        let n_tiles = self.state.board().tiles().len();
        if let Some(base) = &mut self.base {
            base.apply(self.rules, &self.state, input)?;
        }
        self.heard.clear();
        if self.scope.forms {
            self.apply_in_all_forms(input)?;
        } else {
            let applied = self.rules.apply(&mut self.state, input, &mut self.heard);
            demand!(applied.is_ok(), "{input:?} is refused: {applied:?}");
        }
        self.told.hear(&self.heard)?;
        if let Some(traps) = &mut self.traps {
            traps.hear(self.rules, &self.state, &self.heard)?;
        }
        match self.scope.when {
            When::Always => self.look(n_tiles != self.state.board().tiles().len()),
            When::Invariants | When::AtTheEnd if self.is_over() => self.look(true),
            When::Invariants => self.invariants(),
            When::AtTheEnd => Ok(()),
        }
    }

    /// Applies an input by its text, to a copy, unheard, unchecked, and as every seat sees it: all must lead to the same.
    fn apply_in_all_forms(&mut self, input: Input) -> Result<(), Fault> {
        let text = input_text(self.rules, &self.state, input);
        let read = parse_input(self.rules, &self.state, &text);
        demand!(
            read == Ok(input),
            "`{text}` reads as {read:?} and not as {input:?}"
        );
        let before = self.state.clone();
        let applied = self.rules.apply(&mut self.state, input, &mut self.heard);
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
        Ok(())
    }

    /// What the rules themselves say must hold.
    fn invariants(&self) -> Result<(), Fault> {
        match self.rules.broken(&self.state) {
            Some(which) => Err(format!("an invariant is broken: {which}")),
            None => Ok(()),
        }
    }

    /// Looks at the position.
    fn look(&mut self, new_tile: bool) -> Result<(), Fault> {
        self.invariants()?;
        let is_over = self.is_over();
        let Referee { rules, state, .. } = self;
        if self.scope.forms || is_over {
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
        }
        self.told.agrees(rules, state)?;
        if self.scope.second {
            ground::figures_agree(state)?;
            if let Some(landscape) = self.ground.of(rules, state)? {
                worth::worth_agrees(rules, state, landscape)?;
                if new_tile {
                    ground::landscape_agrees(rules, state, landscape)?;
                }
                ground::placements_agree(rules, state, landscape, self.base.is_some())?;
            }
            if let Some(base) = &self.base {
                base.agrees(rules, state)?;
            }
        }
        match self.scope.samples {
            0 => Ok(()),
            samples => samples::choices(rules, state, samples),
        }
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
