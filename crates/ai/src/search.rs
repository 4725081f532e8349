//! The searching player: grows a tree for each of its best plans and spends more on the better half each time.

use trencavel_rules::{Choice, Input, Rules, Seat, State};

use crate::evaluate::{Estimate, Evaluator};
use crate::reply::{Effort, Limit, Plan, Replier};
use crate::settings::SearchSettings;
use crate::tree::{Tree, Worker};
use crate::{Budget, Candidate, Clock, Decision, Player};

/// A plan being tried.
struct Arm {
    plan: Plan,
    state: State,
    tree: Tree,
    /// What it is worth to the seat: by the evaluation at first, then the mean of as many trials as the other plans had.
    mean: f64,
}

/// The searching player.
pub struct Search {
    settings: SearchSettings,
    workers: Vec<Worker>,
    plans: Vec<Plan>,
    /// Where the last choice led, and what was found of what follows.
    last: Option<(State, Vec<Arm>)>,
}

/// Drops plans that lead to the same as another but for fewer points: not claiming what was just completed, for instance.
fn without_waste(rules: &Rules, seat: Seat, arms: &mut Vec<Arm>) {
    let mut at = 0;
    while let Some(arm) = arms.get(at) {
        let waste = arms.iter().any(|other| {
            let steps = |arm: &Arm| arm.plan.second.map(|_| arm.plan.first);
            steps(arm) == steps(other) && is_richer(rules, &other.state, &arm.state, seat)
        });
        if waste {
            arms.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Whether of two positions with the same landscape the first differs from the second only by more points of a seat.
fn is_richer(rules: &Rules, one: &State, two: &State, seat: Seat) -> bool {
    one.seat_list().all(|other| {
        let (a, b) = (one.seat(other), two.seat(other));
        a.supply == b.supply
            && if other == seat {
                a.score > b.score
            } else {
                a.score <= b.score
            }
    }) && one.waiting() == two.waiting()
        && one.pieces() == two.pieces()
        && (!rules.shows() || rules.shown(one) == rules.shown(two))
}

/// What is asked of a search besides the position.
#[derive(Clone, Copy)]
struct Wish {
    /// A choice that is tried to the end whatever it is worth.
    with: Option<Choice>,
    /// How many plans are tried to the end.
    keep: usize,
}

/// After so many trials of each plan it is looked whether anything is settled.
const CHECK: usize = 8;

/// By how much the errors of differences are taken to be larger than they look: trees that grow change their minds.
const CAUTION: f32 = 1.5;

/// What is lost in expectation by giving something up that is worse by `gap`, give or take `error`: near enough to the
/// normal distribution, with plainer tails.
fn regret(gap: f32, error: f32) -> f32 {
    if error <= 0.0 {
        return 0.0;
    }
    let x = 1.0 + gap.max(0.0) / error * 0.25;
    let x = x * x;
    let x = x * x;
    0.4 * error / (x * x)
}

impl Search {
    /// The player with these settings. It has no need of chance of its own: the same position and budget give the same
    /// choice.
    pub fn new(settings: SearchSettings) -> Search {
        let threads = if cfg!(feature = "threads") {
            settings.threads.max(1)
        } else {
            1
        };
        let worker = || Worker::new(Replier::new(Evaluator::new(settings.weights)));
        Search {
            settings,
            workers: (0..threads).map(|_| worker()).collect(),
            plans: Vec::new(),
            last: None,
        }
    }

    /// Positions evaluated so far.
    pub fn leaves(&self) -> u64 {
        self.workers.iter().map(|w| w.replier.leaves).sum()
    }

    /// What a choice and the best ones are worth, best first; the choice is among them. Empty if the seat is not asked.
    pub fn weigh(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        choice: Choice,
        budget: Budget,
        clock: &dyn Clock,
    ) -> Vec<Candidate> {
        let wish = Wish {
            with: Some(choice),
            keep: 4,
        };
        let mut candidates = self.search(rules, view, seat, budget, clock, wish);
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        candidates
    }

    /// The plans to be tried, with what the last search found of them; and whether it did.
    fn arms(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        with: Option<Choice>,
    ) -> (Vec<Arm>, bool) {
        let mut known = match self.last.take() {
            Some((state, arms)) if state == *view => arms,
            _ => Vec::new(),
        };
        let again = !known.is_empty();
        let mut chosen: Vec<Plan> = self
            .plans
            .iter()
            .take(self.settings.plans)
            .copied()
            .collect();
        if let Some(with) = with
            && !chosen.iter().any(|plan| plan.first == with)
        {
            chosen.extend(self.plans.iter().find(|plan| plan.first == with));
        }
        let mut arms = Vec::with_capacity(chosen.len());
        for plan in chosen {
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
                    (Tree::new(plan.estimate, seat), state)
                }
            };
            let mean = tree.mean_aim(seat).unwrap_or(f64::from(plan.aim));
            arms.push(Arm {
                plan,
                state,
                tree,
                mean,
            });
        }
        (arms, again)
    }

    fn search(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        budget: Budget,
        clock: &dyn Clock,
        wish: Wish,
    ) -> Vec<Candidate> {
        let limit = Limit::new(budget, clock);
        let purpose = self.settings.purpose(view);
        for worker in &mut self.workers {
            worker.replier.evaluator.purpose = purpose;
        }
        let Some(worker) = self.workers.first_mut() else {
            return Vec::new();
        };
        worker
            .replier
            .plans(rules, view, seat, Effort::All, limit, &mut self.plans);
        let Some(best) = self.plans.first().copied() else {
            return Vec::new();
        };
        if self.plans.iter().all(|plan| plan.first == best.first) {
            self.last = None;
            let evaluator = &worker.replier.evaluator;
            return vec![candidate(
                evaluator,
                view,
                seat,
                &best.estimate,
                best.first,
                1,
            )];
        }
        let (mut arms, again) = self.arms(rules, view, seat, wish.with);
        if wish.with.is_none() {
            without_waste(rules, seat, &mut arms);
        }
        let share = if again {
            f64::from(self.settings.again)
        } else {
            1.0
        };
        let rounds = (arms.len() as f64).log2().ceil().max(1.0) as u32;
        let mut live = arms.len();
        let mut used = 0usize;
        let mut checked = 0;
        'rounds: for round in 1..=rounds {
            let part = share * f64::from(round) / f64::from(rounds);
            loop {
                let spent = |n: u32| used as f64 >= f64::from(n) * part;
                let over = match budget {
                    Budget::Iterations(n) => spent(n),
                    Budget::Milliseconds(_) => limit.is_over(part),
                };
                if over || (self.settings.most > 0 && spent(self.settings.most)) {
                    break;
                }
                // Threads are worth their while for several trials at a time. With a budget in iterations these are as
                // many with one thread, so that the result is the same.
                let each = match budget {
                    Budget::Iterations(n) => {
                        let left = f64::from(n) * part - used as f64;
                        ((left / live.max(1) as f64) as usize).clamp(1, CHECK)
                    }
                    Budget::Milliseconds(_) if self.workers.len() > 1 => CHECK,
                    Budget::Milliseconds(_) => 1,
                };
                let over = || limit.is_over(part);
                used += self.grow(rules, &mut arms, live, each, seat, over);
                checked += each;
                if self.settings.settle > 0.0 && wish.with.is_none() && checked >= CHECK {
                    checked = 0;
                    live = self.promising(&mut arms, live);
                    if arms
                        .iter()
                        .take(live)
                        .all(|arm| arm.plan.first == arms[0].plan.first)
                    {
                        break 'rounds;
                    }
                }
            }
            if let Some(front) = arms.get_mut(..live) {
                front.sort_by(|a, b| b.mean.total_cmp(&a.mean));
            }
            live = live.min((live / 2).max(wish.keep));
            let kept = arms
                .iter()
                .take(live)
                .any(|arm| Some(arm.plan.first) == wish.with);
            let wished = arms
                .iter()
                .position(|arm| Some(arm.plan.first) == wish.with);
            if let (false, Some(index), Some(last)) = (kept, wished, live.checked_sub(1)) {
                arms.swap(index, last);
            }
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for arm in &arms {
            if candidates.iter().any(|c| c.choice == arm.plan.first) {
                continue;
            }
            let estimate = Estimate {
                scores: arm.tree.scores(),
            };
            let evaluator = &self.workers[0].replier.evaluator;
            let trials = arm.tree.trials();
            candidates.push(candidate(
                evaluator,
                view,
                seat,
                &estimate,
                arm.plan.first,
                trials,
            ));
        }
        if let Some(choice) = candidates.first().map(|candidate| candidate.choice) {
            let mut next = view.clone();
            rules.apply_listed(&mut next, Input::Choice(seat, choice), &mut ());
            arms.retain(|arm| arm.plan.first == choice && arm.plan.second.is_some());
            self.last = Some((next, arms));
        }
        candidates
    }

    /// Puts the plans that can still turn out best before the others, the best first; how many they are.
    fn promising(&self, arms: &mut [Arm], live: usize) -> usize {
        let Some(arms) = arms.get_mut(..live) else {
            return live;
        };
        arms.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        let Some(best) = arms.first() else {
            return live;
        };
        let settle = self.settings.settle;
        let beaten = |arm: &Arm| match best.tree.better_by(&arm.tree) {
            Some((gap, error)) => regret(gap, CAUTION * error) < settle,
            None => false,
        };
        let beaten: Vec<bool> = (0..)
            .zip(arms.iter())
            .map(|(i, arm)| i > 0 && beaten(arm))
            .collect();
        let mut kept = 0;
        for (i, beaten) in beaten.into_iter().enumerate() {
            if !beaten {
                arms.swap(kept, i);
                kept += 1;
            }
        }
        kept
    }

    /// So many trials in each of the first trees; how many in all. Where one thread works it stops when the time is over;
    /// then what was found last does not count, since a plan that was tried cannot be compared with one that was not.
    fn grow(
        &mut self,
        rules: &Rules,
        arms: &mut [Arm],
        live: usize,
        each: usize,
        seat: Seat,
        over: impl Fn() -> bool,
    ) -> usize {
        let settings = &self.settings;
        let Some(arms) = arms.get_mut(..live) else {
            return 1;
        };
        let count = |arms: &mut [Arm]| {
            for arm in arms {
                arm.mean = arm.tree.mean_aim(seat).unwrap_or(arm.mean);
            }
        };
        let work = |arm: &mut Arm, worker: &mut Worker| {
            for _ in 0..each {
                arm.tree.grow(rules, &arm.state, settings, worker);
            }
        };
        #[cfg(feature = "threads")]
        if self.workers.len() > 1 && each > 1 {
            let share = live.div_ceil(self.workers.len()).max(1);
            std::thread::scope(|scope| {
                for (arms, worker) in arms.chunks_mut(share).zip(&mut self.workers) {
                    scope.spawn(move || arms.iter_mut().for_each(|arm| work(arm, worker)));
                }
            });
            count(arms);
            return (live * each).max(1);
        }
        if let Some(worker) = self.workers.first_mut() {
            for (i, arm) in arms.iter_mut().enumerate() {
                if i > 0 && over() {
                    return i * each;
                }
                work(arm, worker);
            }
        }
        count(arms);
        (live * each).max(1)
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
        let wish = Wish {
            with: None,
            keep: 2,
        };
        let candidates = self.search(rules, view, seat, budget, clock, wish);
        let choice = candidates.first()?.choice;
        Some(Decision { choice, candidates })
    }
}

pub(crate) fn candidate(
    evaluator: &Evaluator,
    view: &State,
    seat: Seat,
    estimate: &Estimate,
    choice: Choice,
    visits: u32,
) -> Candidate {
    Candidate {
        choice,
        value: estimate.lead(seat, view.n_seats()),
        win: evaluator.win_chances(estimate, view)[seat.index()],
        visits,
        scores: estimate.scores,
    }
}
