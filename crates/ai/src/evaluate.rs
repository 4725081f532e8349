//! What a position is worth: the expected final points of every seat, composed from what the rules expose (open edges,
//! strengths, worths, supplies, tiles left), so that an expansion is played sensibly without code here.
//!
//! Only addition, multiplication, division and square roots of single numbers are used, so that the same position has the
//! same estimate on every platform.
//!
//! Long: the parts of an estimate follow each other as they are added up.

use trencavel_rules::{
    Claimed, FeatureId, FeatureKind, Kind, MAX_SEATS, Pos, Rules, Seat, SeatSet, State, Waiting,
};

use crate::fits::Fits;
use crate::hints;
use crate::known::{Known, Survey};
use crate::weights::Weights;

/// Expected final points of every seat.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// By seat.
    pub scores: [f32; MAX_SEATS],
}

impl Estimate {
    /// The lead of a seat over the best other seat; alone, its points.
    pub fn lead(&self, seat: Seat, n_seats: u8) -> f32 {
        self.over(seat, n_seats, 1.0)
    }

    /// The points of a seat less those of the best other seat, which count so much.
    pub(crate) fn over(&self, seat: Seat, n_seats: u8, rivalry: f32) -> f32 {
        let own = self.scores[seat.index()];
        let others = (0..usize::from(n_seats))
            .filter(|i| *i != seat.index())
            .map(|i| self.scores[i]);
        others
            .reduce(f32::max)
            .map_or(own, |best| own - rivalry * best)
    }
}

/// What is known of a claimed feature.
#[derive(Clone, Copy, Debug)]
struct Holding {
    claimed: Claimed,
    known: Known,
    owners: SeatSet,
    /// Expected final points of each owner.
    value: f32,
    /// The chance that the followers come back.
    chance: f32,
}

/// A place where a claimed feature can grow.
#[derive(Clone, Copy, Debug)]
struct Frontier {
    pos: Pos,
    bits: u8,
    holding: u8,
}

/// Evaluates positions; keeps its working memory between calls.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    /// The numbers.
    pub weights: Weights,
    /// What seats play for.
    pub(crate) purpose: Purpose,
    fits: Fits,
    survey: Survey,
    turns: [f32; MAX_SEATS],
    most_turns: f32,
    claimed: Vec<Claimed>,
    holdings: Vec<Holding>,
    built: Vec<Frontier>,
    fields: Vec<Frontier>,
    joins: Vec<(u8, u8, f32)>,
    cities: Vec<FeatureId>,
    chances: Vec<(FeatureId, f32)>,
}

/// What seats play for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Purpose {
    /// How much a point of the best other seat counts, of one of the own.
    pub(crate) rivalry: f32,
    /// How much winning counts beside points, 0 to 1.
    pub(crate) winning: f32,
}

impl Default for Purpose {
    fn default() -> Purpose {
        Purpose {
            rivalry: 1.0,
            winning: 0.0,
        }
    }
}

/// As many points a victory counts when nothing else does.
const VICTORY: f32 = 40.0;

/// From 0 at 0 to 1 far away, with slope 1 at 0: the chance that something with this expected number happens at all.
fn happens(expected: f32) -> f32 {
    let x = 1.0 + expected * 0.125;
    let x = x * x;
    let x = x * x;
    1.0 - 1.0 / (x * x)
}

impl Evaluator {
    /// An evaluator with these numbers.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator {
            weights,
            ..Evaluator::default()
        }
    }

    /// What a seat plays for.
    pub(crate) fn aim(&self, estimate: &Estimate, seat: Seat, state: &State) -> f32 {
        let Purpose { rivalry, winning } = self.purpose;
        let n_seats = state.n_seats();
        let points = estimate.over(seat, n_seats, rivalry);
        if winning == 0.0 || n_seats == 1 {
            return points;
        }
        let win = self.win_chance(estimate.lead(seat, n_seats), state);
        points * (1.0 - winning) + winning * VICTORY * win
    }

    /// The chance that a lead is a win in a position.
    pub fn win_chance(&self, lead: f32, state: &State) -> f32 {
        if state.waiting() == Waiting::Over {
            return match lead.total_cmp(&0.0) {
                core::cmp::Ordering::Greater => 1.0,
                core::cmp::Ordering::Equal => 0.5,
                core::cmp::Ordering::Less => 0.0,
            };
        }
        let left = f32::from(state.bag().len());
        let spread = self.weights.luck_base + self.weights.luck_tile * left.sqrt();
        let x = lead / spread;
        0.5 + 0.5 * x / (1.0 + x * x).sqrt()
    }

    /// The chance of every seat to win, 1 in all.
    pub fn win_chances(&self, estimate: &Estimate, state: &State) -> [f32; MAX_SEATS] {
        let mut chances = [0.0; MAX_SEATS];
        if state.n_seats() == 1 {
            chances[0] = 1.0;
            return chances;
        }
        let mut sum = 0.0;
        for seat in state.seat_list() {
            let lead = estimate.lead(seat, state.n_seats());
            chances[seat.index()] = self.win_chance(lead, state);
            sum += chances[seat.index()];
        }
        chances.map(|chance| chance / f32::max(sum, f32::MIN_POSITIVE))
    }

    /// The expected final points of every seat.
    pub fn estimate(&mut self, rules: &Rules, state: &State) -> Estimate {
        self.begin(rules, state);
        self.estimate_next(rules, state)
    }

    /// Begins a family of positions: those that follow from this one before nature decides.
    pub(crate) fn begin(&mut self, rules: &Rules, state: &State) {
        self.fits.learn(rules);
        self.fits.look(state);
        self.survey.begin(state);
    }

    /// The expected final points of every seat, in a position of the family begun.
    pub(crate) fn estimate_next(&mut self, rules: &Rules, state: &State) -> Estimate {
        let mut scores = [0.0; MAX_SEATS];
        for seat in state.seat_list() {
            scores[seat.index()] = state.seat(seat).score as f32;
        }
        if state.waiting() == Waiting::Over {
            return Estimate { scores };
        }
        if self.fits.look(state) {
            self.survey.begin(state);
        }
        self.survey.look(rules, state);
        self.count_turns(state);
        self.hold(rules, state);
        self.value_holdings(rules, state);
        self.share(state, &mut scores);
        self.join(state, &mut scores);
        self.supplies(state, &mut scores);
        if rules.shows() {
            hints::tokens(
                rules,
                state,
                self.most_turns,
                self.weights.tokens,
                &mut scores,
            );
        }
        if let Waiting::Chance(_) = state.waiting() {
            scores[state.active().index()] += self.weights.tempo;
        }
        Estimate { scores }
    }

    /// What the evaluation of a position is made of, seat by seat and by name: for finding out where it errs.
    pub fn parts(&mut self, rules: &Rules, state: &State) -> Vec<(String, [f32; MAX_SEATS])> {
        self.estimate(rules, state);
        let mut parts: Vec<(String, [f32; MAX_SEATS])> = Vec::new();
        let mut add =
            |name: String, seat: Seat, x: f32| match parts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, list)) => list[seat.index()] += x,
                None => {
                    let mut list = [0.0; MAX_SEATS];
                    list[seat.index()] = x;
                    parts.push((name, list));
                }
            };
        for holding in &self.holdings {
            let shared = if holding.owners.len() > 1 {
                " shared"
            } else {
                ""
            };
            let likely = if holding.known.kind == FeatureKind::Field {
                ""
            } else if holding.chance < 0.25 {
                " unlikely"
            } else if holding.chance < 0.6 {
                " doubtful"
            } else {
                " likely"
            };
            for seat in state.seat_list() {
                if holding.owners.has(seat) {
                    add(
                        format!("{}{likely}{shared}", holding.known.kind),
                        seat,
                        holding.value,
                    );
                    add(
                        format!("n {}{likely}{shared}", holding.known.kind),
                        seat,
                        1.0,
                    );
                    add(
                        format!("open {}", holding.known.kind),
                        seat,
                        self.survey.openings(&holding.known).len() as f32,
                    );
                } else if holding.claimed.strengths[seat.index()] > 0 {
                    add(
                        format!("{} minority", holding.known.kind),
                        seat,
                        holding.value,
                    );
                }
            }
        }
        for seat in state.seat_list() {
            add(
                format!("supply {}", state.seat(seat).has(Kind::Normal)),
                seat,
                1.0,
            );
            add("score".to_string(), seat, state.seat(seat).score as f32);
        }
        parts
    }

    /// How many turns each seat still has.
    fn count_turns(&mut self, state: &State) {
        let n = u16::from(state.n_seats());
        let left = self.fits.total();
        let first = match state.waiting() {
            Waiting::Chance(_) => state.active(),
            Waiting::Seats(_) | Waiting::Over => state.next_seat(state.active()),
        };
        for (i, seat) in (0..).zip(state.clockwise_from(first)) {
            self.turns[seat.index()] = f32::from((left + n - 1 - i) / n);
        }
        self.most_turns = f32::from(left.div_ceil(n));
    }

    /// Gathers the claimed features.
    fn hold(&mut self, rules: &Rules, state: &State) {
        let mut claimed = core::mem::take(&mut self.claimed);
        rules.claimed(state, &mut claimed);
        self.holdings.clear();
        self.built.clear();
        self.fields.clear();
        self.chances.clear();
        for claimed in claimed.iter().take(usize::from(u8::MAX)) {
            let best = claimed.strengths.iter().copied().max().unwrap_or(0);
            let owners = state
                .seat_list()
                .filter(|seat| best > 0 && claimed.strengths[seat.index()] == best)
                .fold(SeatSet::NONE, SeatSet::with);
            let known = self
                .survey
                .feature(rules, state, &mut self.fits, claimed.feature);
            let index = self.holdings.len() as u8;
            let frontier = match known.kind {
                FeatureKind::Road | FeatureKind::City => Some(&mut self.built),
                FeatureKind::Field => Some(&mut self.fields),
                _ => None,
            };
            if let Some(frontier) = frontier {
                let openings = self.survey.openings(&known).iter();
                frontier.extend(openings.map(|opening| Frontier {
                    pos: opening.pos,
                    bits: opening.bits,
                    holding: index,
                }));
            }
            self.holdings.push(Holding {
                claimed: *claimed,
                known,
                owners,
                value: 0.0,
                chance: 0.0,
            });
        }
        self.claimed = claimed;
    }

    fn value_holdings(&mut self, rules: &Rules, state: &State) {
        let mut busy = [0.0f32; MAX_SEATS];
        for holding in &self.holdings {
            if holding.known.kind.is_built() && !self.survey.openings(&holding.known).is_empty() {
                for seat in holding.owners.iter() {
                    busy[seat.index()] += 1.0;
                }
            }
        }
        for i in 0..self.holdings.len() {
            let holding = self.holdings[i];
            let mut turns = 0.0f32;
            let mut others = 1.0;
            for seat in holding.owners.iter() {
                turns = turns.max(self.turns[seat.index()]);
                others = busy[seat.index()];
            }
            match holding.known.kind {
                FeatureKind::Road | FeatureKind::City => {
                    let pace = turns / (1.0 + self.weights.busy * (others - 1.0).max(0.0));
                    let chance = self.closing(&holding.known, pace);
                    self.holdings[i].chance = chance;
                    self.holdings[i].value = self.built_value(&holding.known, chance, turns);
                    self.chances.push((holding.claimed.feature, chance));
                }
                FeatureKind::Monastery | FeatureKind::Garden => {
                    let (value, chance) = self.surrounded(state, &holding.known, turns);
                    self.holdings[i].value = value;
                    self.holdings[i].chance = chance;
                }
                FeatureKind::Hut => {
                    let (filled, _) = self.surrounded(state, &holding.known, turns);
                    self.holdings[i].value = 10.0 - filled;
                }
                FeatureKind::Field | FeatureKind::River => {}
            }
        }
        for i in 0..self.holdings.len() {
            if self.holdings[i].known.kind == FeatureKind::Field {
                self.field(rules, state, i);
            }
        }
    }

    /// The chance that a road or city is completed with so many turns to do it.
    fn closing(&self, known: &Known, turns: f32) -> f32 {
        let openings = self.survey.openings(known);
        let (close, extend) = if known.kind == FeatureKind::City {
            (self.weights.city_close, self.weights.city_extend)
        } else {
            (self.weights.road_close, self.weights.road_extend)
        };
        let left = f32::from(self.fits.total()).max(1.0);
        let crowding = 1.0 + self.weights.spread * (openings.len() as f32 - 1.0).max(0.0);
        let pace = turns / (crowding * left);
        let mut chance = 1.0;
        for opening in openings {
            let closing = f32::from(opening.fit.closing);
            let rate = close * closing + extend * (f32::from(opening.fit.any) - closing);
            chance *= happens(rate * pace);
        }
        chance
    }

    /// Expected points of a road or city.
    fn built_value(&self, known: &Known, chance: f32, turns: f32) -> f32 {
        let squares = self.survey.openings(known).len() as f32;
        if squares == 0.0 {
            return known.complete;
        }
        let grow = if known.kind == FeatureKind::City {
            self.weights.city_grow
        } else {
            self.weights.road_grow
        };
        let time = turns / (turns + self.weights.grow_turns);
        let grown = grow * squares.min(3.0) * time / known.tiles;
        (chance * known.complete + (1.0 - chance) * known.incomplete) * (1.0 + grown)
    }

    /// Expected points and chance of completion of a monastery or garden.
    fn surrounded(&self, state: &State, known: &Known, turns: f32) -> (f32, f32) {
        let left = f32::from(self.fits.total()).max(1.0);
        let rate = self.weights.fill_own * turns + self.weights.fill_any * (left - turns);
        let openings = self.survey.openings(known);
        let mut value = 9.0 - openings.len() as f32;
        let mut chance = 1.0;
        for opening in openings {
            let share = if state.board().pattern_at(opening.pos).is_some() {
                (f32::from(opening.fit.any) / left).sqrt()
            } else {
                self.weights.fill_far
            };
            let filled = happens(rate * share);
            value += filled;
            chance *= filled;
        }
        (value, chance)
    }

    fn city_chance(&mut self, rules: &Rules, state: &State, city: FeatureId) -> f32 {
        if state.board().feature(city).is_complete() {
            return 1.0;
        }
        if let Some((_, chance)) = self.chances.iter().find(|(known, _)| *known == city) {
            return *chance;
        }
        let known = self.survey.feature(rules, state, &mut self.fits, city);
        let chance = self.closing(&known, self.most_turns * self.weights.free_city);
        self.chances.push((city, chance));
        chance
    }

    fn field(&mut self, rules: &Rules, state: &State, index: usize) {
        let known = self.holdings[index].known;
        let mut cities = core::mem::take(&mut self.cities);
        cities.clear();
        let board = state.board();
        for seg in self.survey.cities(&known) {
            let city = board.feature_of(*seg);
            if !cities.contains(&city) {
                cities.push(city);
            }
        }
        let mut expected = 0.0;
        for city in &cities {
            expected += self.city_chance(rules, state, *city);
        }
        self.cities = cities;
        let squares = self.survey.openings(&known).len() as f32;
        let growth =
            self.weights.field_grow * squares.min(self.weights.field_wide) * self.most_turns;
        self.holdings[index].value = 3.0 * expected + growth;
    }

    /// Gives the holdings' values to their owners, and what invaders may take to the others.
    fn share(&self, state: &State, scores: &mut [f32; MAX_SEATS]) {
        for holding in &self.holdings {
            let invade = match holding.known.kind {
                FeatureKind::Road => self.weights.invade_road,
                FeatureKind::City => self.weights.invade_city,
                FeatureKind::Field => self.weights.invade_field,
                FeatureKind::Monastery
                | FeatureKind::Garden
                | FeatureKind::Hut
                | FeatureKind::River => 0.0,
            };
            let squares = self.survey.openings(&holding.known).len() as f32;
            let best = holding.claimed.strengths.iter().copied().max().unwrap_or(0);
            for seat in state.seat_list() {
                let strength = holding.claimed.strengths[seat.index()];
                scores[seat.index()] += if holding.owners.has(seat) {
                    holding.value
                } else {
                    let near = if strength > 0 && best - strength <= 1 {
                        self.weights.minority
                    } else {
                        0.0
                    };
                    let rate = invade * squares * self.turns[seat.index()];
                    holding.value * (near + happens(rate)) / f32::from(best.max(1))
                };
            }
        }
    }

    /// What claimed features that may soon be one change.
    fn join(&mut self, state: &State, scores: &mut [f32; MAX_SEATS]) {
        self.joins.clear();
        let board = state.board();
        for (frontier, of_fields) in [(&self.built, false), (&self.fields, true)] {
            for (j, one) in frontier.iter().enumerate() {
                for two in frontier.iter().take(j) {
                    if one.pos != two.pos {
                        continue;
                    }
                    let (a, b) = (two.holding.min(one.holding), two.holding.max(one.holding));
                    let (first, second) = (
                        &self.holdings[usize::from(a)],
                        &self.holdings[usize::from(b)],
                    );
                    if first.known.kind != second.known.kind
                        || (first.owners == second.owners && first.owners.len() == 1)
                    {
                        continue;
                    }
                    let Some(pattern) = board.pattern_at(one.pos) else {
                        continue;
                    };
                    let n = if of_fields {
                        self.fits.field_joins(pattern, one.bits, two.bits)
                    } else {
                        self.fits.joins(pattern, one.bits, two.bits)
                    };
                    if n == 0 {
                        continue;
                    }
                    match self.joins.iter_mut().find(|(x, y, _)| (*x, *y) == (a, b)) {
                        Some((_, _, tiles)) => *tiles += f32::from(n),
                        None => self.joins.push((a, b, f32::from(n))),
                    }
                }
            }
        }
        for i in 0..self.joins.len() {
            self.joined(state, self.joins[i], scores);
        }
    }

    fn joined(&self, state: &State, join: (u8, u8, f32), scores: &mut [f32; MAX_SEATS]) {
        let (first, second, tiles) = join;
        let one = &self.holdings[usize::from(first)];
        let two = &self.holdings[usize::from(second)];
        let readiness = if one.known.kind == FeatureKind::Field {
            self.weights.join_field
        } else {
            self.weights.join_built
        };
        let mut sums = one.claimed.strengths;
        for (sum, more) in sums.iter_mut().zip(two.claimed.strengths) {
            *sum = sum.saturating_add(more);
        }
        let best = sums.iter().copied().max().unwrap_or(0);
        let whole = one.value + two.value;
        let change = |seat: Seat| {
            let mut change = 0.0;
            if one.owners.has(seat) {
                change -= one.value;
            }
            if two.owners.has(seat) {
                change -= two.value;
            }
            if sums[seat.index()] == best {
                change += whole;
            }
            change
        };
        let gaining = state
            .seat_list()
            .max_by(|a, b| change(*a).total_cmp(&change(*b)));
        let Some(gaining) = gaining else {
            return;
        };
        let left = f32::from(self.fits.total()).max(1.0);
        let chance = happens(readiness * tiles / left * self.turns[gaining.index()]);
        for seat in state.seat_list() {
            scores[seat.index()] += chance * change(seat);
        }
    }

    /// What the figures in the supplies are worth, and those that come back.
    fn supplies(&self, state: &State, scores: &mut [f32; MAX_SEATS]) {
        for seat in state.seat_list() {
            let turns = self.turns[seat.index()];
            let horizon = turns / (turns + self.weights.supply_turns);
            let has = state.seat(seat).has(Kind::Normal);
            let mut worth = 0.0;
            for number in 0..has {
                worth += self.weights.supply(number);
            }
            for kind in Kind::ALL.iter().filter(|kind| **kind != Kind::Normal) {
                let n = f32::from(state.seat(seat).has(*kind));
                worth += n * self.weights.figure * hints::figure(*kind) * self.weights.supply_1;
            }
            let mut coming = 0.0;
            for holding in &self.holdings {
                coming += holding.chance * f32::from(holding.claimed.followers[seat.index()]);
            }
            let mut number = has;
            while coming > 0.0 {
                worth += coming.min(1.0) * self.weights.back * self.weights.supply(number);
                coming -= 1.0;
                number += 1;
            }
            scores[seat.index()] += worth * horizon;
        }
    }
}
