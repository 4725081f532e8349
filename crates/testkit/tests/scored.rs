//! A turn part's scoring brings what the rule files say.

use trencavel_rules::{Edition, Ext, Setup};
use trencavel_testkit::play::{random_options, with_few_tiles};
use trencavel_testkit::random::Random;
use trencavel_testkit::scored::scored;

/// How many games: more with `GAMES=1000`, other ones with `SEED=7`.
fn number(key: &str, usual: u64) -> u64 {
    let value = std::env::var(key).ok();
    value.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn a_scoring_brings_what_the_rules_say() {
    let first = number("SEED", 1);
    let mut looked_at = 0;
    for seed in first..first + number("GAMES", 40) {
        let mut random = Random::new(seed);
        let edition = *random.of(Edition::ALL).unwrap_or(&Edition::C2);
        let mut setup = Setup::new(edition, 1 + random.below(4) as u8);
        let mut used = vec![Ext::Base];
        for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::Base) {
            if random.below(3) != 0 {
                setup = setup.with(ext.expansion().slug);
                used.push(*ext);
            }
        }
        let setup = random_options(setup, &used, &mut random);
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
