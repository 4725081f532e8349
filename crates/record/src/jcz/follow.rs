//! Following a `.jcz` game with our engine: each message becomes inputs of ours.

use std::collections::VecDeque;
use std::sync::Arc;

use super::error::{JczError, JczProblem};
use super::file::{Action, Message};
use super::numbers::Numbers;
use super::said::{action_text, understand};
use super::setup::Strictness;
use super::words::choice_text;
use crate::clip;
use crate::notation::find_tile;
use trencavel_rules::{
    Chance, Choice, Event, Input, Moves, Rules, Seat, State, Step, Target, Verb, Waiting,
};

/// A choice as that engine would list it, and what it takes with us: one choice, or a pass and a choice where we ask
/// twice and it asks once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The text that means it.
    pub text: String,
    /// What we choose, in order.
    pub path: Vec<Choice>,
}

/// A position before a message, to come back to.
#[derive(Clone, Debug)]
struct Mark {
    state: State,
    n_inputs: usize,
    n_events: usize,
    n_draws: usize,
    open: bool,
    numbers: Numbers,
    held: Option<Arc<Held>>,
}

/// A game that is being followed.
#[derive(Debug)]
pub struct Follow<'r> {
    rules: &'r Rules,
    state: State,
    inputs: Vec<Input>,
    events: Vec<Event>,
    draws: Vec<String>,
    n_draws: usize,
    /// Whether tiles come only from the list of draws.
    listed: bool,
    /// Whether a tile was laid and what was done with it is not yet confirmed.
    open: bool,
    numbers: Numbers,
    undo: VecDeque<Mark>,
    /// Whether positions are kept as they are before a confirmation.
    holds: bool,
    /// The position before what we do by ourselves after the last choice and that engine only when it is confirmed.
    held: Option<Arc<Held>>,
}

/// A position before a confirmation.
#[derive(Debug)]
struct Held {
    state: State,
    numbers: Numbers,
    /// How many events there were before the last choice, and what it brought.
    n_events: usize,
    events: Vec<Event>,
}

/// How many messages can be taken back.
const MAX_UNDO: usize = 64;

impl<'r> Follow<'r> {
    /// A game at its beginning. Tiles are drawn from the list, and where it ends or is not there, as they are laid.
    pub fn new(rules: &'r Rules, draws: Option<Vec<String>>) -> Follow<'r> {
        let mut events = Vec::new();
        let state = rules.start_with(&mut events);
        let mut follow = Follow {
            rules,
            state,
            inputs: Vec::new(),
            events,
            listed: draws.is_some(),
            draws: draws.unwrap_or_default(),
            n_draws: 0,
            open: false,
            numbers: Numbers::default(),
            undo: VecDeque::new(),
            holds: false,
            held: None,
        };
        follow.draw_listed();
        follow
    }

    /// The rules.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Our inputs so far.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What happened so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Our inputs, taken out.
    pub fn into_inputs(self) -> Vec<Input> {
        self.inputs
    }

    /// How many tiles of the list were drawn.
    pub fn n_drawn(&self) -> usize {
        self.n_draws
    }

    /// More tiles, to be drawn after those of the list.
    pub fn push_draws(&mut self, tiles: impl IntoIterator<Item = String>) {
        self.draws.extend(tiles);
        self.draw_listed();
    }

    /// Takes away the listed tiles that have not been drawn.
    pub fn take_pending(&mut self) -> Vec<String> {
        self.draws.split_off(self.n_draws.min(self.draws.len()))
    }

    /// The seat that is asked.
    pub fn asked(&self) -> Option<Seat> {
        match self.state.waiting() {
            Waiting::Seats(seats) => seats.iter().next(),
            Waiting::Chance(_) | Waiting::Over => None,
        }
    }

    /// Draws from the list as long as a draw is due and the list goes on. A listed tile that cannot be drawn is left to be
    /// complained about when it is needed.
    fn draw_listed(&mut self) {
        while let Waiting::Chance(_) = self.state.waiting() {
            let Some(id) = self.draws.get(self.n_draws) else {
                return;
            };
            let Ok(kind) = find_tile(self.rules, id) else {
                return;
            };
            let input = Input::Chance(Chance::Tile(kind));
            if self.apply(input).is_err() {
                return;
            }
            self.n_draws += 1;
        }
    }

    /// Draws this tile.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    pub fn draw(&mut self, id: &str) -> Result<(), String> {
        let kind = find_tile(self.rules, id)?;
        self.apply(Input::Chance(Chance::Tile(kind)))?;
        self.draw_listed();
        Ok(())
    }

    fn apply(&mut self, input: Input) -> Result<(), String> {
        self.apply_named(input, None)
    }

    /// Applies an input that is about the figure with this number.
    fn apply_named(&mut self, input: Input, number: Option<u8>) -> Result<(), String> {
        let before = self.events.len();
        self.hold(input, number);
        let done = self.rules.apply(&mut self.state, input, &mut self.events);
        done.map_err(|illegal| illegal.to_string())?;
        self.inputs.push(input);
        let events = self.events.get(before..).unwrap_or_default();
        self.numbers.follow(events, number);
        Ok(())
    }

    /// The same, keeping the position before each confirmation: for comparing.
    pub fn holding(self) -> Follow<'r> {
        Follow {
            holds: true,
            ..self
        }
    }

    /// The position where a choice is to be confirmed, as far as it was carried out there, if it is kept.
    pub fn held(&self) -> Option<&State> {
        self.held.as_ref().map(|held| &held.state)
    }

    /// Keeps the position after an input up to what follows the figure steps.
    fn hold(&mut self, input: Input, number: Option<u8>) {
        self.held = None;
        let (true, Input::Choice(..)) = (self.holds, input) else {
            return;
        };
        let mut state = self.state.clone();
        let mut events = Vec::new();
        let applied = (self.rules).apply_before(&mut state, input, Step::Second, &mut events);
        if applied.is_ok() && self.rules.stands_still(&state) {
            let mut numbers = self.numbers.clone();
            numbers.follow(&events, number);
            self.held = Some(Arc::new(Held {
                state,
                numbers,
                n_events: self.events.len(),
                events,
            }));
        }
    }

    /// Opens the figure step that waits for its confirmation once more, as that engine does after a ransom, although no
    /// rule of ours does (TO-37). What is followed from here is no game of ours: its inputs do not lead here. Says
    /// whether the step is open; if not, nothing has changed.
    pub fn open_again(&mut self) -> bool {
        let Some(held) = self.held.clone().filter(|_| self.open) else {
            return false;
        };
        let mut state = held.state.clone();
        let mut events = held.events.clone();
        let asked = (self.rules).ask_again(&mut state, Step::MoveWood, &mut events);
        if asked.is_err() || self.rules.step(&state) != Some(Step::MoveWood) {
            return false;
        }
        self.state = state;
        self.numbers = held.numbers.clone();
        self.events.truncate(held.n_events);
        self.events.extend(events);
        self.held = None;
        true
    }

    /// Everything that can be chosen, in that engine's words.
    pub fn offers(&self) -> Vec<Offer> {
        offers(self.rules, &self.state)
    }

    /// Takes a message.
    ///
    /// # Errors
    /// Why nothing legal does what it says. The game is then as it was.
    pub fn take(&mut self, number: usize, message: &Message) -> Result<(), JczError> {
        let fault = |problem| JczError {
            line: message.line,
            problem,
        };
        match &message.action {
            Action::Elsewhere(name, slug) => {
                let what = format!("the message {name}");
                return Err(fault(JczProblem::NeedsExpansion(what, slug)));
            }
            Action::Unknown(name) => {
                return Err(fault(JczProblem::UnknownMessage(name.clone())));
            }
            Action::Undo => {
                let Some(mark) = self.undo.pop_back() else {
                    let waits = self.waits_for();
                    return Err(fault(JczProblem::OutOfPlace(
                        number,
                        "UNDO".to_owned(),
                        waits,
                    )));
                };
                self.restore(mark);
                return Ok(());
            }
            _ => {}
        }
        let mark = Mark {
            state: self.state.clone(),
            n_inputs: self.inputs.len(),
            n_events: self.events.len(),
            n_draws: self.n_draws,
            open: self.open,
            numbers: self.numbers.clone(),
            held: self.held.clone(),
        };
        match self.act(number, message) {
            Ok(()) => {
                if self.undo.len() == MAX_UNDO {
                    self.undo.pop_front();
                }
                self.undo.push_back(mark);
                Ok(())
            }
            Err(problem) => {
                self.restore(mark);
                Err(fault(problem))
            }
        }
    }

    /// Takes a message; leniently, one that means nothing to us is left out and given back as a warning.
    ///
    /// # Errors
    /// As [`Follow::take`].
    pub fn take_if_known(
        &mut self,
        number: usize,
        message: &Message,
        strictness: Strictness,
    ) -> Result<Option<JczError>, JczError> {
        match self.take(number, message) {
            Ok(()) => Ok(None),
            Err(fault) if strictness == Strictness::Lenient && fault.is_unknown() => {
                Ok(Some(fault))
            }
            Err(fault) => Err(fault),
        }
    }

    fn restore(&mut self, mark: Mark) {
        self.state = mark.state;
        self.inputs.truncate(mark.n_inputs);
        self.events.truncate(mark.n_events);
        self.n_draws = mark.n_draws;
        self.open = mark.open;
        self.numbers = mark.numbers;
        self.held = mark.held;
    }

    fn act(&mut self, number: usize, message: &Message) -> Result<(), JczProblem> {
        let said = action_text(&message.action);
        if message.action == Action::Commit {
            return self.confirm();
        }
        if let (Action::PlaceTile { tile, .. }, Waiting::Chance(_)) =
            (&message.action, self.state.waiting())
        {
            if let (true, Some(next)) = (self.listed, self.draws.get(self.n_draws)) {
                let why = match find_tile(self.rules, next) {
                    Ok(_) => "it is not among the tiles that are left".to_owned(),
                    Err(why) => why,
                };
                return Err(JczProblem::Draw(number, clip(next), why));
            }
            let drawn = self.draw(tile);
            drawn.map_err(|why| JczProblem::Draw(number, clip(tile), why))?;
        }
        let Some(seat) = self.asked() else {
            return Err(JczProblem::OutOfPlace(number, said, self.waits_for()));
        };
        if message.player.is_some_and(|player| player != seat.0) {
            return Err(JczProblem::OutOfPlace(number, said, self.waits_for()));
        }
        let number_of = message.action.meeple().map(|meeple| meeple.number);
        self.choose(seat, &said, number_of)
            .map_err(|why| JczProblem::Illegal(number, said, why))?;
        self.open |= matches!(message.action, Action::PlaceTile { .. });
        if !self.open {
            self.draw_listed();
        }
        Ok(())
    }

    /// A confirmation: it does nothing with us, but where we still ask for an action and that engine did not, it is a pass.
    fn confirm(&mut self) -> Result<(), JczProblem> {
        self.open = false;
        while matches!(
            self.rules.step(&self.state),
            Some(Step::Princess | Step::MoveWood | Step::Second)
        ) {
            let Some(seat) = self.asked() else {
                return Ok(());
            };
            if self.apply(Input::Choice(seat, Choice::PASS)).is_err() {
                return Ok(());
            }
        }
        self.draw_listed();
        Ok(())
    }

    /// Chooses what a text means; if it is about a figure, about the one with this number.
    ///
    /// # Errors
    /// Why it is not legal.
    fn choose(&mut self, seat: Seat, said: &str, number: Option<u8>) -> Result<(), String> {
        // A tile has many places: it is tried at once instead of looking for it in a list of them all.
        if said.starts_with("TILE ")
            && let Some(choice) = self.understand_tile(said)
            && self.apply(Input::Choice(seat, choice)).is_ok()
        {
            return Ok(());
        }
        let offers = self.offers();
        let said = said.split(" from ").next().unwrap_or(said);
        let mut fitting = offers.iter().filter(|offer| offer.text == said);
        let named = fitting.clone().find(|offer| self.is_named(offer, number));
        let Some(offer) = named.or_else(|| fitting.next()) else {
            return Err(self.refusal(seat, said));
        };
        let passes = said == "PASS"
            && matches!(
                self.rules.step(&self.state),
                Some(Step::Princess | Step::MoveWood)
            );
        for choice in &offer.path {
            self.apply_named(Input::Choice(seat, *choice), number)?;
        }
        // There a pass of the first figure is a pass of the second too.
        if passes
            && self.rules.step(&self.state) == Some(Step::Second)
            && self.asked() == Some(seat)
        {
            self.apply(Input::Choice(seat, Choice::PASS))?;
        }
        Ok(())
    }

    /// The choice that a text about a tile would be, if it is about the tile that is due.
    fn understand_tile(&self, said: &str) -> Option<Choice> {
        let choice = understand(self.rules, &self.state, said)?;
        let id = said.split(' ').nth(1)?;
        let drawn = self.state.turn().drawn?;
        (choice.verb == Verb::Lay && self.rules.tile(drawn).id == id).then_some(choice)
    }

    /// Whether an offer is about the figure with this number: prisoners of different seats have the same text.
    fn is_named(&self, offer: &Offer, number: Option<u8>) -> bool {
        let mut pieces = offer.path.iter().filter_map(|choice| match choice.target {
            Target::Piece(piece) => Some(piece),
            _ => None,
        });
        pieces.any(|piece| number.is_some_and(|number| self.numbers.is(piece, number)))
    }

    /// Why a text is refused, with clauses where it can be understood.
    fn refusal(&self, seat: Seat, said: &str) -> String {
        let Some(choice) = understand(self.rules, &self.state, said) else {
            return "it means nothing here".to_owned();
        };
        let clauses = self.rules.why_not(&self.state, seat, choice);
        if clauses.is_empty() {
            return "it is not offered".to_owned();
        }
        let names: Vec<String> = clauses.iter().map(ToString::to_string).collect();
        names.join(", ")
    }

    /// Whether a tile was laid and what was done with it is not yet confirmed.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Whether what was done since the last confirmation can be taken back.
    pub fn may_undo(&self) -> bool {
        self.open && matches!(self.inputs.last(), Some(Input::Choice(..)))
    }

    /// For what the game waits, in words.
    pub fn waits_for(&self) -> String {
        match self.state.waiting() {
            Waiting::Over => "nothing: it is over".to_owned(),
            Waiting::Chance(_) => "a tile to be drawn".to_owned(),
            Waiting::Seats(seats) => {
                let seats: Vec<String> = seats.iter().map(|seat| seat.0.to_string()).collect();
                let step = self
                    .rules
                    .step(&self.state)
                    .map_or("a question", Step::name);
                format!("player {} at {step}", seats.join(" and "))
            }
        }
    }

    /// The phase in which that engine is, in its words.
    pub fn phase(&self) -> &'static str {
        phase(self.rules, &self.state, self.open)
    }
}

/// Everything that can be chosen in a position, in that engine's words.
pub fn offers(rules: &Rules, state: &State) -> Vec<Offer> {
    let Waiting::Seats(seats) = state.waiting() else {
        return Vec::new();
    };
    let Some(seat) = seats.iter().next() else {
        return Vec::new();
    };
    let mut offers = list(rules, state, seat);
    if rules.step(state) == Some(Step::Princess) {
        // There the princess is one of the actions; with us she comes before them.
        let mut after = state.clone();
        let pass = Input::Choice(seat, Choice::PASS);
        if rules.apply(&mut after, pass, &mut ()).is_ok() {
            offers.retain(|offer| offer.path != [Choice::PASS]);
            let follows = matches!(after.waiting(), Waiting::Seats(seats) if seats.has(seat))
                && rules.step(&after) == Some(Step::MoveWood);
            let more = if follows {
                list(rules, &after, seat)
            } else {
                vec![Offer {
                    text: "PASS".to_owned(),
                    path: Vec::new(),
                }]
            };
            offers.extend(more.into_iter().map(|mut offer| {
                offer.path.insert(0, Choice::PASS);
                offer
            }));
        }
    }
    offers
}

/// The phase in which that engine is in a position, in its words; `open` while a tile was laid and what was done with it is
/// not yet confirmed.
pub fn phase(rules: &Rules, state: &State, open: bool) -> &'static str {
    let mut moves = Moves::new();
    rules.legal(state, &mut moves);
    let has = |verb: Verb| moves.iter().any(|choice| choice.verb == verb);
    let late = ("dragon-move".to_owned(), "after-scoring".to_owned());
    match rules.step(state) {
        Some(Step::Princess | Step::MoveWood) => "ActionPhase",
        Some(Step::Second) => "PhantomPhase",
        _ if has(Verb::Capture) || has(Verb::Exchange) => "TowerCapturePhase",
        _ if has(Verb::Dragon) && !rules.setup().options.contains(&late) => "DragonMovePhase",
        // Whatever we do by ourselves after the last action waits there for a confirmation.
        _ if open => "CommitActionPhase",
        _ if has(Verb::Dragon) => "DragonMovePhase",
        _ if has(Verb::Wagon) => "WagonPhase",
        _ if has(Verb::Abbey) => "AbbeyPhase",
        _ if state.waiting() == Waiting::Over => "GameOverPhase",
        _ => "TilePhase",
    }
}

fn list(rules: &Rules, state: &State, seat: Seat) -> Vec<Offer> {
    let mut moves = Moves::new();
    rules.legal_for(state, seat, &mut moves);
    let offers = moves.iter().map(|choice| Offer {
        text: choice_text(rules, state, seat.0, *choice),
        path: vec![*choice],
    });
    offers.collect()
}
