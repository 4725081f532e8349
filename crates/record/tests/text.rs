//! Games written as text and read again, and what is said of faulty files.

mod random;

use random::{linked, random_game};
use trencavel_record::game::Game;
use trencavel_record::user_tiles::parse_tile;
use trencavel_rules::{Edition, Ext, Setup};

#[test]
fn games_with_everything_survive_as_text() {
    let mut setup = Setup::new(Edition::C2, 3);
    for ext in Ext::ALL.iter().skip(1) {
        setup = setup.with(ext.expansion().slug);
    }
    let rules = linked(&setup);
    for seed in 0..4 {
        let mut game = random_game(&rules, seed);
        game.names = vec!["Ann".into(), "Bo; b".into()];
        game.notes.push(("place".into(), "at home".into()));
        let text = game.to_text();
        let again = Game::read(text.as_bytes()).unwrap();
        assert_eq!(again.history.inputs(), game.history.inputs());
        assert_eq!(again.to_text(), text);
        assert_eq!(again.note("place"), Some("at home"));
        assert_eq!(again.names, ["Ann", "Bo, b"]);
    }
}

#[test]
fn faults_are_named_with_their_line() {
    let error = |text: &str| Game::read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error(""), "line 1: the file is empty");
    assert_eq!(
        error("hello"),
        "line 1: a game file begins with \"trencavel game 1\""
    );
    assert_eq!(
        error("trencavel game 9\n"),
        "line 1: \"trencavel game 9\" is a version of the format that this program does not know"
    );
    let head = "trencavel game 1\n# a comment\n";
    assert_eq!(error(head), "line 2: the setup is missing");
    assert_eq!(
        error(&format!("{head}setup C1; seats 9\n")),
        "line 3: 9 seats: a game has 1 to 8"
    );
    let head = "trencavel game 1\nsetup C1; seats 2\n";
    assert_eq!(
        error(&format!("{head}2 draw BA/L\n")),
        "line 3: input number 2 stands where number 1 is due"
    );
    assert_eq!(
        error(&format!("{head}1 draw BA/X\n")),
        "line 3: word 2: there is no tile \"BA/X\" in this game"
    );
    assert_eq!(
        error(&format!("{head}1 1: pass\n")),
        "line 3: \"1: pass\": this seat is not asked now (OP-105)"
    );
    assert_eq!(
        error(&format!("{head}1 draw BA/L\n2 1: lay 1,0 r0\n")),
        "line 4: \"1: lay 1,0 r0\": the choice is not among the legal ones (BA-14)"
    );
    assert!(
        error(&format!("{head}1 draw BA/L\n= 00\n"))
            .starts_with("line 4: the position differs from the file's: hash ")
    );
    assert_eq!(
        error(&format!("{head}result 1 2\n")),
        "line 3: there is a result, but the game is not over"
    );
    assert_eq!(
        error(&format!("{head}jump\n")),
        "line 3: \"jump\" is no keyword and no number of an input"
    );
    assert_eq!(
        Game::read(b"trencavel game 1\n\xff")
            .unwrap_err()
            .to_string(),
        "line 2: this is not text (UTF-8)"
    );
}

/// Tiles that players made are in the file, so that it is played again without their tile file.
#[test]
fn tiles_of_players_are_kept() {
    let village = "MV/RCr; names gate; segment road E W; segment city N | pennant; \
                   segment field EL WR | touches N; segment field ER SL SR WL";
    let mut setup = Setup::new(Edition::C1, 2);
    setup.tiles.push(parse_tile(village).unwrap());
    setup.bag = Some(vec![("MV/RCr".into(), 9), ("BA/L".into(), 2)]);
    let game = random_game(&linked(&setup), 3);
    let text = game.to_text();
    assert!(text.contains(&format!("\ntile {village}\n")), "{text}");
    let again = Game::read(text.as_bytes()).unwrap();
    assert_eq!(again.to_text(), text);
    let wrong = text.replace("segment road E W", "segment road E N");
    assert_eq!(
        Game::read(wrong.as_bytes()).unwrap_err().to_string(),
        "line 3: the tile \"MV/RCr\": two segments at one side"
    );
}

#[test]
fn cut_and_mangled_files_are_refused_or_read() {
    let text = random_game(&linked(&Setup::new(Edition::C1, 2)), 5).to_text();
    for cut in (0..text.len()).step_by(97) {
        if let Some(part) = text.get(..cut) {
            let _ = Game::read(part.as_bytes());
        }
        let mut bytes = text.clone().into_bytes();
        bytes[cut] ^= 0x15;
        let _ = Game::read(&bytes);
    }
}
