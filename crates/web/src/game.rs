//! A local game: the position, what the person at the screen has begun and not confirmed, the dealer, the log.
//!
//! Nothing here knows of the browser, so it is tested natively.
//!
//! Long: local, told and looked-at games are one type, with its tests.

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
mod tests {
    use super::*;
    use trencavel_rules::Edition;

    fn game(setup: &Setup) -> Game {
        let players = vec![("A".into(), Player::Person), ("B".into(), Player::Person)];
        let mut game = Game::new(setup, players, 7).unwrap();
        game.settle();
        game
    }

    fn play(game: &mut Game) {
        let mut hands = 0;
        while game.state().waiting() != Waiting::Over {
            while let Some(choice) = game.legal().first().copied() {
                assert!(game.choose(choice));
            }
            assert!(game.is_ready());
            game.confirm();
            hands += 1;
            assert!(hands < 2000);
        }
    }

    #[test]
    fn a_hand_can_be_taken_back_until_it_is_confirmed() {
        let mut game = game(&Setup::new(Edition::C2, 2));
        let before = game.state().hash();
        let lay = game.legal()[0];
        assert!(matches!(lay.target, Target::Square(..)));
        assert!(game.choose(lay));
        assert_eq!(game.state().hash(), before);
        assert!(!game.begun.is_empty());
        assert!(game.take_back());
        assert_eq!(game.shown.hash(), before);
        assert!(!game.take_back());
    }

    #[test]
    fn a_confirmed_move_is_taken_back_and_the_same_tiles_come_again() {
        let move_on = |game: &mut Game| {
            while let Some(choice) = game.legal().last().copied() {
                game.choose(choice);
            }
            game.confirm();
        };
        let mut game = game(&Setup::new(Edition::C2, 2));
        assert!(!game.may_undo());
        let mut hashes = Vec::new();
        for _ in 0..6 {
            hashes.push(game.state().hash());
            move_on(&mut game);
        }
        let end = game.state().hash();
        while let Some(hash) = hashes.pop() {
            assert!(game.undo());
            assert_eq!(game.state().hash(), hash);
        }
        assert!(!game.undo());
        for _ in 0..6 {
            move_on(&mut game);
        }
        assert_eq!(game.state().hash(), end);
    }

    #[test]
    fn without_the_aid_nothing_is_taken_back() {
        let mut game = game(&Setup::new(Edition::C2, 2));
        game.allow(Aids {
            undo: false,
            ..Aids::default()
        });
        let choice = game.legal()[0];
        game.choose(choice);
        while let Some(choice) = game.legal().first().copied() {
            game.choose(choice);
        }
        game.confirm();
        assert!(!game.may_undo() && !game.undo());
        let again = Game::read(game.text().as_bytes(), 1).unwrap();
        assert!(!again.aids().undo && again.aids().fields);
        assert!(!game.again(1).unwrap().aids().undo);
    }

    /// No expansion that there is asks several seats at once, so a sealed answer is put into a snapshot.
    #[test]
    fn a_sealed_answer_is_hidden_from_the_other_at_the_screen() {
        let game = game(&Setup::new(Edition::C2, 2));
        let bytes = game.state().save();
        // One answer instead of none: of seat 0, some verb without kind and target.
        let sealed = (0..bytes.len()).filter(|i| bytes[*i] == 0).find_map(|i| {
            let (before, after) = (bytes.get(..i)?, bytes.get(i + 1..)?);
            let with = [before, &[1, 0, 2, 0, 0], after].concat();
            let state = game.rules().load(&with).ok()?;
            (state.save() == with && state.board().tiles() == game.state().board().tiles())
                .then_some(state)
                .filter(|state| {
                    let all = game.rules().view(state, None);
                    all.hash() != state.hash()
                })
        });
        let state = sealed.expect("a snapshot can hold a sealed answer");
        assert!(views_differ(game.rules(), &state, Seat(0), Seat(1)));
        assert!(!views_differ(game.rules(), &state, Seat(1), Seat(1)));
    }

    /// No expansion in play hides anything: every view is the same, so no curtain is drawn.
    #[test]
    fn nothing_is_hidden_between_two_at_one_screen() {
        let mut game = game(&Setup::new(Edition::C2, 2));
        let choice = game.legal()[0];
        game.choose(choice);
        assert!(!game.differs_for(Seat(0), Seat(1)));
        assert!(!game.differs_for(Seat(0), Seat(0)));
    }

    #[test]
    fn a_whole_game_can_be_played_by_first_choices() {
        let mut game = game(&Setup::new(Edition::C2, 2));
        play(&mut game);
        assert_eq!(game.history.last().map(Vec::len), Some(2));
    }

    #[test]
    fn a_game_with_everything_is_saved_and_read_again() {
        let setup = Ext::ALL
            .iter()
            .skip(1)
            .fold(Setup::new(Edition::C2, 2), |setup, ext| {
                setup.with(ext.expansion().slug)
            });
        let mut game = game(&setup);
        play(&mut game);
        let again = Game::read(game.text().as_bytes(), 1).unwrap();
        assert_eq!(again.text(), game.text());
        assert_eq!(again.log, game.log);
        assert_eq!(again.history, game.history);
    }

    #[test]
    fn looking_back_changes_nothing() {
        let mut game = game(&Setup::new(Edition::C2, 2));
        play(&mut game);
        let end = game.seen().hash();
        game.look(Some(1));
        assert_eq!(game.seen().board().tiles().len(), 1);
        assert!(game.legal().is_empty());
        game.look(None);
        assert_eq!(game.seen().hash(), end);
    }

    /// A server's game: one page plays, another one watches; both are told the same.
    #[test]
    fn what_a_server_tells_is_played() {
        let setup = Setup::new(Edition::C2, 2);
        let names = || vec!["A".to_string(), "B".to_string()];
        let mut server = game(&setup);
        let mut player = Game::online(&setup, names(), &[Seat(0)]).unwrap();
        let mut watcher = Game::online(&setup, names(), &[]).unwrap();
        let mut told = 0;
        let mut tell = |server: &Game, pages: [&mut Game; 2]| {
            for page in pages {
                let mut state = server.record.history.at(told);
                for (i, input) in server.record.history.inputs().iter().enumerate().skip(told) {
                    let text =
                        trencavel_record::notation::input_text(server.rules(), &state, *input);
                    page.told(i as u64 + 1, &text).unwrap();
                    server.rules().apply_listed(&mut state, *input, &mut ());
                }
            }
            told = server.len();
        };
        tell(&server, [&mut player, &mut watcher]);
        for _ in 0..30 {
            let seat = server.hand().unwrap();
            if seat == Seat(0) {
                while let Some(choice) = player.legal().first().copied() {
                    assert!(player.choose(choice));
                }
                assert!(player.is_ready());
                for (number, text) in player.send() {
                    assert_eq!(number, server.len() as u64 + 1);
                    server.computer_chose(&text);
                }
                assert!(player.is_sent() && player.legal().is_empty() && !player.take_back());
            } else {
                assert!(player.legal().is_empty() && watcher.legal().is_empty());
                let choice = server.legal()[0];
                server.choose(choice);
                server.confirm();
            }
            tell(&server, [&mut player, &mut watcher]);
            assert!(!player.is_sent());
            assert_eq!(player.view_hash(None), server.view_hash(None));
            assert_eq!(watcher.log, server.log);
        }
        assert!(player.told(told as u64, "pass").is_err(), "a doubled input");
        assert!(player.told(told as u64 + 1, "dance").is_err());
        player.taken_back_to(10);
        assert_eq!(player.len(), 10);
        assert_eq!(player.state().hash(), server.record.history.at(10).hash());
    }

    #[test]
    fn a_looked_at_game_can_be_played_on() {
        let mut game = game(&Setup::new(Edition::C2, 2));
        play(&mut game);
        let mut looked = Game::to_look_at(game.record.clone());
        assert!(looked.legal().is_empty() && looked.computer().is_none());
        looked.look(Some(40));
        let shown = looked.seen().hash();
        assert_eq!(
            looked.legal_here().is_empty(),
            first_asked(looked.seen()).is_none()
        );
        let on = looked.from_here(Player::Computer(level("greedy").unwrap()), 1);
        assert_eq!(on.len(), 40);
        assert_eq!(on.state().hash(), shown);
    }

    #[test]
    fn the_usual_level_exists() {
        assert!(level(USUAL).is_some());
    }

    #[test]
    fn what_a_computer_says_wrongly_is_not_played() {
        let players = vec![("A".into(), Player::Computer(level("greedy").unwrap()))];
        let mut game = Game::new(&Setup::new(Edition::C2, 1), players, 3).unwrap();
        game.settle();
        let n = game.len();
        game.computer_chose("lay nowhere");
        assert!(game.len() > n);
    }
}
