//! `look A B SEED`: every decision of a game with the candidates.
use trencavel_ai::*;
use trencavel_rules::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
    let seed: u64 = args[2].parse().unwrap();
    let mut players = [0, 1].map(|i: usize| level(&args[i]).unwrap().player(seed));
    let mut chairs = seated(&mut players, Budget::Iterations(500));
    let mut evaluator = Evaluator::new(Weights::default());
    let played = play(
        &rules,
        &mut chairs,
        seed,
        &NoClock,
        |state, seat, decision| {
            let tile = state.turn().drawn.map(|k| rules.tile(k).id.to_string());
            println!(
                "turn {} seat {} {:?} score {} {} supply {} {} left {}",
                state.turn().number,
                seat.0,
                tile,
                state.seat(Seat(0)).score,
                state.seat(Seat(1)).score,
                state.seat(Seat(0)).has(Kind::Normal),
                state.seat(Seat(1)).has(Kind::Normal),
                state.bag().len(),
            );
            println!(
                "    {}",
                evaluator
                    .parts(&rules, state)
                    .iter()
                    .map(|(n, x)| format!("{n} {:.1} {:.1}", x[0], x[1]))
                    .collect::<Vec<_>>()
                    .join("; ")
            );
            for c in decision.candidates.iter().take(5) {
                println!(
                    "    {:?} {:?} {:?}  {:.2}  {:.1} {:.1}",
                    c.choice.verb,
                    c.choice.kind,
                    c.choice.target,
                    c.value,
                    c.scores[0],
                    c.scores[1]
                );
            }
        },
    );
    println!(
        "{} {}",
        played.last.seat(Seat(0)).score,
        played.last.seat(Seat(1)).score
    );
}
