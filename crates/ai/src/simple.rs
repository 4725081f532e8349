//! Players that look no further than their own turn.

use trencavel_rules::{Choice, Input, Moves, Rules, Seat, State, Waiting};

use crate::evaluate::{Estimate, Evaluator};
use crate::reply::Replier;
use crate::weights::Weights;
use crate::{Budget, Candidate, Clock, Decision, Player, Rng};

/// Chooses any legal choice, each with the same chance.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// The player with this seed.
    pub fn new(seed: u64) -> Random {
        Random {
            rng: Rng::new(seed),
        }
    }
}

impl Player for Random {
    fn choose(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        _: Budget,
        _: &dyn Clock,
    ) -> Option<Decision> {
        let mut moves = Moves::new();
        rules.legal_for(view, seat, &mut moves);
        if moves.is_empty() {
            return None;
        }
        let choice = moves[self.rng.below(moves.len() as u32) as usize];
        Some(Decision {
            choice,
            candidates: Vec::new(),
        })
    }
}

/// Takes the most points at once; among equals prefers to keep figures in the supply, then chooses by chance.
#[derive(Clone, Debug)]
pub struct Greedy {
    rng: Rng,
}

impl Greedy {
    /// The player with this seed.
    pub fn new(seed: u64) -> Greedy {
        Greedy {
            rng: Rng::new(seed),
        }
    }
}

impl Player for Greedy {
    fn choose(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        _: Budget,
        _: &dyn Clock,
    ) -> Option<Decision> {
        let mut moves = Moves::new();
        rules.legal_for(view, seat, &mut moves);
        let mut next = view.clone();
        let mut inner = Moves::new();
        let mut candidates = Vec::with_capacity(moves.len());
        for choice in moves.iter() {
            next.clone_from(view);
            rules.apply_listed(&mut next, Input::Choice(seat, *choice), &mut ());
            let value = most_points(rules, &next, seat, &mut inner, 2);
            candidates.push((*choice, value));
        }
        let best = candidates.iter().map(|(_, value)| *value).max()?;
        let equal: Vec<Choice> = candidates
            .iter()
            .filter(|(_, v)| *v == best)
            .map(|(choice, _)| *choice)
            .collect();
        let choice = equal[self.rng.below(equal.len() as u32) as usize];
        Some(Decision {
            choice,
            candidates: Vec::new(),
        })
    }
}

/// The largest lead a seat can have, as the points would stand if the game ended now, by its own choices before the next
/// decision of nature.
fn most_points(rules: &Rules, state: &State, seat: Seat, moves: &mut Moves, depth: usize) -> i32 {
    let here = |state: &State| {
        let scores = rules.projected(state);
        let others = state
            .seat_list()
            .filter(|other| *other != seat)
            .map(|other| scores[other.index()])
            .max();
        scores[seat.index()] - others.unwrap_or(0)
    };
    match state.waiting() {
        Waiting::Seats(seats) if depth > 0 && seats.has(seat) => {
            rules.legal_for(state, seat, moves);
            let list = moves.to_vec();
            let mut next = state.clone();
            let values = list.iter().map(|choice| {
                next.clone_from(state);
                rules.apply_listed(&mut next, Input::Choice(seat, *choice), &mut ());
                most_points(rules, &next, seat, moves, depth - 1)
            });
            values.max().unwrap_or_else(|| here(state))
        }
        _ => here(state),
    }
}

/// Looks at every continuation of its own turn and takes the one with the best evaluation.
#[derive(Default)]
pub struct Steady {
    replier: Replier,
    ranked: Vec<(Choice, Estimate)>,
}

impl Steady {
    /// The player with these numbers.
    pub fn new(weights: Weights) -> Steady {
        Steady {
            replier: Replier::new(Evaluator::new(weights)),
            ranked: Vec::new(),
        }
    }
}

impl Player for Steady {
    fn choose(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        _: Budget,
        _: &dyn Clock,
    ) -> Option<Decision> {
        self.replier.rank(rules, view, seat, &mut self.ranked);
        let candidates = ranked_candidates(&self.replier.evaluator, &self.ranked, view, seat);
        candidates.first().map(|best| Decision {
            choice: best.choice,
            candidates: candidates.clone(),
        })
    }
}

/// Estimates as candidates, best first; equal ones in the order of `legal`.
pub(crate) fn ranked_candidates(
    evaluator: &Evaluator,
    ranked: &[(Choice, Estimate)],
    view: &State,
    seat: Seat,
) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = ranked
        .iter()
        .map(|(choice, estimate)| {
            let value = estimate.lead(seat, view.n_seats());
            let win = evaluator.win_chance(value, view);
            Candidate {
                choice: *choice,
                value,
                win,
                visits: 1,
                scores: estimate.scores,
            }
        })
        .collect();
    candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
    candidates
}
