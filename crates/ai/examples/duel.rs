//! `duel A B GAMES BUDGET [SLUG…] [-- name=value…]`: the level or player A with other settings against B, both seatings of
//! each deal. The budget is in milliseconds, or in iterations when it is negative; `seed=N` decides the deals. Faster to
//! build than `trencavel arena`, and tells the error of the lead.
use std::sync::Arc;

use trencavel_ai::*;
use trencavel_rules::*;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let changes = match args.iter().position(|a| a == "--") {
        Some(i) => args.split_off(i).split_off(1),
        None => vec![],
    };
    let mut settings = SearchSettings::default();
    let mut seed = 1000;
    for change in &changes {
        match change.split_once('=').unwrap() {
            ("seed", value) => seed = value.parse().unwrap(),
            (name, value) => settings.set(name, value).unwrap(),
        }
    }
    let budget: f64 = args[3].parse().unwrap();
    let entrant = |name: &str, title: &str, settings: SearchSettings| {
        let level = level(name).unwrap();
        Entrant {
            name: title.to_string(),
            make: Arc::new(move |seed| level.player_with(seed, settings)),
            budget: if budget < 0.0 {
                Budget::Iterations(-budget as u32)
            } else {
                Budget::Milliseconds(budget)
            },
        }
    };
    let mut setup = Setup::new(Edition::C1, 2);
    for slug in &args[4..] {
        setup = setup.with(slug);
    }
    let game = Match {
        setup,
        entrants: vec![
            entrant(&args[0], "A", settings),
            entrant(&args[1], "B", SearchSettings::default()),
        ],
        games: args[2].parse().unwrap(),
        seed,
    };
    let rules = game.rules().unwrap();
    let clock = ThreadTime::new();
    let results: Vec<GameResult> = (game.jobs(&[]).iter())
        .map(|job| game.play(&rules, job, &clock))
        .collect();
    let leads: Vec<f64> = results
        .chunks(usize::from(game.seatings()))
        .map(|deal| meetings(deal)[0].lead)
        .collect();
    let n = leads.len() as f64;
    let mean = leads.iter().sum::<f64>() / n;
    let variance = leads.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / n;
    let meeting = &meetings(&results)[0];
    println!(
        "{} games: {} wins {:.1} % ({:.1} to {:.1}), lead {mean:.2} ± {:.2}",
        meeting.games,
        args[0],
        100.0 * meeting.share,
        100.0 * meeting.low,
        100.0 * meeting.high,
        (variance / n).sqrt(),
    );
    for row in standings(&results) {
        println!(
            "    {}: {:.1} points, {:.2} ms a decision",
            row.name, row.points, row.milliseconds
        );
    }
}
