//! Comparing finds what differs: a small recorded game agrees, and no longer when any part of it is changed.

use std::io::Write as _;

use trencavel_record::jcz::compare::{Comparison, What, compare};
use trencavel_record::jcz::differences::read;
use trencavel_record::jcz::recorded::Recorded;

/// Two turns: a monastery below the start tile, and another beside it.
const GAME: &str = include_str!("../../../records/two-turns.json");

fn compared(text: &str) -> Comparison {
    compare(&Recorded::read(text.as_bytes()).unwrap(), "small", &[]).unwrap()
}

/// Changes the game once and gives the differences: step, what, only there, only here.
fn changed(from: &str, to: &str) -> Vec<(usize, What, Vec<String>, Vec<String>)> {
    let text = GAME.replacen(from, to, 1);
    assert_ne!(text, GAME, "{from}");
    let found = compared(&text);
    assert!(!found.agrees());
    let list = found.differences.into_iter();
    list.map(|d| (d.step, d.what, d.theirs, d.ours)).collect()
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_recorded_game_agrees() {
    let found = compared(GAME);
    assert!(found.agrees(), "{}", found.first().unwrap());
    assert_eq!((found.steps, found.compared, found.equal), (5, 5, 5));
    assert_eq!((found.confirmations, found.unreached), (1, 0));
}

#[test]
fn games_packed_by_gzip_are_read_too() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(GAME.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    assert_eq!(
        Recorded::read(&packed).unwrap(),
        Recorded::read(GAME.as_bytes()).unwrap()
    );
    assert!(Recorded::read(&packed[..packed.len() / 2]).is_err());
}

#[test]
fn options_differ() {
    let monastery = "\"DEPLOY 0.small 0,1 Monastery I\", ";
    assert_eq!(
        changed(monastery, ""),
        [(
            1,
            What::Options,
            vec![],
            texts(&["DEPLOY 0.small 0,1 Monastery I"])
        )]
    );
    assert_eq!(
        changed(
            "\"TILE BA/L 0,1 R0\", ",
            "\"TILE BA/L 0,1 R0\", \"TILE BA/L 1,0 R0\", "
        ),
        [(0, What::Options, texts(&["TILE BA/L 1,0 R0"]), vec![])]
    );
    // A pass that only one side offers is a difference as well.
    assert_eq!(
        changed(", \"PASS\"]", "]"),
        [(1, What::Options, vec![], texts(&["PASS"]))]
    );
}

#[test]
fn the_deciding_clause_is_named() {
    let text = GAME.replacen(
        "\"TILE BA/L 0,1 R0\", ",
        "\"TILE BA/L 0,1 R0\", \"TILE BA/L 1,0 R0\", ",
        1,
    );
    let found = compared(&text);
    let first = found.first().unwrap();
    assert_eq!(
        first
            .clauses
            .iter()
            .map(|clause| clause.id())
            .collect::<Vec<_>>(),
        ["BA-14"]
    );
    let shown = first.to_string();
    assert!(
        shown.starts_with("step 0: options\n  only there: TILE BA/L 1,0 R0\n  decided by BA-14\n"),
        "{shown}"
    );
    // The board stands below: the start tile with its city and road.
    assert!(shown.contains('#') && shown.contains('='));
}

#[test]
fn points_figures_and_turns_differ() {
    assert_eq!(
        changed(
            "\"scores\": [0, 0], \"meeples\": [],\n \"options\": [\"DEPLOY 0",
            "\"scores\": [3, 0], \"meeples\": [],\n \"options\": [\"DEPLOY 0"
        ),
        [(1, What::Scores, texts(&["[3, 0]"]), texts(&["[0, 0]"]))]
    );
    assert_eq!(
        changed(
            "\"drawn\": [\"BA/Cccc+\"],\n \"meeples\": [\"0.small 0,1 Monastery I\"]",
            "\"drawn\": [\"BA/Cccc+\"],\n \"meeples\": [\"0.small 0,1 Monastery I\", \"1.small 0,0 City N\"]"
        ),
        [(3, What::Figures, texts(&["1.small 0,0 City N"]), vec![])]
    );
    let asked = changed(
        "{\"phase\": \"ActionPhase\", \"active\": 1",
        "{\"phase\": \"ActionPhase\", \"active\": 0",
    );
    assert_eq!(
        asked.iter().map(|d| (d.0, d.1)).collect::<Vec<_>>(),
        [(4, What::Asked)]
    );
    let neutral = changed(
        "\"scores\": [0, 0], \"meeples\": [],\n \"options\": [\"DEPLOY 0",
        "\"scores\": [0, 0], \"neutral\": {\"dragon.1\": \"0,0\"}, \"meeples\": [],\n \"options\": [\"DEPLOY 0",
    );
    assert_eq!(
        neutral,
        [(1, What::Neutrals, texts(&["dragon.1 0,0"]), vec![])]
    );
}

/// Every difference names a clause, if only that of the place in the order of play.
#[test]
fn every_difference_names_a_clause() {
    for (from, to, what, clause) in [
        (
            "\"active\": 1, \"scores\": [0, 0], \"tile\"",
            "\"active\": 0, \"scores\": [0, 0], \"tile\"",
            What::Asked,
            "OP-26",
        ),
        (
            "\"scores\": [0, 0], \"tile\": \"BA/Cccc+\"",
            "\"scores\": [9, 0], \"tile\": \"BA/Cccc+\"",
            What::Scores,
            "OP-26",
        ),
        (
            "\"drawn\": [\"BA/Cccc+\"]",
            "\"drawn\": [\"BA/Cccc+\", \"BA/L\"]",
            What::Draws,
            "OP-26",
        ),
    ] {
        let text = GAME.replacen(from, to, 1);
        assert_ne!(text, GAME, "{from}");
        let found = compared(&text);
        let first = found.first().unwrap();
        assert_eq!((first.step, first.what), (3, what));
        assert_eq!(first.clauses[0].id(), clause, "{first}");
    }
}

/// At a confirmation the figure stands there already, and is compared.
#[test]
fn confirmations_are_compared_too() {
    let found = changed(
        "\"scores\": [0, 0], \"meeples\": [\"0.small 0,1 Monastery I\"], \"options\": [\"COMMIT\"]",
        "\"scores\": [0, 1], \"meeples\": [], \"options\": [\"COMMIT\"]",
    );
    assert_eq!(
        found,
        [
            (2, What::Scores, texts(&["[0, 1]"]), texts(&["[0, 0]"])),
            (
                2,
                What::Figures,
                vec![],
                texts(&["0.small 0,1 Monastery I"])
            )
        ]
    );
}

#[test]
fn a_message_that_is_not_legal_ends_the_comparison() {
    let found = changed(
        "\"rotation\": \"R90\", \"position\": [0, 1]",
        "\"rotation\": \"R90\", \"position\": [1, 0]",
    );
    let (step, what, theirs, ours) = &found[0];
    assert_eq!((*step, *what), (0, What::Message));
    assert_eq!(*theirs, ["TILE BA/L 1,0 R90"]);
    assert!(ours[0].contains("BA-14"), "{ours:?}");
    assert_eq!(found.len(), 1);
    let text = GAME.replacen(
        "\"rotation\": \"R90\", \"position\": [0, 1]",
        "\"rotation\": \"R90\", \"position\": [1, 0]",
        1,
    );
    let clauses = &compared(&text).differences[0].clauses;
    assert_eq!(clauses[0].id(), "BA-14");
}

#[test]
fn a_tile_that_we_do_not_draw_is_a_difference() {
    let found = changed(
        "\"drawn\": [\"BA/Cccc+\"]",
        "\"drawn\": [\"BA/Cccc+\", \"BA/L\"]",
    );
    assert_eq!((found[0].0, found[0].1), (3, What::Draws));
    assert_eq!(found[0].2, ["BA/L"]);
    let found = changed("\"drawn\": [\"BA/Cccc+\"]", "\"drawn\": []");
    assert_eq!((found[0].0, found[0].1), (3, What::Draws));
}

/// A listed difference names step, option and clause; only that one counts as agreed.
#[test]
fn a_listed_difference_is_one_option_at_one_step() {
    let text = GAME.replacen("\"DEPLOY 0.small 0,1 Monastery I\", ", "", 1);
    let game = Recorded::read(text.as_bytes()).unwrap();
    let with = |list: &str| compare(&game, "small", &read(list)).unwrap().agrees();
    assert!(with(
        "small 1 options BA-21 | DEPLOY 0.small 0,1 Monastery I"
    ));
    let list = read("small 1 options BA-22 | DEPLOY 0.small 0,1 Monastery I");
    let found = compare(&game, "small", &list).unwrap();
    assert_eq!(found.differences[0].clauses[0].id(), "BA-22");
    assert!(!with(
        "small 2 options BA-21 | DEPLOY 0.small 0,1 Monastery I"
    ));
    assert!(!with("small 1 options BA-21 | DEPLOY 0.small 0,1 Road W"));
    assert!(!with(
        "other 1 options BA-21 | DEPLOY 0.small 0,1 Monastery I"
    ));
}
