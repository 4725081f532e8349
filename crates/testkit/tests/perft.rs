//! The table of small bags: engine and second implementation count what the table says. It has every tile of the base game.

use trencavel_rules::printed_set;
use trencavel_testkit::perft::Bag;

/// Covers BA-12, BA-14, BA-21, BA-22, BA-43: everything that can be played from a small bag is counted.
#[test]
fn both_implementations_count_what_the_table_says() {
    let mut seen = Vec::new();
    for line in include_str!("perft.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let (text, wanted) = line.split_once('|').expect("a bag and its count");
        let bag = Bag::parse(text).expect("a bag");
        let engine = bag
            .by_the_engine()
            .expect("the engine plays it")
            .to_string();
        let second = bag
            .by_the_second()
            .expect("the second implementation plays it")
            .to_string();
        assert_eq!(
            engine, second,
            "{text}: the engine, then the second implementation"
        );
        assert_eq!(engine, wanted.trim(), "{text}: now, then the table");
        seen.extend(bag.tiles.into_iter().map(|(id, _)| id));
    }
    for set in ["basic:1", "basic:2"] {
        for (id, _) in printed_set(set).expect("the set").tiles {
            assert!(seen.iter().any(|other| other == id), "no bag has {id}");
        }
    }
}

/// Covers TO-04, TO-06, TO-09, PD-03, PD-05, PD-12, PD-58, PD-64: bags with an expansion that were counted by hand.
#[test]
fn expansions_count_what_was_counted_by_hand() {
    let table = include_str!("perft_expansions.txt").lines();
    let lines: Vec<&str> = table
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect();
    assert_eq!(lines.len(), 5);
    for line in lines {
        let (text, wanted) = line.split_once('|').expect("a bag and its count");
        let bag = Bag::parse(text).expect("a bag");
        let engine = bag.by_the_engine().expect("the engine plays it");
        assert_eq!(engine.to_string(), wanted.trim(), "{text}");
        assert!(bag.by_the_second().is_err());
    }
}
