//! What a position is worth: the expected final points of every seat, composed from what the rules expose (open edges,
//! strengths, worths, supplies, tiles left), so that an expansion is played sensibly without code here.

use trencavel_rules::{
    Claim, Claimed, FeatureId, FeatureKind, Half, Kind, MAX_SEATS, Occasion, Pos, Rules, Seat,
    SeatSet, Side, State, Waiting,
};

use crate::fits::Fits;
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
        let own = self.scores[seat.index()];
        let others = (0..usize::from(n_seats))
            .filter(|i| *i != seat.index())
            .map(|i| self.scores[i]);
        others.reduce(f32::max).map_or(own, |best| own - best)
    }
}

/// What is known of a claimed feature.
#[derive(Clone, Copy, Debug)]
struct Holding {
    claimed: Claimed,
    kind: FeatureKind,
    owners: SeatSet,
    /// Expected final points of each owner.
    value: f32,
    /// The chance that the followers come back.
    chance: f32,
    /// Empty squares where it is open.
    squares: f32,
    /// Where its cities begin and end in the list of all.
    cities: (usize, usize),
}

/// Evaluates positions; keeps its working memory between calls.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    /// The numbers.
    pub weights: Weights,
    fits: Fits,
    turns: [f32; MAX_SEATS],
    claimed: Vec<Claimed>,
    holdings: Vec<Holding>,
    edges: Vec<(Pos, Side)>,
    halves: Vec<(Pos, Half)>,
    around: Vec<Pos>,
    /// Open edges of all claimed roads and cities, with the place of the holding.
    built: Vec<(Pos, Side, usize)>,
    /// Open halves of all claimed fields, with the place of the holding.
    fields: Vec<(Pos, Half, usize)>,
    touched: Vec<FeatureId>,
    cities: Vec<FeatureId>,
    chances: Vec<(FeatureId, f32)>,
}

impl Evaluator {
    /// An evaluator with these numbers.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator {
            weights,
            ..Evaluator::default()
        }
    }

    /// Learns a setup; must be called before positions of it are estimated.
    pub fn learn(&mut self, rules: &Rules) {
        self.fits.learn(rules);
    }

    /// The chance that a lead is a win in a position.
    pub fn win_chance(&self, lead: f32, state: &State) -> f32 {
        if state.waiting() == Waiting::Over {
            return if lead > 0.0 {
                1.0
            } else if lead < 0.0 {
                0.0
            } else {
                0.5
            };
        }
        let left = f32::from(state.bag().len());
        let spread = self.weights.luck_base + self.weights.luck_tile * left.sqrt();
        1.0 / (1.0 + (-1.7 * lead / spread).exp())
    }

    /// The expected final points of every seat.
    pub fn estimate(&mut self, rules: &Rules, state: &State) -> Estimate {
        let mut scores = [0.0; MAX_SEATS];
        for seat in state.seat_list() {
            scores[seat.index()] = state.seat(seat).score as f32;
        }
        if state.waiting() == Waiting::Over {
            return Estimate { scores };
        }
        self.fits.look(state);
        self.count_turns(state);
        self.hold(rules, state);
        self.value_holdings(rules, state);
        self.share(state, &mut scores);
        self.join_built(state, &mut scores);
        self.join_fields(state, &mut scores);
        self.supplies(rules, state, &mut scores);
        if let Some(next) = self.next_mover(state) {
            scores[next.index()] += self.weights.tempo;
        }
        Estimate { scores }
    }

    /// The claimed features as the evaluation sees them, for people.
    pub fn explain(&mut self, rules: &Rules, state: &State) -> String {
        let estimate = self.estimate(rules, state);
        let mut text = format!("{:.1?}", &estimate.scores[..usize::from(state.n_seats())]);
        for holding in &self.holdings {
            let n = usize::from(state.n_seats());
            text += &format!(
                "; {} {:?} {:.1} at {:.0}%",
                holding.kind,
                &holding.claimed.strengths[..n],
                holding.value,
                100.0 * holding.chance
            );
        }
        text
    }

    fn next_mover(&self, state: &State) -> Option<Seat> {
        match state.waiting() {
            Waiting::Chance(_) => Some(state.active()),
            Waiting::Seats(_) | Waiting::Over => None,
        }
    }

    /// How many turns each seat still has.
    fn count_turns(&mut self, state: &State) {
        let n = f32::from(state.n_seats());
        let left = f32::from(self.fits.total());
        let first = match state.waiting() {
            Waiting::Chance(_) => state.active(),
            Waiting::Seats(_) | Waiting::Over => state.next_seat(state.active()),
        };
        for (i, seat) in state.clockwise_from(first).enumerate() {
            self.turns[seat.index()] = ((left + n - 1.0 - i as f32) / n).floor().max(0.0);
        }
    }

    /// Gathers the claimed features and their open edges.
    fn hold(&mut self, rules: &Rules, state: &State) {
        let mut claimed = core::mem::take(&mut self.claimed);
        rules.claimed(state, &mut claimed);
        self.holdings.clear();
        self.built.clear();
        self.fields.clear();
        self.cities.clear();
        self.chances.clear();
        for claimed in &claimed {
            let best = claimed.strengths.iter().copied().max().unwrap_or(0);
            let owners = state
                .seat_list()
                .filter(|seat| best > 0 && claimed.strengths[seat.index()] == best)
                .fold(SeatSet::NONE, SeatSet::with);
            self.holdings.push(Holding {
                claimed: *claimed,
                kind: state.board().feature(claimed.feature).kind,
                owners,
                value: 0.0,
                chance: 0.0,
                squares: 0.0,
                cities: (0, 0),
            });
        }
        self.claimed = claimed;
    }

    fn value_holdings(&mut self, rules: &Rules, state: &State) {
        for i in 0..self.holdings.len() {
            let holding = self.holdings[i];
            let turns = holding
                .owners
                .iter()
                .map(|seat| self.turns[seat.index()])
                .fold(0.0, f32::max);
            let feature = holding.claimed.feature;
            match holding.kind {
                FeatureKind::Road | FeatureKind::City => {
                    rules.open_edges(state, feature, &mut self.edges);
                    for (pos, side) in &self.edges {
                        self.built.push((*pos, *side, i));
                    }
                    let (chance, squares) = self.closing(state, feature, turns, 1.0);
                    let (value, squares) =
                        self.built_value(rules, state, feature, chance, squares, turns);
                    let holding = &mut self.holdings[i];
                    holding.chance = chance;
                    holding.value = value;
                    holding.squares = squares;
                    self.chances.push((feature, chance));
                }
                FeatureKind::Monastery | FeatureKind::Garden => {
                    let (value, chance) = self.surrounded(rules, state, feature, turns);
                    self.holdings[i].value = value;
                    self.holdings[i].chance = chance;
                }
                FeatureKind::Hut => self.holdings[i].value = self.hut(rules, state, feature, turns),
                FeatureKind::Field | FeatureKind::River => {}
            }
        }
        for i in 0..self.holdings.len() {
            if self.holdings[i].kind == FeatureKind::Field {
                self.field(rules, state, i);
            }
        }
    }

    fn worth(&self, rules: &Rules, state: &State, feature: FeatureId, complete: bool) -> f32 {
        let occasion = if complete {
            Occasion::Completed
        } else {
            Occasion::Final
        };
        let claim = Claim {
            feature,
            seat: None,
            complete,
            occasion,
        };
        rules.worth(state, claim).total() as f32
    }

    /// The chance that a road or city whose open edges were listed is completed, and its empty squares.
    fn closing(&mut self, state: &State, id: FeatureId, turns: f32, readiness: f32) -> (f32, f32) {
        let feature = state.board().feature(id);
        if feature.is_complete() {
            return (1.0, 0.0);
        }
        let (close, extend) = if feature.kind == FeatureKind::City {
            (self.weights.city_close, self.weights.city_extend)
        } else {
            (self.weights.road_close, self.weights.road_extend)
        };
        let left = f32::from(self.fits.total()).max(1.0);
        let mut squares = 0.0;
        for (i, (pos, _)) in self.edges.iter().enumerate() {
            if !self.edges.iter().take(i).any(|(other, _)| other == pos) {
                squares += 1.0;
            }
        }
        let pace = readiness * turns / (1.0 + self.weights.spread * (squares - 1.0)) / left;
        let mut chance = 1.0;
        for i in 0..self.edges.len() {
            let (pos, _) = self.edges[i];
            if self.edges.iter().take(i).any(|(other, _)| *other == pos) {
                continue;
            }
            let sides = self
                .edges
                .iter()
                .filter(|(other, _)| *other == pos)
                .fold(0, |bits, (_, side)| bits | 1 << side.index());
            let Some(pattern) = state.board().pattern_at(pos) else {
                return (0.0, squares);
            };
            let fit = self.fits.edges(pattern, sides);
            let closing = f32::from(fit.closing);
            let rate = close * closing + extend * (f32::from(fit.any) - closing);
            chance *= 1.0 - (-rate * pace).exp();
        }
        (chance, squares)
    }

    /// Expected points of a road or city.
    fn built_value(
        &self,
        rules: &Rules,
        state: &State,
        id: FeatureId,
        chance: f32,
        squares: f32,
        turns: f32,
    ) -> (f32, f32) {
        let complete = self.worth(rules, state, id, true);
        if squares == 0.0 {
            return (complete, 0.0);
        }
        let incomplete = self.worth(rules, state, id, false);
        let grow = if state.board().feature(id).kind == FeatureKind::City {
            self.weights.city_grow
        } else {
            self.weights.road_grow
        };
        let tiles = f32::from(rules.n_tiles(state, id)).max(1.0);
        let grown = grow * squares.min(3.0) * turns / (turns + self.weights.grow_turns) / tiles;
        let value = (chance * complete + (1.0 - chance) * incomplete) * (1.0 + grown);
        (value, squares)
    }

    /// The chance that an empty square is filled.
    fn filled(&mut self, state: &State, pos: Pos, turns: f32) -> f32 {
        let left = f32::from(self.fits.total());
        let rate = self.weights.fill_own * turns + self.weights.fill_any * (left - turns);
        let share = match state.board().pattern_at(pos) {
            Some(pattern) => {
                let fit = self.fits.edges(pattern, 0);
                (f32::from(fit.any) / left.max(1.0)).sqrt()
            }
            None => self.weights.fill_far,
        };
        1.0 - (-rate * share).exp()
    }

    /// Expected points and chance of completion of a monastery or garden.
    fn surrounded(
        &mut self,
        rules: &Rules,
        state: &State,
        id: FeatureId,
        turns: f32,
    ) -> (f32, f32) {
        let mut squares = core::mem::take(&mut self.around);
        rules.open_squares(state, id, &mut squares);
        let mut value = 9.0 - squares.len() as f32;
        let mut chance = 1.0;
        for pos in &squares {
            let filled = self.filled(state, *pos, turns);
            value += filled;
            chance *= filled;
        }
        self.around = squares;
        (value, chance)
    }

    fn hut(&mut self, rules: &Rules, state: &State, id: FeatureId, turns: f32) -> f32 {
        let mut squares = core::mem::take(&mut self.around);
        rules.open_squares(state, id, &mut squares);
        let mut value = 1.0;
        for pos in &squares {
            value += 1.0 - self.filled(state, *pos, turns);
        }
        self.around = squares;
        value
    }

    fn city_chance(&mut self, rules: &Rules, state: &State, city: FeatureId) -> f32 {
        if let Some((_, chance)) = self.chances.iter().find(|(known, _)| *known == city) {
            return *chance;
        }
        let chance = if state.board().feature(city).is_complete() {
            1.0
        } else {
            rules.open_edges(state, city, &mut self.edges);
            let turns = self.turns.iter().copied().fold(0.0, f32::max);
            self.closing(state, city, turns, self.weights.free_city).0
        };
        self.chances.push((city, chance));
        chance
    }

    fn field(&mut self, rules: &Rules, state: &State, index: usize) {
        let id = self.holdings[index].claimed.feature;
        let mut touched = core::mem::take(&mut self.touched);
        rules.all_cities_of_field(state, id, &mut touched);
        let start = self.cities.len();
        self.cities.extend_from_slice(&touched);
        let mut expected = 0.0;
        for city in &touched {
            expected += self.city_chance(rules, state, *city);
        }
        self.touched = touched;
        let each = 3.0;
        rules.open_halves(state, id, &mut self.halves);
        let mut squares = 0.0f32;
        for (i, (pos, half)) in self.halves.iter().enumerate() {
            if !self.halves.iter().take(i).any(|(other, _)| other == pos) {
                squares += 1.0;
            }
            self.fields.push((*pos, *half, index));
        }
        let turns = self.turns.iter().copied().fold(0.0, f32::max);
        let holding = &mut self.holdings[index];
        let growth = self.weights.field_grow * squares.min(self.weights.field_wide) * turns;
        holding.value = each * expected + growth;
        holding.squares = squares;
        holding.cities = (start, self.cities.len());
    }

    /// Gives the holdings' values to their owners, and what invaders may take to the others.
    fn share(&self, state: &State, scores: &mut [f32; MAX_SEATS]) {
        for holding in &self.holdings {
            let invade = match holding.kind {
                FeatureKind::Road => self.weights.invade_road,
                FeatureKind::City => self.weights.invade_city,
                FeatureKind::Field => self.weights.invade_field,
                FeatureKind::Monastery
                | FeatureKind::Garden
                | FeatureKind::Hut
                | FeatureKind::River => 0.0,
            };
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
                    let rate = invade * holding.squares * self.turns[seat.index()];
                    holding.value * (near + 1.0 - (-rate).exp()) / f32::from(best.max(1))
                };
            }
        }
    }

    /// What roads and cities that may soon be one change.
    fn join_built(&mut self, state: &State, scores: &mut [f32; MAX_SEATS]) {
        for j in 1..self.built.len() {
            let (pos, b, second) = self.built[j];
            for i in 0..j {
                let (other, a, first) = self.built[i];
                if other != pos
                    || first == second
                    || self.holdings[first].kind != self.holdings[second].kind
                {
                    continue;
                }
                let Some(pattern) = state.board().pattern_at(pos) else {
                    continue;
                };
                let n = self.fits.joins(pattern, a, b);
                self.joined(state, first, second, n, self.weights.join_built, scores);
            }
        }
    }

    fn join_fields(&mut self, state: &State, scores: &mut [f32; MAX_SEATS]) {
        for j in 1..self.fields.len() {
            let (pos, b, second) = self.fields[j];
            for i in 0..j {
                let (other, a, first) = self.fields[i];
                if other != pos || first == second {
                    continue;
                }
                let Some(pattern) = state.board().pattern_at(pos) else {
                    continue;
                };
                let n = self.fits.field_joins(pattern, a, b);
                self.joined(state, first, second, n, self.weights.join_field, scores);
            }
        }
    }

    fn joined(
        &self,
        state: &State,
        first: usize,
        second: usize,
        n: u16,
        readiness: f32,
        scores: &mut [f32; MAX_SEATS],
    ) {
        let (one, two) = (&self.holdings[first], &self.holdings[second]);
        if n == 0 || (one.owners == two.owners && one.owners.len() == 1) {
            return;
        }
        let mut sums = one.claimed.strengths;
        for (sum, more) in sums.iter_mut().zip(two.claimed.strengths) {
            *sum = sum.saturating_add(more);
        }
        let best = sums.iter().copied().max().unwrap_or(0);
        let whole = one.value + two.value;
        let change = |seat: Seat| {
            let now = if one.owners.has(seat) { one.value } else { 0.0 }
                + if two.owners.has(seat) { two.value } else { 0.0 };
            let then = if sums[seat.index()] == best {
                whole
            } else {
                0.0
            };
            then - now
        };
        let gaining = state
            .seat_list()
            .max_by(|a, b| change(*a).total_cmp(&change(*b)));
        let Some(gaining) = gaining else {
            return;
        };
        let left = f32::from(self.fits.total()).max(1.0);
        let rate = readiness * f32::from(n) / left * self.turns[gaining.index()];
        let chance = 1.0 - (-rate).exp();
        for seat in state.seat_list() {
            scores[seat.index()] += chance * change(seat);
        }
    }

    /// What the figures in the supplies are worth, and those that come back.
    fn supplies(&self, rules: &Rules, state: &State, scores: &mut [f32; MAX_SEATS]) {
        for seat in state.seat_list() {
            let turns = self.turns[seat.index()];
            let horizon = turns / (turns + self.weights.supply_turns);
            let has = state.seat(seat).has(Kind::Normal);
            let mut worth = 0.0;
            for number in 0..has {
                worth += self.weights.supply(number);
            }
            for kind in Kind::ALL {
                if *kind != Kind::Normal {
                    let n = f32::from(state.seat(seat).has(*kind));
                    worth += n * self.weights.figure * self.weights.supply_1;
                }
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
        let _ = rules;
    }
}
