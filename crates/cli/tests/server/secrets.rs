//! Nothing that somebody may not know is in any byte that is sent to them, or logged: the order of the tiles, the dealer's seed
//! before the end, the secrets of seats, links, host, sessions and operator, passphrases.
//!
//! No expansion that is there has choices that several seats make at the same time, or anything else that a seat knows alone.
//! How such choices are sealed is tested with a position made by hand in `crates/server/src/table/tests.rs`; here every input is
//! compared with what each may be shown of it, so that an expansion that has them is tested as soon as it is there.

use serde_json::json;
use trencavel_bot::{Bot, Dice};
use trencavel_proto::{Made, NewSeat, News, Seated, Wish};
use trencavel_record::game::Game;
use trencavel_record::notation::input_text;
use trencavel_rules::{Ext, Input, Seat, Waiting};

use crate::harness::{EAGER, Served, folder};

#[tokio::test(flavor = "multi_thread")]
async fn no_stream_and_no_log_has_a_secret() {
    let folder = folder("secrets");
    let token = "the operator of this very server";
    std::fs::write(folder.join("token"), token).unwrap();
    let data = folder.join("games.sqlite").display().to_string();
    let token_file = folder.join("token").display().to_string();
    let options = [EAGER, &["--operator-token-file", &token_file]].concat();
    let server = Served::start(&data, &folder.join("log"), &options);
    let http = server.http();
    // Everything on, so that every way of hiding something is used.
    let slugs: Vec<&str> = Ext::ALL
        .iter()
        .map(|ext| ext.expansion().slug)
        .filter(|slug| *slug != "base")
        .collect();
    let setup = format!("C2; seats 3; with {}", slugs.join(" "));
    let passphrase = "correct horse battery";
    let account = json!({ "name": "Ann", "passphrase": passphrase });
    let session: trencavel_proto::Session =
        http.post("/api/accounts", None, &account).await.unwrap();
    let seats = vec![
        NewSeat::Me { name: "Ann".into() },
        NewSeat::Link,
        NewSeat::Open,
    ];
    let wanted = json!({ "setup": setup, "seats": seats });
    let made: Made = http
        .post("/api/tables", Some(&session.token), &wanted)
        .await
        .unwrap();
    let table = made.table.clone();
    let invite = made.invites[0].secret.clone();
    let join = json!({ "name": "Bob", "invite": invite });
    let bob: Seated = http
        .post(&format!("/api/tables/{table}/join"), None, &join)
        .await
        .unwrap();
    let cid = http.join(&table, "Cid").await.unwrap();
    let ann = made.seat.clone().unwrap();
    http.wish(&table, &made.host, &Wish::Start).await.unwrap();
    let order = json!({ "order": "rename-seat", "table": table, "seat": 3, "name": "Cyd" });
    let _: serde_json::Value = http
        .post("/api/operator", Some(token), &order)
        .await
        .unwrap();
    let wrong: Result<serde_json::Value, _> =
        http.post("/api/operator", Some(&made.host), &order).await;
    assert_eq!(wrong.unwrap_err().code(), "secret");

    // Whoever comes after the end is told the seed at once.
    let mut watcher = Bot::connect(&server.address, &table, None).await.unwrap();
    let spectator = tokio::spawn(async move {
        while !watcher.known.is_over() {
            watcher.hear().await.unwrap();
        }
        watcher.heard
    });
    let mut players = Vec::new();
    for (n, seated) in (40..).zip([&ann, &bob, &cid]) {
        let (address, table, secret) =
            (server.address.clone(), table.clone(), seated.secret.clone());
        players.push(tokio::spawn(async move {
            let mut bot = Bot::connect(&address, &table, Some(&secret)).await.unwrap();
            bot.play(&mut Dice::new(n))
                .await
                .unwrap_or_else(|trouble| panic!("{trouble}"));
            bot.heard
        }));
    }
    let mut streams = Vec::new();
    for player in players {
        streams.push(player.await.unwrap());
    }
    streams.push(spectator.await.unwrap());

    let text = http.file(&table).await.unwrap();
    let game = Game::read(text.as_bytes()).unwrap();
    let seed = game.note("dealer-seed").unwrap();
    let secrets = [
        ("Ann's seat", &ann.secret),
        ("Bob's seat", &bob.secret),
        ("Cid's seat", &cid.secret),
        ("the link", &invite),
        ("the host", &made.host),
        ("the session", &session.token),
    ];
    // What each may be shown of each input.
    let rules = game.history.rules();
    let mut state = rules.start();
    let mut shown: Vec<[String; 4]> = Vec::new();
    let mut sealed = 0;
    for input in game.history.inputs() {
        let several = matches!(state.waiting(), Waiting::Seats(seats) if seats.len() > 1);
        sealed += usize::from(several && matches!(input, Input::Choice(..)));
        let viewers = [Some(Seat(0)), Some(Seat(1)), Some(Seat(2)), None];
        shown.push(
            viewers.map(|viewer| input_text(rules, &state, rules.redact(&state, *input, viewer))),
        );
        rules.apply_listed(&mut state, *input, &mut ());
    }
    println!(
        "{} inputs, {sealed} of them sealed; {} streams",
        shown.len(),
        streams.len()
    );
    for (viewer, stream) in streams.iter().enumerate() {
        let mut number = 0;
        for message in stream {
            for (whose, secret) in &secrets {
                assert!(
                    !message.contains(secret.as_str()),
                    "{whose} is in the stream of {viewer}: {message}"
                );
            }
            assert!(!message.contains(passphrase) && !message.contains(token));
            // The seed is told with the end, not before.
            if number < shown.len() {
                assert!(!message.contains(seed), "{message}");
            }
            let sent: trencavel_proto::Sent = serde_json::from_str(message).unwrap();
            if let News::Input { input, .. } = sent.news {
                assert_eq!(input, shown[number][viewer], "input {number} to {viewer}");
                number += 1;
            }
            // No tile is named that was not drawn: neither the order nor anything about it is told.
            let drawn: Vec<&String> = shown[..number].iter().map(|shown| &shown[viewer]).collect();
            for part in message.split("\"draw ").skip(1) {
                let draw = format!("draw {}", part.split('"').next().unwrap());
                assert!(drawn.iter().any(|input| **input == draw), "{message}");
            }
        }
        assert_eq!(number, shown.len(), "{viewer}");
    }
    // Neither is it in what anybody can ask for, in the log, or stored as it is.
    for path in [
        format!("/api/tables/{table}"),
        "/api/tables".into(),
        "/metrics".into(),
        "/api/server".into(),
    ] {
        let answer = http.get(&path).await.unwrap();
        for (whose, secret) in &secrets {
            assert!(!answer.contains(secret.as_str()), "{whose} is in {path}");
        }
    }
    let log = server.log.clone();
    server.stop();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("listening"), "{log}");
    let mut stored = Vec::new();
    for suffix in ["", "-wal"] {
        stored.extend(std::fs::read(format!("{data}{suffix}")).unwrap_or_default());
    }
    let is_stored = |secret: &str| {
        stored
            .windows(secret.len())
            .any(|window| window == secret.as_bytes())
    };
    assert!(is_stored(&table), "the search finds what is there");
    for (whose, secret) in secrets.iter().copied().chain([
        ("the passphrase", &passphrase.to_string()),
        ("the operator", &token.to_string()),
    ]) {
        assert!(!log.contains(secret.as_str()), "{whose} is in the log");
        assert!(!is_stored(secret), "{whose} is stored as it is");
    }
    assert!(!log.contains(seed), "the dealer's seed is in the log");
}

#[test]
fn the_password_of_the_database_is_not_told() {
    let folder = folder("password");
    let log = folder.join("log");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_trencavel"))
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env(
            "TRENCAVEL_DATA",
            "postgres://someone:a-password@127.0.0.1:1/nothing",
        )
        .output()
        .unwrap();
    std::fs::write(log, &output.stderr).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("127.0.0.1:1/nothing") && !said.contains("a-password"),
        "{said}"
    );
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_trencavel"))
        .args(["serve", "--help"])
        .env(
            "TRENCAVEL_DATA",
            "postgres://someone:a-password@127.0.0.1:1/nothing",
        )
        .output()
        .unwrap();
    let help = String::from_utf8_lossy(&help.stdout);
    assert!(
        help.contains("--operator-token-file") && help.contains("keep-games-days"),
        "{help}"
    );
    assert!(!help.contains("a-password"), "{help}");
}
