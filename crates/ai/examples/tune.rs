//! `tune SECONDS SEED [name=value…] [-- name…]`: changes numbers of the evaluation so that the steady player wins by more.
//!
//! Simultaneous perturbation: all numbers are changed a little up or down at once, the player with these changes meets the
//! one with the opposite changes on both seatings of a few deals, and every number goes a little way towards the better.
use std::time::Instant;

use trencavel_ai::*;
use trencavel_rules::*;

/// How many deals each step is measured with.
const DEALS: u64 = 2;

fn lead(rules: &Rules, one: SearchSettings, two: SearchSettings, deal: u64) -> f64 {
    let mut sum = 0.0;
    for settings in [[one, two], [two, one]] {
        let mut players = settings.map(Steady::new);
        let chairs = &mut seated(&mut players, Budget::Iterations(1));
        let played = play(rules, chairs, deal, &NoClock, |_, _, _| {});
        let lead = f64::from(played.last.seat(Seat(0)).score - played.last.seat(Seat(1)).score);
        sum += if settings[0] == one { lead } else { -lead };
    }
    sum / 2.0
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let only = match args.iter().position(|a| a == "--") {
        Some(i) => args.split_off(i).split_off(1),
        None => vec![],
    };
    let seconds: f64 = args[0].parse().unwrap();
    let seed: u64 = args[1].parse().unwrap();
    let mut settings = SearchSettings::default();
    for change in &args[2..] {
        let (name, value) = change.split_once('=').unwrap();
        settings.set(name, value).unwrap();
    }
    let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
    let start = settings.weights.to_vec();
    let free: Vec<usize> = (0..start.len())
        .filter(|i| {
            let name = Weights::NAMES[*i];
            let fixed = ["luck_base", "luck_tile", "figure", "tokens"].contains(&name);
            if only.is_empty() {
                !fixed
            } else {
                only.iter().any(|o| o == name)
            }
        })
        .collect();
    // A step of a number that is near nothing.
    let small = |name: &str| match name {
        "field_grow" => 0.003,
        "invade_road" | "invade_city" | "invade_field" => 0.002,
        "fill_own" | "fill_any" => 0.008,
        _ => 0.05,
    };
    let unit: Vec<f32> = free
        .iter()
        .map(|i| (start[*i].abs() * 0.15).max(small(Weights::NAMES[*i])))
        .collect();
    let mut at = vec![0.0f32; free.len()];
    let mut mean = vec![0.0f64; free.len()];
    let mut means = 0.0;
    let mut rng = Rng::new(seed);
    let began = Instant::now();
    let with = |at: &[f32]| {
        let mut w = start.clone();
        for ((i, unit), x) in free.iter().zip(&unit).zip(at) {
            w[*i] += unit * x;
        }
        SearchSettings {
            weights: Weights::from_slice(&w),
            ..settings
        }
    };
    let mut steps = 0u32;
    loop {
        let part = began.elapsed().as_secs_f64() / seconds;
        if part >= 1.0 {
            break;
        }
        let delta: Vec<f32> = free
            .iter()
            .map(|_| if rng.unit() < 0.5 { -1.0 } else { 1.0 })
            .collect();
        let up: Vec<f32> = at.iter().zip(&delta).map(|(x, d)| x + d).collect();
        let down: Vec<f32> = at.iter().zip(&delta).map(|(x, d)| x - d).collect();
        let y: f64 = (0..DEALS)
            .map(|_| lead(&rules, with(&up), with(&down), rng.next_u64()).clamp(-40.0, 40.0))
            .sum::<f64>()
            / DEALS as f64;
        let rate = 0.0025 * (1.0 - 0.8 * part as f32);
        for (x, d) in at.iter_mut().zip(&delta) {
            *x += rate * y as f32 * d;
        }
        steps += 1;
        if part > 0.6 {
            means += 1.0;
            for (m, x) in mean.iter_mut().zip(&at) {
                *m += f64::from(*x);
            }
        }
    }
    eprintln!("{steps} steps");
    let at: Vec<f32> = mean.iter().map(|m| (m / means) as f32).collect();
    let w = with(&at).weights.to_vec();
    for (k, i) in free.iter().enumerate() {
        eprintln!(
            "{} {:.4} -> {:.4} ({:+.1})",
            Weights::NAMES[*i],
            start[*i],
            w[*i],
            at[k]
        );
    }
    let text: Vec<String> = free
        .iter()
        .map(|i| format!("{}={:.4}", Weights::NAMES[*i], w[*i]))
        .collect();
    println!("{}", text.join(" "));
}
