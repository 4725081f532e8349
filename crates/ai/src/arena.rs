//! Matches between players: every pair of entrants plays the same deals in every seating, so that neither tiles nor seats
//! favour anybody.
//!
//! A game depends on nothing but its [`Job`]: with budgets in iterations the results are the same on every machine and with
//! any number of threads, and a match that was broken off goes on where it stopped.

use std::sync::Arc;
#[cfg(feature = "threads")]
use std::sync::atomic::{AtomicUsize, Ordering};

use trencavel_rules::{Rules, Seat, Setup, SetupError};

use crate::game::{Chair, play};
use crate::rng::mix;
use crate::{Budget, Clock, Player};

/// Who takes part in a match.
#[derive(Clone)]
pub struct Entrant {
    /// Its name in the results; different entrants need different names.
    pub name: String,
    /// Makes the player, given a seed.
    pub make: Arc<dyn Fn(u64) -> Box<dyn Player> + Send + Sync>,
    /// How much it may think about a decision.
    pub budget: Budget,
}

/// A match.
#[derive(Clone)]
pub struct Match {
    /// What is played.
    pub setup: Setup,
    /// Who plays; each pair meets.
    pub entrants: Vec<Entrant>,
    /// How many games each pair plays. Rounded up so that every deal is played in every seating.
    pub games: u32,
    /// Decides all deals.
    pub seed: u64,
}

/// One game of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The entrants of the pair, as places in the list.
    pub pair: (usize, usize),
    /// The number of the deal.
    pub deal: u32,
    /// The number of the seating: by how many seats the players are turned. With an odd number of seats the first of the
    /// pair has one seat more; beyond the number of seats come the seatings in which the second has.
    pub seating: u8,
}

/// The result of one game.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameResult {
    /// The names of the pair.
    pub pair: (String, String),
    /// The number of the deal.
    pub deal: u32,
    /// The number of the seating.
    pub seating: u8,
    /// Who sat where.
    pub players: Vec<String>,
    /// Points by seat.
    pub scores: Vec<i32>,
    /// Milliseconds of thinking by seat; all 0 when nobody has a budget in time.
    pub milliseconds: Vec<f64>,
    /// The longest decision by seat, in milliseconds.
    pub longest: Vec<f64>,
    /// Decisions by seat.
    pub decisions: Vec<u32>,
}

impl GameResult {
    /// What the first of the pair made of the game: 1 won, 0.5 drawn, 0 lost. With more than two seats each seat of one is
    /// compared with each seat of the other.
    pub fn share(&self) -> f64 {
        let (mut sum, mut n) = (0.0, 0.0);
        for (a, x) in self.players.iter().zip(&self.scores) {
            for (b, y) in self.players.iter().zip(&self.scores) {
                if *a == self.pair.0 && *b == self.pair.1 {
                    n += 1.0;
                    sum += match x.cmp(y) {
                        core::cmp::Ordering::Greater => 1.0,
                        core::cmp::Ordering::Equal => 0.5,
                        core::cmp::Ordering::Less => 0.0,
                    };
                }
            }
        }
        if n > 0.0 { sum / n } else { 0.5 }
    }

    /// The mean points of one of the players.
    pub fn points(&self, name: &str) -> Option<f64> {
        let of = self.players.iter().zip(&self.scores);
        let points: Vec<f64> = of
            .filter(|(player, _)| *player == name)
            .map(|(_, score)| f64::from(*score))
            .collect();
        (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64)
    }
}

impl Match {
    /// The setup, linked.
    ///
    /// # Errors
    /// The faults of the setup.
    pub fn rules(&self) -> Result<Rules, SetupError> {
        Rules::new(&self.setup)
    }

    /// In how many seatings each pair plays every deal.
    pub fn seatings(&self) -> u8 {
        let seats = self.setup.seats.max(1);
        if seats.is_multiple_of(2) {
            seats
        } else {
            2 * seats
        }
    }

    /// Every game, in order; those among the results that were had before are left out.
    pub fn jobs(&self, had: &[GameResult]) -> Vec<Job> {
        let seatings = self.seatings();
        let deals = self.games.div_ceil(u32::from(seatings));
        let mut jobs = Vec::new();
        for deal in 0..deals {
            for a in 0..self.entrants.len() {
                for b in a + 1..self.entrants.len() {
                    for seating in 0..seatings {
                        let job = Job {
                            pair: (a, b),
                            deal,
                            seating,
                        };
                        if !had.iter().any(|result| self.is_of(result, &job)) {
                            jobs.push(job);
                        }
                    }
                }
            }
        }
        jobs
    }

    fn is_of(&self, result: &GameResult, job: &Job) -> bool {
        result.deal == job.deal
            && result.seating == job.seating
            && result.pair.0 == self.entrants[job.pair.0].name
            && result.pair.1 == self.entrants[job.pair.1].name
    }

    /// Plays one game.
    pub fn play(&self, rules: &Rules, job: &Job, clock: &dyn Clock) -> GameResult {
        let (a, b) = (&self.entrants[job.pair.0], &self.entrants[job.pair.1]);
        let n = self.setup.seats;
        let sits: Vec<&Entrant> = (0..n)
            .map(|seat| {
                let turned = (seat + n - job.seating % n) % n;
                if (turned + job.seating / n).is_multiple_of(2) {
                    a
                } else {
                    b
                }
            })
            .collect();
        let seed = mix(self.seed ^ mix(u64::from(job.deal)));
        let mut players: Vec<Box<dyn Player>> = (0u64..)
            .zip(&sits)
            .map(|(seat, entrant)| {
                (entrant.make)(mix(seed ^ (seat + 1) << 8 ^ u64::from(job.seating)))
            })
            .collect();
        let mut chairs: Vec<Chair> = players
            .iter_mut()
            .zip(&sits)
            .map(|(player, entrant)| Chair {
                player: player.as_mut(),
                budget: entrant.budget,
            })
            .collect();
        let played = play(rules, &mut chairs, seed, clock, |_, _, _| {});
        let seats = (0..n).map(Seat);
        GameResult {
            pair: (a.name.clone(), b.name.clone()),
            deal: job.deal,
            seating: job.seating,
            players: sits.iter().map(|entrant| entrant.name.clone()).collect(),
            scores: seats.map(|seat| played.last.seat(seat).score).collect(),
            milliseconds: played
                .spent
                .iter()
                .take(usize::from(n))
                .map(|s| s.milliseconds)
                .collect(),
            longest: played
                .spent
                .iter()
                .take(usize::from(n))
                .map(|s| s.longest)
                .collect(),
            decisions: played
                .spent
                .iter()
                .take(usize::from(n))
                .map(|s| s.decisions)
                .collect(),
        }
    }

    /// Plays all games that are not among the results had before, on so many threads (0: one for each core), and tells
    /// each result as it comes; the answer is whether to play on.
    ///
    /// # Errors
    /// The faults of the setup.
    #[cfg(feature = "threads")]
    pub fn run(
        &self,
        had: &[GameResult],
        threads: usize,
        clock: &(dyn Clock + Sync),
        mut tell: impl FnMut(&GameResult) -> bool + Send,
    ) -> Result<Vec<GameResult>, SetupError> {
        let rules = self.rules()?;
        let jobs = self.jobs(had);
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let (send, receive) = std::sync::mpsc::channel();
        let next = AtomicUsize::new(0);
        // Each thread takes the next game, so that games are finished nearly in order.
        let work = |send: std::sync::mpsc::Sender<GameResult>| {
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                if send.send(self.play(&rules, job, clock)).is_err() {
                    break;
                }
            }
        };
        let mut results = had.to_vec();
        std::thread::scope(|scope| {
            for _ in 0..threads.min(jobs.len()) {
                let send = send.clone();
                scope.spawn(|| work(send));
            }
            drop(send);
            for result in receive {
                let on = tell(&result);
                results.push(result);
                if !on {
                    break;
                }
            }
        });
        results.sort_by(|x, y| (&x.pair, x.deal, x.seating).cmp(&(&y.pair, y.deal, y.seating)));
        Ok(results)
    }
}
