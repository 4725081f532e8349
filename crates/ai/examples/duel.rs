//! `duel A B GAMES BUDGET [SLUG…] [-- name=value…]`: A with other weights against B; B may be a level.
use trencavel_ai::*;
use trencavel_rules::*;
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let changes = match args.iter().position(|a| a == "--") {
        Some(i) => args.split_off(i),
        None => vec![],
    };
    let mut sa = SearchSettings::default();
    let mut first = 0u64;
    for change in changes.iter().skip(1) {
        let (name, value) = change.split_once('=').unwrap();
        if name == "games" {
            first = value.parse().unwrap();
            continue;
        }
        sa.set(name, value).unwrap();
    }
    let weights = sa.weights;
    let games: u64 = args[2].parse().unwrap();
    let ms: f64 = args[3].parse().unwrap();
    let mut setup = Setup::new(Edition::C1, 2);
    for slug in &args[4..] {
        setup = setup.with(slug);
    }
    let rules = Rules::new(&setup).unwrap();
    let wall = ThreadTime::new();
    let (mut wins, mut a_sum, mut b_sum, mut sq) = (0.0, 0.0, 0.0, 0.0);
    let mut spent = [(0.0, 0u32); 2];
    let make = |name: &str, seed: u64, w: Weights| -> Box<dyn Player> {
        match name {
            "steady" => Box::new(Steady::new(SearchSettings {
                weights: w,
                ..Default::default()
            })),
            "search" => Box::new(Search::new(SearchSettings { weights: w, ..sa })),
            "twin" => Box::new(Steady::new(sa)),
            "searcher" => Box::new(Search::new(SearchSettings { weights, ..sa })),
            "other" => Box::new(Search::new(SearchSettings {
                weights: w,
                ..Default::default()
            })),
            other => level(other).unwrap().player(seed),
        }
    };
    for game in first..first + games {
        let swap = game % 2 == 1;
        let mut a = make(&args[0], game, weights);
        let mut b = make(&args[1], game ^ 77, Weights::default());
        let budget = if ms < 0.0 {
            Budget::Iterations(-ms as u32)
        } else {
            Budget::Milliseconds(ms)
        };
        let mut chairs = vec![
            Chair {
                player: a.as_mut(),
                budget,
            },
            Chair {
                player: b.as_mut(),
                budget,
            },
        ];
        if swap {
            chairs.swap(0, 1);
        }
        let played = play(&rules, &mut chairs, game / 2 + 1000, &wall, |_, _, _| {});
        let (x, y) = (Seat(u8::from(swap)), Seat(u8::from(!swap)));
        let (p, q) = (
            f64::from(played.last.seat(x).score),
            f64::from(played.last.seat(y).score),
        );
        a_sum += p;
        b_sum += q;
        sq += (p - q) * (p - q);
        wins += if p > q {
            1.0
        } else if p == q {
            0.5
        } else {
            0.0
        };
        for (i, s) in [(0, x), (1, y)] {
            spent[i].0 += played.spent[s.index()].milliseconds;
            spent[i].1 += played.spent[s.index()].decisions;
        }
    }
    let n = games as f64;
    let lead = (a_sum - b_sum) / n;
    println!(
        "{} {:.1}%  lead {:.2} ± {:.2}  points {:.1} {:.1}  ms {:.2} {:.2}",
        args[0],
        100.0 * wins / n,
        lead,
        ((sq / n - lead * lead) / n).sqrt(),
        a_sum / n,
        b_sum / n,
        spent[0].0 / f64::from(spent[0].1),
        spent[1].0 / f64::from(spent[1].1)
    );
}
