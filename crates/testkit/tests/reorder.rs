//! The order in which tiles came to lie changes nothing that follows.

use trencavel_testkit::play::{asked_for, mixed_setup};
use trencavel_testkit::random::Random;
use trencavel_testkit::reorder::relaid;

/// How many games: more with `REORDERED=1000`, other ones with `SEED=7`.
#[test]
fn tiles_in_another_order_change_nothing() {
    let first = asked_for("SEED", 1);
    let mut compared = 0;
    for seed in first..first + asked_for("REORDERED", 40) {
        let mut random = Random::new(seed);
        let mut setup = mixed_setup(&mut random);
        // Which of the own scored wagons a player is asked for first is said nowhere.
        setup.options.retain(|(key, _)| key != "wagon");
        match relaid(&setup, seed) {
            Ok(inputs) => compared += inputs,
            Err(trouble) => panic!("{trouble}"),
        }
    }
    assert!(compared > 0, "no game lasted long enough");
    println!("{compared} inputs compared");
}
