//! Entries before they are stored: what they would make of a table. When they are stored the table becomes that; when not,
//! nothing has changed.

use std::sync::Arc;

use trencavel_proto::{News, Stage};
use trencavel_record::dealer::Dealer;
use trencavel_record::history::History;
use trencavel_record::notation::{input_text, parse_input};
use trencavel_rules::{Choice, Input, Moves, Rules, Seat, SeatSet, State, Verb, Waiting};

use crate::log::{Event, Head, Now, asked};
use crate::store::{Entry, now_ms};

/// How many lines one entry of the storage may have.
const LINES: usize = 64;

/// What listeners are told of an entry.
#[derive(Clone)]
pub(crate) enum Told {
    /// An input; others than the chooser see it sealed.
    Input {
        seq: u64,
        number: u64,
        open: String,
        sealed: Option<(Seat, String)>,
        at: i64,
        clocks: Option<Vec<i64>>,
        ended: Option<Ended>,
    },
    /// The same for everybody.
    All(Box<News>),
}

/// The position at the end of a turn.
#[derive(Clone)]
pub(crate) enum Ended {
    /// Everybody sees the same.
    Same(String),
    /// Something is hidden.
    Views(Box<State>),
}

/// When an input was stored, and what is told of it to those who come later.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) seq: u64,
    pub(crate) at: i64,
    pub(crate) clocks: Option<Vec<i64>>,
}

/// Entries that are not stored yet.
pub(crate) struct Draft {
    pub(crate) now: Now,
    pub(crate) state: State,
    /// How many inputs still hold of those before.
    pub(crate) hold: usize,
    pub(crate) inputs: Vec<Input>,
    pub(crate) kept: Vec<Kept>,
    pub(crate) dealer: Option<Dealer>,
    pub(crate) lines: Vec<String>,
    pub(crate) told: Vec<Told>,
    pub(crate) lasting: Vec<(u64, News)>,
    /// Whether something changed besides the game.
    pub(crate) changed: bool,
    first: u64,
    at: i64,
}

/// The hash of a position as listeners compare it.
pub(crate) fn ended(state: &State) -> Ended {
    // Sealed answers are only there as long as several seats are asked.
    match state.waiting() {
        Waiting::Seats(seats) if seats.len() > 1 => Ended::Views(Box::new(state.clone())),
        Waiting::Seats(_) | Waiting::Chance(_) | Waiting::Over => {
            Ended::Same(format!("{:016x}", state.hash()))
        }
    }
}

/// The text of an input, and how others than its seat see it if that differs.
pub(crate) fn texts(
    rules: &Rules,
    state: &State,
    input: Input,
) -> (String, Option<(Seat, String)>) {
    let open = input_text(rules, state, input);
    let sealed = match (input, state.waiting()) {
        (Input::Choice(seat, _), Waiting::Seats(seats)) if seats.len() > 1 => {
            let shown = rules.redact(state, input, None);
            Some((seat, input_text(rules, state, shown)))
        }
        _ => None,
    };
    (open, sealed)
}

impl Draft {
    pub(crate) fn new(now: &Now, history: &History, dealer: Option<Dealer>) -> Draft {
        Draft {
            now: now.clone(),
            state: history.state().clone(),
            hold: history.inputs().len(),
            inputs: Vec::new(),
            kept: Vec::new(),
            dealer,
            lines: Vec::new(),
            told: Vec::new(),
            lasting: Vec::new(),
            changed: false,
            first: now.seq + 1,
            at: now_ms().max(now.at),
        }
    }

    /// How many inputs the game has after this.
    pub(crate) fn number(&self) -> u64 {
        (self.hold + self.inputs.len()) as u64
    }

    /// What is to be stored.
    pub(crate) fn entry(&self) -> Entry {
        Entry {
            number: self.first,
            lines: self.lines.join("\n"),
            at: self.at,
        }
    }

    /// Adds an event.
    pub(crate) fn event(&mut self, head: &Head, history: &History, event: Event) {
        self.lines.push(event.line());
        self.take(head, history, &event);
    }

    fn take(&mut self, head: &Head, history: &History, event: &Event) {
        let asked_for = self.now.question.as_ref().map(|question| question.what);
        if let Event::TakenBack { number } = event {
            let number = usize::try_from(*number).unwrap_or(usize::MAX);
            if number <= self.hold {
                self.hold = number;
                self.inputs.clear();
                self.kept.clear();
                self.state = history.at(number);
                self.dealer = None;
            }
        }
        let number = self.number();
        self.now
            .event(head, event, self.at, number, self.state.waiting());
        self.changed = true;
        if let Some(news) = self.now.lasting(head, event) {
            self.lasting.push((self.now.seq, news.clone()));
            self.told.push(Told::All(Box::new(news)));
        }
        let seq = self.now.seq;
        match event {
            Event::Asked { seat, what } => self.told.push(Told::All(Box::new(News::Asked {
                seq,
                seat: *seat,
                what: *what,
            }))),
            Event::Answered { agree, .. } => {
                let question = self.now.question.as_ref();
                let all = question.is_some_and(|question| self.now.is_agreed(question));
                if let Some(what) = asked_for.filter(|_| all || !*agree) {
                    self.told.push(Told::All(Box::new(News::Answered {
                        seq,
                        what,
                        agreed: all,
                    })));
                }
            }
            _ => {}
        }
    }

    /// Adds an input that is known to be possible.
    pub(crate) fn input(&mut self, rules: &Rules, head: &Head, input: Input) {
        let (open, sealed) = texts(rules, &self.state, input);
        self.lines.push(open.clone());
        let (turn, before) = (self.state.turn().number, asked(self.state.waiting()));
        rules.apply_listed(&mut self.state, input, &mut ());
        let text = (open, sealed);
        self.took(head, input, text, turn, before);
    }

    /// An input was applied; these were asked before it, in this turn.
    fn took(
        &mut self,
        head: &Head,
        input: Input,
        (open, sealed): (String, Option<(Seat, String)>),
        turn: u16,
        before: SeatSet,
    ) {
        self.inputs.push(input);
        let (stage, asked_for) = (self.now.stage, self.now.question.is_some());
        let gone = |now: &Now| now.list().filter(|(_, seat)| seat.gone.is_some()).count();
        let were_gone = gone(&self.now);
        self.now
            .input(head, input, self.at, before, self.state.waiting());
        self.changed |= self.now.stage != stage
            || (asked_for && self.now.question.is_none())
            || gone(&self.now) != were_gone;
        let over = self.state.waiting() == Waiting::Over;
        let ended = (self.state.turn().number != turn || over).then(|| ended(&self.state));
        let clocks = self.now.clocks(asked(self.state.waiting()), self.now.at);
        self.kept.push(Kept {
            seq: self.now.seq,
            at: self.now.at,
            clocks: clocks.clone(),
        });
        self.told.push(Told::Input {
            seq: self.now.seq,
            number: self.number(),
            open,
            sealed,
            at: self.now.at,
            clocks,
            ended,
        });
    }

    /// Adds what happens without anybody being asked: nature decides, seats that are gone pass.
    pub(crate) fn automatic(
        &mut self,
        rules: &Arc<Rules>,
        head: &Head,
        history: &History,
        seed: [u8; 32],
    ) {
        while self.now.stage == Stage::Playing && self.lines.len() < LINES {
            match self.state.waiting() {
                Waiting::Over => return,
                Waiting::Chance(_) => {
                    let dealer = self
                        .dealer
                        .get_or_insert_with(|| Dealer::after(seed, history));
                    let Some(chance) = dealer.decide(rules, &self.state) else {
                        return;
                    };
                    self.input(rules, head, Input::Chance(chance));
                }
                Waiting::Seats(seats) => {
                    let passing = seats.iter().find(|seat| self.now.passes(head, *seat));
                    let Some(seat) = passing else { return };
                    let Some(choice) = default_choice(rules, &self.state, seat) else {
                        return;
                    };
                    self.input(rules, head, Input::Choice(seat, choice));
                }
            }
        }
    }

    /// Adds a stored entry: each line is checked.
    pub(crate) fn stored(
        &mut self,
        rules: &Rules,
        head: &Head,
        history: &History,
        entry: &Entry,
    ) -> Result<(), String> {
        self.at = entry.at;
        self.dealer = None;
        for line in entry.lines.lines() {
            if line.starts_with('{') {
                let event: Event =
                    serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
                self.take(head, history, &event);
                continue;
            }
            let input = parse_input(rules, &self.state, line)
                .map_err(|error| format!("{line}: {error}"))?;
            let (open, sealed) = texts(rules, &self.state, input);
            let (turn, before) = (self.state.turn().number, asked(self.state.waiting()));
            rules
                .apply(&mut self.state, input, &mut ())
                .map_err(|error| format!("{line}: {error}"))?;
            let text = (open, sealed);
            self.took(head, input, text, turn, before);
        }
        Ok(())
    }
}

/// What a seat that passes does when it is asked: nothing if it may, else the first of what it may.
fn default_choice(rules: &Rules, state: &State, seat: Seat) -> Option<Choice> {
    let mut moves = Moves::new();
    rules.legal_for(state, seat, &mut moves);
    let pass = moves.iter().find(|choice| choice.verb == Verb::Pass);
    pass.or(moves.first()).copied()
}
