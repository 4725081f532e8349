//! Computer players: they see what their seat may see, are given a budget, and say why they choose what they choose.
//!
//! No player reads a clock or a random source of the system: both are given from outside, so that the same code runs
//! natively and in the browser, and a game is reproducible by its seed when the budget is in iterations. Native programs
//! find the clocks of the machine behind the feature `clocks`.

mod analyse;
mod arena;
#[cfg(feature = "clocks")]
mod clocks;
mod evaluate;
mod fits;
mod game;
mod hints;
mod known;
mod levels;
mod reply;
mod rng;
mod search;
mod settings;
mod simple;
mod standing;
mod tree;
mod weights;

pub use analyse::{Analysis, Judged, Mark, Moment, Report, Weighed, analyse, mark};
pub use arena::{Entrant, GameResult, Job, Match};
#[cfg(feature = "clocks")]
pub use clocks::{ThreadTime, Wall};
pub use evaluate::{Estimate, Evaluator};
pub use game::{Chair, Deal, Played, Spent, play, seated};
pub use levels::{LEVELS, Level, PLAYERS, level};
pub use rng::Rng;
pub use search::Search;
pub use settings::{SearchSettings, SettingError};
pub use simple::{Greedy, Random, Steady};
pub use standing::{
    Meeting, Standing, Verdict, deal_shares, meetings, sequential, share_of_elo, standings,
};
pub use weights::Weights;

use trencavel_rules::{Choice, MAX_SEATS, Rules, Seat, State};

/// A clock that the surroundings supply.
pub trait Clock {
    /// Milliseconds since some fixed moment.
    fn now_ms(&self) -> f64;
}

/// A clock that stands still: for budgets in iterations.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now_ms(&self) -> f64 {
        0.0
    }
}

/// How much a player may think about one decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// So many iterations: reproducible.
    Iterations(u32),
    /// So many milliseconds of the given clock.
    Milliseconds(f64),
}

/// One of the choices that a player considered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The choice.
    pub choice: Choice,
    /// How good it is for the seat, in points of lead over the best other seat.
    pub value: f32,
    /// The chance of winning, 0 to 1.
    pub win: f32,
    /// How often it was tried.
    pub visits: u32,
    /// Expected final points of every seat.
    pub scores: [f32; MAX_SEATS],
}

/// What a player decided, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The choice.
    pub choice: Choice,
    /// What was considered, best first.
    pub candidates: Vec<Candidate>,
}

/// A computer player.
pub trait Player {
    /// Chooses for a seat that is asked. `view` is the state as that seat may see it ([`Rules::view`]). `None` if the seat
    /// is not asked.
    fn choose(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        budget: Budget,
        clock: &dyn Clock,
    ) -> Option<Decision>;
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn choose(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        budget: Budget,
        clock: &dyn Clock,
    ) -> Option<Decision> {
        (**self).choose(rules, view, seat, budget, clock)
    }
}
