//! A local game: the position, what the person at the screen has begun and not confirmed, the dealer, the log.
//!
//! Nothing here knows of the browser, so it is tested natively.

use std::rc::Rc;

use trencavel_ai::{Level, Rng};
use trencavel_rules::{
    Chance, Choice, Event, Input, Moves, Rules, Seat, Setup, SetupError, State, TileKind, Verb,
    Waiting,
};

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Player {
    /// Somebody at this screen.
    Person,
    /// A computer player of a level.
    Computer(&'static Level),
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
    /// The linked setup.
    pub rules: Rc<Rules>,
    /// Who plays, by seat.
    pub players: Vec<(String, Player)>,
    /// What has happened.
    pub inputs: Vec<Input>,
    /// The position after all inputs.
    pub state: State,
    /// Choices begun and not confirmed.
    pub pending: Vec<Choice>,
    /// The position after the pending choices.
    pub shown: State,
    /// What happened, in order.
    pub log: Vec<Entry>,
    /// Scores after each turn, by seat.
    pub history: Vec<Vec<i32>>,
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
        let rules = Rc::new(Rules::new(setup)?);
        let mut events: Vec<Event> = Vec::new();
        let state = rules.start_with(&mut events);
        let log = events
            .into_iter()
            .map(|event| Entry { number: 0, event })
            .collect();
        let shown = state.clone();
        Ok(Game {
            rules,
            players,
            inputs: Vec::new(),
            state,
            pending: Vec::new(),
            shown,
            log,
            history: Vec::new(),
            dealer: Rng::new(seed),
        })
    }

    /// The seat that is asked in the shown position.
    pub fn asked(&self) -> Option<Seat> {
        match self.shown.waiting() {
            Waiting::Seats(seats) => seats.iter().next(),
            Waiting::Chance(_) | Waiting::Over => None,
        }
    }

    /// Whether the person at the screen is asked in the shown position.
    pub fn asks_person(&self) -> bool {
        self.asked().is_some_and(|seat| self.is_person(seat)) && self.is_same_hand()
    }

    /// Whether the pending choices, if any, are of the seat that is asked.
    fn is_same_hand(&self) -> bool {
        self.pending.is_empty() || self.asked() == self.hand()
    }

    /// The seat that is choosing in the confirmed position.
    pub fn hand(&self) -> Option<Seat> {
        match self.state.waiting() {
            Waiting::Seats(seats) => seats.iter().next(),
            Waiting::Chance(_) | Waiting::Over => None,
        }
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.players
            .get(seat.index())
            .is_some_and(|(_, player)| *player == Player::Person)
    }

    /// The computer player that is asked, if one is.
    pub fn computer(&self) -> Option<(Seat, &'static Level)> {
        let seat = self.hand()?;
        match self.players.get(seat.index())?.1 {
            Player::Person => None,
            Player::Computer(level) => Some((seat, level)),
        }
    }

    /// What the person can choose now; nothing when the hand is finished or somebody else is asked.
    pub fn legal(&self) -> Vec<Choice> {
        if !self.asks_person() {
            return Vec::new();
        }
        let mut moves = Moves::new();
        self.rules.legal(&self.shown, &mut moves);
        moves.to_vec()
    }

    /// The tile in the hand of the asked seat.
    pub fn drawn(&self) -> Option<TileKind> {
        self.shown.turn().drawn
    }

    /// Begins a choice; it is only carried out in the shown position. Steps where nothing but passing is left are passed.
    pub fn choose(&mut self, choice: Choice) -> bool {
        let Some(seat) = self.asked() else {
            return false;
        };
        if self
            .rules
            .apply(&mut self.shown, Input::Choice(seat, choice), &mut ())
            .is_err()
        {
            return false;
        }
        self.pending.push(choice);
        true
    }

    /// Whether the pending choices are a finished hand that can be confirmed.
    pub fn is_ready(&self) -> bool {
        !self.pending.is_empty() && !self.asks_person()
    }

    /// Takes the last pending choice back.
    pub fn take_back(&mut self) -> bool {
        if self.pending.pop().is_none() {
            return false;
        }
        let Some(seat) = self.hand() else {
            return false;
        };
        self.shown.clone_from(&self.state);
        for choice in &self.pending {
            let _ = self
                .rules
                .apply(&mut self.shown, Input::Choice(seat, *choice), &mut ());
        }
        true
    }

    /// Confirms the pending choices, and lets nature decide until a seat is asked.
    pub fn confirm(&mut self) {
        for choice in std::mem::take(&mut self.pending) {
            if let Some(seat) = self.hand() {
                self.apply(Input::Choice(seat, choice));
            }
        }
        self.settle();
    }

    /// Carries out a computer player's choice.
    pub fn computer_chose(&mut self, choice: Choice) {
        if let Some(seat) = self.hand() {
            self.apply(Input::Choice(seat, choice));
        }
        self.settle();
    }

    /// Lets nature decide until a seat is asked.
    pub fn settle(&mut self) {
        let mut outcomes: Vec<(Chance, u32)> = Vec::new();
        while let Waiting::Chance(_) = self.state.waiting() {
            self.rules.outcomes(&self.state, &mut outcomes);
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
        self.shown.clone_from(&self.state);
    }

    fn apply(&mut self, input: Input) {
        let mut events: Vec<Event> = Vec::new();
        if self
            .rules
            .apply(&mut self.state, input, &mut events)
            .is_err()
        {
            return;
        }
        self.inputs.push(input);
        let number = self.inputs.len();
        for event in events {
            if matches!(event, Event::Began { .. } | Event::Over { .. }) {
                self.history.push(
                    self.state
                        .seat_list()
                        .map(|seat| self.state.seat(seat).score)
                        .collect(),
                );
            }
            self.log.push(Entry { number, event });
        }
    }

    /// Whether passing is possible now.
    pub fn may_pass(&self) -> bool {
        self.legal().iter().any(|choice| choice.verb == Verb::Pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Edition, Target};

    fn game() -> Game {
        let players = vec![("A".into(), Player::Person), ("B".into(), Player::Person)];
        let mut game = Game::new(&Setup::new(Edition::C2, 2), players, 7).unwrap();
        game.settle();
        game
    }

    #[test]
    fn a_hand_can_be_taken_back_until_it_is_confirmed() {
        let mut game = game();
        let before = game.state.hash();
        let lay = game.legal()[0];
        assert!(matches!(lay.target, Target::Square(..)));
        assert!(game.choose(lay));
        assert_eq!(game.state.hash(), before);
        assert!(game.take_back());
        assert_eq!(game.shown.hash(), before);
        assert!(!game.take_back());
    }

    #[test]
    fn a_whole_game_can_be_played_by_first_choices() {
        let mut game = game();
        let mut hands = 0;
        while game.state.waiting() != Waiting::Over {
            while let Some(choice) = game.legal().first().copied() {
                assert!(game.choose(choice));
            }
            assert!(game.is_ready());
            game.confirm();
            hands += 1;
            assert!(hands < 200);
        }
        assert_eq!(game.history.last().map(Vec::len), Some(2));
    }
}
