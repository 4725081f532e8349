//! Levels for people, from gentle to as strong as it gets, and the players as such.

use crate::search::Search;
use crate::settings::SearchSettings;
use crate::simple::{Greedy, Random, Steady};
use crate::{Budget, Player};

/// A level of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    /// How long it thinks about a move at most, in milliseconds.
    pub milliseconds: f64,
    make: Make,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Make {
    Random,
    Greedy,
    /// The steady player, who errs about every plan by about so many points.
    Steady(f32),
    /// The searching player with at most so many iterations; 0 for no limit.
    Search(u32),
}

const fn named(name: &'static str, about: &'static str, milliseconds: f64, make: Make) -> Level {
    Level {
        name,
        about,
        milliseconds,
        make,
    }
}

/// The levels for people, weakest first. How far each is from the next is measured: see docs/players.md.
pub const LEVELS: &[Level] = &[
    named(
        "pilgrim",
        "sees little of the board",
        0.0,
        Make::Steady(9.0),
    ),
    named(
        "shepherd",
        "knows what scores, and misses much",
        0.0,
        Make::Steady(5.8),
    ),
    named(
        "miller",
        "finishes what lies close at hand",
        0.0,
        Make::Steady(4.2),
    ),
    named("mason", "builds with some care", 0.0, Make::Steady(3.0)),
    named("merchant", "counts followers, too", 0.0, Make::Steady(2.2)),
    named(
        "squire",
        "seldom gives anything away",
        0.0,
        Make::Steady(1.55),
    ),
    named(
        "knight",
        "nearly makes the most of every tile",
        0.0,
        Make::Steady(0.95),
    ),
    named(
        "seneschal",
        "makes the most of every tile",
        0.0,
        Make::Steady(0.0),
    ),
    named(
        "castellan",
        "thinks of your answer for a moment",
        1000.0,
        Make::Search(500),
    ),
    named(
        "viscount",
        "thinks of your answer, and of its own to that",
        2000.0,
        Make::Search(0),
    ),
];

/// The players as such, without regard to people: for matches and measurements.
pub const PLAYERS: &[Level] = &[
    named("random", "any legal choice", 0.0, Make::Random),
    named("greedy", "the most points now", 0.0, Make::Greedy),
    named(
        "steady",
        "the best evaluation after its own turn",
        0.0,
        Make::Steady(0.0),
    ),
    named("search", "tree search", 1000.0, Make::Search(0)),
];

/// The level or player with this name.
pub fn level(name: &str) -> Option<&'static Level> {
    LEVELS
        .iter()
        .chain(PLAYERS)
        .find(|level| level.name == name)
}

impl Level {
    /// A player of this level with a seed.
    pub fn player(&self, seed: u64) -> Box<dyn Player> {
        self.player_with(seed, SearchSettings::default())
    }

    /// A player of this level that searches and evaluates with other settings; those that the level itself decides stay.
    pub fn player_with(&self, seed: u64, settings: SearchSettings) -> Box<dyn Player> {
        match self.make {
            Make::Random => Box::new(Random::new(seed)),
            Make::Greedy => Box::new(Greedy::new(seed)),
            Make::Steady(0.0) => Box::new(Steady::new(settings.weights)),
            Make::Steady(error) => Box::new(Steady::erring(settings.weights, error, seed)),
            Make::Search(0) => Box::new(Search::new(settings)),
            Make::Search(most) => Box::new(Search::new(SearchSettings { most, ..settings })),
        }
    }

    /// The budget for one decision.
    pub fn budget(&self) -> Budget {
        Budget::Milliseconds(self.milliseconds)
    }
}
