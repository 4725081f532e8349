//! Saved games of JCloisterZone and recorded games, as a person would use them: `check`, `convert`, `replay`, `compare`.

mod common;

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use common::{fault, said, scratch};

fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records")
}

fn record(name: &str) -> String {
    records().join(name).to_str().unwrap().to_owned()
}

fn run(args: &[&str]) -> Output {
    common::run(args, "")
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// A file of `records/`, changed once, in a folder.
fn changed(folder: &Path, name: &str, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(records().join(name)).unwrap();
    let changed = text.replacen(from, to, 1);
    assert_ne!(text, changed, "{from}");
    let path = folder.join(name);
    std::fs::write(&path, changed).unwrap();
    path.to_str().unwrap().to_owned()
}

// ---- check -----------------------------------------------------------------------------------------------------------

#[test]
fn every_sentence_has_its_line() {
    let path = record("road-and-city.jcz");
    let output = run(&["check", &path]);
    assert_eq!(code(&output), 0, "{}", fault(&output));
    let lines: Vec<String> = said(&output).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 8);
    assert_eq!(
        lines[0],
        format!("{path}:25: holds: Ann scored city for 4 points")
    );
    assert_eq!(
        lines[7],
        format!("{path}: ok, 9 messages, 7 of 7 sentences hold")
    );
    let quiet = run(&["check", "--quiet", &path]);
    assert_eq!((code(&quiet), said(&quiet)), (0, String::new()));
}

#[test]
fn sentences_that_do_not_hold_are_told() {
    let folder = scratch("sentences");
    let path = changed(
        &folder,
        "road-and-city.jcz",
        "Ann has 4 points",
        "Ann has 5 points",
    );
    let output = run(&["check", "--quiet", &path]);
    assert_eq!(code(&output), 1);
    let found = format!(
        "{path}:27: fails: Ann has 5 points (4 points)\n{path}: wrong, 9 messages, 6 of 7 sentences hold\n"
    );
    assert_eq!(said(&output), found);
    let path = changed(
        &folder,
        "road-and-city.jcz",
        "Ann has 4 points",
        "Ann is glad",
    );
    let output = run(&["check", "--quiet", &path]);
    assert_eq!(code(&output), 1);
    assert!(said(&output).starts_with(&format!("{path}:27: not understood: Ann is glad\n")));
}

#[test]
fn a_folder_is_all_its_files_with_a_summary() {
    let folder = records();
    let output = run(&["check", "--quiet", folder.to_str().unwrap()]);
    assert_eq!(code(&output), 0, "{}", said(&output));
    assert_eq!(
        said(&output),
        "10 files, 0 wrong; 29 of 29 sentences hold\n"
    );
    let empty = scratch("nothing-to-check");
    let output = run(&["check", empty.to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    assert!(fault(&output).contains("no file in this folder ends in .game or .jcz"));
}

#[test]
fn checks_can_be_read_by_programs() {
    let folder = scratch("checks");
    let wrong = changed(
        &folder,
        "road-and-city.jcz",
        "Ann has 4 points",
        "Ann has 5 points",
    );
    let missing = changed(
        &folder,
        "tower-takes-a-knight.jcz",
        "\"tower\": 1",
        "\"gold\": 1",
    );
    let game = record("road-and-city.game");
    let output = run(&["check", "--json", &wrong, &missing, &game]);
    assert_eq!(code(&output), 1);
    let text = said(&output);
    let objects: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[0]["ok"], false);
    assert_eq!(objects[0]["messages"], 9);
    let third = &objects[0]["assertions"][2];
    assert_eq!(third["line"], 27);
    assert_eq!(third["sentence"], "Ann has 5 points");
    assert_eq!(third["verdict"], "fails");
    assert_eq!(third["found"], "4 points");
    assert_eq!(objects[0]["assertions"][0]["verdict"], "holds");
    assert_eq!(objects[1]["needs"], "goldmines");
    assert_eq!(objects[2]["ok"], true);
    assert_eq!(objects[2]["inputs"], 10);
    assert_eq!(objects[2]["over"], false);
}

/// An expansion that is not there is named; whoever checks many files can let that pass.
#[test]
fn what_is_not_known_is_named_or_left_out() {
    let folder = scratch("unknown");
    let path = changed(
        &folder,
        "road-and-city.jcz",
        "\"farmers\"",
        "\"gold\": 1, \"farmers\"",
    );
    let output = run(&["check", &path]);
    assert_eq!(code(&output), 1);
    assert_eq!(
        said(&output),
        format!(
            "{path}: line 5: the element \"gold\" needs the expansion goldmines, which the engine does not have (--lenient leaves it out)\n"
        )
    );
    assert_eq!(code(&run(&["check", "--skip-missing", &path])), 0);
    let output = run(&["check", "--lenient", &path]);
    assert_eq!(code(&output), 0);
    assert!(said(&output).starts_with(&format!("{path}: left out: line 5: the element \"gold\"")));
    assert!(said(&output).ends_with("7 of 7 sentences hold\n"));
    let path = changed(&folder, "road-and-city.jcz", "\"PASS\"", "\"DANCE\"");
    let output = run(&["check", &path]);
    assert!(said(&output).contains("the message \"DANCE\" is not known (--lenient leaves it out)"));
}

#[test]
fn errors_say_what_to_do() {
    let folder = scratch("errors");
    let packed = folder.join("packed.jcz");
    std::fs::write(&packed, [0x1f, 0x8b, 8, 0, 0, 0]).unwrap();
    let packed = packed.to_str().unwrap();
    let old = changed(&folder, "road-and-city.jcz", "6.2.0", "4.3.1");
    let recorded = record("two-turns.json");
    let saved = record("road-and-city.jcz");
    for (args, exit, says) in [
        (["check", packed], 1, "there is `trencavel compare`"),
        (
            ["check", &recorded],
            1,
            "a recorded game: for these there is `trencavel compare`",
        ),
        (
            ["check", &old],
            1,
            "versions 5 and 6 are (open and save it with JCloisterZone 6)",
        ),
        (["check", "no-such-file"], 1, "no-such-file: No such file"),
        (
            ["compare", &saved],
            1,
            "for games there is `trencavel check`",
        ),
        (["convert", packed], 1, "there is `trencavel compare`"),
        (["replay", &recorded], 2, "there is `trencavel compare`"),
    ] {
        let output = run(&args);
        let text = said(&output) + &fault(&output);
        assert_eq!(code(&output), exit, "{args:?}: {text}");
        assert!(text.contains(says), "{args:?}: {text}");
    }
}

// ---- convert ---------------------------------------------------------------------------------------------------------

#[test]
fn saved_games_become_game_files_and_back() {
    let folder = scratch("converted");
    let into = folder.to_str().unwrap();
    for name in [
        "road-and-city",
        "tower-takes-a-knight",
        "inn-and-large-follower",
    ] {
        let saved = record(&format!("{name}.jcz"));
        let output = run(&["convert", &saved, "--into", into]);
        assert_eq!(code(&output), 0, "{}", fault(&output));
        let made = folder.join(format!("{name}.game"));
        let game = std::fs::read_to_string(&made).unwrap();
        let expected = std::fs::read_to_string(records().join(format!("{name}.game"))).unwrap();
        assert_eq!(game, expected);
        // Back: the same inputs.
        let output = run(&["convert", made.to_str().unwrap()]);
        assert_eq!(code(&output), 0, "{}", fault(&output));
        let back = folder.join(format!("{name}.jcz"));
        let again = run(&["convert", back.to_str().unwrap(), "-o", "-"]);
        let inputs = |text: &str| -> Vec<String> {
            let inputs = text
                .lines()
                .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
            inputs.map(str::to_owned).collect()
        };
        assert_eq!(inputs(&said(&again)), inputs(&game));
        assert_eq!(code(&run(&["check", back.to_str().unwrap()])), 0);
    }
}

#[test]
fn nothing_is_written_over_unless_told() {
    let folder = scratch("written-over");
    let saved = changed(&folder, "road-and-city.jcz", "Ann", "Eve");
    let target = folder.join("road-and-city.game");
    std::fs::write(&target, "precious").unwrap();
    let output = run(&["convert", &saved]);
    assert_eq!(code(&output), 1);
    assert!(
        fault(&output).contains("is there already (--force writes over it"),
        "{}",
        fault(&output)
    );
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    let output = run(&["convert", "--force", &saved]);
    assert_eq!(code(&output), 0);
    assert!(
        std::fs::read_to_string(&target)
            .unwrap()
            .starts_with("trencavel game 1")
    );
    let output = run(&["convert", &saved, &saved, "-o", "x"]);
    assert_eq!(code(&output), 2);
    assert!(fault(&output).contains("use --into FOLDER"));
}

#[test]
fn what_the_format_cannot_say_is_listed() {
    let folder = scratch("unsaid");
    let game = folder.join("ours.game");
    let path = game.to_str().unwrap();
    let played = common::run(
        &[
            "play",
            "--with",
            "hungarian-promo",
            "--players",
            "Ann,Bob",
            "--seed",
            "4",
            "--file",
            path,
        ],
        b"1\n1\nq\n",
    );
    assert!(played.status.success(), "{}", fault(&played));
    let output = run(&["convert", path]);
    assert_eq!(code(&output), 0, "{}", fault(&output));
    assert!(
        fault(&output).contains(&format!(
            "{path}: cannot be said in .jcz: the expansion hungarian-promo\n"
        )),
        "{}",
        fault(&output)
    );
    assert!(folder.join("ours.jcz").is_file());
}

/// Without an order of draws the file does not say what was discarded; that is told, and whoever knows can say it.
#[test]
fn what_a_file_does_not_say_is_told() {
    let folder = scratch("draws");
    let text = std::fs::read_to_string(records().join("road-and-city.jcz")).unwrap();
    let order = "\"drawOrder\": [\"BA/C\", \"BA/CRRR\", \"BA/RRR\", \"BA/L\"]";
    assert!(text.contains(order));
    let path = changed(&folder, "road-and-city.jcz", order, "");
    let output = run(&["convert", &path, "-o", "-"]);
    assert!(
        fault(&output)
            .contains("tiles were not laid: they were discarded, or the game was not over")
    );
    assert!(!said(&output).contains("result"));
    let output = run(&["convert", "--finished", &path, "-o", "-"]);
    assert!(said(&output).contains("\nresult "), "{}", said(&output));
}

/// The preset of that program's readings, where an option of one's own goes before it.
#[test]
fn games_can_be_begun_by_its_readings() {
    let folder = scratch("profile");
    let path = folder.join("profile.game");
    let path = path.to_str().unwrap();
    let common = [
        "play",
        "--players",
        "Ann,Bob",
        "--with",
        "river",
        "--profile",
        "jcz",
        "--file",
        path,
    ];
    let own = ["--option", "score-floor=zero"];
    let output = common::run(&[&common[..], &own[..]].concat(), b"1\n1\nq\n");
    assert!(output.status.success(), "{}", fault(&output));
    let text = std::fs::read_to_string(path).unwrap();
    for option in [
        "unplaceable-tile=discard",
        "river-placement=strict",
        "score-floor=zero",
    ] {
        assert!(
            text.contains(&format!("option {option}")),
            "{option}: {text}"
        );
    }
    assert!(!text.contains("score-floor=none"));
}

// ---- replay ----------------------------------------------------------------------------------------------------------

#[test]
fn saved_games_are_stepped_through_like_ours() {
    for name in ["road-and-city", "farmer-at-the-end", "abbot-comes-back"] {
        let saved = run(&["replay", "--print", &record(&format!("{name}.jcz"))]);
        let ours = run(&["replay", "--print", &record(&format!("{name}.game"))]);
        assert_eq!(code(&saved), 0, "{}", fault(&saved));
        assert_eq!(said(&saved), said(&ours));
        assert!(said(&saved).contains("1: lay "));
    }
    let at = run(&["replay", "--at", "3", &record("road-and-city.jcz")]);
    assert!(said(&at).contains("after 3 of 10 inputs"), "{}", said(&at));
    let bytes = std::fs::read(records().join("road-and-city.jcz")).unwrap();
    let typed = common::run(&["replay", "--at", "3", "-"], &bytes);
    assert_eq!(said(&typed), said(&at));
}

#[test]
fn older_files_are_read_with_a_remark() {
    let folder = scratch("older");
    let path = changed(
        &folder,
        "road-and-city.jcz",
        "\"6.2.0\"",
        "\"5.9.1\", \"initialSeed\": 7",
    );
    let output = run(&["replay", "--print", &path]);
    assert_eq!(code(&output), 0);
    assert!(fault(&output).contains("written by version 5.9.1"));
    assert!(said(&output).contains("1: lay "));
}

// ---- compare ---------------------------------------------------------------------------------------------------------

#[test]
fn recorded_games_are_compared() {
    let path = record("two-turns.json");
    let output = run(&["compare", &path]);
    assert_eq!(code(&output), 0, "{}", said(&output));
    assert_eq!(
        said(&output),
        format!("{path}: agrees, 5 of 5 steps equal\n")
    );
}

#[test]
fn the_first_difference_is_shown_with_its_clause() {
    let folder = scratch("differs");
    let path = changed(
        &folder,
        "two-turns.json",
        "\"TILE BA/L 0,1 R0\", ",
        "\"TILE BA/L 0,1 R0\", \"TILE BA/L 1,0 R0\", ",
    );
    let output = run(&["compare", &path]);
    assert_eq!(code(&output), 1);
    let text = said(&output);
    assert!(text.starts_with(&format!(
        "{path}: differs, 4 of 5 steps equal\n{path}: step 0: options\n  only there: TILE BA/L 1,0 R0\n  decided by BA-14\n"
    )), "{text}");
    assert!(text.contains('#'), "the board is missing: {text}");
    let output = run(&["compare", "--json", &path]);
    let found: Value = serde_json::from_str(said(&output).trim()).unwrap();
    assert_eq!(found["ok"], false);
    assert_eq!((&found["steps"], &found["equal"]), (&5.into(), &4.into()));
    assert_eq!(found["differences"][0]["step"], 0);
    assert_eq!(found["differences"][0]["theirs"][0], "TILE BA/L 1,0 R0");
    assert_eq!(found["differences"][0]["clauses"][0], "BA-14");
    assert_eq!(found["differences"][0]["listed"], false);
}

#[test]
fn many_recorded_games_have_a_table() {
    let folder = scratch("many");
    let path = changed(
        &folder,
        "two-turns.json",
        "\"small-follower\": 7",
        "\"small-follower\": 7, \"gold\": 1",
    );
    let other = record("two-turns.json");
    let output = run(&["compare", &path, &other]);
    assert_eq!(code(&output), 1);
    let text = said(&output);
    assert!(text.contains("needs the expansion goldmines"), "{text}");
    let words = |start: &str| -> Vec<String> {
        let row = text.lines().find(|line| line.starts_with(start)).unwrap();
        row.split_whitespace().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(words("records"), ["1", "5", "5", "5", "0", "0", "0", "0"]);
    assert_eq!(words("many"), ["1", "0", "0", "0", "0", "0", "1", "1"]);
    assert_eq!(words("all"), ["2", "5", "5", "5", "0", "0", "1", "1"]);
    assert_eq!(code(&run(&["compare", "--skip-missing", &path, &other])), 0);
}

/// Hostile files are refused, whatever reads them.
#[test]
fn hostile_files_are_refused() {
    let folder = scratch("hostile");
    let files: [(&str, Vec<u8>); 6] = [
        ("deep.jcz", vec![b'['; 5 << 20]),
        (
            "numbers.jcz",
            [b"{\"appVersion\": ".to_vec(), vec![b'9'; 1 << 20]].concat(),
        ),
        ("large.jcz", [b"{".to_vec(), vec![b' '; 20 << 20]].concat()),
        (
            "cut.jcz",
            std::fs::read(records().join("road-and-city.jcz")).unwrap()[..700].to_vec(),
        ),
        (
            "noise.game",
            (0u32..40_000)
                .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
                .collect(),
        ),
        ("empty.game", Vec::new()),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        let path = path.to_str().unwrap();
        for (command, exit) in [("check", 1), ("convert", 1), ("replay", 2), ("compare", 1)] {
            let output = run(&[command, path]);
            let text = said(&output) + &fault(&output);
            assert_eq!(code(&output), exit, "{command} {name}: {text}");
            assert!(
                text.contains(name) && !text.contains("panicked"),
                "{command} {name}: {text}"
            );
            assert!(text.len() < 2000, "{command} {name}: {} bytes", text.len());
        }
    }
}
