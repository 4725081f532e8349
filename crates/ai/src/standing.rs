//! What the results of a match say: Elo with confidence, means, and a sequential test for tuning.

use crate::arena::GameResult;
use crate::rng::Rng;

/// How an entrant did in a match.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Standing {
    /// Who.
    pub name: String,
    /// Games played.
    pub games: u32,
    /// Share of the points: 1 a win, 0.5 a draw.
    pub share: f64,
    /// Elo; the mean of all entrants is 0.
    pub elo: f64,
    /// Elo is above this and below `elo_high` with 95 % confidence.
    pub elo_low: f64,
    /// See `elo_low`.
    pub elo_high: f64,
    /// Mean points a seat and game.
    pub points: f64,
    /// Mean milliseconds a decision.
    pub milliseconds: f64,
    /// The longest decision, in milliseconds.
    pub longest: f64,
}

/// How two entrants did against each other.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Meeting {
    /// The pair.
    pub pair: (String, String),
    /// Games played.
    pub games: u32,
    /// The first one's share of the points.
    pub share: f64,
    /// The share is above this and below `high` with 95 % confidence.
    pub low: f64,
    /// See `low`.
    pub high: f64,
    /// The first one's mean lead.
    pub lead: f64,
}

/// The share of the points that a difference of Elo leads to.
pub fn share_of_elo(difference: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-difference / 400.0))
}

/// The names of all entrants, in the order in which they first appear.
fn names(results: &[GameResult]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for result in results {
        for name in [&result.pair.0, &result.pair.1] {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// One deal of one pair: the games that are not independent of each other.
struct Deal {
    pair: (usize, usize),
    shares: f64,
    games: f64,
}

fn deals(results: &[GameResult], names: &[String]) -> Vec<Deal> {
    let place = |name: &String| names.iter().position(|other| other == name);
    let mut deals: Vec<(u32, Deal)> = Vec::new();
    for result in results {
        let (Some(a), Some(b)) = (place(&result.pair.0), place(&result.pair.1)) else {
            continue;
        };
        let same =
            |(number, deal): &&mut (u32, Deal)| *number == result.deal && deal.pair == (a, b);
        match deals.iter_mut().rev().find(same) {
            Some((_, deal)) => {
                deal.shares += result.share();
                deal.games += 1.0;
            }
            None => deals.push((
                result.deal,
                Deal {
                    pair: (a, b),
                    shares: result.share(),
                    games: 1.0,
                },
            )),
        }
    }
    deals.into_iter().map(|(_, deal)| deal).collect()
}

/// The strengths that make the results most likely, their mean 0. One drawn game is supposed between those who met, so
/// that nobody is infinitely strong.
fn fit(deals: &[&Deal], n: usize) -> Vec<f64> {
    let mut points = vec![0.0; n * n];
    let mut games = vec![0.0; n * n];
    for deal in deals {
        let (a, b) = deal.pair;
        points[a * n + b] += deal.shares;
        points[b * n + a] += deal.games - deal.shares;
        games[a * n + b] += deal.games;
        games[b * n + a] += deal.games;
    }
    for i in 0..n * n {
        if games[i] > 0.0 {
            points[i] += 0.5;
            games[i] += 1.0;
        }
    }
    let mut strength = vec![1.0f64; n];
    for _ in 0..500 {
        for a in 0..n {
            let (mut won, mut expected) = (0.0, 0.0);
            for b in 0..n {
                won += points[a * n + b];
                expected += games[a * n + b] / (strength[a] + strength[b]);
            }
            if expected > 0.0 {
                strength[a] = won / expected;
            }
        }
    }
    let elo: Vec<f64> = strength.iter().map(|s| 400.0 * s.log10()).collect();
    let mean = elo.iter().sum::<f64>() / n.max(1) as f64;
    elo.iter().map(|e| e - mean).collect()
}

/// The standings, strongest first. The confidence comes from drawing whole deals again and again.
pub fn standings(results: &[GameResult]) -> Vec<Standing> {
    const DRAWS: usize = 200;
    let names = names(results);
    let deals = deals(results, &names);
    let elo = fit(&deals.iter().collect::<Vec<_>>(), names.len());
    let mut rng = Rng::new(1);
    let mut spread: Vec<Vec<f64>> = vec![Vec::with_capacity(DRAWS); names.len()];
    for _ in 0..DRAWS {
        let drawn: Vec<&Deal> = (0..deals.len())
            .filter_map(|_| deals.get(rng.below(deals.len() as u32) as usize))
            .collect();
        for (list, elo) in spread.iter_mut().zip(fit(&drawn, names.len())) {
            list.push(elo);
        }
    }
    let mut standings: Vec<Standing> = names
        .iter()
        .zip(elo)
        .zip(&mut spread)
        .map(|((name, elo), spread)| {
            spread.sort_by(f64::total_cmp);
            let mut standing = Standing {
                name: name.clone(),
                games: 0,
                share: 0.0,
                elo,
                elo_low: spread.get(DRAWS / 40).copied().unwrap_or(elo),
                elo_high: spread.get(DRAWS - 1 - DRAWS / 40).copied().unwrap_or(elo),
                points: 0.0,
                milliseconds: 0.0,
                longest: 0.0,
            };
            let mut decisions = 0.0;
            for result in results {
                let Some(points) = result.points(name) else {
                    continue;
                };
                standing.games += 1;
                standing.points += points;
                standing.share += if result.pair.0 == *name {
                    result.share()
                } else {
                    1.0 - result.share()
                };
                for seat in 0..result.players.len() {
                    if result.players[seat] == *name {
                        standing.milliseconds += result.milliseconds[seat];
                        standing.longest = standing.longest.max(result.longest[seat]);
                        decisions += f64::from(result.decisions[seat]);
                    }
                }
            }
            let games = f64::from(standing.games).max(1.0);
            standing.points /= games;
            standing.share /= games;
            standing.milliseconds /= f64::max(decisions, 1.0);
            standing
        })
        .collect();
    standings.sort_by(|x, y| y.elo.total_cmp(&x.elo));
    standings
}

/// What every pair did against each other.
pub fn meetings(results: &[GameResult]) -> Vec<Meeting> {
    let names = names(results);
    let deals = deals(results, &names);
    let mut meetings = Vec::new();
    for a in 0..names.len() {
        for b in 0..names.len() {
            let of: Vec<&Deal> = deals.iter().filter(|deal| deal.pair == (a, b)).collect();
            let games: f64 = of.iter().map(|deal| deal.games).sum();
            if games == 0.0 {
                continue;
            }
            let share = of.iter().map(|deal| deal.shares).sum::<f64>() / games;
            let squares: f64 = of
                .iter()
                .map(|deal| (deal.shares - share * deal.games).powi(2))
                .sum();
            // The smallest error that so few games allow keeps a clean sweep from looking certain.
            let error = (squares.sqrt() / games).max(0.5 / games);
            let pair = (names[a].clone(), names[b].clone());
            let leads = results.iter().filter(|result| result.pair == pair);
            let leads: Vec<f64> = leads
                .filter_map(|result| Some(result.points(&pair.0)? - result.points(&pair.1)?))
                .collect();
            meetings.push(Meeting {
                games: games as u32,
                share,
                low: (share - 1.96 * error).max(0.0),
                high: (share + 1.96 * error).min(1.0),
                lead: leads.iter().sum::<f64>() / leads.len().max(1) as f64,
                pair,
            });
        }
    }
    meetings
}

/// The first one's share of every deal of a pair that was played in all of so many seatings: what the sequential test
/// takes.
pub fn deal_shares(results: &[GameResult], seatings: u8) -> Vec<f64> {
    deals(results, &names(results))
        .iter()
        .filter(|deal| deal.games >= f64::from(seatings))
        .map(|deal| deal.shares / deal.games)
        .collect()
}

/// What a sequential test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The first is stronger by the wanted difference rather than not at all.
    Better,
    /// It is not.
    NotBetter,
    /// Play on.
    Open,
}

/// Tests while games are played whether the first of a pair is stronger by `better` Elo rather than by `worse`, wrong in
/// one of twenty cases either way. The shares are of whole deals, 0 to 1.
pub fn sequential(shares: &[f64], worse: f64, better: f64) -> Verdict {
    let n = shares.len() as f64;
    if n < 8.0 {
        return Verdict::Open;
    }
    let mean = shares.iter().sum::<f64>() / n;
    let variance = shares
        .iter()
        .map(|share| (share - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    let (low, high) = (share_of_elo(worse), share_of_elo(better));
    let likelihood = n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance.max(1e-3));
    let bound = (0.95f64 / 0.05).ln();
    if likelihood > bound {
        Verdict::Better
    } else if likelihood < -bound {
        Verdict::NotBetter
    } else {
        Verdict::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(pair: (&str, &str), deal: u32, seating: u8, scores: (i32, i32)) -> GameResult {
        let (a, b) = (pair.0.to_string(), pair.1.to_string());
        let players = if seating == 0 {
            vec![a.clone(), b.clone()]
        } else {
            vec![b.clone(), a.clone()]
        };
        GameResult {
            pair: (a, b),
            deal,
            seating,
            players,
            scores: vec![scores.0, scores.1],
            milliseconds: vec![10.0, 20.0],
            longest: vec![5.0, 6.0],
            decisions: vec![10, 10],
        }
    }

    #[test]
    fn three_of_four_points_are_191_elo() {
        assert!((share_of_elo(190.85) - 0.75).abs() < 1e-4);
        let results: Vec<GameResult> = (0..1000)
            .flat_map(|deal| {
                [
                    result(("a", "b"), deal, 0, (90, 80)),
                    result(
                        ("a", "b"),
                        deal,
                        1,
                        (90, if deal % 2 == 0 { 80 } else { 99 }),
                    ),
                ]
            })
            .collect();
        // The first seating is won by a; in the second one b sits first and wins every other game.
        let table = standings(&results);
        assert_eq!(table[0].name, "a");
        assert!((table[0].share - 0.75).abs() < 1e-9);
        assert!((table[0].elo - table[1].elo - 190.85).abs() < 2.0);
        assert!(table[0].elo_low < table[0].elo && table[0].elo < table[0].elo_high);
        let meeting = &meetings(&results)[0];
        assert_eq!(meeting.games, 2000);
        assert!(meeting.low < 0.75 && 0.75 < meeting.high);
    }

    #[test]
    fn a_sequential_test_decides_in_time() {
        let even: Vec<f64> = (0..2000).map(|i| f64::from(i % 3) / 2.0).collect();
        assert_eq!(sequential(&even, 0.0, 20.0), Verdict::NotBetter);
        let strong: Vec<f64> = (0..400)
            .map(|i| if i % 4 == 0 { 0.0 } else { 1.0 })
            .collect();
        assert_eq!(sequential(&strong, 0.0, 20.0), Verdict::Better);
        assert_eq!(sequential(&strong[..4], 0.0, 20.0), Verdict::Open);
    }
}
