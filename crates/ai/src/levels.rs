//! Levels for people, from gentle to as strong as it gets.

use crate::search::{Search, SearchSettings};
use crate::simple::{Greedy, Random, Steady};
use crate::weights::Weights;
use crate::{Budget, Player};

/// A level of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// How long it thinks about a move, in milliseconds.
    pub milliseconds: f64,
    make: Make,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Make {
    Random,
    Greedy,
    Steady,
    Search,
}

/// The levels, weakest first.
pub const LEVELS: &[Level] = &[
    Level {
        name: "random",
        milliseconds: 0.0,
        make: Make::Random,
    },
    Level {
        name: "greedy",
        milliseconds: 0.0,
        make: Make::Greedy,
    },
    Level {
        name: "steady",
        milliseconds: 0.0,
        make: Make::Steady,
    },
    Level {
        name: "search",
        milliseconds: 1000.0,
        make: Make::Search,
    },
];

/// The level with this name.
pub fn level(name: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|level| level.name == name)
}

impl Level {
    /// A player of this level with a seed.
    pub fn player(&self, seed: u64) -> Box<dyn Player> {
        match self.make {
            Make::Random => Box::new(Random::new(seed)),
            Make::Greedy => Box::new(Greedy::new(seed)),
            Make::Steady => Box::new(Steady::new(Weights::default())),
            Make::Search => Box::new(Search::new(SearchSettings::default())),
        }
    }

    /// The budget for one decision.
    pub fn budget(&self) -> Budget {
        Budget::Milliseconds(self.milliseconds)
    }
}
