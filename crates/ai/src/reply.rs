//! The best continuation of one seat to the end of its turn part, by the evaluation.

use trencavel_rules::{Choice, Input, Moves, Rules, Seat, State, Verb, Waiting};

use crate::evaluate::{Estimate, Evaluator};

/// How many own decisions in a row are all tried; later ones take what looks best one at a time.
const DEPTH: usize = 2;

/// Evaluates continuations; keeps its working memory between calls.
#[derive(Default)]
pub(crate) struct Replier {
    pub(crate) evaluator: Evaluator,
    pool: Vec<(State, Moves)>,
    /// Positions evaluated.
    pub(crate) leaves: u64,
}

impl Replier {
    pub(crate) fn new(evaluator: Evaluator) -> Replier {
        Replier {
            evaluator,
            pool: Vec::new(),
            leaves: 0,
        }
    }

    /// Every legal choice of the asked seat with the estimate of its best continuation, in the order of `legal`.
    pub(crate) fn rank(
        &mut self,
        rules: &Rules,
        state: &State,
        seat: Seat,
        out: &mut Vec<(Choice, Estimate)>,
    ) {
        out.clear();
        self.evaluator.begin(rules, state);
        let (mut next, mut moves) = self.take(rules, state);
        rules.legal_for(state, seat, &mut moves);
        for choice in moves.iter() {
            next.clone_from(state);
            rules.apply_listed(&mut next, Input::Choice(seat, *choice), &mut ());
            let estimate = self.follow(rules, &mut next, seat, DEPTH - 1);
            out.push((*choice, estimate));
        }
        self.pool.push((next, moves));
    }

    /// A good choice, quickly: every choice is evaluated with nothing after it, and only the best few with every
    /// continuation of the same seat.
    pub(crate) fn quick(
        &mut self,
        rules: &Rules,
        state: &State,
        seat: Seat,
        width: usize,
    ) -> Option<Choice> {
        self.evaluator.begin(rules, state);
        let (mut next, mut moves) = self.take(rules, state);
        rules.legal_for(state, seat, &mut moves);
        let mut ranked: Vec<(f32, Choice)> = Vec::with_capacity(moves.len());
        for choice in moves.iter() {
            next.clone_from(state);
            rules.apply_listed(&mut next, Input::Choice(seat, *choice), &mut ());
            let estimate = self.leaf(rules, &next);
            ranked.push((estimate.lead(seat, state.n_seats()), *choice));
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best = None;
        for (_, choice) in ranked.iter().take(width.max(1)) {
            next.clone_from(state);
            rules.apply_listed(&mut next, Input::Choice(seat, *choice), &mut ());
            let lead = self
                .follow(rules, &mut next, seat, 1)
                .lead(seat, state.n_seats());
            if best.is_none_or(|(b, _)| lead > b) {
                best = Some((lead, *choice));
            }
        }
        self.pool.push((next, moves));
        best.map(|(_, choice)| choice)
    }

    fn take(&mut self, rules: &Rules, state: &State) -> (State, Moves) {
        let _ = rules;
        self.pool
            .pop()
            .unwrap_or_else(|| (state.clone(), Moves::new()))
    }

    /// Plays on for whoever is asked until chance decides or the game is over, and evaluates.
    pub(crate) fn follow(
        &mut self,
        rules: &Rules,
        state: &mut State,
        for_seat: Seat,
        depth: usize,
    ) -> Estimate {
        let mut steps = 0;
        loop {
            let seat = match state.waiting() {
                Waiting::Chance(_) | Waiting::Over => break,
                Waiting::Seats(seats) => match seats.iter().next() {
                    Some(seat) => seat,
                    None => break,
                },
            };
            steps += 1;
            if steps > 12 {
                break;
            }
            let (mut next, mut moves) = self.take(rules, state);
            rules.legal_for(state, seat, &mut moves);
            let deep = seat == for_seat && depth > 0;
            let choice = if deep {
                let mut best = None;
                for choice in moves.iter() {
                    next.clone_from(state);
                    rules.apply_listed(&mut next, Input::Choice(seat, *choice), &mut ());
                    let estimate = self.follow(rules, &mut next, for_seat, depth - 1);
                    let lead = estimate.lead(seat, state.n_seats());
                    if best.is_none_or(|(b, _, _)| lead > b) {
                        best = Some((lead, *choice, estimate));
                    }
                }
                self.pool.push((next, moves));
                return match best {
                    Some((_, _, estimate)) => estimate,
                    None => self.leaf(rules, state),
                };
            } else {
                self.pick(rules, state, seat, &mut next, &moves)
            };
            self.pool.push((next, moves));
            match choice {
                Some(choice) => rules.apply_listed(state, Input::Choice(seat, choice), &mut ()),
                None => break,
            }
        }
        self.leaf(rules, state)
    }

    /// A choice without looking further: passing where that is possible, else the best by evaluation at once.
    fn pick(
        &mut self,
        rules: &Rules,
        state: &State,
        seat: Seat,
        next: &mut State,
        moves: &[Choice],
    ) -> Option<Choice> {
        if let Some(pass) = moves.iter().find(|choice| choice.verb == Verb::Pass) {
            return Some(*pass);
        }
        if moves.len() <= 1 {
            return moves.first().copied();
        }
        let mut best = None;
        for choice in moves {
            next.clone_from(state);
            rules.apply_listed(next, Input::Choice(seat, *choice), &mut ());
            let lead = self.leaf(rules, next).lead(seat, state.n_seats());
            if best.is_none_or(|(b, _)| lead > b) {
                best = Some((lead, *choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    fn leaf(&mut self, rules: &Rules, state: &State) -> Estimate {
        self.leaves += 1;
        self.evaluator.estimate_next(rules, state)
    }
}
