//! A local game: the position, what the person at the screen has begun and not confirmed, the dealer, the log.
//!
//! Nothing here knows of the browser, so it is tested natively.

use std::sync::Arc;

use trencavel_ai::{Level, Rng, level};
use trencavel_record::game::{Game as Record, GameError};
use trencavel_record::notation::parse_choice;
use trencavel_rules::{
    Chance, Choice, Event, Ext, FeatureKind, Input, Moves, Rules, Seat, Setup, SetupError, State,
    Target, TileKind, Verb, Waiting,
};

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Player {
    /// Somebody at this screen.
    Person,
    /// A computer player of a level.
    Computer(&'static Level),
}

impl Player {
    fn to_note(self) -> String {
        match self {
            Player::Person => "person".to_string(),
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
    dealer: Rng,
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
            dealer: Rng::new(seed),
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
            && self.asked().is_some_and(|seat| self.is_person(seat))
            && (self.pending.is_empty() || self.asked() == self.hand() && self.is_same_part())
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

    /// The computer player that is asked, if one is.
    pub fn computer(&self) -> Option<&'static Level> {
        match self.players.get(self.hand()?.index())? {
            Player::Person => None,
            Player::Computer(level) => Some(level),
        }
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
            return self.shown.turn().drawn;
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
        !self.pending.is_empty() && !self.asks_person()
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
        if self.pending.pop().is_none() {
            return false;
        }
        let rules = self.rules().clone();
        self.shown.clone_from(self.record.history.state());
        self.begun.clear();
        for choice in &self.pending {
            if let Some(seat) = first_asked(&self.shown) {
                let input = Input::Choice(seat, *choice);
                let _ = rules.apply(&mut self.shown, input, &mut self.begun);
            }
        }
        true
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
            let mut pick = self.dealer.below(total);
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
