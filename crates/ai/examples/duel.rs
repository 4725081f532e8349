//! `duel A B GAMES MS [SLUG…]`: pairs of games with the same tiles and seats swapped.
use std::time::Instant;
use trencavel_ai::*;
use trencavel_rules::*;
struct Wall(Instant);
impl Clock for Wall {
    fn now_ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1e3
    }
}
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let games: u64 = args[2].parse().unwrap();
    let ms: f64 = args[3].parse().unwrap();
    let mut setup = Setup::new(Edition::C1, 2);
    for slug in &args[4..] {
        setup = setup.with(slug);
    }
    let rules = Rules::new(&setup).unwrap();
    let wall = Wall(Instant::now());
    let mut wins = [0.0f64; 2];
    let mut points = [0i64; 2];
    let mut spent = [(0.0, 0u32); 2];
    for game in 0..games {
        let swap = game % 2 == 1;
        let mut players: Vec<Box<dyn Player>> = vec![
            level(&args[0]).unwrap().player(game),
            level(&args[1]).unwrap().player(game ^ 77),
        ];
        if swap {
            players.swap(0, 1);
        }
        let mut rng = Rng::new(game / 2 + 1000);
        // one fixed order of tiles for both games of a pair
        let mut state = rules.start();
        let mut outcomes = Vec::new();
        let mut order: Vec<(u64, TileKind)> = Vec::new();
        for k in 0..rules.n_kinds() {
            for _ in 0..state.bag().count(TileKind(k as u16)) {
                order.push((rng.next_u64(), TileKind(k as u16)));
            }
        }
        order.sort();
        loop {
            match state.waiting() {
                Waiting::Over => break,
                Waiting::Chance(_) => {
                    rules.outcomes(&state, &mut outcomes);
                    let next = order
                        .iter()
                        .position(|(_, k)| outcomes.iter().any(|(c, _)| *c == Chance::Tile(*k)));
                    let chance = match next {
                        Some(i) => Chance::Tile(order.remove(i).1),
                        None => outcomes[rng.below(outcomes.len() as u32) as usize].0,
                    };
                    rules
                        .apply(&mut state, Input::Chance(chance), &mut ())
                        .unwrap();
                }
                Waiting::Seats(s) => {
                    let seat = s.iter().next().unwrap();
                    let who = seat.index() ^ usize::from(swap);
                    let t = wall.now_ms();
                    let d = players[seat.index()]
                        .choose(&rules, &state, seat, Budget::Milliseconds(ms), &wall)
                        .unwrap();
                    spent[who].0 += wall.now_ms() - t;
                    spent[who].1 += 1;
                    rules
                        .apply(&mut state, Input::Choice(seat, d.choice), &mut ())
                        .unwrap();
                }
            }
        }
        let a = state.seat(Seat(u8::from(swap))).score;
        let b = state.seat(Seat(u8::from(!swap))).score;
        points[0] += i64::from(a);
        points[1] += i64::from(b);
        wins[0] += if a > b {
            1.0
        } else if a == b {
            0.5
        } else {
            0.0
        };
    }
    wins[1] = games as f64 - wins[0];
    println!(
        "{} {} : {} {}   points {:.1} {:.1}   ms a decision {:.2} {:.2}",
        args[0],
        wins[0],
        args[1],
        wins[1],
        points[0] as f64 / games as f64,
        points[1] as f64 / games as f64,
        spent[0].0 / f64::from(spent[0].1),
        spent[1].0 / f64::from(spent[1].1)
    );
}
