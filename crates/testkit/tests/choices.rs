//! The figure steps and their questions offer what the rule files say, no more and no less.

use trencavel_testkit::choices::offered;
use trencavel_testkit::play::{asked_for, mixed_setup, with_few_tiles};
use trencavel_testkit::random::Random;

/// How many games: more with `GAMES=1000`, other ones with `SEED=7`.
#[test]
fn the_figure_steps_offer_what_the_rules_say() {
    let first = asked_for("SEED", 1);
    let mut looked_at = 0;
    for seed in first..first + asked_for("GAMES", 30) {
        let mut random = Random::new(seed);
        let mut setup = mixed_setup(&mut random);
        // Which of several own scored wagons is asked for first is said nowhere.
        setup.options.retain(|(key, _)| key != "wagon");
        let few = with_few_tiles(&setup, 60, &mut random);
        let setup = if random.one_in(4) {
            setup
        } else {
            few.unwrap()
        };
        match offered(&setup, seed) {
            Ok(questions) => looked_at += questions,
            Err(trouble) => panic!("{trouble}"),
        }
    }
    assert!(looked_at > 0, "nobody was asked anything");
    println!("{looked_at} questions looked at");
}
