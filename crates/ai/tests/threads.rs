//! A budget in iterations decides the result, not the number of threads.
#![cfg(feature = "threads")]

use trencavel_ai::{Budget, NoClock, Player as _, Rng, Search, SearchSettings};
use trencavel_rules::{Edition, Input, Rules, Setup, Waiting};

#[test]
fn any_number_of_threads_finds_the_same() {
    let rules = Rules::new(&Setup::new(Edition::C1, 3)).unwrap();
    let of = |threads: usize| {
        Search::new(SearchSettings {
            threads,
            ..SearchSettings::default()
        })
    };
    let mut players = [1, 2, 3].map(of);
    let mut rng = Rng::new(4);
    let (mut state, mut outcomes) = (rules.start(), Vec::new());
    let mut several = 0;
    while several < 12 {
        let input = match state.waiting() {
            Waiting::Over => break,
            Waiting::Chance(_) => {
                rules.outcomes(&state, &mut outcomes);
                Input::Chance(rng.pick(&outcomes).unwrap())
            }
            Waiting::Seats(seats) => {
                let seat = seats.iter().next().unwrap();
                let view = rules.view(&state, Some(seat));
                let budget = Budget::Iterations(150 + 50 * rng.below(4));
                let [one, two, three] = players.each_mut().map(|player| {
                    player
                        .choose(&rules, &view, seat, budget, &NoClock)
                        .unwrap()
                });
                assert_eq!(one, two, "turn {}", state.turn().number);
                assert_eq!(one, three, "turn {}", state.turn().number);
                several += u32::from(one.candidates.len() > 1);
                Input::Choice(seat, one.choice)
            }
        };
        rules.apply(&mut state, input, &mut ()).unwrap();
    }
    assert_eq!(several, 12);
}
