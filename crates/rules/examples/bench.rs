//! Plays random games and prints figures: `bench [GAMES] [EDITION] [SLUG | KEY=VALUE | SET*COPIES …]`.
use std::time::Instant;
use trencavel_rules::*;

struct Rng(u64);
impl Rng {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let games: u32 = args.next().and_then(|a| a.parse().ok()).unwrap_or(2000);
    let mut setup = Setup::new(Edition::C1, 2);
    for word in args {
        if let Some(edition) = Edition::from_name(&word) {
            setup.edition = edition;
        } else if let Some((key, value)) = word.split_once('=') {
            setup = setup.option(key, value);
        } else if let Some((set, copies)) = word.split_once('*') {
            setup.sets.push((set.into(), copies.parse().unwrap_or(1)));
        } else {
            setup = setup.with(&word);
        }
    }
    let rules = Rules::new(&setup).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2)
    });
    let start = rules.start();
    let mut rng = Rng(0x9e3779b97f4a7c15);
    let mut moves = Moves::new();
    let mut outcomes = Vec::new();
    let mut state = start.clone();
    let (mut turns, mut points, mut inputs, mut bytes) = (0u64, 0i64, 0u64, 0);
    let began = Instant::now();
    for _ in 0..games {
        state.clone_from(&start);
        loop {
            match state.waiting() {
                Waiting::Over => break,
                Waiting::Chance(_) => {
                    let chance = match rules.draw_weight(&state) {
                        0 => {
                            rules.outcomes(&state, &mut outcomes);
                            outcomes[rng.below(outcomes.len() as u32) as usize].0
                        }
                        weight => rules.draw_at(&state, rng.below(weight)).unwrap(),
                    };
                    rules.apply_listed(&mut state, Input::Chance(chance), &mut ());
                }
                Waiting::Seats(seats) => {
                    rules.legal(&state, &mut moves);
                    let choice = moves[rng.below(moves.len() as u32) as usize];
                    let seat = seats.iter().next().unwrap();
                    rules.apply_listed(&mut state, Input::Choice(seat, choice), &mut ());
                }
            }
            inputs += 1;
        }
        turns += u64::from(state.turn().number);
        points += state
            .seat_list()
            .map(|s| i64::from(state.seat(s).score))
            .sum::<i64>();
        bytes = state.n_bytes();
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "random base games a second: {:.0}",
        f64::from(games) / seconds
    );
    println!(
        "turns a game {:.1}, inputs {:.1}, ns a turn {:.0}",
        turns as f64 / f64::from(games),
        inputs as f64 / f64::from(games),
        seconds * 1e9 / turns as f64
    );
    println!(
        "points a seat {:.2}, bytes at the end {bytes}",
        points as f64 / f64::from(games) / 2.0
    );
    let mut copy = state.clone();
    let began = Instant::now();
    let copies = if games < 1000 { 1 } else { 100_000 };
    for _ in 0..copies {
        copy.clone_from(&state);
        std::hint::black_box(&mut copy);
    }
    println!(
        "clone at the end {:.0} ns",
        began.elapsed().as_secs_f64() * 1e9 / f64::from(copies)
    );
}
