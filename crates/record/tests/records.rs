//! The small files of `records/`, in both formats: what they say holds, and one is the other.

use std::path::{Path, PathBuf};

use trencavel_record::any::{Format, format_of, open};
use trencavel_record::game::Game;
use trencavel_record::jcz::check::{Verdict, check};
use trencavel_record::jcz::convert::{Reading, convert};
use trencavel_record::jcz::error::JczProblem;
use trencavel_record::jcz::file::{Action, JczFile};
use trencavel_record::jcz::setup::Strictness;
use trencavel_record::jcz::write::write;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records")
}

fn jcz_files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "jcz"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 5);
    paths
}

fn read(path: &Path) -> JczFile {
    JczFile::read(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn what_the_files_say_holds() {
    for path in jcz_files() {
        let report = check(&read(&path), Strictness::Strict).unwrap();
        assert!(!report.checked.is_empty());
        for checked in report.checked {
            assert_eq!(
                checked.verdict,
                Verdict::Holds,
                "{}: {}",
                path.display(),
                checked.sentence
            );
        }
    }
}

#[test]
fn each_file_is_the_game_beside_it() {
    for path in jcz_files() {
        let converted = convert(&read(&path), Reading::default()).unwrap();
        let beside = path.with_extension("game");
        let text = std::fs::read_to_string(&beside).unwrap();
        assert_eq!(converted.game.to_text(), text, "{}", beside.display());
        let game = Game::read(text.as_bytes()).unwrap();
        let written = write(&game);
        assert_eq!(written.unsaid, [""; 0], "{}", path.display());
        let again = JczFile::read(written.text.as_bytes()).unwrap();
        let again = convert(&again, Reading::default()).unwrap().game;
        let plain = |text: String| -> Vec<String> {
            let inputs = text
                .lines()
                .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
            inputs.map(str::to_owned).collect()
        };
        assert_eq!(plain(again.to_text()), plain(text), "{}", path.display());
        assert_eq!(
            again.history.state().waiting(),
            game.history.state().waiting()
        );
    }
}

#[test]
fn both_formats_are_opened_by_what_they_begin_with() {
    for path in jcz_files() {
        for (path, format) in [
            (path.clone(), Format::Jcz),
            (path.with_extension("game"), Format::Game),
        ] {
            let bytes = std::fs::read(path).unwrap();
            assert_eq!(format_of(&bytes), format);
            assert_eq!(open(&bytes, Reading::default()).unwrap().format, format);
        }
    }
}

/// A sentence that is false is told to be false, one of no known kind not to be understood.
#[test]
fn false_sentences_fail() {
    let file = read(&folder().join("road-and-city.jcz"));
    let verdict = |sentence: &str| {
        let mut file = file.clone();
        file.assertions = vec![(1, sentence.to_owned())];
        check(&file, Strictness::Strict)
            .unwrap()
            .checked
            .remove(0)
            .to_string()
    };
    assert_eq!(
        verdict("Ann has 5 points"),
        "fails: Ann has 5 points (4 points)"
    );
    assert_eq!(
        verdict("Ann scored road for 4 points"),
        "fails: Ann scored road for 4 points (scored city 4)"
    );
    assert_eq!(
        verdict("Phase is ActionPhase"),
        "fails: Phase is ActionPhase (it is TilePhase)"
    );
    assert_eq!(
        verdict("Player can pass"),
        "fails: Player can pass (a pass is not offered)"
    );
    assert_eq!(
        verdict("Undo is allowed"),
        "fails: Undo is allowed (nothing can be taken back)"
    );
    assert_eq!(
        verdict("Available action Meeple for SmallFollower"),
        "fails: Available action Meeple for SmallFollower (it is not)"
    );
    assert!(verdict("TilePlacement BA/L options: [0,1] - [0]").contains("only here: TILE BA/L"));
    assert!(
        verdict("TilePlacement BA/L options: [7,7] - [0]").contains("only there: TILE BA/L 7,7 R0")
    );
    assert_eq!(
        verdict("The cat is black"),
        "not understood: The cat is black"
    );
    assert_eq!(
        verdict("Eve has 4 points"),
        "not understood: Eve has 4 points"
    );
}

/// Whatever means nothing to us is named, with its line; leniently it is left out.
#[test]
fn what_is_not_known_is_named() {
    let text = std::fs::read_to_string(folder().join("road-and-city.jcz")).unwrap();
    let problem = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let read = JczFile::read(changed.as_bytes());
        read.and_then(|file| convert(&file, Reading::default()))
            .unwrap_err()
            .to_string()
    };
    let set = |with: &str| problem("\"basic:1\": 1", &format!("\"basic:1\": 1, {with}"));
    assert_eq!(
        set("\"moon:1\": 1"),
        "line 4: the tile set \"moon:1\" is not known"
    );
    assert_eq!(
        problem("\"farmers\": true", "\"farmers\": true, \"dice\": 1"),
        "line 5: the element \"dice\" is not known"
    );
    assert_eq!(
        problem("\"farmers\": true", "\"farmers\": true, \"gold\": 1"),
        "line 5: the element \"gold\" needs the expansion goldmines, which the engine does not have"
    );
    assert_eq!(
        problem("\"rules\": {}", "\"rules\": {\"luck\": true}"),
        "line 6: the rule \"luck\" is not known"
    );
    assert_eq!(
        problem("\"rules\": {}", "\"rules\": {\"tiny-city-scoring\": \"5\"}"),
        "line 6: the rule \"tiny-city-scoring\" has no value \"5\" that is known"
    );
    assert_eq!(
        problem("\"DEPLOY_MEEPLE\"", "\"DANCE\""),
        "line 12: the message \"DANCE\" is not known"
    );
    assert_eq!(
        problem("\"DEPLOY_MEEPLE\"", "\"BAZAAR_BID\""),
        "line 12: the message BAZAAR_BID needs the expansion bridges-castles-bazaars, which the engine does not have"
    );
    assert_eq!(
        problem("\"R180\"", "\"R45\""),
        "line 11: \"rotation\" is not R0, R90, R180 or R270"
    );
    assert_eq!(
        problem("\"R180\"", "\"R0\""),
        "line 11: message 1, TILE BA/C 0,-1 R0: not legal here (BA-14)"
    );
    assert_eq!(
        problem("\"player\": 0", "\"player\": 1"),
        "line 11: message 1, TILE BA/C 0,-1 R180: the game waits for player 0 at lay"
    );
    assert_eq!(
        problem("[\"BA/C\",", "[\"BA/X\","),
        "line 11: before message 1: BA/X cannot be drawn: there is no tile \"BA/X\" in this game"
    );
    assert_eq!(
        problem("\"appVersion\": \"6.2.0\"", "\"appVersion\": \"4.0\""),
        "line 2: version \"4.0\" of the format is not read: versions 5 and 6 are"
    );
    let strange = text.replace(
        "\"farmers\": true",
        "\"farmers\": true, \"dice\": 1, \"gold\": 1",
    );
    let lenient = Reading {
        strictness: Strictness::Lenient,
        finished: false,
    };
    let converted = convert(&JczFile::read(strange.as_bytes()).unwrap(), lenient).unwrap();
    let warnings: Vec<String> = converted.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 2);
    assert_eq!(warnings[0], "line 5: the element \"dice\" is not known");
}

/// Without a draw order tiles are drawn as they are laid, and the tiles that are left are told; when the game is known to be
/// over, the bag holds just what was laid.
#[test]
fn draws_follow_from_the_tiles_that_are_laid() {
    let mut file = read(&folder().join("road-and-city.jcz"));
    file.draw_order = None;
    let open = convert(&file, Reading::default()).unwrap();
    assert_eq!(
        open.left.iter().map(|(_, n)| u32::from(*n)).sum::<u32>(),
        71 - 3
    );
    let over = Reading {
        finished: true,
        ..Reading::default()
    };
    file.assertions.clear();
    let closed = convert(&file, over).unwrap();
    assert!(closed.own_bag);
    assert_eq!(closed.left, []);
    let state = closed.game.history.state();
    assert_eq!(state.waiting(), trencavel_rules::Waiting::Over);
}

/// If none of the tiles that are left can be laid they were discarded, and the game is over.
#[test]
fn tiles_that_fit_nowhere_are_discarded_at_the_end() {
    let file = read(&folder().join("farmer-at-the-end.jcz"));
    let mut setup = trencavel_record::jcz::setup::translate(&file, Strictness::Strict)
        .unwrap()
        .setup;
    // A tile with a city on every side fits nowhere on a board without open city edges.
    setup.bag = setup.bag.map(|mut bag| {
        bag.push(("BA/Cccc+".to_owned(), 1));
        bag
    });
    let rules = std::sync::Arc::new(trencavel_rules::Rules::new(&setup).unwrap());
    let mut follow = trencavel_record::jcz::follow::Follow::new(&rules, None);
    for (number, message) in file.messages.iter().enumerate() {
        follow.take(number, message).unwrap();
    }
    let rest = trencavel_record::jcz::convert::discards(&rules, follow.state());
    assert_eq!(rest.len(), 1);
}

/// Taking back goes back by one message, as often as there were messages.
#[test]
fn messages_can_be_taken_back() {
    let file = read(&folder().join("road-and-city.jcz"));
    let undo = || trencavel_record::jcz::file::Message {
        line: 1,
        player: None,
        action: Action::Undo,
    };
    let plain = convert(&file, Reading::default()).unwrap();
    let mut changed = file.clone();
    // Ann's city, taken back and placed again; then her tile too.
    let (lay, deploy) = (file.messages[0].clone(), file.messages[1].clone());
    changed
        .messages
        .splice(2..2, [undo(), deploy.clone(), undo(), undo(), lay, deploy]);
    let again = convert(&changed, Reading::default()).unwrap();
    assert_eq!(again.game.history.inputs(), plain.game.history.inputs());
    changed.messages.insert(0, undo());
    let error = convert(&changed, Reading::default()).unwrap_err();
    assert!(
        matches!(error.problem, JczProblem::OutOfPlace(1, ..)),
        "{error}"
    );
}

/// A file with something put in before the first place of a text.
fn with(text: &str, before: &str, more: &str) -> JczFile {
    let at = text.find(before).unwrap();
    let text = format!("{}{more}{}", &text[..at], &text[at..]);
    JczFile::read(text.as_bytes()).unwrap()
}

/// Keys that are not known are named with their line, and left out when read leniently.
#[test]
fn unknown_keys_are_named_or_left_out() {
    let text = std::fs::read_to_string(folder().join("road-and-city.jcz")).unwrap();
    for (before, more, says) in [
        (
            "\"appVersion\"",
            "\"moon\": 1, ",
            "line 2: the key \"moon\" in the file is not known",
        ),
        (
            "\"sets\"",
            "\"moon\": 1, ",
            "line 4: the key \"moon\" in the setup is not known",
        ),
        (
            "\"sets\"",
            "\"addons\": {\"moon\": 1}, ",
            "line 4: the key \"moon\" in the setup's addons is not known",
        ),
        (
            "\"sets\"",
            "\"options\": {\"moon\": 1}, ",
            "line 4: the key \"moon\" in the setup's options is not known",
        ),
        (
            "\"slot\"",
            "\"moon\": 1, ",
            "line 9: the key \"moon\" in a player is not known",
        ),
        (
            "\"payload\"",
            "\"moon\": 1, ",
            "line 11: the key \"moon\" in a message is not known",
        ),
        (
            "\"tileId\"",
            "\"moon\": 1, ",
            "line 11: the key \"moon\" in a payload is not known",
        ),
        (
            "\"drawOrder\"",
            "\"moon\": 1, ",
            "line 21: the key \"moon\" in gameAnnotations is not known",
        ),
        (
            "\"description\"",
            "\"moon\": 1, ",
            "line 23: the key \"moon\" in test is not known",
        ),
        (
            "\"basic:1\"",
            "\"moon:1\": 1, ",
            "line 4: the tile set \"moon:1\" is not known",
        ),
        (
            "\"farmers\"",
            "\"moon\": 1, ",
            "line 5: the element \"moon\" is not known",
        ),
        (
            "},\n    \"start\"",
            "\"moon\": true",
            "line 6: the rule \"moon\" is not known",
        ),
        (
            "},\n    \"start\"",
            "\"wagon-move\": \"C9\"",
            "line 6: the rule \"wagon-move\" has no value \"C9\" that is known",
        ),
        (
            "\"basic:1\"",
            "\"goldmines\": 1, ",
            "line 4: the tile set \"goldmines\" needs the expansion goldmines, which the engine does not have",
        ),
        (
            "\"farmers\"",
            "\"gold\": 1, ",
            "line 5: the element \"gold\" needs the expansion goldmines, which the engine does not have",
        ),
        (
            "{\"type\": \"PASS\"",
            "{\"type\": \"DANCE\", \"payload\": {}},\n",
            "line 18: the message \"DANCE\" is not known",
        ),
        (
            "{\"type\": \"PASS\"",
            "{\"type\": \"PLACE_TOKEN\", \"payload\": {\"token\": \"MOON\"}},\n",
            "line 18: the message \"PLACE_TOKEN MOON\" is not known",
        ),
        (
            "{\"type\": \"PASS\"",
            "{\"type\": \"PLACE_TOKEN\", \"payload\": {\"token\": \"FERRY\"}},\n",
            "line 18: the message PLACE_TOKEN FERRY needs the expansion ferries, which the engine does not have",
        ),
        (
            "{\"type\": \"PASS\"",
            "{\"type\": \"BAZAAR_BID\", \"payload\": {}},\n",
            "line 18: the message BAZAAR_BID needs the expansion bridges-castles-bazaars, which the engine does not have",
        ),
        (
            "{\"type\": \"PASS\"",
            "{\"type\": \"DEPLOY_MEEPLE\", \"payload\": {\"meepleId\": \"0.shepherd.1\"}},\n",
            "line 18: the message DEPLOY_MEEPLE shepherd needs the expansion hills-and-sheep, which the engine does not have",
        ),
    ] {
        let file = with(&text, before, more);
        assert_eq!(
            check(&file, Strictness::Strict).unwrap_err().to_string(),
            says
        );
        let strict = convert(&file, Reading::default()).unwrap_err();
        assert_eq!(strict.to_string(), says);
        assert!(strict.is_unknown());
        let report = check(&file, Strictness::Lenient).unwrap();
        let warnings: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, [says]);
        // The game is the same without it.
        assert!(report.passes(), "{says}");
        let lenient = Reading {
            strictness: Strictness::Lenient,
            ..Reading::default()
        };
        let game = convert(&file, lenient).unwrap().game.to_text();
        assert_eq!(
            game,
            std::fs::read_to_string(folder().join("road-and-city.game")).unwrap()
        );
    }
}

/// Version 5 named no edition and had a seed of its own: the same game, and what has to be said about it.
#[test]
fn older_files_are_read_as_far_as_their_messages_carry() {
    let text = std::fs::read_to_string(folder().join("road-and-city.jcz")).unwrap();
    let old = text
        .replace("\"6.2.0\"", "\"5.7.1\", \"initialSeed\": 1598246374")
        .replace("\"basic:1\"", "\"basic\"");
    let opened = open(old.as_bytes(), Reading::default()).unwrap();
    assert_eq!(
        opened.remarks,
        [
            "written by version 5.7.1: its messages are read as those of version 6, its draws are taken from them and not from \"initialSeed\""
        ]
    );
    let game = std::fs::read_to_string(folder().join("road-and-city.game")).unwrap();
    assert_eq!(
        opened.game.to_text(),
        game.replace("from jcz 6.2.0", "from jcz 5.7.1")
    );
    // Without an order of draws the tiles come as they are laid, and what is left is told.
    let at = old.find("\"gameAnnotations\"").unwrap();
    let end = old.find("\"test\"").unwrap();
    let bare = format!("{}{}", &old[..at], &old[end..]);
    let opened = open(bare.as_bytes(), Reading::default()).unwrap();
    assert_eq!(opened.game.history.state().board().tiles().len(), 4);
    assert_eq!(opened.remarks.len(), 2);
    assert!(
        opened.remarks[1].contains("tiles were not laid"),
        "{:?}",
        opened.remarks
    );
    // Version 6 always names the edition.
    let new = text.replace("\"basic:1\"", "\"basic\"");
    assert!(open(new.as_bytes(), Reading::default()).is_err());
    let ancient = text.replace("\"6.2.0\"", "\"4.3.1\"");
    let error = open(ancient.as_bytes(), Reading::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2: version \"4.3.1\" of the format is not read: versions 5 and 6 are"
    );
}
