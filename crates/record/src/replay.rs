//! Stepping through a game with what happens at each step, and the table of every award of points.

use trencavel_rules::{
    Clause, Event, FeatureKind, Input, Line, Pos, Rules, Seat, SegId, Sink, State,
};

use crate::game::Game;
use crate::notation::input_text;

/// A game being stepped through from its beginning.
#[derive(Debug)]
pub struct Replay<'g> {
    rules: &'g Rules,
    inputs: &'g [Input],
    number: usize,
    state: State,
}

/// What one input did.
#[derive(Clone, PartialEq, Debug)]
pub struct Happened {
    /// The number of the input, from 1.
    pub number: usize,
    /// The input.
    pub input: Input,
    /// The input in the notation of the position before it.
    pub text: String,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl<'g> Replay<'g> {
    /// At the beginning of a game. What happens before its first input goes to the listener.
    pub fn new(game: &'g Game, sink: &mut dyn Sink) -> Replay<'g> {
        let rules = &**game.history.rules();
        Replay {
            rules,
            inputs: game.history.inputs(),
            number: 0,
            state: rules.start_with(sink),
        }
    }

    /// How many inputs were carried out.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The position after them.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Carries out the next input.
    pub fn step(&mut self) -> Option<Happened> {
        let input = *self.inputs.get(self.number)?;
        let text = input_text(self.rules, &self.state, input);
        let mut events = Vec::new();
        self.rules.apply_listed(&mut self.state, input, &mut events);
        self.number += 1;
        Some(Happened {
            number: self.number,
            input,
            text,
            events,
        })
    }
}

/// Points that a seat got or lost.
#[derive(Clone, PartialEq, Debug)]
pub struct Award {
    /// After which input.
    pub number: usize,
    /// In which turn.
    pub turn: u16,
    /// Whose.
    pub seat: Seat,
    /// How many; negative when lost.
    pub points: i32,
    /// By which clause.
    pub clause: Clause,
    /// For what kind of feature, and the square of one of its tiles, if for one.
    pub feature: Option<(FeatureKind, Pos)>,
    /// The items of the feature's value, if they were told.
    pub lines: Vec<Line>,
}

/// Every award of a game, in order.
pub fn awards(game: &Game) -> Vec<Award> {
    let mut before: Vec<Event> = Vec::new();
    let mut replay = Replay::new(game, &mut before);
    let mut list = Vec::new();
    gather(&mut list, &before, 0, replay.state());
    while let Some(happened) = replay.step() {
        gather(&mut list, &happened.events, happened.number, replay.state());
    }
    list
}

fn gather(list: &mut Vec<Award>, events: &[Event], number: usize, state: &State) {
    let board = state.board();
    let mut turn = state.turn().number;
    // The turn in which something happened is over by the end of the input if another began.
    let begun = |event: &&Event| matches!(event, Event::Began { part: 1, .. });
    turn -= events.iter().filter(begun).count().min(usize::from(turn)) as u16;
    let mut valued: Vec<(SegId, Option<Seat>, &[Line])> = Vec::new();
    for event in events {
        match event {
            Event::Began { part: 1, .. } => turn += 1,
            Event::Valued {
                segment,
                seat,
                lines,
                ..
            } => valued.push((*segment, *seat, lines)),
            Event::Awarded {
                seat,
                points,
                clause,
                feature,
                valued: of_value,
                ..
            } => {
                let same =
                    |seg: SegId, other: SegId| board.feature_of(seg) == board.feature_of(other);
                let items = feature.filter(|_| *of_value).and_then(|seg| {
                    let mut said = valued.iter().rev();
                    said.find(|(other, whose, _)| {
                        same(seg, *other) && whose.is_none_or(|whose| whose == *seat)
                    })
                });
                list.push(Award {
                    number,
                    turn,
                    seat: *seat,
                    points: *points,
                    clause: *clause,
                    feature: feature.map(|seg| (board.at(seg).kind, board.pos_of(seg))),
                    lines: items
                        .map(|(_, _, lines)| lines.to_vec())
                        .unwrap_or_default(),
                });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use trencavel_rules::{Chance, Edition, Ext, Moves, Setup, Unit, Waiting};

    /// The awards of a game add up to its points, and each has its turn and, where it is for a feature, its items.
    #[test]
    fn awards_add_up() {
        let n: usize = ["1", "2", "3"].map(awards_of_a_game_add_up).iter().sum();
        assert!(n > 30, "only {n} products");
    }

    /// How many products the items of the awards of a random game consist of.
    fn awards_of_a_game_add_up(field_scoring: &str) -> usize {
        let mut setup = Setup::new(Edition::C1, 3).option("field-scoring", field_scoring);
        for ext in Ext::ALL.iter().skip(1) {
            setup = setup.with(ext.expansion().slug);
        }
        let rules = Arc::new(Rules::new(&setup).unwrap());
        let mut game = Game::new(rules.clone(), Vec::new());
        let (mut moves, mut outcomes): (Moves, Vec<(Chance, u32)>) = Default::default();
        let mut n = 7;
        loop {
            n = n * 75 % 65_537;
            let state = game.history.state();
            let input = match state.waiting() {
                Waiting::Over => break,
                Waiting::Chance(_) => {
                    rules.outcomes(state, &mut outcomes);
                    Input::Chance(outcomes[n % outcomes.len()].0)
                }
                Waiting::Seats(seats) => {
                    rules.legal(state, &mut moves);
                    Input::Choice(seats.iter().next().unwrap(), moves[n % moves.len()])
                }
            };
            game.history.apply(input, &mut ()).unwrap();
        }
        let awards = awards(&game);
        let last = game.history.state();
        for seat in last.seat_list() {
            let own = awards.iter().filter(|award| award.seat == seat);
            assert_eq!(
                own.map(|award| award.points).sum::<i32>(),
                last.seat(seat).score
            );
        }
        assert!(awards.windows(2).all(|pair| pair[0].turn <= pair[1].turn));
        let valued = awards.iter().filter(|award| !award.lines.is_empty());
        let mut products = 0;
        for award in valued {
            assert_eq!(
                award.lines.iter().map(|line| line.points).sum::<i32>(),
                award.points,
                "{award:?}"
            );
            for line in &award.lines {
                let of = |(_, n, each): (Unit, u16, i16)| i32::from(n) * i32::from(each);
                let parts: Vec<i32> = line.products().map(of).collect();
                assert!(parts.is_empty() || parts.iter().sum::<i32>() == line.points);
                products += parts.len();
            }
        }
        let mut replay = Replay::new(&game, &mut ());
        while replay.step().is_some() {}
        assert_eq!(replay.state().hash(), last.hash());
        assert_eq!(replay.number(), game.history.inputs().len());
        products
    }
}
