//! The arithmetic of a score, in stages, and its itemised lines.
//!
//! Within a stage everything is addition, so expansions may speak in any order; only the stages have an order (SM-23 to
//! SM-29): base, rates, extra for each tile, halving, fixed additions.

use alloc::vec::Vec;

use crate::clause::Clause;
use crate::moves::{FeatureId, Seat};

/// For whom and how a feature is being valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The feature.
    pub feature: FeatureId,
    /// For which seat; none when only the feature's own value is asked (SM-41).
    pub seat: Option<Seat>,
    /// Complete, or incomplete in the final scoring.
    pub complete: bool,
    /// Why it is valued.
    pub occasion: Occasion,
}

/// Why a feature is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// It was completed in this turn part.
    Completed,
    /// The final scoring.
    Final,
    /// Its owner takes a figure back early (AB-10).
    Recall,
    /// A field is scored for another reason, at a rate of its own for each city; animals add to it or not.
    AtRate {
        /// Points for each city.
        each: i16,
        /// Whether pigs and herds add to it.
        animals: bool,
        /// By which clause.
        clause: Clause,
    },
}

/// Points for each of what a feature has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rates {
    /// For each tile.
    pub tile: i16,
    /// For each pennant.
    pub pennant: i16,
    /// For each city (or thing counted like one) at a field.
    pub city: i16,
}

impl Rates {
    /// So many for each tile and pennant.
    pub const fn built(tile: i16, pennant: i16) -> Rates {
        Rates {
            tile,
            pennant,
            city: 0,
        }
    }

    /// So many for each city at a field.
    pub const fn field(city: i16) -> Rates {
        Rates {
            tile: 0,
            pennant: 0,
            city,
        }
    }

    fn of(self, units: &Units) -> i32 {
        i32::from(self.tile) * i32::from(units.tiles)
            + i32::from(self.pennant) * i32::from(units.pennants)
            + i32::from(self.city) * i32::from(units.cities)
    }
}

/// What a feature has that points are given for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Units {
    /// Distinct tiles; for a surrounded feature its own and its neighbours.
    pub tiles: u16,
    /// Pennants.
    pub pennants: u16,
    /// Completed cities at a field, each as often as it counts.
    pub cities: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Say {
    Base(Rates),
    Rate(Rates),
    Void,
    Extra(i16),
    Half,
    Add(i16),
}

/// A score being composed.
#[derive(Clone, Debug)]
pub struct Tally {
    /// What is being valued.
    pub claim: Claim,
    /// What it has.
    pub units: Units,
    base: (Say, Clause),
    says: Vec<(Say, Clause)>,
}

/// One item of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// The clause that gives or takes the points.
    pub clause: Clause,
    /// Points, negative when taken.
    pub points: i32,
}

impl Tally {
    /// A score with its base: so many points for each unit.
    pub fn new(claim: Claim, units: Units, base: Rates, clause: Clause) -> Tally {
        Tally {
            claim,
            units,
            base: (Say::Base(base), clause),
            says: Vec::new(),
        }
    }

    /// Changes the rates (inn, cathedral, pig): more or fewer points for each unit.
    pub fn rate(&mut self, rates: Rates, clause: Clause) {
        self.says.push((Say::Rate(rates), clause));
    }

    /// Base and rates are worth nothing.
    pub fn void(&mut self, clause: Clause) {
        self.says.push((Say::Void, clause));
    }

    /// More for each tile, after the rates and also when they are void (SM-26, SM-65).
    pub fn extra_per_tile(&mut self, points: i16, clause: Clause) {
        self.says.push((Say::Extra(points), clause));
    }

    /// Halves what the earlier stages gave, rounding up (SM-27).
    pub fn halve(&mut self, clause: Clause) {
        self.says.push((Say::Half, clause));
    }

    /// Adds points that nothing multiplies or halves (SM-28).
    pub fn add(&mut self, points: i16, clause: Clause) {
        self.says.push((Say::Add(points), clause));
    }

    /// The clause of the base.
    pub fn clause(&self) -> Clause {
        self.base.1
    }

    /// The sum.
    pub fn total(&self) -> i32 {
        self.compute(|_| {})
    }

    /// The sum, with one line for each item, in the order of the stages.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        self.compute(|line| lines.push(line));
        lines
    }

    fn compute(&self, mut line: impl FnMut(Line)) -> i32 {
        let mut sum = 0;
        let mut rates = Rates::default();
        for (say, clause) in core::iter::once(&self.base).chain(&self.says) {
            if let Say::Base(r) | Say::Rate(r) = say {
                rates.city += r.city;
                let points = r.of(&self.units);
                sum += points;
                line(Line {
                    clause: *clause,
                    points,
                });
            }
        }
        if rates.city < 0 {
            // SM-58: no object is below 0.
            sum -= i32::from(rates.city) * i32::from(self.units.cities);
        }
        if let Some((_, clause)) = self.says.iter().find(|(say, _)| *say == Say::Void) {
            line(Line {
                clause: *clause,
                points: -sum,
            });
            sum = 0;
        }
        for (say, clause) in &self.says {
            if let Say::Extra(each) = say {
                let points = i32::from(*each) * i32::from(self.units.tiles);
                sum += points;
                line(Line {
                    clause: *clause,
                    points,
                });
            }
        }
        for (say, clause) in &self.says {
            if *say == Say::Half {
                let half = (sum + 1).div_euclid(2);
                line(Line {
                    clause: *clause,
                    points: half - sum,
                });
                sum = half;
            }
        }
        for (say, clause) in &self.says {
            if let Say::Add(points) = say {
                sum += i32::from(*points);
                line(Line {
                    clause: *clause,
                    points: i32::from(*points),
                });
            }
        }
        sum
    }
}
