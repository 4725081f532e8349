//! Every player plays every expansion and option, at tables of one to six.

use trencavel_ai::{
    Budget, Greedy, NoClock, Player, Random, Rng, Search, SearchSettings, Steady, play, seated,
};
use trencavel_rules::{Edition, Ext, Rules, Setup, Values, Waiting};

/// A setup by chance: expansions, options, edition and seats.
fn random_setup(rng: &mut Rng) -> Setup {
    let edition = [Edition::C1, Edition::C2, Edition::C3][rng.below(3) as usize];
    let mut setup = Setup::new(edition, rng.below(6) as u8 + 1);
    let likely = rng.below(4);
    for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::Base) {
        if rng.below(4) < likely {
            setup = setup.with(ext.expansion().slug);
        }
    }
    for ext in Ext::ALL {
        let expansion = ext.expansion();
        if *ext != Ext::Base && !setup.expansions.iter().any(|slug| slug == expansion.slug) {
            continue;
        }
        for option in expansion.options {
            if rng.below(3) > 0 {
                continue;
            }
            let value = match option.values {
                Values::Listed(values, _) => values[rng.below(values.len() as u32) as usize].into(),
                Values::Number(max, _) => rng.below(u32::from(max.min(9)) + 1).to_string(),
            };
            setup = setup.option(option.key, &value);
        }
    }
    setup
}

fn check(setup: &Setup, rng: &mut Rng) {
    // Some options exclude each other.
    let Ok(rules) = Rules::new(setup) else {
        return;
    };
    let mut players: Vec<Box<dyn Player>> = (0..setup.seats)
        .map(|_| -> Box<dyn Player> {
            let seed = rng.next_u64();
            match rng.below(8) {
                0 => Box::new(Random::new(seed)),
                1..=2 => Box::new(Greedy::new(seed)),
                3..=6 => Box::new(Steady::new(SearchSettings::default())),
                _ => Box::new(Search::new(SearchSettings {
                    plans: 3,
                    draws: 1,
                    ..SearchSettings::default()
                })),
            }
        })
        .collect();
    let mut chairs = seated(&mut players, Budget::Iterations(6));
    let played = play(
        &rules,
        &mut chairs,
        rng.next_u64(),
        &NoClock,
        |_, _, decision| {
            for candidate in &decision.candidates {
                assert!(candidate.value.is_finite(), "{setup:?}");
                assert!((0.0..=1.0).contains(&candidate.win), "{setup:?}");
            }
        },
    );
    assert_eq!(played.last.waiting(), Waiting::Over, "{setup:?}");
}

#[test]
fn every_setup_is_played_to_its_end() {
    for seed in 0..24 {
        let mut rng = Rng::new(seed);
        let setup = random_setup(&mut rng);
        check(&setup, &mut rng);
    }
}

#[test]
fn every_expansion_alone_and_all_together() {
    let mut rng = Rng::new(1);
    let mut all = Setup::new(Edition::C1, 2);
    for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::Base) {
        let slug = ext.expansion().slug;
        check(&Setup::new(Edition::C1, 2).with(slug), &mut rng);
        all = all.with(slug);
    }
    check(&all, &mut rng);
}
