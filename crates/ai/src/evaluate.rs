//! What a position is worth: the expected final points of every seat, composed from what the rules expose (open squares,
//! strengths, worths, supplies), so that an expansion is played sensibly without code here.

use trencavel_rules::{
    Claim, FeatureId, FeatureKind, Kind, MAX_SEATS, Occasion, Pos, Rules, Seat, State, Waiting,
};

/// The numbers of the evaluation. They were found by arena; see docs/players.md.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// How readily one open edge of a road is closed, for each own turn left.
    pub road_edge: f32,
    /// The same of a city.
    pub city_edge: f32,
    /// How readily an empty square is filled, for each tile left.
    pub fill: f32,
    /// Points that a follower in the supply is worth in the long run: the first, the second, …
    pub supply: [f32; 8],
    /// How many own turns must be left for a follower in the supply to be worth all of that.
    pub supply_turns: f32,
    /// What a field is worth of its expected cities while the game goes on.
    pub field: f32,
    /// What a city that is still open adds to a field beside it, of its chance of completion.
    pub field_open: f32,
    /// Points that a figure with no majority on its feature is worth, of what the feature is worth.
    pub minority: f32,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            road_edge: 0.16,
            city_edge: 0.11,
            fill: 0.035,
            supply: [4.0, 2.5, 1.5, 1.0, 0.6, 0.4, 0.3, 0.2],
            supply_turns: 10.0,
            field: 0.9,
            field_open: 0.8,
            minority: 0.08,
        }
    }
}

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
        let others = (0..n_seats as usize)
            .filter(|i| *i != seat.index())
            .map(|i| self.scores[i]);
        others
            .fold(None, |best: Option<f32>, x| {
                Some(best.map_or(x, |b| b.max(x)))
            })
            .map_or(own, |best| own - best)
    }
}

/// Evaluates positions; keeps its working memory between calls.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    /// The numbers.
    pub weights: Weights,
    squares: Vec<Pos>,
    cities: Vec<FeatureId>,
    fits: Vec<(Pos, u16)>,
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

    /// The expected final points of every seat.
    pub fn estimate(&mut self, rules: &Rules, state: &State) -> Estimate {
        let mut scores = [0.0; MAX_SEATS];
        for seat in state.seat_list() {
            scores[seat.index()] = state.seat(seat).score as f32;
        }
        if state.waiting() == Waiting::Over {
            return Estimate { scores };
        }
        self.fits.clear();
        self.chances.clear();
        let left = f32::from(state.bag().len());
        let turns = left / f32::from(state.n_seats());
        for (id, feature) in state.board().features() {
            if feature.crowd.followers == 0 {
                continue;
            }
            let strengths = rules.strengths(state, id);
            let best = strengths.iter().copied().max().unwrap_or(0);
            if best == 0 {
                continue;
            }
            let (value, chance) = match feature.kind {
                FeatureKind::Road | FeatureKind::City => self.built(rules, state, id, turns),
                FeatureKind::Field => (self.field(rules, state, id, turns), 0.0),
                FeatureKind::Monastery | FeatureKind::Garden => {
                    self.surrounded(rules, state, id, left)
                }
                FeatureKind::Hut => (self.hut(rules, state, id, left), 0.0),
                FeatureKind::River => (0.0, 0.0),
            };
            for piece in rules.ctx(state).on_feature(id) {
                let has = state.seat(piece.seat).has(piece.kind);
                let back = self.supply_value(has, turns);
                if rules.figure(piece.kind).is_follower() {
                    scores[piece.seat.index()] += chance * back;
                }
            }
            for seat in state.seat_list() {
                let strength = strengths[seat.index()];
                if strength == best {
                    scores[seat.index()] += value;
                } else if strength > 0 {
                    scores[seat.index()] += value * self.weights.minority;
                }
            }
        }
        for seat in state.seat_list() {
            for kind in Kind::ALL {
                for i in 0..state.seat(seat).has(*kind) {
                    let share = if *kind == Kind::Normal { 1.0 } else { 0.6 };
                    scores[seat.index()] += share * self.supply_value(i, turns);
                }
            }
        }
        Estimate { scores }
    }

    /// What one more follower in the supply is worth when so many are there.
    fn supply_value(&self, has: u8, turns: f32) -> f32 {
        let worth = self.weights.supply[usize::from(has).min(self.weights.supply.len() - 1)];
        worth * (turns / self.weights.supply_turns).min(1.0)
    }

    fn worth(&self, rules: &Rules, state: &State, feature: FeatureId, complete: bool) -> f32 {
        let occasion = if complete {
            Occasion::Completed
        } else {
            Occasion::Final
        };
        rules
            .worth(
                state,
                Claim {
                    feature,
                    seat: None,
                    complete,
                    occasion,
                },
            )
            .total() as f32
    }

    /// Expected points and chance of completion of a road or city.
    fn built(&mut self, rules: &Rules, state: &State, id: FeatureId, turns: f32) -> (f32, f32) {
        let chance = self.chance(rules, state, id, turns);
        let complete = self.worth(rules, state, id, true);
        if chance >= 1.0 {
            return (complete, 1.0);
        }
        let incomplete = self.worth(rules, state, id, false);
        (chance * complete + (1.0 - chance) * incomplete, chance)
    }

    /// The chance that a road or city is completed.
    fn chance(&mut self, rules: &Rules, state: &State, id: FeatureId, turns: f32) -> f32 {
        if let Some((_, chance)) = self.chances.iter().find(|(known, _)| *known == id) {
            return *chance;
        }
        let feature = state.board().feature(id);
        let mut chance = 1.0;
        if !feature.is_complete() {
            let mut squares = core::mem::take(&mut self.squares);
            rules.open_squares(state, id, &mut squares);
            let edge = if feature.kind == FeatureKind::City {
                self.weights.city_edge
            } else {
                self.weights.road_edge
            };
            let left = f32::from(state.bag().len()).max(1.0);
            let crowding = 1.0 + 0.25 * (squares.len() as f32 - 1.0);
            for (i, pos) in squares.iter().enumerate() {
                if squares.iter().take(i).any(|other| other == pos) {
                    continue;
                }
                let share = f32::from(self.fitting(rules, state, *pos)) / left;
                // A tile that fits a narrow gap is rarely left to others; one that fits anywhere does not always close.
                let rate = edge * 8.0 * share / (0.5 + share) * turns / crowding;
                chance *= 1.0 - (-rate).exp();
            }
            self.squares = squares;
        }
        self.chances.push((id, chance));
        chance
    }

    fn fitting(&mut self, rules: &Rules, state: &State, pos: Pos) -> u16 {
        if let Some((_, n)) = self.fits.iter().find(|(known, _)| *known == pos) {
            return *n;
        }
        let n = rules.n_fitting_tiles(state, pos);
        self.fits.push((pos, n));
        n
    }

    /// Expected points and chance of completion of a monastery or garden.
    fn surrounded(&mut self, rules: &Rules, state: &State, id: FeatureId, left: f32) -> (f32, f32) {
        let mut squares = core::mem::take(&mut self.squares);
        rules.open_squares(state, id, &mut squares);
        let mut value = 9.0 - squares.len() as f32;
        let mut chance = 1.0;
        for pos in &squares {
            let filled = self.filled(rules, state, *pos, left);
            value += filled;
            chance *= filled;
        }
        self.squares = squares;
        (value, chance)
    }

    /// The chance that somebody fills a square.
    fn filled(&mut self, rules: &Rules, state: &State, pos: Pos, left: f32) -> f32 {
        let share = if state.board().gaps().any(|gap| gap == pos) {
            f32::from(self.fitting(rules, state, pos)) / left.max(1.0)
        } else {
            0.5
        };
        1.0 - (-self.weights.fill * left * share.sqrt()).exp()
    }

    fn hut(&mut self, rules: &Rules, state: &State, id: FeatureId, left: f32) -> f32 {
        let mut squares = core::mem::take(&mut self.squares);
        rules.open_squares(state, id, &mut squares);
        let value = squares
            .iter()
            .map(|pos| 1.0 - self.filled(rules, state, *pos, left))
            .sum::<f32>()
            + 1.0;
        self.squares = squares;
        value
    }

    fn field(&mut self, rules: &Rules, state: &State, id: FeatureId, turns: f32) -> f32 {
        let mut cities = core::mem::take(&mut self.cities);
        rules.all_cities_of_field(state, id, &mut cities);
        let mut expected = 0.0;
        for city in &cities {
            if state.board().feature(*city).is_complete() {
                expected += 3.0;
            } else {
                expected += 3.0 * self.weights.field_open * self.chance(rules, state, *city, turns);
            }
        }
        self.cities = cities;
        if turns > 1.0 {
            expected * self.weights.field
        } else {
            expected
        }
    }
}

/// The chance that a lead is a win when so many tiles are left.
pub(crate) fn win_chance(lead: f32, tiles_left: u16) -> f32 {
    let spread = 2.0 + 1.1 * f32::from(tiles_left).sqrt() * 2.0;
    1.0 / (1.0 + (-1.7 * lead / spread).exp())
}
