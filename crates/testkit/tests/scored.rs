//! A turn part's scoring brings what the rule files say.

use trencavel_testkit::play::{asked_for, mixed_setup, with_few_tiles};
use trencavel_testkit::random::Random;
use trencavel_testkit::scored::scored;

/// How many games: more with `GAMES=1000`, other ones with `SEED=7`.
#[test]
fn a_scoring_brings_what_the_rules_say() {
    let first = asked_for("SEED", 1);
    let mut looked_at = 0;
    for seed in first..first + asked_for("GAMES", 40) {
        let mut random = Random::new(seed);
        let setup = mixed_setup(&mut random);
        let few = with_few_tiles(&setup, 60, &mut random);
        let setup = if random.one_in(4) {
            setup
        } else {
            few.unwrap()
        };
        match scored(&setup, seed) {
            Ok(scorings) => looked_at += scorings,
            Err(trouble) => panic!("{trouble}"),
        }
    }
    assert!(looked_at > 0, "nothing was scored");
    println!("{looked_at} scorings looked at");
}
