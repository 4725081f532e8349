//! The scenario runner: what is wrong with a scenario is said with its line.

use trencavel_testkit::scenario::read;

/// The failure of a scenario, which must fail.
fn failure(text: &str) -> String {
    let runs = match read("base/BA-22-test", text) {
        Err(failure) => return failure.to_string(),
        Ok(runs) => runs,
    };
    let failed = runs.iter().find_map(|run| run.play().err());
    failed.expect("the scenario fails").to_string()
}

fn check(text: &str, says: &[&str]) {
    let found = failure(text);
    for part in says {
        assert!(found.contains(part), "expected `{part}` in:\n{found}");
    }
}

const HEAD: &str = "clauses BA-22\nsetup C1; seats 2\n";

fn after_head(text: &str, says: &[&str]) {
    check(&format!("{HEAD}{text}"), says);
}

#[test]
fn the_text_itself_is_checked() {
    check("setup C1\nexpect score 0 0", &["covers no clause"]);
    check(
        "clauses BA-22 BA-999\nexpect score 0 0",
        &[".scn:1:", "no clause `BA-999`"],
    );
    check(
        "clauses BA-21\nexpect score 0 0",
        &["begins with none of its clauses"],
    );
    check(
        "clauses BA-22 BA-21 BA-23 BA-24\nexpect score 0 0",
        &["more than 3 clauses"],
    );
    check(
        "clauses BA-22 BA-E01 BA-21 BA-23\nlay BA/C 0,-1 r180",
        &["nothing is expected"],
    );
    after_head("option a=b expect score 0 0", &["option KEY=VALUE => …"]);
    after_head(
        "option a=1 => expect score 0 0\noption b=1 => expect over",
        &["pairs one option"],
    );
    after_head(
        "option farmers=true => expect score 0 0\noption farmers=false => skip",
        &["nothing is expected"],
    );
    check("· expect score 0 0", &[".scn:1:", "no line to continue"]);
}

#[test]
fn the_setup_is_checked() {
    after_head("setup seats 9\nexpect score 0", &["the setup: 9 seats"]);
    after_head(
        "setup with nothing\nexpect score 0",
        &["no expansion \"nothing\""],
    );
    after_head(
        "setup nothing\nexpect score 0",
        &["`nothing` is no edition, no expansion"],
    );
    after_head("expect setup-error \"seats\"", &["the setup has no error"]);
    after_head(
        "setup seats 9\nexpect setup-error \"tiles\"",
        &["expected a setup error with \"tiles\""],
    );
    after_head(
        "place BA/RFr 1,0 r90\nexpect score 0 0",
        &["cannot lie at 1,0"],
    );
    after_head(
        "figure large/1 road.W@0,0\nexpect score 0 0",
        &["none in the supply"],
    );
    after_head(
        "tokens 1 wine 1\nexpect score 0 0",
        &["no expansion in play"],
    );
    after_head(
        "skip\npoints 1 2\nexpect score 0 0",
        &["must stand before the first line that plays"],
    );
}

#[test]
fn what_cannot_be_done_is_said_with_the_position() {
    after_head(
        "lay BA/RFr 1,0 r90\nexpect score 0 0",
        &[
            ".scn:3:",
            "`lay 1,0 r90` is not legal",
            "BA-14",
            "lay -1,0 r0",
            "seat 1 is asked by lay",
        ],
    );
    after_head(
        "lay BA/RFr 1,0 r0 · deploy follower road.W\nlay BA/RFr 2,0 r0\n· deploy follower road.E\nexpect score 0 0",
        &[
            ".scn:5:",
            "`deploy follower road.E` is not legal",
            "BA-22",
            "deploy follower field.NL",
            "follower/1 road.E@1,0",
        ],
    );
    after_head("1: skip\nexpect score 0 0", &["`skip` means nothing here"]);
    after_head(
        "2: lay BA/RFr 1,0 r0\nexpect score 0 0",
        &["it is the turn of seat 1, not 2"],
    );
    after_head(
        "draw BA/RFr\nlay BA/RFr 1,0 r0\nexpect score 0 0",
        &["an answer is missing that must be given"],
    );
    after_head(
        "lay BA/RFr 1,0 r0\nbag BA/L\nend score 0 0",
        &["must stand before"],
    );
    after_head(
        "bag BA/L\nlay BA/RFr 1,0 r0\nend score 0 0",
        &["tiles are left in the bag"],
    );
    after_head(
        "lay BA/Nix 1,0 r0\nexpect score 0 0",
        &["there is no tile `BA/Nix`"],
    );
}

#[test]
fn what_is_not_so_is_said() {
    let lay = "lay BA/RFr 1,0 r0 · deploy follower road.W\n";
    let expectations: [(&str, &[&str]); 17] = [
        ("score 1 0", &["expected 1 0, found 0 0"]),
        ("legal pass", &["it is not legal: OP-105"]),
        ("illegal pass BA-14", &["by OP-105 and not by BA-14"]),
        ("illegal pass", &["the clause that forbids it is missing"]),
        ("choices 1", &["there are 0"]),
        ("asks 2", &["expected 2, found draw"]),
        ("turn 1", &["expected 1, found 2"]),
        ("supply 1 follower 7", &["expected 7, found 6"]),
        ("nobody road.E", &["expected nobody, found follower/1"]),
        (
            "at road.W@1,0 follower/2",
            &["expected follower/2, found follower/1"],
        ),
        (
            "feature road.W complete",
            &["expected complete, found incomplete"],
        ),
        ("event points 1", &["there is no event `points 1`"]),
        (
            "no-event arrived follower/1",
            &["there is: arrived follower/1 road.E@1,0 own"],
        ),
        ("line road 4 BA-30", &["the items are: "]),
        ("over", &["expected over, found not over"]),
        ("tile 1,0 BA/RFr r90", &["expected r90, found r0"]),
        ("draw-possible BA/RFr", &["it cannot be drawn"]),
    ];
    for (expectation, says) in expectations {
        after_head(&format!("{lay}expect {expectation}"), says);
    }
    after_head("expect fun", &["this is not an expectation"]);
}

/// Every run has its own name and setup.
#[test]
fn a_pair_is_two_runs() {
    let text = format!(
        "{HEAD}lay BA/C 0,-1 r180 · deploy follower city.S\n\
         option tiny-city-scoring=4 => expect score 4 0\noption tiny-city-scoring=2 => expect score 2 0"
    );
    let runs = read("base/BA-22-test", &text).unwrap();
    let names: Vec<String> = runs.iter().map(|run| run.name()).collect();
    assert_eq!(
        names,
        [
            "base/BA-22-test [tiny-city-scoring=4]",
            "base/BA-22-test [tiny-city-scoring=2]"
        ]
    );
    for run in runs {
        run.play().unwrap();
    }
}
