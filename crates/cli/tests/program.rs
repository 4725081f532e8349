//! Runs the program as a person would.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str], typed: &str) -> Output {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_trencavel"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends early does not read everything.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn fault(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

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
    assert_eq!(text(&one), text(&two));
    assert_eq!(text(&one).lines().count(), 12);
    assert!(fault(&one).contains("12 games"));
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
        assert_eq!(text(&output).lines().count(), 2);
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
    let path = scratch("saved.game");
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
    assert!(text(&again).contains("greedy 2"));
    let checked = run(&["check", file], "");
    assert_eq!(checked.status.code(), Some(0));
    std::fs::write(&path, saved.replace("1: lay", "2: lay")).unwrap();
    let checked = run(&["check", file], "");
    assert_eq!(checked.status.code(), Some(1));
    assert!(text(&checked).contains("line "), "{}", text(&checked));
}

#[test]
fn a_whole_game_can_be_played_from_the_keyboard() {
    // The first choice of every list, and passing where there is none.
    let typed = "1\n1\n".repeat(400);
    let path = scratch("whole.game");
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
        text(&output).contains("the game is over"),
        "{}",
        text(&output)
    );
    let printed = run(&["replay", "--print", path.to_str().unwrap()], "");
    assert!(text(&printed).contains("points, with the clause of each:"));
}
