//! Plays random games and prints figures, by processor time: `bench [GAMES] [EDITION] [SLUG | KEY=VALUE | SET*COPIES …]`.
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
    let mut rng = Rng(0x9e3779b97f4a7c15);
    let mut state = rules.start();
    let clock = Clock::new();
    let sums = play(&rules, games, &mut rng, &mut state);
    let seconds = clock.seconds();
    let n = f64::from(games);
    println!("random base games a second: {:.0}", n / seconds);
    println!(
        "turns a game {:.1}, inputs {:.1}, ns a turn {:.0}",
        sums.turns as f64 / n,
        sums.inputs as f64 / n,
        seconds * 1e9 / sums.turns as f64
    );
    println!(
        "points a seat {:.2}, bytes of a state at the end {}, of the largest {}",
        sums.points as f64 / n / f64::from(setup.seats),
        state.n_bytes(),
        sums.largest
    );
    let copies = if games < 1000 { 1 } else { 100_000 };
    println!("clone at the end {:.0} ns", clone_ns(&state, copies));
    let middle = sums.inputs / u64::from(games.max(1)) / 2;
    let middle = half_way(&rules, middle, &mut rng);
    println!("clone mid-game {:.0} ns", clone_ns(&middle, copies));
}

/// Processor time, which other programs do not change much; time on the wall where the system does not tell it.
struct Clock {
    began: Instant,
    processor: Option<u64>,
}

impl Clock {
    fn new() -> Clock {
        Clock {
            began: Instant::now(),
            processor: processor_ns(),
        }
    }

    fn seconds(&self) -> f64 {
        match (self.processor, processor_ns()) {
            (Some(from), Some(to)) => (to - from) as f64 / 1e9,
            _ => self.began.elapsed().as_secs_f64(),
        }
    }
}

/// The nanoseconds that this program has run on a processor, as Linux tells them.
fn processor_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

#[derive(Default)]
struct Sums {
    turns: u64,
    points: i64,
    inputs: u64,
    /// Bytes of the largest state at the end of a game.
    largest: usize,
}

/// Plays games from the start. Instructions are counted inside this function only (benches/instructions.toml).
#[inline(never)]
fn play(rules: &Rules, games: u32, rng: &mut Rng, state: &mut State) -> Sums {
    let start = rules.start();
    let (mut moves, mut outcomes) = (Moves::new(), Vec::new());
    let mut sums = Sums::default();
    for _ in 0..games {
        state.clone_from(&start);
        while step(rules, state, rng, &mut moves, &mut outcomes) {
            sums.inputs += 1;
        }
        sums.turns += u64::from(state.turn().number);
        let scores = state.seat_list().map(|s| i64::from(state.seat(s).score));
        sums.points += scores.sum::<i64>();
        sums.largest = sums.largest.max(state.n_bytes());
    }
    sums
}

/// Makes one input, of all legal ones; false when the game is over.
#[inline(always)]
fn step(
    rules: &Rules,
    state: &mut State,
    rng: &mut Rng,
    moves: &mut Moves,
    outcomes: &mut Vec<(Chance, u32)>,
) -> bool {
    match state.waiting() {
        Waiting::Over => return false,
        Waiting::Chance(_) => {
            let chance = match rules.draw_weight(state) {
                0 => {
                    rules.outcomes(state, outcomes);
                    outcomes[rng.below(outcomes.len() as u32) as usize].0
                }
                weight => rules.draw_at(state, rng.below(weight)).unwrap(),
            };
            rules.apply_listed(state, Input::Chance(chance), &mut ());
        }
        Waiting::Seats(seats) => {
            rules.legal(state, moves);
            let choice = moves[rng.below(moves.len() as u32) as usize];
            let seat = seats.iter().next().unwrap();
            rules.apply_listed(state, Input::Choice(seat, choice), &mut ());
        }
    }
    true
}

fn half_way(rules: &Rules, inputs: u64, rng: &mut Rng) -> State {
    let mut state = rules.start();
    let (mut moves, mut outcomes) = (Moves::new(), Vec::new());
    for _ in 0..inputs {
        step(rules, &mut state, rng, &mut moves, &mut outcomes);
    }
    state
}

fn clone_ns(state: &State, copies: u32) -> f64 {
    let mut copy = state.clone();
    let clock = Clock::new();
    for _ in 0..copies {
        copy.clone_from(state);
        std::hint::black_box(&mut copy);
    }
    clock.seconds() * 1e9 / f64::from(copies)
}
