//! The tree of what may follow a plan: decisions of seats and of nature, grown one trial at a time.
//!
//! A seat's decision has its best plans as branches, of which more and more are tried the more often the decision comes
//! up. A decision of nature has every outcome as a branch; trials spread over them evenly by their weights, and alike in
//! the trees of different plans, so that luck does not decide between plans. Values are means over trials; the end of a
//! trial is valued by the evaluation.

use trencavel_rules::{Chance, Input, MAX_SEATS, Rules, Seat, State, Waiting};

use crate::evaluate::Estimate;
use crate::reply::{Effort, Limit, Plan, Replier};
use crate::settings::SearchSettings;

/// What one searching thread works with.
#[derive(Default)]
pub(crate) struct Worker {
    pub(crate) replier: Replier,
    scratch: Option<State>,
    plans: Vec<Plan>,
    outcomes: Vec<(Chance, u32)>,
    path: Vec<u32>,
}

impl Worker {
    pub(crate) fn new(replier: Replier) -> Worker {
        Worker {
            replier,
            ..Worker::default()
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Branches {
    /// Not looked at yet.
    Unknown,
    /// Of a seat, best first.
    Plans { seat: Seat, from: u32, to: u32 },
    /// Of nature.
    Outcomes { from: u32, to: u32, weight: u32 },
    /// The game is over.
    End,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    branches: Branches,
    /// The evaluation of the position.
    here: Estimate,
    trials: u32,
    sum: [f64; MAX_SEATS],
    /// The sum of what seats aim at.
    aims: [f64; MAX_SEATS],
}

#[derive(Clone, Copy, Debug)]
enum Branch {
    Plan(Plan),
    Outcome(Chance, u32),
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    branch: Branch,
    node: u32,
}

const NONE: u32 = u32::MAX;

/// How many trials make a batch.
const BATCH: u32 = 8;

/// With fewer batches nothing is said about plans.
const FEW: usize = 6;

/// The tree of one plan of the root.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Whose plan it is.
    seat: Seat,
    /// The mean of what that seat aims at, over every [`BATCH`] trials.
    batches: Vec<f32>,
    /// The sum of the batch that is not full yet.
    batch: f32,
}

impl Tree {
    /// The tree of a position with this evaluation, to which a plan of this seat led.
    pub(crate) fn new(here: Estimate, seat: Seat) -> Tree {
        Tree {
            seat,
            nodes: vec![Node::new(here)],
            edges: Vec::new(),
            batches: Vec::new(),
            batch: 0.0,
        }
    }

    pub(crate) fn trials(&self) -> u32 {
        self.nodes[0].trials
    }

    /// The mean final points of every seat.
    pub(crate) fn scores(&self) -> [f32; MAX_SEATS] {
        let node = &self.nodes[0];
        if node.trials == 0 {
            return node.here.scores;
        }
        node.sum.map(|sum| (sum / f64::from(node.trials)) as f32)
    }

    /// The mean of what a seat aims at; `None` before the first trial.
    pub(crate) fn mean_aim(&self, seat: Seat) -> Option<f64> {
        let node = &self.nodes[0];
        (node.trials > 0).then(|| node.aims[seat.index()] / f64::from(node.trials))
    }

    /// By how much this tree's plan is better than another's, and the error of that: from batches of trials in which
    /// nature decided alike for both. `None` while there are too few.
    pub(crate) fn better_by(&self, other: &Tree) -> Option<(f32, f32)> {
        let n = self.batches.len().min(other.batches.len());
        if n < FEW {
            return None;
        }
        let differences = self.batches.iter().zip(&other.batches).map(|(a, b)| a - b);
        let (mut sum, mut squares) = (0.0, 0.0);
        for difference in differences {
            sum += difference;
            squares += difference * difference;
        }
        let count = n as f32;
        let mean = sum / count;
        let variance = (squares / count - mean * mean).max(0.0) / (count - 1.0);
        Some((mean, variance.sqrt()))
    }

    /// One trial: down the tree from its root, which is this position.
    pub(crate) fn grow(
        &mut self,
        rules: &Rules,
        root: &State,
        settings: &SearchSettings,
        worker: &mut Worker,
    ) {
        let mut state = match worker.scratch.take() {
            Some(mut state) => {
                state.clone_from(root);
                state
            }
            None => root.clone(),
        };
        worker.path.clear();
        let mut at = 0u32;
        let mut draws = 0;
        let mut thread = 0x9e37_79b9u32;
        loop {
            worker.path.push(at);
            if let Branches::Unknown = self.nodes[at as usize].branches {
                let chance = matches!(state.waiting(), Waiting::Chance(_));
                if chance && draws >= settings.draws && self.nodes[at as usize].trials == 0 {
                    break;
                }
                self.look(rules, &state, at, settings, worker);
            }
            let edge = match self.nodes[at as usize].branches {
                Branches::Unknown | Branches::End => break,
                Branches::Plans { seat, from, to } => {
                    self.choose(at, seat, from, to, &state, settings, worker)
                }
                Branches::Outcomes { from, to, weight } => {
                    draws += 1;
                    let edge = self.draw(at, from, to, weight, thread);
                    thread = (thread ^ (edge - from + 1))
                        .wrapping_mul(0x85eb_ca6b)
                        .rotate_left(13);
                    edge
                }
            };
            let here = match self.edges[edge as usize].branch {
                Branch::Plan(plan) => {
                    let Branches::Plans { seat, .. } = self.nodes[at as usize].branches else {
                        break;
                    };
                    rules.apply_listed(&mut state, Input::Choice(seat, plan.first), &mut ());
                    if let Some(second) = plan.second {
                        rules.apply_listed(&mut state, Input::Choice(seat, second), &mut ());
                    }
                    plan.estimate
                }
                Branch::Outcome(chance, _) => {
                    rules.apply_listed(&mut state, Input::Chance(chance), &mut ());
                    self.nodes[at as usize].here
                }
            };
            at = match self.edges[edge as usize].node {
                NONE => {
                    self.nodes.push(Node::new(here));
                    let new = self.nodes.len() as u32 - 1;
                    self.edges[edge as usize].node = new;
                    new
                }
                node => node,
            };
        }
        let end = self.nodes[at as usize].here;
        let mut aims = [0.0f32; MAX_SEATS];
        for seat in state.seat_list() {
            aims[seat.index()] = worker.replier.evaluator.aim(&end, seat, &state);
        }
        self.batch += aims[self.seat.index()];
        if (self.nodes[0].trials + 1).is_multiple_of(BATCH) {
            self.batches.push(self.batch / BATCH as f32);
            self.batch = 0.0;
        }
        for node in &worker.path {
            let node = &mut self.nodes[*node as usize];
            node.trials += 1;
            for seat in state.seat_list() {
                node.sum[seat.index()] += f64::from(end.scores[seat.index()]);
                node.aims[seat.index()] += f64::from(aims[seat.index()]);
            }
        }
        worker.scratch = Some(state);
    }

    /// Finds the branches of a node.
    fn look(
        &mut self,
        rules: &Rules,
        state: &State,
        at: u32,
        settings: &SearchSettings,
        worker: &mut Worker,
    ) {
        let from = self.edges.len() as u32;
        self.nodes[at as usize].branches = match state.waiting() {
            Waiting::Over => {
                self.nodes[at as usize].here = worker.replier.leaf(rules, state);
                Branches::End
            }
            Waiting::Chance(_) => {
                rules.outcomes(state, &mut worker.outcomes);
                let weight = worker.outcomes.iter().map(|(_, weight)| weight).sum();
                self.edges
                    .extend(worker.outcomes.iter().map(|(chance, weight)| Edge {
                        branch: Branch::Outcome(*chance, *weight),
                        node: NONE,
                    }));
                Branches::Outcomes {
                    from,
                    to: self.edges.len() as u32,
                    weight,
                }
            }
            Waiting::Seats(seats) => {
                let seat = seats.iter().next().unwrap_or_default();
                let effort = Effort::Likely(settings.margin);
                let plans = &mut worker.plans;
                worker
                    .replier
                    .plans(rules, state, seat, effort, Limit::NONE, plans);
                if settings.paranoid && seat != self.seat {
                    let (n, against) = (state.n_seats(), self.seat);
                    let lead = |plan: &Plan| plan.estimate.lead(against, n);
                    worker.plans.sort_by(|a, b| lead(a).total_cmp(&lead(b)));
                }
                let plans = worker.plans.iter().take(settings.replies.max(1));
                self.edges.extend(plans.map(|plan| Edge {
                    branch: Branch::Plan(*plan),
                    node: NONE,
                }));
                if let Some(best) = worker.plans.first() {
                    self.nodes[at as usize].here = best.estimate;
                }
                Branches::Plans {
                    seat,
                    from,
                    to: self.edges.len() as u32,
                }
            }
        };
        if self.edges.len() as u32 == from {
            self.nodes[at as usize].branches = Branches::End;
        }
    }

    /// The plan that is tried next at a decision.
    #[allow(clippy::too_many_arguments)]
    fn choose(
        &self,
        at: u32,
        seat: Seat,
        from: u32,
        to: u32,
        state: &State,
        settings: &SearchSettings,
        worker: &Worker,
    ) -> u32 {
        let (whose, sign) = if settings.paranoid && seat != self.seat {
            (self.seat, -1.0)
        } else {
            (seat, 1.0)
        };
        let trials = self.nodes[at as usize].trials as f32;
        let width = 1.0 + settings.widen * trials.sqrt();
        let to = to.min(from + width as u32);
        let mut best = (f32::NEG_INFINITY, from);
        for edge in from..to {
            let Edge {
                branch: Branch::Plan(plan),
                node,
            } = self.edges[edge as usize]
            else {
                continue;
            };
            let prior = sign * worker.replier.evaluator.aim(&plan.estimate, whose, state);
            let (n, sum) = match self.nodes.get(node as usize) {
                Some(node) => (node.trials as f32, sign * node.aims[whose.index()] as f32),
                None => (0.0, 0.0),
            };
            let mean = (prior * settings.trust + sum) / (settings.trust + n);
            let value = mean + settings.explore * trials.sqrt() / (1.0 + n);
            if value > best.0 {
                best = (value, edge);
            }
        }
        best.1
    }

    /// The outcome that is tried next at a decision of nature: the golden ratio spreads trials evenly.
    fn draw(&self, at: u32, from: u32, to: u32, weight: u32, thread: u32) -> u32 {
        let n = self.nodes[at as usize].trials;
        let point = thread.wrapping_add(n.wrapping_mul(0x9e37_79b9));
        let mut left = ((u64::from(point) * u64::from(weight)) >> 32) as u32;
        for edge in from..to {
            if let Branch::Outcome(_, weight) = self.edges[edge as usize].branch {
                if left < weight {
                    return edge;
                }
                left -= weight;
            }
        }
        from
    }
}

impl Node {
    fn new(here: Estimate) -> Node {
        Node {
            branches: Branches::Unknown,
            here,
            trials: 0,
            sum: [0.0; MAX_SEATS],
            aims: [0.0; MAX_SEATS],
        }
    }
}
