//! Plays the lines of a scenario.
//!
//! Long: the lines of a scenario share one player.

use std::fmt::Write as _;

use trencavel_record::drawing::board_text;
use trencavel_record::notation::{
    choice_text, find_tile, input_text, parse_choice, parse_piece, parse_rotation, parse_square,
    piece_text,
};
use trencavel_rules::{
    Chance, Choice, Event, Input, Moves, Nature, Neutral, Position, Rules, Seat, Shown, State,
    TileKind, Token, Verb, Waiting,
};

use super::script::{Line, Part, Script};
use super::{Failure, Wrong, expect, setup};

/// The most legal choices that a failure lists.
const MAX_LISTED: usize = 60;

/// The most turns that one line takes out.
const MAX_SKIPS: usize = 100;

/// Plays a run.
pub(super) fn play(script: &Script, pair: Option<&(String, String)>) -> Result<(), Failure> {
    let lines: Vec<&Line> = script.lines_of(pair).collect();
    let outside = |wrong: Wrong| wrong.in_scenario("");
    let setup = setup::setup_of(&lines, pair).map_err(outside)?;
    let refused = lines
        .iter()
        .find(|line| line.first().words().starts_with(&["expect", "setup-error"]));
    let rules = match (Rules::new(&setup), refused) {
        (Ok(rules), None) => rules,
        (Ok(_), Some(line)) => {
            return Err(outside(line.first().is_wrong("the setup has no error")));
        }
        (Err(error), None) => {
            let at = lines.iter().find(|line| line.keyword() == "setup");
            let at = at.map_or(0, |line| line.first().line);
            return Err(outside(Wrong::at(at, format!("the setup: {error}"))));
        }
        (Err(error), Some(_)) => {
            return check_refusals(&lines, &error.to_string()).map_err(outside);
        }
    };
    let begin = lines
        .iter()
        .position(|line| begins_play(line))
        .unwrap_or(lines.len());
    let (arranging, playing) = lines.split_at(begin);
    let state = arrange(&rules, arranging).map_err(outside)?;
    let mut player = Player {
        rules: &rules,
        state,
        events: Vec::new(),
    };
    for line in playing {
        let at = player.state.clone();
        player.line(line).map_err(|wrong| Failure {
            position: player.position(if wrong.what.ends_with(BEFORE) {
                &at
            } else {
                &player.state
            }),
            ..wrong.in_scenario("")
        })?;
    }
    Ok(())
}

/// Ends the message of a failure that shows the position before its line.
const BEFORE: &str = "(before this line)";

fn check_refusals(lines: &[&Line], error: &str) -> Result<(), Wrong> {
    for line in lines {
        let words = line.first().words();
        match words.as_slice() {
            ["expect", "setup-error", ..] => {
                let wanted = line.first().rest().rest().text;
                let wanted = wanted.trim_matches('"');
                if !error.contains(wanted) {
                    let what = format!("expected a setup error with \"{wanted}\", found: {error}");
                    return Err(line.first().is_wrong(what));
                }
            }
            ["clauses" | "setup" | "bag" | "start", ..] => {}
            _ => {
                return Err(line
                    .first()
                    .is_wrong("nothing can be done with a setup in error"));
            }
        }
    }
    Ok(())
}

/// Whether a line is the first that plays, after those that arrange.
fn begins_play(line: &Line) -> bool {
    let arranges = [
        "clauses", "setup", "start", "bag", "place", "figure", "points", "tokens", "neutral",
    ];
    !arranges.contains(&line.keyword())
}

// ---- arranging -------------------------------------------------------------------------------------------------------

/// The position in which play begins.
fn arrange(rules: &Rules, lines: &[&Line]) -> Result<State, Wrong> {
    let mut position = Position::new(rules);
    let mut arranged = false;
    for line in lines {
        let keyword = line.keyword();
        for (n, part) in line.parts.iter().enumerate() {
            let part = if n == 0 { part.rest() } else { part.clone() };
            if matches!(
                keyword,
                "place" | "figure" | "points" | "tokens" | "neutral"
            ) {
                arranged = true;
                put(rules, &mut position, keyword, &part).map_err(|what| part.is_wrong(what))?;
            }
        }
    }
    if !arranged {
        return Ok(rules.start());
    }
    let first = Seat(rules.setup().first);
    position.begin(first, &mut ()).map_err(|error| {
        let at = lines.last().map_or(0, |line| line.first().line);
        Wrong::at(at, error.to_string())
    })
}

fn put(rules: &Rules, position: &mut Position, keyword: &str, part: &Part) -> Result<(), String> {
    let words = part.words();
    let state = position.state();
    match (keyword, words.as_slice()) {
        ("place", [name, pos, rotation]) => {
            let kind = linked_tile(rules, name)?;
            let pos = parse_square(pos).map_err(text)?;
            let rotation = parse_rotation(rotation).map_err(text)?;
            position.lay(kind, pos, rotation).map_err(text)?;
        }
        ("figure", _) => {
            let piece = parse_piece(rules, state, &part.text).map_err(text)?;
            position.put(piece).map_err(text)?;
        }
        ("points", words) => {
            for (seat, word) in (0..).map(Seat).zip(words) {
                let points = word.parse().map_err(|_| format!("`{word}` is no number"))?;
                position.score(seat, points).map_err(text)?;
            }
        }
        ("tokens", [whose, token, n]) => {
            let n = n.parse::<u8>().map_err(|_| format!("`{n}` is no number"))?;
            let token = token_of(token)?;
            let thing = held(state, whose, token, n)?;
            position.show(&thing).map_err(text)?;
        }
        ("neutral", [name, pos, with @ ..]) => {
            let neutral = neutral_of(name)?;
            let pos = parse_square(pos).map_err(text)?;
            let slot = state
                .board()
                .tile_at(pos)
                .ok_or_else(|| format!("no tile lies at {pos}"))?;
            let with = match with {
                [] => None,
                ["with", piece @ ..] => {
                    Some(parse_piece(rules, state, &piece.join(" ")).map_err(text)?)
                }
                _ => {
                    return Err(
                        "should be `neutral fairy 1,0 with follower/1 road.W@1,0`".to_string()
                    );
                }
            };
            position
                .show(&Shown::Neutral {
                    neutral,
                    slot,
                    with,
                })
                .map_err(text)?;
        }
        (keyword, _) => return Err(format!("`{keyword}` is not written like this")),
    }
    Ok(())
}

pub(super) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(super) fn token_of(name: &str) -> Result<Token, String> {
    Token::from_name(name).ok_or_else(|| format!("there is no token `{name}`"))
}

pub(super) fn neutral_of(name: &str) -> Result<Neutral, String> {
    Neutral::from_name(name).ok_or_else(|| format!("there is no neutral figure `{name}`"))
}

/// Tokens of a seat (`1`) or on a tile (`@1,0`).
pub(super) fn held(state: &State, whose: &str, token: Token, n: u8) -> Result<Shown, String> {
    if let Some(pos) = whose.strip_prefix('@') {
        let pos = parse_square(pos).map_err(text)?;
        let slot = state
            .board()
            .tile_at(pos)
            .ok_or_else(|| format!("no tile lies at {pos}"))?;
        return Ok(Shown::OnTile { slot, token, n });
    }
    let seat = seat_of(state, whose)?;
    Ok(Shown::Held { seat, token, n })
}

pub(super) fn seat_of(state: &State, word: &str) -> Result<Seat, String> {
    match word.parse::<u8>() {
        Ok(n) if n >= 1 && n <= state.n_seats() => Ok(Seat(n - 1)),
        _ => Err(format!(
            "`{word}` is no seat: they are 1 to {}",
            state.n_seats()
        )),
    }
}

/// A tile of the game, or a printed one that a `place` line names although no bag has it.
fn linked_tile(rules: &Rules, name: &str) -> Result<TileKind, String> {
    find_tile(rules, name)
}

// ---- playing ---------------------------------------------------------------------------------------------------------

/// A scenario being played.
pub(super) struct Player<'r> {
    pub(super) rules: &'r Rules,
    pub(super) state: State,
    /// What the last line that played brought.
    pub(super) events: Vec<Event>,
}

type Done = Result<(), Wrong>;

impl Player<'_> {
    fn line(&mut self, line: &Line) -> Done {
        let first = line.first();
        match line.keyword() {
            "expect" => {
                for (n, part) in line.parts.iter().enumerate() {
                    let part = if n == 0 { part.rest() } else { part.clone() };
                    expect::check(self, &part)?;
                }
            }
            "end" => {
                self.finish(first)?;
                let rest = first.rest();
                let parts = line.parts.iter().skip(1).cloned();
                let parts = std::iter::once(rest)
                    .filter(|part| !part.text.is_empty())
                    .chain(parts);
                for part in parts {
                    let part = if part.split().0 == "expect" {
                        part.rest()
                    } else {
                        part
                    };
                    expect::check(self, &part)?;
                }
            }
            "skip" => {
                self.events.clear();
                let n = match first.words().as_slice() {
                    [_] => 1,
                    [_, n] => n
                        .parse()
                        .map_err(|_| first.is_wrong(format!("`{n}` is no number")))?,
                    _ => return Err(first.is_wrong("should be `skip` or `skip 3`")),
                };
                if n > MAX_SKIPS {
                    return Err(first.is_wrong(format!("more than {MAX_SKIPS} turns")));
                }
                for _ in 0..n {
                    self.skip(first)?;
                }
            }
            "place" | "figure" | "points" | "tokens" | "neutral" | "setup" | "start" | "bag"
            | "clauses" => {
                let what = format!(
                    "`{}` must stand before the first line that plays",
                    line.keyword()
                );
                return Err(first.is_wrong(what));
            }
            _ => {
                self.events.clear();
                let turn = self.turn();
                for part in &line.parts {
                    self.part(part)?;
                }
                let holds =
                    ["draw", "chance"].contains(&line.parts[line.parts.len() - 1].split().0);
                if !holds {
                    self.pass_the_rest(first, turn)?;
                }
            }
        }
        Ok(())
    }

    /// One part of a line that plays.
    fn part(&mut self, part: &Part) -> Done {
        let (seat, part) = match part.split() {
            (word, _) if word.ends_with(':') => {
                let seat = seat_of(&self.state, word.trim_end_matches(':'));
                (Some(seat.map_err(|what| part.is_wrong(what))?), part.rest())
            }
            _ => (None, part.clone()),
        };
        let words = part.words();
        match words.as_slice() {
            ["expect", ..] => expect::check(self, &part.rest()),
            ["lay", name, pos, rotation] => {
                self.draw(&part, name)?;
                self.check_turn(&part, seat)?;
                let lay = format!("lay {pos} {rotation}");
                self.answer(&part, seat, &lay)
            }
            ["draw", name] => {
                self.draw(&part, name)?;
                self.check_turn(&part, seat)
            }
            ["chance", _] | ["hidden"] => {
                let chance = trencavel_record::notation::parse_chance(self.rules, &part.text);
                let chance = chance.map_err(|error| part.is_wrong(error.to_string()))?;
                self.pass_until_chance(&part)?;
                self.apply(&part, Input::Chance(chance))
            }
            ["leave"] => {
                let seat = seat.ok_or_else(|| part.is_wrong("should be `2: leave`"))?;
                self.apply(&part, Input::Leave(seat))
            }
            [verb, ..] if Verb::from_name(verb).is_some() => self.answer(&part, seat, &part.text),
            [word, ..] => Err(part.is_wrong(format!("`{word}` means nothing here"))),
            [] => Err(part.is_wrong("a move is missing")),
        }
    }

    fn check_turn(&self, part: &Part, seat: Option<Seat>) -> Done {
        match seat {
            Some(seat) if seat != self.state.active() => {
                let active = self.state.active().0 + 1;
                Err(part.is_wrong(format!(
                    "it is the turn of seat {active}, not {}",
                    seat.0 + 1
                )))
            }
            _ => Ok(()),
        }
    }

    fn turn(&self) -> (u16, u8) {
        (self.state.turn().number, self.state.turn().part)
    }

    /// Applies an input and checks what must hold after every input.
    fn apply(&mut self, part: &Part, input: Input) -> Done {
        let what = input_text(self.rules, &self.state, input);
        let done = self.rules.apply(&mut self.state, input, &mut self.events);
        done.map_err(|error| part.is_wrong(format!("`{what}`: {error}")))?;
        if let Some(which) = self.rules.broken(&self.state) {
            return Err(part.is_wrong(format!("after `{what}` an invariant is broken: {which}")));
        }
        match self.rules.load(&self.state.save()) {
            Ok(loaded) if loaded == self.state => {}
            Ok(_) => {
                return Err(part.is_wrong(format!(
                    "after `{what}` saving and loading changes the state"
                )));
            }
            Err(error) => {
                return Err(part.is_wrong(format!("after `{what}` the saved state: {error}")));
            }
        }
        if let Waiting::Seats(seats) = self.state.waiting() {
            for seat in seats.iter() {
                let moves = self.legal(seat);
                let Some(choice) = moves.first() else {
                    return Err(part.is_wrong(format!(
                        "after `{what}` seat {} can choose nothing",
                        seat.0 + 1
                    )));
                };
                if !self.rules.why_not(&self.state, seat, *choice).is_empty() {
                    return Err(part.is_wrong(format!(
                        "after `{what}` a legal choice is explained as illegal"
                    )));
                }
            }
        }
        Ok(())
    }

    pub(super) fn legal(&self, seat: Seat) -> Moves {
        let mut moves = Moves::new();
        self.rules.legal_for(&self.state, seat, &mut moves);
        moves
    }

    /// The first seat that is asked, if it may pass.
    fn passer(&self) -> Option<Seat> {
        let Waiting::Seats(seats) = self.state.waiting() else {
            return None;
        };
        let seat = seats.iter().next()?;
        self.legal(seat).contains(&Choice::PASS).then_some(seat)
    }

    fn pass(&mut self, part: &Part, seat: Seat) -> Done {
        self.apply(part, Input::Choice(seat, Choice::PASS))
    }

    /// Passes optional questions as long as the turn part lasts.
    fn pass_the_rest(&mut self, part: &Part, turn: (u16, u8)) -> Done {
        while self.turn() == turn
            && let Some(seat) = self.passer()
        {
            self.pass(part, seat)?;
        }
        Ok(())
    }

    /// Passes optional questions until nature is asked.
    fn pass_until_chance(&mut self, part: &Part) -> Done {
        loop {
            match (self.state.waiting(), self.passer()) {
                (Waiting::Chance(_), _) => return Ok(()),
                (Waiting::Over, _) => return Err(part.is_wrong("the game is over")),
                (Waiting::Seats(_), Some(seat)) => self.pass(part, seat)?,
                (Waiting::Seats(_), None) => {
                    return Err(part.is_wrong("an answer is missing that must be given first"));
                }
            }
        }
    }

    fn draw(&mut self, part: &Part, name: &str) -> Done {
        let kind = find_tile(self.rules, name);
        let kind = kind.map_err(|what| part.is_wrong(what))?;
        self.pass_until_chance(part)?;
        if self.state.waiting() != Waiting::Chance(Nature::Draw) {
            return Err(part.is_wrong("chance must decide something else before a tile is drawn"));
        }
        self.apply(part, Input::Chance(Chance::Tile(kind)))
    }

    /// Gives an answer; optional questions that come before the one it fits are passed.
    fn answer(&mut self, part: &Part, seat: Option<Seat>, answer: &str) -> Done {
        let turn = self.turn();
        let mut ahead = self.state.clone();
        let mut passes = Vec::new();
        loop {
            let asked = match ahead.waiting() {
                Waiting::Seats(seats) => seats,
                Waiting::Chance(nature) => {
                    return Err(self.misfit(
                        part,
                        seat,
                        answer,
                        &format!("chance is asked: {nature}"),
                    ));
                }
                Waiting::Over => return Err(self.misfit(part, seat, answer, "the game is over")),
            };
            let Some(first) = asked.iter().next() else {
                return Err(part.is_wrong("nobody is asked"));
            };
            let who = seat.unwrap_or(first);
            let mut moves = Moves::new();
            if asked.has(who) {
                let choice = parse_choice(self.rules, &ahead, answer);
                let choice =
                    choice.map_err(|error| part.is_wrong(format!("`{answer}`: {error}")))?;
                self.rules.legal_for(&ahead, who, &mut moves);
                if moves.contains(&choice) {
                    for passer in passes {
                        self.pass(part, passer)?;
                    }
                    return self.apply(part, Input::Choice(who, choice));
                }
            }
            self.rules.legal_for(&ahead, first, &mut moves);
            let on = (ahead.turn().number, ahead.turn().part) == turn;
            if !moves.contains(&Choice::PASS) || !on {
                return Err(self.misfit(part, seat, answer, "it does not answer the question"));
            }
            passes.push(first);
            let pass = Input::Choice(first, Choice::PASS);
            let passed = self.rules.apply(&mut ahead, pass, &mut ());
            passed.map_err(|error| part.is_wrong(error.to_string()))?;
        }
    }

    /// Why an answer is not legal in the present position.
    fn misfit(&self, part: &Part, seat: Option<Seat>, answer: &str, what: &str) -> Wrong {
        let asked = match self.state.waiting() {
            Waiting::Seats(seats) => seats.iter().next(),
            Waiting::Chance(_) | Waiting::Over => None,
        };
        let seat = seat.or(asked).unwrap_or(self.state.active());
        let why = match parse_choice(self.rules, &self.state, answer) {
            Ok(choice) => {
                let clauses = self.rules.why_not(&self.state, seat, choice);
                let ids: Vec<&str> = clauses.iter().map(|clause| clause.id()).collect();
                ids.join(" ")
            }
            Err(error) => error.to_string(),
        };
        part.is_wrong(format!("`{answer}` is not legal: {what} ({why})"))
    }

    /// Goes on to the end of the game.
    fn finish(&mut self, part: &Part) -> Done {
        loop {
            match (self.state.waiting(), self.passer()) {
                (Waiting::Over, _) => return Ok(()),
                (Waiting::Seats(_), Some(seat)) => self.pass(part, seat)?,
                (Waiting::Seats(_), None) => {
                    return Err(part.is_wrong("an answer is missing before the game can end"));
                }
                (Waiting::Chance(_), _) => {
                    return Err(part.is_wrong("tiles are left in the bag: every tile of a `bag` line must be laid before `end`"));
                }
            }
        }
    }

    /// Takes the present turn out: the next seat's turn begins.
    fn skip(&mut self, part: &Part) -> Done {
        let position = Position::of(self.rules, &self.state);
        let position = position.map_err(|error| part.is_wrong(error.to_string()))?;
        let active = self.state.active();
        let next = self.state.next_seat(active);
        let begun = position.begin(next, &mut self.events);
        self.state = begun.map_err(|error| part.is_wrong(error.to_string()))?;
        Ok(())
    }

    // ---- failures ------------------------------------------------------------------------------------------------

    /// The question, the legal answers, what the last line brought, and the board.
    fn position(&self, state: &State) -> String {
        let rules = self.rules;
        let mut out = String::new();
        let scores: Vec<String> = state
            .seat_list()
            .map(|seat| state.seat(seat).score.to_string())
            .collect();
        let turn = state.turn();
        let _ = writeln!(
            out,
            "  turn {} of seat {}, part {}; scores {}; {} tiles in the bag",
            turn.number,
            turn.active.0 + 1,
            turn.part,
            scores.join(" "),
            state.bag().len()
        );
        match state.waiting() {
            Waiting::Over => out.push_str("  the game is over\n"),
            Waiting::Chance(nature) => {
                let _ = writeln!(out, "  chance is asked: {nature}");
            }
            Waiting::Seats(seats) => {
                let step = rules.step(state).map_or("a question", |step| step.name());
                let clause = rules.asked_by(state).map_or("", |clause| clause.id());
                for seat in seats.iter() {
                    let mut moves = Moves::new();
                    rules.legal_for(state, seat, &mut moves);
                    let _ = writeln!(
                        out,
                        "  seat {} is asked by {step} {clause}; legal:",
                        seat.0 + 1
                    );
                    for choice in moves.iter().take(MAX_LISTED) {
                        let _ = writeln!(out, "    {}", choice_text(rules, state, *choice));
                    }
                    if moves.len() > MAX_LISTED {
                        let _ = writeln!(out, "    and {} more", moves.len() - MAX_LISTED);
                    }
                }
            }
        }
        if !self.events.is_empty() {
            out.push_str("  the last line brought:\n");
            for event in &self.events {
                let _ = writeln!(
                    out,
                    "    {}",
                    super::happened::event_text(rules, &self.state, event)
                );
            }
        }
        out.push_str(&board_text(rules, state));
        for piece in state.pieces().iter() {
            let _ = writeln!(out, "  {}", piece_text(rules, state, piece));
        }
        out
    }
}
