//! Runs the program as a person would.

mod common;

use std::process::{Command, Output, Stdio};

use common::{fault, run, said, scratch};

#[test]
fn simulations_are_the_same_whatever_the_number_of_threads() {
    let args = |threads| {
        [
            "simulate",
            "-n",
            "12",
            "--seed",
            "7",
            "--players",
            "greedy,random,random",
            "--threads",
            threads,
        ]
    };
    let one = run(&args("1"), "");
    let two = run(&args("2"), "");
    assert!(one.status.success(), "{}", fault(&one));
    assert_eq!(said(&one), said(&two));
    assert_eq!(said(&one).lines().count(), 12);
    assert!(fault(&one).contains("12 games"));
}

/// Runs the program with nobody at the other end of a stream of its own.
fn unread(args: &[&str], stream: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trencavel"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    match stream {
        "stdout" => drop(child.stdout.take()),
        _ => drop(child.stderr.take()),
    }
    child.wait_with_output().unwrap()
}

#[test]
fn whoever_has_read_enough_hears_no_complaint() {
    let saved = scratch("unread").join("unread.game");
    let file = saved.to_str().unwrap();
    run(&["play", "--players", "random,random", "--file", file], "");
    for args in [
        &["simulate", "-n", "3"][..],
        &["simulate", "-n", "3", "--format", "csv"],
        &["play", "--players", "random,random"],
        &["arena", "--players", "random,greedy", "--games", "2"],
        &["levels"],
        &["replay", file],
        &["replay", file, "--print"],
        &["check", file],
        &["check", file, file],
        &["check", file, "--json"],
        &["analyse", file],
        &["expansions"],
        &["tiles"],
        &["tiles", "no-such-tile"],
        &["rule", "BASE-01"],
        &["no-such-command"],
        &["--help"],
    ] {
        for stream in ["stdout", "stderr"] {
            let output = unread(args, stream);
            let said = fault(&output) + &said(&output);
            let code = output.status.code();
            assert!(
                matches!(code, Some(0..=2)) && !said.contains("panicked"),
                "{args:?} without {stream}: {code:?} {said}"
            );
            assert!(
                stream == "stderr" || !said.to_lowercase().contains("pipe"),
                "{args:?}: {said}"
            );
        }
    }
}

#[test]
fn every_expansion_can_be_simulated() {
    let slugs: Vec<&str> = trencavel_rules::Ext::ALL
        .iter()
        .skip(1)
        .map(|ext| ext.expansion().slug)
        .collect();
    for players in [
        "random",
        "random,random",
        "random,random,random,random,random,random",
    ] {
        let output = run(
            &[
                "simulate",
                "-n",
                "2",
                "--with",
                &slugs.join(","),
                "--players",
                players,
            ],
            "",
        );
        assert!(output.status.success(), "{}", fault(&output));
        assert_eq!(said(&output).lines().count(), 2);
    }
}

#[test]
fn bad_words_are_answered_with_what_is_wrong() {
    for (args, says) in [
        (
            vec!["simulate", "--players", "nobody"],
            "there is no player \"nobody\"",
        ),
        (
            vec!["simulate", "--with", "atlantis"],
            "there is no expansion \"atlantis\"",
        ),
        (
            vec!["simulate", "--option", "farmers"],
            "write it as KEY=VALUE",
        ),
        (
            vec!["simulate", "--option", "farmers=maybe"],
            "it is one of true, false",
        ),
        (
            vec!["expansions", "atlantis"],
            "there is no expansion \"atlantis\"",
        ),
        (vec!["replay", "no-such-file"], "no-such-file"),
    ] {
        let output = run(&args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            fault(&output).contains(says),
            "{args:?}: {}",
            fault(&output)
        );
    }
}

#[test]
fn a_game_is_saved_after_every_move_and_gone_on_with() {
    let path = scratch("saved").join("saved.game");
    let file = path.to_str().unwrap();
    let first = run(
        &[
            "play",
            "--seed",
            "3",
            "--players",
            "Ann,greedy",
            "--file",
            file,
        ],
        "1\n1\n\nq\n",
    );
    assert!(first.status.success(), "{}", fault(&first));
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("names Ann; greedy 2"));
    assert!(saved.contains("1: lay "));
    let again = run(&["play", "--file", file], "q\n");
    assert!(again.status.success(), "{}", fault(&again));
    assert!(said(&again).contains("greedy 2"));
    let checked = run(&["check", file], "");
    assert_eq!(checked.status.code(), Some(0));
    std::fs::write(&path, saved.replace("1: lay", "2: lay")).unwrap();
    let checked = run(&["check", file], "");
    assert_eq!(checked.status.code(), Some(1));
    assert!(said(&checked).contains("line "), "{}", said(&checked));
}

#[test]
fn a_whole_game_can_be_played_from_the_keyboard() {
    // The first choice of every list, and passing where there is none.
    let typed = "1\n1\n".repeat(400);
    let path = scratch("whole").join("whole.game");
    let output = run(
        &[
            "play",
            "--seed",
            "11",
            "--players",
            "Ann,random",
            "--file",
            path.to_str().unwrap(),
        ],
        &typed,
    );
    assert!(output.status.success(), "{}", fault(&output));
    assert!(
        said(&output).contains("the game is over"),
        "{}",
        said(&output)
    );
    let printed = run(&["replay", "--print", path.to_str().unwrap()], "");
    let table = said(&printed);
    let (_, table) = table
        .split_once("points, with the clause of each:")
        .unwrap();
    // The items of every award are there, and the awards of a seat add up to its points.
    let mut seats = 0;
    let mut left = 0;
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["turn", _, points, .., clause] = words[..] {
            left -= points.parse::<i32>().unwrap();
            assert!(clause.contains('-') && !line.contains("× 0"), "{line}");
        } else {
            assert_eq!(left, 0, "before {line}");
            left = words.last().unwrap().parse().unwrap();
            seats += 1;
        }
    }
    assert_eq!((left, seats), (0, 2));
    assert!(table.contains(" tiles × 1 = +"), "{table}");
}

#[test]
fn a_match_is_reproducible_and_can_be_gone_on_with() {
    let match_of = |games: &str, threads: &str, out: Option<&str>| {
        let mut args = vec![
            "arena",
            "--players",
            "steady,greedy,search:plans=4",
            "--games",
            games,
            "--iterations",
            "8",
            "--threads",
            threads,
            "--seed",
            "5",
        ];
        if let Some(path) = out {
            args.extend(["--out", path]);
        }
        let output = run(&args, "");
        assert!(output.status.success(), "{}", fault(&output));
        output
    };
    // How long it took is another each time.
    let plain = |text: &str| {
        let mut lines: Vec<String> = text
            .lines()
            .filter(|line| line.contains("\"scores\""))
            .map(|line| line.split("\"milliseconds\"").next().unwrap().to_string())
            .collect();
        lines.sort();
        lines
    };
    let whole = match_of("4", "2", None);
    let lines = plain(&said(&whole));
    assert_eq!(lines.len(), 12, "{}", said(&whole));
    assert!(
        fault(&whole).contains("steady against greedy"),
        "{}",
        fault(&whole)
    );
    // The same deal is played in both seatings.
    assert!(
        lines
            .iter()
            .any(|line| line.contains("\"players\":[\"greedy\",\"steady\"]"))
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("\"players\":[\"steady\",\"greedy\"]"))
    );
    let path = scratch("match").join("match.jsonl");
    let file = path.to_str().unwrap();
    match_of("2", "1", Some(file));
    // Broken off in the middle of a line.
    let mut torn = std::fs::read_to_string(&path).unwrap();
    assert_eq!(plain(&torn).len(), 6);
    let kept = torn.clone();
    torn.push_str("{\"pair\":[\"ste");
    std::fs::write(&path, torn).unwrap();
    match_of("4", "2", Some(file));
    let text_now = std::fs::read_to_string(&path).unwrap();
    assert!(text_now.starts_with(&kept));
    assert_eq!(plain(&text_now), lines);
    let other = run(
        &[
            "arena",
            "--players",
            "steady,random",
            "--games",
            "2",
            "--out",
            file,
        ],
        "",
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(
        fault(&other).contains("holds another match"),
        "{}",
        fault(&other)
    );
}

#[test]
fn bad_matches_are_answered_with_what_is_wrong() {
    for (players, more, says) in [
        ("steady", vec![], "two players or more"),
        ("steady,nobody", vec![], "there is no player \"nobody\""),
        ("steady,search:depth=3", vec![], "search:depth=3: depth=3"),
        (
            "steady,search:plans=few",
            vec![],
            "not a value that it can have",
        ),
        ("steady,search:plans", vec![], "KEY=VALUE"),
        (
            "steady,greedy",
            vec!["--time", "1m"],
            "write it as 1s or 200ms",
        ),
        (
            "steady,greedy",
            vec!["--sequential", "20,0"],
            "of which the second is larger",
        ),
    ] {
        let mut args = vec!["arena", "--players", players, "--games", "2"];
        args.extend(more);
        let output = run(&args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            fault(&output).contains(says),
            "{args:?}: {}",
            fault(&output)
        );
    }
}

#[test]
fn a_sequential_test_ends_a_match_early() {
    let output = run(
        &[
            "arena",
            "--players",
            "steady,random",
            "--games",
            "400",
            "--seats",
            "3",
            "--sequential",
            "0,50",
        ],
        "",
    );
    assert!(output.status.success(), "{}", fault(&output));
    assert!(
        fault(&output).contains("the first is better"),
        "{}",
        fault(&output)
    );
    assert!(said(&output).lines().count() < 200);
}

#[test]
fn a_game_is_analysed() {
    let path = scratch("analysed").join("analysed.game");
    let file = path.to_str().unwrap();
    let game = run(
        &[
            "play",
            "--seed",
            "4",
            "--players",
            "random,steady",
            "--file",
            file,
        ],
        "",
    );
    assert!(game.status.success(), "{}", fault(&game));
    let svg = path.with_extension("svg");
    let args = [
        "analyse",
        file,
        "--iterations",
        "20",
        "--svg",
        svg.to_str().unwrap(),
    ];
    let output = run(&args, "");
    assert!(output.status.success(), "{}", fault(&output));
    assert!(said(&output).contains("?? turn "), "{}", said(&output));
    assert!(said(&output).contains("steady 2: "), "{}", said(&output));
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("random 1"));
    let mut args = args.to_vec();
    args.push("--json");
    let json: serde_json::Value = serde_json::from_str(&said(&run(&args, ""))).unwrap();
    let seats = json["seats"].as_array().unwrap();
    let lost = |seat: usize| seats[seat]["loss"].as_f64().unwrap();
    // Whoever chooses by chance loses much more than whoever evaluates.
    assert!(lost(0) > 10.0 * lost(1).max(1.0), "{} {}", lost(0), lost(1));
    for decision in json["decisions"].as_array().unwrap() {
        let best = decision["best"].as_array().unwrap();
        assert!((1..=3).contains(&best.len()));
        let value = |weighed: &serde_json::Value| weighed["value"].as_f64().unwrap();
        assert!(value(&best[0]) >= value(&decision["played"]));
    }
    // The end of the graph is the end of the game.
    let last = json["moments"].as_array().unwrap().last().unwrap();
    assert_eq!(last["win"].as_array().unwrap().len(), 2);
    let saved = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../records/road-and-city.jcz"
    );
    let other = run(&["analyse", saved, "--iterations", "10", "--all"], "");
    assert!(other.status.success(), "{}", fault(&other));
    assert!(said(&other).contains("turn 1 "), "{}", said(&other));
    let nothing = run(&["analyse", "no-such-file"], "");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(fault(&nothing).contains("no-such-file"));
}

#[test]
fn levels_are_offered() {
    let listed = run(&["levels"], "");
    assert!(trencavel_ai::LEVELS.len() >= 8);
    let help = run(&["play", "--help"], "");
    for level in trencavel_ai::LEVELS {
        assert!(said(&listed).contains(level.name), "{}", level.name);
        assert!(said(&help).contains(level.name), "{}", level.name);
        assert!(level.milliseconds <= 2000.0);
    }
    let played = run(&["play", "--seed", "2", "--opponent", "miller"], "q\n");
    assert!(played.status.success(), "{}", fault(&played));
    assert!(said(&played).contains("miller 2"), "{}", said(&played));
    let wrong = run(&["play", "--opponent", "wizard"], "");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(fault(&wrong).contains("there is no player \"wizard\""));
}

#[test]
fn a_move_is_taken_back_with_what_came_after_it() {
    let args = ["play", "--seed", "3", "--players", "Ann,Ben"];
    let output = run(&args, "1\n1\n\nu\n\nq\n");
    assert!(output.status.success(), "{}", fault(&output));
    let told = said(&output);
    assert!(told.contains("taken back: Ann, "), "{told}");
    let draws: Vec<&str> = told
        .lines()
        .filter(|line| line.contains("Ben draws"))
        .collect();
    assert_eq!(draws.len(), 2, "{told}");
    assert_eq!(draws[0], draws[1], "the same tile comes again");
    let nothing = run(&args, "u\nq\n");
    assert!(said(&nothing).contains("There is nothing to take back."));
}

#[test]
fn an_answer_does_not_bring_the_board_again() {
    let args = ["play", "--seed", "3", "--players", "Ann,Ben"];
    let boards = |typed: &str| {
        let output = run(&args, typed);
        said(&output).matches("tiles left").count()
    };
    assert_eq!(boards("q\n"), 1);
    assert_eq!(boards("?\nl\n99\nhello\nwhy pass\nq\n"), 1);
    assert_eq!(boards("\nq\n"), 2, "Enter shows it again");
}

#[test]
fn choices_on_the_board_are_numbered() {
    let args = ["play", "--seed", "3", "--players", "Ann,Ben"];
    let told = said(&run(&args, "1\n1\nq\n"));
    let after = told.rsplit("Ann lays").next().unwrap_or_default();
    let (board, list) = after.split_once("tiles left").expect("a board and a list");
    let figures = list.matches("deploy follower").count();
    assert!(figures > 0, "{told}");
    for number in 1..=figures {
        assert!(board.contains(&format!("[{number}]")), "{number}: {told}");
    }
}

/// PD-58: each step of the dragon is another player's; a refusal says what its clause says.
#[test]
fn the_seat_that_must_decide_is_asked() {
    let path = scratch("walk").join("walk.game");
    std::fs::write(
        &path,
        "trencavel game 1\n\
         setup C2; seats 3; with princess-and-dragon; bag DG/RFr.v*1 BA/RFr*1 DG/RFr.d*2\n\
         names Ann; Bob; Cy\n\
         1 draw DG/RFr.v\n\
         2 1: lay 1,0 r0\n\
         3 draw BA/RFr\n\
         4 2: lay 2,0 r0\n\
         5 2: deploy follower field.NL\n\
         6 draw DG/RFr.d\n\
         7 3: lay 3,0 r0\n",
    )
    .unwrap();
    let typed = "deploy follower road.W\ndragon @2,0\nwhy dragon @1,0\ndragon @3,0\nq\n";
    let output = run(&["play", "--file", path.to_str().unwrap()], typed);
    assert!(output.status.success(), "{}", fault(&output));
    let said = said(&output);
    for expected in [
        "Cy: where to place a figure, Enter for nothing>",
        "Cy: dragon>",
        "Bob's follower goes home: eaten (PD-64)",
        "Ann, in the turn of Cy: dragon>",
        "That is not allowed: PD-60.\n  PD-60  A step may not go to a tile the dragon has been on",
        "Cy's follower goes home: eaten (PD-64)",
    ] {
        assert!(said.contains(expected), "no {expected:?} in:\n{said}");
    }
}

#[test]
fn clauses_can_be_read() {
    let output = run(&["rule", "TO-36", "pd-e10"], "");
    assert!(output.status.success(), "{}", fault(&output));
    assert!(said(&output).contains("TO-36  A player with fewer than 3 points cannot pay."));
    assert!(said(&output).contains("PD-E10  Dragon at (0,0)"));
    let output = run(&["rule", "TO-999"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(fault(&output).contains("no clause \"TO-999\""));
}
