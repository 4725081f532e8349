//! A local game: the position, what the person at the screen has begun and not confirmed, the dealer, the log.
//!
//! Nothing here knows of the browser, so it is tested natively.
//!
//! Long: local, told and looked-at games are one type.

use std::sync::Arc;

use trencavel_ai::{Level, Rng, level};
use trencavel_proto::Aids;
use trencavel_record::game::{Game as Record, GameError};
use trencavel_record::history::History;
use trencavel_record::notation::{choice_text, parse_choice, parse_input};
use trencavel_rules::{
    Chance, Choice, Event, Ext, FeatureKind, Input, Moves, Rules, Seat, Setup, SetupError, State,
    Target, TileKind, Verb, Waiting,
};

/// The level of computer players that people meet first.
pub const USUAL: &str = "mason";

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Player {
    /// Somebody at this screen.
    Person,
    /// A computer player of a level.
    Computer(&'static Level),
    /// Somebody or something at another place: a server tells what they choose.
    Elsewhere,
}

impl Player {
    fn to_note(self) -> String {
        match self {
            Player::Person | Player::Elsewhere => "person".to_string(),
            Player::Computer(level) => format!("computer {}", level.name),
        }
    }

    fn from_note(text: &str) -> Player {
        text.strip_prefix("computer ")
            .and_then(level)
            .map_or(Player::Person, Player::Computer)
    }
}

/// One thing that happened, for the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// After how many inputs.
    pub number: usize,
    /// What.
    pub event: Event,
}

/// A game at this screen.
#[derive(Clone)]
pub struct Game {
    /// Setup, names, inputs and positions.
    pub record: Record,
    /// Who plays, by seat.
    pub players: Vec<Player>,
    /// Choices begun and not confirmed.
    pub pending: Vec<Choice>,
    /// What the pending choices did.
    pub begun: Vec<Event>,
    /// The position after the pending choices.
    pub shown: State,
    /// What happened, in order.
    pub log: Vec<Entry>,
    /// From where in the log on it is news: since a person last chose.
    pub news: usize,
    /// Scores after each turn, by seat.
    pub history: Vec<Vec<i32>>,
    looking: Option<(usize, State)>,
    dealer: Dealer,
    /// How many of the pending choices have been sent to the server.
    sent: usize,
    /// Whether it was ended without a result.
    closed: bool,
}

/// Who decides for nature.
#[derive(Clone)]
enum Dealer {
    /// This page.
    Here(Rng),
    /// The server.
    Elsewhere,
    /// Nobody: the game is only looked at.
    Nobody,
    /// A lesson: these tiles come, the next one last.
    Lesson(Vec<TileKind>),
}

impl Game {
    /// A new game.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn new(
        setup: &Setup,
        players: Vec<(String, Player)>,
        seed: u64,
    ) -> Result<Game, SetupError> {
        let rules = Arc::new(Rules::new(setup)?);
        let (names, players): (Vec<String>, Vec<Player>) = players.into_iter().unzip();
        let mut record = Record::new(rules, names);
        for (i, player) in players.iter().enumerate() {
            record
                .notes
                .push((format!("player-{}", i + 1), player.to_note()));
        }
        Ok(Game::of(record, seed))
    }

    /// A game from its file; who plays is noted there.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(text: &[u8], seed: u64) -> Result<Game, GameError> {
        Record::read(text).map(|record| Game::of(record, seed))
    }

    /// A recorded game, with its log.
    pub fn of(mut record: Record, seed: u64) -> Game {
        let rules = record.history.rules().clone();
        let mut events: Vec<Event> = Vec::new();
        let mut state = rules.start_with(&mut events);
        for i in record.names.len()..usize::from(state.n_seats()) {
            record.names.push(format!("{}", i + 1));
        }
        let players = (0..state.n_seats())
            .map(|i| {
                record
                    .note(&format!("player-{}", i + 1))
                    .map_or(Player::Person, Player::from_note)
            })
            .collect();
        let mut game = Game {
            players,
            pending: Vec::new(),
            begun: Vec::new(),
            shown: record.history.state().clone(),
            log: Vec::new(),
            news: 0,
            history: Vec::new(),
            looking: None,
            dealer: Dealer::Here(Rng::new(seed)),
            sent: 0,
            closed: false,
            record,
        };
        game.note(0, &state, &mut events);
        for number in 0..game.record.history.inputs().len() {
            let Some(input) = game.record.history.inputs().get(number).copied() else {
                break;
            };
            rules.apply_listed(&mut state, input, &mut events);
            game.note(number + 1, &state, &mut events);
        }
        game.news = game.log.len();
        game
    }

    /// A recorded game that is only looked at.
    pub fn to_look_at(record: Record) -> Game {
        let mut game = Game::of(record, 0);
        game.players.fill(Player::Elsewhere);
        game.dealer = Dealer::Nobody;
        game
    }

    /// A game for one person in which the tiles come in the order given.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn lesson(setup: &Setup, name: String, tiles: &[&str]) -> Result<Game, SetupError> {
        let mut game = Game::new(setup, vec![(name, Player::Person)], 0)?;
        let rules = game.rules().clone();
        let tiles = tiles.iter().rev().filter_map(|id| rules.kind_of(id));
        game.dealer = Dealer::Lesson(tiles.collect());
        Ok(game)
    }

    /// A game whose inputs a server tells; `own` are the seats of the person at the screen.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn online(setup: &Setup, names: Vec<String>, own: &[Seat]) -> Result<Game, SetupError> {
        let rules = Arc::new(Rules::new(setup)?);
        let mut game = Game::of(Record::new(rules, names), 0);
        game.dealer = Dealer::Elsewhere;
        game.sit(own);
        Ok(game)
    }

    /// A new game with the same setup, players and aids; none if there are no rules for it.
    pub fn again(&self, seed: u64) -> Option<Game> {
        let names = self.record.names.iter().cloned();
        let players = names.zip(self.players.iter().copied()).collect();
        let mut again = Game::new(self.rules().setup(), players, seed).ok()?;
        again.allow(self.aids());
        Some(again)
    }

    /// Says in the game's file which aids may be used.
    pub fn allow(&mut self, aids: Aids) {
        self.record.notes.retain(|(key, _)| key != "aids");
        if aids != Aids::default() {
            let text = aids.to_text();
            self.record.notes.push(("aids".to_string(), text));
        }
    }

    /// The aids that may be used in this game: those that its file notes, or all.
    pub fn aids(&self) -> Aids {
        match self.record.note("aids") {
            Some(text) if !self.is_looked_at() => Aids::from_text(text),
            _ => Aids::default(),
        }
    }

    /// Says which seats are those of the person at the screen; the others are elsewhere.
    pub fn sit(&mut self, own: &[Seat]) {
        for (i, player) in (0u8..).zip(&mut self.players) {
            *player = if own.contains(&Seat(i)) {
                Player::Person
            } else {
                Player::Elsewhere
            };
        }
    }

    /// The game was ended without a result: nobody is asked any more.
    pub fn close(&mut self) {
        self.closed = true;
        self.pending.clear();
        self.begun.clear();
        self.shown = self.state().clone();
    }

    /// Whether nothing more happens in this game: it is over, or was ended without a result.
    pub fn is_over(&self) -> bool {
        self.closed || self.state().waiting() == Waiting::Over
    }

    /// Whether the game was ended without a result.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether a server decides in this game.
    pub fn is_online(&self) -> bool {
        matches!(self.dealer, Dealer::Elsewhere)
    }

    /// Whether the game is only looked at.
    pub fn is_looked_at(&self) -> bool {
        matches!(self.dealer, Dealer::Nobody)
    }

    /// The game up to the position that is seen, to be played on: the asked seat by a person, the others by these.
    pub fn from_here(&self, others: Player, seed: u64) -> Game {
        let number = self.looks_at().unwrap_or(self.len());
        let mut record = self.record.clone();
        record.history.truncate(number);
        record
            .notes
            .retain(|(key, _)| !key.starts_with("player-") && key != "result" && key != "aids");
        let asked = first_asked(self.seen());
        for i in 0..self.state().n_seats() {
            let player = if asked.is_none_or(|seat| seat == Seat(i)) {
                Player::Person
            } else {
                others
            };
            record
                .notes
                .push((format!("player-{}", i + 1), player.to_note()));
        }
        Game::of(record, seed)
    }

    /// The pending choices that are not sent yet, with their numbers in the notation; from now on they count as sent.
    pub fn send(&mut self) -> Vec<(u64, String)> {
        let rules = self.rules().clone();
        let mut state = self.state().clone();
        let mut out = Vec::new();
        for (i, choice) in self.pending.iter().enumerate() {
            let Some(seat) = first_asked(&state) else {
                break;
            };
            if i >= self.sent {
                let number = (self.len() + i + 1) as u64;
                out.push((number, choice_text(&rules, &state, *choice)));
            }
            if rules
                .apply(&mut state, Input::Choice(seat, *choice), &mut ())
                .is_err()
            {
                break;
            }
        }
        self.sent = self.pending.len();
        out
    }

    /// What was sent may not have come through: it can be confirmed or taken back again.
    pub fn unsend(&mut self) {
        self.sent = 0;
    }

    /// Gives up what was begun or sent.
    pub fn drop_pending(&mut self) {
        self.pending.clear();
        self.begun.clear();
        self.sent = 0;
        self.shown.clone_from(self.record.history.state());
    }

    /// Whether choices wait for the server.
    pub fn is_sent(&self) -> bool {
        self.sent > 0
    }

    /// An input that the server told.
    ///
    /// # Errors
    /// Why it cannot be the next one; nothing has changed then.
    pub fn told(&mut self, number: u64, text: &str) -> Result<(), String> {
        let due = self.len() as u64 + 1;
        if number != due {
            return Err(format!("input {number} came, but {due} is due"));
        }
        let rules = self.rules().clone();
        let input = parse_input(&rules, self.state(), text).map_err(|error| error.to_string())?;
        let before = self.len();
        if !self.is_person_input(input) {
            self.news = self.log.len();
        }
        self.apply(input);
        if self.len() == before {
            return Err(format!("input {number} is not legal: {text}"));
        }
        match (input, self.pending.first()) {
            (Input::Choice(_, choice), Some(first)) if *first == choice => {
                self.pending.remove(0);
                self.sent = self.sent.saturating_sub(1);
            }
            (_, Some(_)) => {
                self.pending.clear();
                self.sent = 0;
            }
            (_, None) => {}
        }
        self.show_pending();
        Ok(())
    }

    fn is_person_input(&self, input: Input) -> bool {
        match input {
            Input::Choice(seat, _) => self.is_person(seat),
            Input::Chance(_) | Input::Leave(_) => true,
        }
    }

    /// The inputs after this number were taken back.
    pub fn taken_back_to(&mut self, number: usize) {
        self.go_back(|history| history.truncate(number));
    }

    fn go_back(&mut self, shorten: impl FnOnce(&mut History)) {
        let mut record = self.record.clone();
        shorten(&mut record.history);
        let (players, dealer) = (self.players.clone(), self.dealer.clone());
        *self = Game::of(record, 0);
        self.players = players;
        self.dealer = dealer;
    }

    /// The hash of the position as a seat, or a spectator, may see it.
    pub fn view_hash(&self, seat: Option<Seat>) -> String {
        format!("{:016x}", self.rules().view(self.state(), seat).hash())
    }

    /// The game as a file.
    pub fn text(&self) -> String {
        self.record.to_text()
    }

    /// The linked setup.
    pub fn rules(&self) -> &Arc<Rules> {
        self.record.history.rules()
    }

    /// The position after all inputs.
    pub fn state(&self) -> &State {
        self.record.history.state()
    }

    /// How many inputs there are.
    pub fn len(&self) -> usize {
        self.record.history.inputs().len()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position to be seen: an earlier one when somebody looks back.
    pub fn seen(&self) -> &State {
        self.looking
            .as_ref()
            .map_or(&self.shown, |(_, state)| state)
    }

    /// After how many inputs the seen position is, when somebody looks back.
    pub fn looks_at(&self) -> Option<usize> {
        self.looking.as_ref().map(|(number, _)| *number)
    }

    /// Looks at the position after so many inputs, or at the present.
    pub fn look(&mut self, number: Option<usize>) {
        self.looking = number
            .filter(|number| *number < self.len())
            .map(|number| (number, self.record.history.at(number)));
    }

    /// The seat that is asked in the shown position.
    pub fn asked(&self) -> Option<Seat> {
        first_asked(&self.shown)
    }

    /// Whether the person at the screen is asked in the shown position.
    pub fn asks_person(&self) -> bool {
        self.looking.is_none()
            && self.sent == 0
            && !self.closed
            && self.asked().is_some_and(|seat| self.is_person(seat))
            && (self.pending.is_empty() || self.asked() == self.hand() && self.is_same_part())
    }

    /// Whether somebody else than the person at the screen has to choose now.
    pub fn waits_for_others(&self) -> bool {
        self.looking.is_none()
            && !matches!(self.state().waiting(), Waiting::Over)
            && !self.asks_person()
            && !self.is_ready()
    }

    /// Whether the shown position is still in the turn part of the confirmed one.
    fn is_same_part(&self) -> bool {
        let (now, then) = (self.shown.turn(), self.state().turn());
        (now.number, now.part) == (then.number, then.part)
    }

    /// The seat that is choosing in the confirmed position.
    pub fn hand(&self) -> Option<Seat> {
        first_asked(self.state())
    }

    /// Whether a person plays the seat.
    pub fn is_person(&self, seat: Seat) -> bool {
        self.players.get(seat.index()) == Some(&Player::Person)
    }

    /// Whether one person alone sits at the screen.
    pub fn has_one_person(&self) -> bool {
        let persons = self.players.iter().filter(|p| **p == Player::Person);
        persons.count() == 1
    }

    /// The computer player that is asked, if one is.
    pub fn computer(&self) -> Option<&'static Level> {
        match self.players.get(self.hand()?.index())? {
            Player::Person | Player::Elsewhere => None,
            Player::Computer(level) => Some(level),
        }
    }

    /// What can be chosen in the seen position, by whomever.
    pub fn legal_here(&self) -> Vec<Choice> {
        let mut moves = Moves::new();
        if let Waiting::Seats(_) = self.seen().waiting() {
            self.rules().legal(self.seen(), &mut moves);
        }
        moves.to_vec()
    }

    /// What the person can choose now; nothing when the hand is finished or somebody else is asked.
    pub fn legal(&self) -> Vec<Choice> {
        if !self.asks_person() {
            return Vec::new();
        }
        let mut moves = Moves::new();
        self.rules().legal(&self.shown, &mut moves);
        moves.to_vec()
    }

    /// The tile that a choice of a square would lay.
    pub fn tile_of(&self, verb: Verb) -> Option<TileKind> {
        if verb == Verb::Lay {
            return self.seen().turn().drawn;
        }
        Ext::ALL
            .iter()
            .filter(|ext| self.rules().has(**ext))
            .flat_map(|ext| ext.expansion().own_tiles)
            .find_map(|id| self.rules().kind_of(id))
    }

    /// Begins a choice; it is only carried out in the shown position.
    pub fn choose(&mut self, choice: Choice) -> bool {
        let Some(seat) = self.asked() else {
            return false;
        };
        if self.pending.is_empty() {
            self.begun.clear();
        }
        let rules = self.rules().clone();
        let input = Input::Choice(seat, choice);
        if rules
            .apply(&mut self.shown, input, &mut self.begun)
            .is_err()
        {
            return false;
        }
        self.pending.push(choice);
        self.news = self.log.len();
        true
    }

    /// Whether the pending choices are a finished hand that can be confirmed.
    pub fn is_ready(&self) -> bool {
        !self.pending.is_empty() && self.sent == 0 && !self.asks_person()
    }

    /// Whether the pending choices put a figure on a field.
    pub fn is_farming(&self) -> bool {
        self.pending.iter().any(|choice| match choice.target {
            Target::Segment(seg) => {
                choice.kind.is_some() && self.shown.board().at(seg).kind == FeatureKind::Field
            }
            _ => false,
        })
    }

    /// Takes the last pending choice back.
    pub fn take_back(&mut self) -> bool {
        if self.sent > 0 || self.pending.pop().is_none() {
            return false;
        }
        self.show_pending();
        true
    }

    /// After how many inputs the last move of a person at this screen began, if it can be taken back.
    fn before_last_move(&self) -> Option<usize> {
        let Dealer::Here(..) = self.dealer else {
            return None;
        };
        if !self.aids().undo || self.looking.is_some() {
            return None;
        }
        let inputs = self.record.history.inputs();
        let seat_of = |input: &Input| match input {
            Input::Choice(seat, _) if self.is_person(*seat) => Some(*seat),
            _ => None,
        };
        let last = inputs.iter().rposition(|input| seat_of(input).is_some())?;
        let seat = inputs.get(last).and_then(seat_of);
        let earlier = inputs.iter().take(last).rev();
        Some(last - earlier.take_while(|input| seat_of(input) == seat).count())
    }

    /// Whether [`Game::undo`] would do something.
    pub fn may_undo(&self) -> bool {
        self.before_last_move().is_some()
    }

    /// Takes back the last confirmed move of a person, with all that came after it. The tiles that were drawn since come again
    /// in the same order, so nothing is won by looking.
    pub fn undo(&mut self) -> bool {
        let Some(number) = self.before_last_move() else {
            return false;
        };
        self.go_back(|history| history.take_back(number));
        true
    }

    /// Whether two persons at this screen may not see the same: then it is handed over behind a curtain.
    pub fn differs_for(&self, one: Seat, other: Seat) -> bool {
        let persons = self.is_person(one) && self.is_person(other);
        one != other && persons && views_differ(self.rules(), self.state(), one, other)
    }

    /// Shows the position after the pending choices.
    fn show_pending(&mut self) {
        let rules = self.rules().clone();
        self.shown.clone_from(self.record.history.state());
        self.begun.clear();
        for choice in &self.pending {
            if let Some(seat) = first_asked(&self.shown) {
                let input = Input::Choice(seat, *choice);
                let _ = rules.apply(&mut self.shown, input, &mut self.begun);
            }
        }
    }

    /// Confirms the pending choices, and lets nature decide until a seat is asked.
    pub fn confirm(&mut self) {
        self.news = self.log.len();
        for choice in std::mem::take(&mut self.pending) {
            if let Some(seat) = self.hand() {
                self.apply(Input::Choice(seat, choice));
            }
        }
        self.begun.clear();
        self.settle();
    }

    /// Carries out a computer player's choice, given in the notation; the first legal one if it is not to be understood.
    pub fn computer_chose(&mut self, text: &str) {
        let Some(seat) = self.hand() else { return };
        let mut moves = Moves::new();
        self.rules().legal_for(self.state(), seat, &mut moves);
        let choice = parse_choice(self.rules(), self.state(), text)
            .ok()
            .filter(|choice| moves.contains(choice))
            .or_else(|| moves.first().copied());
        if let Some(choice) = choice {
            self.apply(Input::Choice(seat, choice));
        }
        self.settle();
    }

    /// Lets nature decide until a seat is asked.
    pub fn settle(&mut self) {
        let mut outcomes: Vec<(Chance, u32)> = Vec::new();
        while let Waiting::Chance(_) = self.state().waiting() {
            self.rules().outcomes(self.state(), &mut outcomes);
            let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
            if total == 0 {
                break;
            }
            let mut pick = match &mut self.dealer {
                Dealer::Here(dealer) => {
                    let known = self.record.history.decided(&outcomes);
                    let known = known.and_then(|next| place_of(&outcomes, next));
                    known.unwrap_or_else(|| dealer.below(total))
                }
                Dealer::Lesson(tiles) => {
                    let next = tiles.pop().map(Chance::Tile);
                    next.and_then(|next| place_of(&outcomes, next)).unwrap_or(0)
                }
                Dealer::Elsewhere | Dealer::Nobody => break,
            };
            let chance = outcomes.iter().find(|(_, weight)| {
                let here = pick < *weight;
                pick = pick.saturating_sub(*weight);
                here
            });
            match chance {
                Some((chance, _)) => self.apply(Input::Chance(*chance)),
                None => break,
            }
        }
        self.shown.clone_from(self.record.history.state());
    }

    fn apply(&mut self, input: Input) {
        let mut events: Vec<Event> = Vec::new();
        if self.record.history.apply(input, &mut events).is_err() {
            return;
        }
        let state = self.state().clone();
        self.note(self.len(), &state, &mut events);
    }

    /// Writes events into the log.
    fn note(&mut self, number: usize, state: &State, events: &mut Vec<Event>) {
        for event in events.drain(..) {
            if matches!(event, Event::Began { .. } | Event::Over { .. }) {
                let scores = state.seat_list().map(|seat| state.seat(seat).score);
                self.history.push(scores.collect());
            }
            self.log.push(Entry { number, event });
        }
    }

    /// Whether passing is possible now.
    pub fn may_pass(&self) -> bool {
        self.legal().iter().any(|choice| choice.verb == Verb::Pass)
    }
}

/// Whether two seats may not see the same.
fn views_differ(rules: &Rules, state: &State, one: Seat, other: Seat) -> bool {
    let sees = |seat| rules.view(state, Some(seat)).hash();
    sees(one) != sees(other)
}

/// The place of an outcome among the weights; none if it cannot come now.
fn place_of(outcomes: &[(Chance, u32)], wanted: Chance) -> Option<u32> {
    let mut before = 0;
    for (chance, weight) in outcomes {
        if *chance == wanted && *weight > 0 {
            return Some(before);
        }
        before += weight;
    }
    None
}

fn first_asked(state: &State) -> Option<Seat> {
    match state.waiting() {
        Waiting::Seats(seats) => seats.iter().next(),
        Waiting::Chance(_) | Waiting::Over => None,
    }
}

#[cfg(test)]
mod tests;
