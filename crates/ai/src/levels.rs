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

/// Who decides at once.
const fn quick(name: &'static str, about: &'static str, make: Make) -> Level {
    Level {
        name,
        about,
        milliseconds: 0.0,
        make,
    }
}

/// The steady player who errs by so many points.
const fn erring(name: &'static str, about: &'static str, points: f32) -> Level {
    quick(name, about, Make::Steady(points))
}

/// The searching player with so many milliseconds and at most so many iterations.
const fn thinking(name: &'static str, about: &'static str, milliseconds: f64, most: u32) -> Level {
    Level {
        milliseconds,
        ..quick(name, about, Make::Search(most))
    }
}

/// The levels for people, weakest first. How far each is from the next is measured: see docs/players.md.
pub const LEVELS: &[Level] = &[
    erring("pilgrim", "sees little of the board", 9.0),
    erring("shepherd", "knows what scores, and misses much", 5.9),
    erring("miller", "finishes what lies close at hand", 4.3),
    erring("mason", "builds with some care", 3.2),
    erring("merchant", "counts followers, too", 2.4),
    erring("squire", "seldom gives anything away", 1.75),
    erring("knight", "nearly makes the most of every tile", 1.05),
    erring("seneschal", "makes the most of every tile", 0.0),
    thinking(
        "castellan",
        "thinks of your answer for a moment",
        1000.0,
        500,
    ),
    thinking(
        "viscount",
        "thinks of your answer, and of its own to that",
        2000.0,
        0,
    ),
];

/// The players as such, without regard to people: for matches and measurements.
pub const PLAYERS: &[Level] = &[
    quick("random", "any legal choice", Make::Random),
    quick("greedy", "the most points now", Make::Greedy),
    erring("steady", "the best evaluation after its own turn", 0.0),
    thinking("search", "tree search", 1000.0, 0),
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
            Make::Steady(0.0) => Box::new(Steady::new(settings)),
            Make::Steady(error) => Box::new(Steady::erring(settings, error, seed)),
            Make::Search(0) => Box::new(Search::new(settings)),
            Make::Search(most) => Box::new(Search::new(SearchSettings { most, ..settings })),
        }
    }

    /// The budget for one decision.
    pub fn budget(&self) -> Budget {
        Budget::Milliseconds(self.milliseconds)
    }
}
