//! The searching player: grows a tree for each of its best plans and spends more on the better half each time.

use trencavel_rules::{Choice, Input, Rules, Seat, State};

use crate::evaluate::{Estimate, Evaluator};
use crate::reply::{Effort, Plan, Replier};
use crate::tree::{Tree, Worker};
use crate::weights::Weights;
use crate::{Budget, Candidate, Clock, Decision, Player};

/// How the searching player searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSettings {
    /// How many of the best plans are tried at first.
    pub plans: usize,
    /// How many decisions of nature every trial lasts at least.
    pub draws: u32,
    /// How many plans of each later decision are ever tried.
    pub replies: usize,
    /// How many more of them are tried with the square root of the trials.
    pub widen: f32,
    /// How much a plan that was tried little is preferred.
    pub explore: f32,
    /// How many trials the evaluation of a plan weighs as much as.
    pub trust: f32,
    /// How many points a first choice may look worse than others before its second choices are not looked at.
    pub margin: f32,
    /// How much winning counts beside the lead, 0 to 1.
    pub winning: f32,
    /// What share of the budget a second choice gets that was already searched with the first.
    pub again: f32,
    /// The numbers of the evaluation.
    pub weights: Weights,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            plans: 16,
            draws: 2,
            replies: 6,
            widen: 0.3,
            explore: 0.5,
            trust: 3.0,
            margin: 1.0,
            winning: 0.0,
            again: 0.3,
            weights: Weights::default(),
        }
    }
}

/// A plan being tried.
struct Arm {
    plan: Plan,
    state: State,
    tree: Tree,
}

impl Arm {
    fn mean(&self, seat: Seat) -> f64 {
        self.tree
            .mean_aim(seat)
            .unwrap_or_else(|| f64::from(self.plan.lead))
    }
}

/// The searching player.
pub struct Search {
    settings: SearchSettings,
    worker: Worker,
    plans: Vec<Plan>,
    /// Where the last choice led, and what was found of what follows.
    last: Option<(State, Vec<Arm>)>,
}

impl Search {
    /// The player with these settings. It has no need of chance of its own: the same position and budget give the same
    /// choice.
    pub fn new(settings: SearchSettings) -> Search {
        Search {
            settings,
            worker: Worker::new(Replier::new(Evaluator::new(settings.weights))),
            plans: Vec::new(),
            last: None,
        }
    }

    /// Positions evaluated so far.
    pub fn leaves(&self) -> u64 {
        self.worker.replier.leaves
    }

    /// The plans to be tried, with what the last search found of them.
    fn arms(&mut self, rules: &Rules, view: &State, seat: Seat) -> (Vec<Arm>, bool) {
        let mut known = match self.last.take() {
            Some((state, arms)) if state == *view => arms,
            _ => Vec::new(),
        };
        let again = !known.is_empty();
        let mut arms = Vec::with_capacity(self.settings.plans);
        for plan in self.plans.iter().take(self.settings.plans) {
            let found = known
                .iter()
                .position(|arm| arm.plan.second == Some(plan.first));
            let (tree, state) = match found {
                Some(index) if plan.second.is_none() => {
                    let arm = known.swap_remove(index);
                    (arm.tree, arm.state)
                }
                _ => {
                    let mut state = view.clone();
                    rules.apply_listed(&mut state, Input::Choice(seat, plan.first), &mut ());
                    if let Some(second) = plan.second {
                        rules.apply_listed(&mut state, Input::Choice(seat, second), &mut ());
                    }
                    (Tree::new(plan.estimate), state)
                }
            };
            arms.push(Arm {
                plan: *plan,
                state,
                tree,
            });
        }
        (arms, again)
    }
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
        self.worker
            .replier
            .plans(rules, view, seat, Effort::All, &mut self.plans);
        let best = *self.plans.first()?;
        if self.plans.iter().all(|plan| plan.first == best.first) {
            self.last = None;
            let candidate = candidate(
                &self.worker.replier,
                view,
                seat,
                &best.estimate,
                best.first,
                1,
            );
            return Some(Decision {
                choice: best.first,
                candidates: vec![candidate],
            });
        }
        let (mut arms, again) = self.arms(rules, view, seat);
        let share = if again {
            f64::from(self.settings.again)
        } else {
            1.0
        };
        let rounds = (arms.len() as f64).log2().ceil().max(1.0) as u32;
        let mut live = arms.len();
        let mut used = 0u32;
        for round in 1..=rounds {
            let part = share * f64::from(round) / f64::from(rounds);
            loop {
                let over = match budget {
                    Budget::Iterations(n) => f64::from(used) >= f64::from(n) * part,
                    Budget::Milliseconds(ms) => clock.now_ms() - began >= ms * part,
                };
                if over {
                    break;
                }
                for arm in arms.iter_mut().take(live) {
                    arm.tree
                        .grow(rules, &arm.state, &self.settings, &mut self.worker);
                    used += 1;
                }
            }
            if let Some(front) = arms.get_mut(..live) {
                front.sort_by(|a, b| b.mean(seat).total_cmp(&a.mean(seat)));
            }
            live = (live / 2).max(2).min(arms.len());
        }
        let replier = &self.worker.replier;
        let mut candidates: Vec<Candidate> = Vec::new();
        for arm in &arms {
            if candidates.iter().any(|c| c.choice == arm.plan.first) {
                continue;
            }
            let estimate = Estimate {
                scores: arm.tree.scores(),
            };
            let trials = arm.tree.trials();
            candidates.push(candidate(
                replier,
                view,
                seat,
                &estimate,
                arm.plan.first,
                trials,
            ));
        }
        let choice = candidates.first()?.choice;
        let mut next = view.clone();
        rules.apply_listed(&mut next, Input::Choice(seat, choice), &mut ());
        arms.retain(|arm| arm.plan.first == choice && arm.plan.second.is_some());
        self.last = Some((next, arms));
        Some(Decision { choice, candidates })
    }
}

pub(crate) fn candidate(
    replier: &Replier,
    view: &State,
    seat: Seat,
    estimate: &Estimate,
    choice: Choice,
    visits: u32,
) -> Candidate {
    let value = estimate.lead(seat, view.n_seats());
    Candidate {
        choice,
        value,
        win: replier.evaluator.win_chance(value, view),
        visits,
        scores: estimate.scores,
    }
}
