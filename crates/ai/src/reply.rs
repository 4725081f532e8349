//! The plans of one seat: what it can choose now and next, each with the estimate of where it leads.

use trencavel_rules::{Choice, Input, Moves, Rules, Seat, State, Verb, Waiting};

use crate::evaluate::{Estimate, Evaluator};
use crate::{Budget, Clock};

/// One or two choices in a row of the same seat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Plan {
    /// The choice now.
    pub(crate) first: Choice,
    /// The choice after it, if the same seat is asked again at once.
    pub(crate) second: Option<Choice>,
    /// Where this leads.
    pub(crate) estimate: Estimate,
    /// How much of what the seat plays for it has there.
    pub(crate) aim: f32,
}

/// How closely plans are looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Effort {
    /// All of them.
    All,
    /// First choices that look worse than the best by more than any second choice has brought are left out, but so many
    /// points are allowed for.
    Likely(f32),
}

/// How long work may take.
#[derive(Clone, Copy)]
pub(crate) struct Limit<'c> {
    clock: Option<&'c dyn Clock>,
    began: f64,
    milliseconds: f64,
}

impl<'c> Limit<'c> {
    /// No limit: the clock is never asked.
    pub(crate) const NONE: Limit<'static> = Limit {
        clock: None,
        began: 0.0,
        milliseconds: 0.0,
    };

    /// What a budget allows from now on; one in iterations sets no limit of time.
    pub(crate) fn new(budget: Budget, clock: &'c dyn Clock) -> Limit<'c> {
        match budget {
            Budget::Iterations(_) => Limit::NONE,
            Budget::Milliseconds(milliseconds) => Limit {
                clock: Some(clock),
                began: clock.now_ms(),
                milliseconds,
            },
        }
    }

    /// Whether more than this share of the time is over.
    pub(crate) fn is_over(&self, share: f64) -> bool {
        self.clock
            .is_some_and(|clock| clock.now_ms() - self.began >= self.milliseconds * share)
    }
}

/// The shares of the time after which no further first choices are looked at, and no further second ones.
const LISTING: [f64; 2] = [0.5, 0.9];

/// After so many positions the clock is asked.
const ASK: usize = 8;

/// After so many forced or obvious choices in a row a continuation is evaluated where it stands.
const LONGEST: usize = 12;

/// Finds plans; keeps its working memory between calls.
#[derive(Default)]
pub(crate) struct Replier {
    pub(crate) evaluator: Evaluator,
    pool: Vec<(State, Moves)>,
    firsts: Vec<(f32, Choice)>,
    /// Positions evaluated.
    pub(crate) leaves: u64,
}

impl Replier {
    pub(crate) fn new(evaluator: Evaluator) -> Replier {
        Replier {
            evaluator,
            ..Replier::default()
        }
    }

    /// The plans of an asked seat, best first. With a limit those that were found in time, which is some always: the first
    /// choices are looked at in an order that spreads over them all, and then the second choices of the best first.
    pub(crate) fn plans(
        &mut self,
        rules: &Rules,
        state: &State,
        seat: Seat,
        effort: Effort,
        limit: Limit,
        out: &mut Vec<Plan>,
    ) {
        out.clear();
        self.evaluator.begin(rules, state);
        let (mut next, mut moves) = self.take(state);
        let (mut after, mut seconds) = self.take(state);
        let mut firsts = core::mem::take(&mut self.firsts);
        firsts.clear();
        rules.legal_for(state, seat, &mut moves);
        let only = moves.len() == 1;
        for (i, first) in spread(&moves).enumerate() {
            if i > 0 && i % ASK == 0 && limit.is_over(LISTING[0]) {
                break;
            }
            next.clone_from(state);
            rules.apply_listed(&mut next, Input::Choice(seat, *first), &mut ());
            if !only && asks(&next, seat) {
                let here = self.leaf(rules, &next);
                let lead = self.evaluator.aim(&here, seat, &next);
                firsts.push((lead, *first));
            } else {
                let estimate = self.finish(rules, &mut next, &mut after, &mut seconds);
                out.push(Plan {
                    first: *first,
                    second: None,
                    estimate,
                    aim: self.evaluator.aim(&estimate, seat, &next),
                });
            }
        }
        firsts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best = f32::NEG_INFINITY;
        let mut gain = 0.0f32;
        let mut third = self.take(state);
        for (i, (lead, first)) in firsts.iter().enumerate() {
            if let Effort::Likely(margin) = effort
                && i >= 4
                && lead + gain + margin < best
            {
                break;
            }
            if i > 0 && limit.is_over(LISTING[1]) {
                break;
            }
            next.clone_from(state);
            rules.apply_listed(&mut next, Input::Choice(seat, *first), &mut ());
            rules.legal_for(&next, seat, &mut seconds);
            for (j, second) in spread(&seconds).enumerate() {
                if j > 0 && j % ASK == 0 && limit.is_over(LISTING[1]) {
                    break;
                }
                after.clone_from(&next);
                rules.apply_listed(&mut after, Input::Choice(seat, *second), &mut ());
                let estimate = self.finish(rules, &mut after, &mut third.0, &mut third.1);
                let reached = self.evaluator.aim(&estimate, seat, &after);
                gain = gain.max(reached - lead);
                best = best.max(reached);
                out.push(Plan {
                    first: *first,
                    second: Some(*second),
                    estimate,
                    aim: reached,
                });
            }
        }
        out.sort_by(|a, b| b.aim.total_cmp(&a.aim));
        self.firsts = firsts;
        self.pool.push(third);
        self.pool.push((next, moves));
        self.pool.push((after, seconds));
    }

    fn take(&mut self, state: &State) -> (State, Moves) {
        self.pool
            .pop()
            .unwrap_or_else(|| (state.clone(), Moves::new()))
    }

    /// Plays on for whoever is asked until nature decides or the game is over: passing where that is possible, else what
    /// looks best at once.
    fn finish(
        &mut self,
        rules: &Rules,
        state: &mut State,
        next: &mut State,
        moves: &mut Moves,
    ) -> Estimate {
        for _ in 0..LONGEST {
            let Waiting::Seats(seats) = state.waiting() else {
                break;
            };
            let Some(seat) = seats.iter().next() else {
                break;
            };
            rules.legal_for(state, seat, moves);
            let Some(choice) = self.obvious(rules, state, seat, next, moves) else {
                break;
            };
            rules.apply_listed(state, Input::Choice(seat, choice), &mut ());
        }
        self.leaf(rules, state)
    }

    fn obvious(
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
        let mut best: Option<(f32, Choice)> = None;
        for choice in moves {
            next.clone_from(state);
            rules.apply_listed(next, Input::Choice(seat, *choice), &mut ());
            let here = self.leaf(rules, next);
            let lead = self.evaluator.aim(&here, seat, next);
            if best.is_none_or(|(b, _)| lead > b) {
                best = Some((lead, *choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    pub(crate) fn leaf(&mut self, rules: &Rules, state: &State) -> Estimate {
        self.leaves += 1;
        self.evaluator.estimate_next(rules, state)
    }
}

fn asks(state: &State, seat: Seat) -> bool {
    matches!(state.waiting(), Waiting::Seats(seats) if seats.has(seat))
}

/// Every choice once, in an order in which the first few come from everywhere in the list: in steps of nearly the golden
/// ratio of its length.
fn spread(moves: &[Choice]) -> impl Iterator<Item = &Choice> {
    let n = moves.len();
    let step = (n * 610 / 987..n).find(|step| gcd(*step, n) == 1);
    let step = step.unwrap_or(1);
    (0..n).filter_map(move |i| moves.get(i * step % n))
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
