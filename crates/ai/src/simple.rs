//! Players that look no further than their own turn.

use trencavel_rules::{Choice, Input, Moves, Rules, Seat, State, Verb, Waiting};

use crate::evaluate::Evaluator;
use crate::reply::{Effort, Limit, Plan, Replier};
use crate::search::candidate;
use crate::settings::SearchSettings;
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

/// Whoever errs by less than so many points does not err about passing.
const LITTLE: f32 = 1.8;

/// Points that such a player does not throw away by passing.
const OBVIOUS: f32 = 1.0;

/// Looks at every plan of its own turn and takes the one with the best evaluation.
pub struct Steady {
    settings: SearchSettings,
    replier: Replier,
    plans: Vec<Plan>,
    /// By how many points it errs, and the chance that decides how.
    error: Option<(f32, Rng)>,
}

impl Steady {
    /// The player with the evaluation of these settings, and with what they say that seats play for.
    pub fn new(settings: SearchSettings) -> Steady {
        Steady {
            settings,
            replier: Replier::new(Evaluator::new(settings.weights)),
            plans: Vec::new(),
            error: None,
        }
    }

    /// The player with these settings that errs about every plan by about so many points.
    pub fn erring(settings: SearchSettings, points: f32, seed: u64) -> Steady {
        Steady {
            error: Some((points, Rng::new(seed))),
            ..Steady::new(settings)
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
        self.replier.evaluator.purpose = self.settings.purpose(view);
        self.replier
            .plans(rules, view, seat, Effort::All, Limit::NONE, &mut self.plans);
        if let Some((points, rng)) = &mut self.error {
            if *points < LITTLE {
                let best = self.plans.first().map_or(0.0, |plan| plan.aim);
                self.plans
                    .retain(|plan| plan.first.verb != Verb::Pass || plan.aim > best - OBVIOUS);
            }
            for plan in &mut self.plans {
                // The sum of four even chances is nearly normal, with a spread of the root of a third.
                let chance: f64 = (0..4).map(|_| rng.unit()).sum();
                plan.aim += *points * 1.732 * (chance as f32 - 2.0);
            }
            self.plans.sort_by(|a, b| b.aim.total_cmp(&a.aim));
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for plan in &self.plans {
            if !candidates.iter().any(|c| c.choice == plan.first) {
                candidates.push(candidate(
                    &self.replier.evaluator,
                    view,
                    seat,
                    &plan.estimate,
                    plan.first,
                    1,
                ));
            }
        }
        let choice = candidates.first()?.choice;
        Some(Decision { choice, candidates })
    }
}
