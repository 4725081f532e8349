//! The searching player: tries its best candidates against the same drawn tiles, with every seat replying by the
//! evaluation, and spends more on the better half each time (sequential halving with common random numbers).

use trencavel_rules::{Chance, Choice, Input, MAX_SEATS, Rules, Seat, State, Waiting};

use crate::evaluate::{Estimate, Evaluator};
use crate::reply::Replier;
use crate::simple::ranked_candidates;
use crate::weights::Weights;
use crate::{Budget, Candidate, Clock, Decision, Player, Rng};

/// How the searching player searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSettings {
    /// How many of the best candidates are tried at first.
    pub candidates: usize,
    /// How many decisions of nature a trial lasts.
    pub draws: u32,
    /// How many lays of each reply are looked at with every figure; the others only by the tile.
    pub width: usize,
    /// The numbers of the evaluation.
    pub weights: Weights,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            candidates: 12,
            draws: 2,
            width: 6,
            weights: Weights::default(),
        }
    }
}

/// The searching player.
pub struct Search {
    settings: SearchSettings,
    replier: Replier,
    rng: Rng,
    ranked: Vec<(Choice, Estimate)>,
    outcomes: Vec<(Chance, u32)>,
}

struct Arm {
    candidate: Candidate,
    state: State,
    sum: f64,
    wins: f64,
    scores: [f64; MAX_SEATS],
    n: u32,
}

impl Search {
    /// The player with these settings and this seed.
    pub fn new(settings: SearchSettings, seed: u64) -> Search {
        let replier = Replier::new(Evaluator::new(settings.weights));
        Search {
            settings,
            replier,
            rng: Rng::new(seed),
            ranked: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// Positions evaluated so far.
    pub fn leaves(&self) -> u64 {
        self.replier.leaves
    }

    /// Plays on from a position for some draws, every seat replying by the evaluation, and evaluates.
    fn trial(&mut self, rules: &Rules, state: &mut State, seat: Seat, rng: &mut Rng) -> Estimate {
        let mut draws = 0;
        loop {
            match state.waiting() {
                Waiting::Over => break,
                Waiting::Chance(_) => {
                    if draws == self.settings.draws {
                        break;
                    }
                    draws += 1;
                    if !draw(rules, state, &mut self.outcomes, rng) {
                        break;
                    }
                }
                Waiting::Seats(seats) => {
                    let Some(asked) = seats.iter().next() else {
                        break;
                    };
                    let choice = self.replier.quick(rules, state, asked, self.settings.width);
                    match choice {
                        Some(choice) => {
                            rules.apply_listed(state, Input::Choice(asked, choice), &mut ())
                        }
                        None => break,
                    }
                }
            }
        }
        let _ = seat;
        self.replier.leaves += 1;
        self.replier.evaluator.estimate(rules, state)
    }
}

/// Lets nature decide by chance.
pub(crate) fn draw(
    rules: &Rules,
    state: &mut State,
    outcomes: &mut Vec<(Chance, u32)>,
    rng: &mut Rng,
) -> bool {
    rules.outcomes(state, outcomes);
    let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return false;
    }
    let mut pick = rng.below(total);
    for (chance, weight) in outcomes.iter() {
        if pick < *weight {
            rules.apply_listed(state, Input::Chance(*chance), &mut ());
            return true;
        }
        pick -= weight;
    }
    false
}

impl Player for Search {
    fn choose(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        budget: Budget,
        clock: &dyn Clock,
    ) -> Option<Decision> {
        let began = clock.now_ms();
        self.replier.rank(rules, view, seat, &mut self.ranked);
        let candidates = ranked_candidates(&self.replier.evaluator, &self.ranked, view, seat);
        let first = candidates.first()?;
        if candidates.len() == 1 {
            return Some(Decision {
                choice: first.choice,
                candidates,
            });
        }
        let mut arms: Vec<Arm> = candidates
            .iter()
            .take(self.settings.candidates)
            .map(|candidate| {
                let mut state = view.clone();
                rules.apply_listed(&mut state, Input::Choice(seat, candidate.choice), &mut ());
                Arm {
                    candidate: *candidate,
                    state,
                    sum: 0.0,
                    wins: 0.0,
                    scores: [0.0; MAX_SEATS],
                    n: 0,
                }
            })
            .collect();
        let rounds = (arms.len() as f64).log2().ceil().max(1.0) as u32;
        let mut live = arms.len();
        let mut scratch = view.clone();
        let mut used = 0u32;
        for round in 0..rounds {
            let share = f64::from(round + 1) / f64::from(rounds);
            loop {
                let over = match budget {
                    Budget::Iterations(n) => f64::from(used) >= f64::from(n) * share,
                    Budget::Milliseconds(ms) => clock.now_ms() - began >= ms * share,
                };
                if over {
                    break;
                }
                // The same draws for every candidate, so that luck does not decide between them.
                let seed = self.rng.next_u64();
                for arm in arms.iter_mut().take(live) {
                    scratch.clone_from(&arm.state);
                    let estimate = self.trial(rules, &mut scratch, seat, &mut Rng::new(seed));
                    let lead = estimate.lead(seat, view.n_seats());
                    arm.sum += f64::from(lead);
                    arm.wins += f64::from(self.replier.evaluator.win_chance(lead, &scratch));
                    for (sum, score) in arm.scores.iter_mut().zip(estimate.scores) {
                        *sum += f64::from(score);
                    }
                    arm.n += 1;
                    used += 1;
                }
            }
            if let Some(front) = arms.get_mut(..live) {
                front.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            }
            live = (live / 2).max(2).min(arms.len());
        }
        let decided: Vec<Candidate> = arms.iter().map(Arm::candidate).collect();
        decided.first().map(|best| Decision {
            choice: best.choice,
            candidates: decided.clone(),
        })
    }
}

impl Arm {
    fn mean(&self) -> f64 {
        if self.n == 0 {
            f64::from(self.candidate.value)
        } else {
            self.sum / f64::from(self.n)
        }
    }

    fn candidate(&self) -> Candidate {
        if self.n == 0 {
            return self.candidate;
        }
        let n = f64::from(self.n);
        Candidate {
            choice: self.candidate.choice,
            value: (self.sum / n) as f32,
            win: (self.wins / n) as f32,
            visits: self.n,
            scores: self.scores.map(|sum| (sum / n) as f32),
        }
    }
}
