//! The arithmetic of a score, in stages, and its itemised lines.
//!
//! Within a stage everything is addition, so expansions may speak in any order; only the stages have an order (SM-23 to
//! SM-29): base, rates, extra for each tile, halving, fixed additions.

use alloc::vec::Vec;

use crate::clause::{self, Clause};
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
    /// For each empty square around.
    pub empty: i16,
}

impl Rates {
    const ZERO: Rates = Rates {
        tile: 0,
        pennant: 0,
        city: 0,
        empty: 0,
    };

    /// So many for each tile and pennant.
    pub const fn built(tile: i16, pennant: i16) -> Rates {
        Rates {
            tile,
            pennant,
            ..Rates::ZERO
        }
    }

    /// So many for each city at a field.
    pub const fn field(city: i16) -> Rates {
        Rates {
            city,
            ..Rates::ZERO
        }
    }

    /// So many for each empty square around.
    pub const fn empty(empty: i16) -> Rates {
        Rates {
            empty,
            ..Rates::ZERO
        }
    }

    fn of(self, units: &Units) -> i32 {
        i32::from(self.tile) * i32::from(units.tiles)
            + i32::from(self.pennant) * i32::from(units.pennants)
            + i32::from(self.city) * i32::from(units.cities)
            + i32::from(self.empty) * i32::from(units.empty)
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
    /// Empty squares around.
    pub empty: u16,
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
    /// Points for each unit, where the item is so many points for each of something; else zero.
    pub rates: Rates,
    /// What the feature has of each unit.
    pub units: Units,
}

/// What points are given for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A tile.
    Tile,
    /// A pennant.
    Pennant,
    /// A city, or thing counted like one, at a field.
    City,
    /// An empty square around.
    Empty,
}

impl Line {
    /// The products that the points are the sum of: what is counted, how many there are, and the points for each. None for an item
    /// that is no product, as a halving; none for units of which the feature has none.
    pub fn products(&self) -> impl Iterator<Item = (Unit, u16, i16)> {
        let Line { rates, units, .. } = *self;
        [
            (Unit::Tile, units.tiles, rates.tile),
            (Unit::Pennant, units.pennants, rates.pennant),
            (Unit::City, units.cities, rates.city),
            (Unit::Empty, units.empty, rates.empty),
        ]
        .into_iter()
        .filter(|(_, n, each)| *n > 0 && *each != 0)
    }
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
        let units = self.units;
        let mut sum = 0;
        let mut item = |sum: &mut i32, clause, points, rates| {
            *sum += points;
            line(Line {
                clause,
                points,
                rates,
                units,
            });
        };
        let plain = Rates::ZERO;
        let mut city = 0;
        for (say, clause) in core::iter::once(&self.base).chain(&self.says) {
            if let Say::Base(rates) | Say::Rate(rates) = *say {
                city += rates.city;
                item(&mut sum, *clause, rates.of(&units), rates);
            }
        }
        if city < 0 && units.cities > 0 {
            // No object is below 0.
            let floor = -i32::from(city) * i32::from(units.cities);
            item(&mut sum, clause::SM_58, floor, plain);
        }
        if let Some((_, clause)) = self.says.iter().find(|(say, _)| *say == Say::Void) {
            let all = -sum;
            item(&mut sum, *clause, all, plain);
        }
        for (say, clause) in &self.says {
            if let Say::Extra(each) = *say {
                let rates = Rates::built(each, 0);
                item(&mut sum, *clause, rates.of(&units), rates);
            }
        }
        for (say, clause) in &self.says {
            if *say == Say::Half {
                let lost = (sum + 1).div_euclid(2) - sum;
                item(&mut sum, *clause, lost, plain);
            }
        }
        for (say, clause) in &self.says {
            if let Say::Add(points) = *say {
                item(&mut sum, *clause, i32::from(points), plain);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn tally(units: Units, base: Rates) -> Tally {
        let claim = Claim {
            feature: FeatureId(0),
            seat: None,
            complete: true,
            occasion: Occasion::Completed,
        };
        Tally::new(claim, units, base, clause::BA_32)
    }

    #[test]
    fn items_tell_what_they_are_the_product_of() {
        let units = Units {
            tiles: 8,
            pennants: 2,
            ..Units::default()
        };
        let mut city = tally(units, Rates::built(2, 2));
        city.rate(Rates::built(1, 1), clause::IC_32);
        city.halve(clause::SM_27);
        city.extra_per_tile(1, clause::SM_26);
        city.add(3, clause::SM_28);
        let items: Vec<_> = city
            .lines()
            .iter()
            .map(|line| (line.points, line.products().collect::<Vec<_>>()))
            .collect();
        let of = |each| vec![(Unit::Tile, 8, each), (Unit::Pennant, 2, each)];
        assert_eq!(
            items,
            [
                (20, of(2)),
                (10, of(1)),
                (8, vec![(Unit::Tile, 8, 1)]),
                (-19, vec![]),
                (3, vec![]),
            ]
        );
        assert_eq!(city.total(), 22);
    }

    /// An object that is worth less than nothing is worth nothing, and an item says so: the items add up.
    #[test]
    fn no_city_at_a_field_is_worth_less_than_nothing() {
        let units = Units {
            cities: 2,
            ..Units::default()
        };
        let mut field = tally(units, Rates::field(1));
        field.rate(Rates::field(-3), clause::SM_58);
        let items: Vec<_> = field.lines().iter().map(|line| line.points).collect();
        assert_eq!(items, [2, -6, 4]);
        assert_eq!(field.total(), 0);
    }
}
