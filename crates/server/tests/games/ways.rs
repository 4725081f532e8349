//! The ways to a game: after a gap, with another protocol, two players at one screen, a script that knows HTTP only.

use serde_json::{Value, json};
use trencavel_bot::{Bot, Dice};
use trencavel_record::notation::{choice_text, parse_input};
use trencavel_record::setup_text::parse_setup;
use trencavel_rules::{Moves, Rules, Seat, Waiting};
use trencavel_server::{Config, Server};

use crate::tables::{granted, made};
use crate::{Player, get, hear_until, new_game, post, say_hello, schema, scratch, start};

#[tokio::test(flavor = "multi_thread")]
async fn after_a_gap_everything_is_told_again() {
    let server = start(&scratch("gap")).await;
    let setup = "C2; seats 2";
    let (table, _, first, _) = new_game(&server, setup).await;
    let mut ann = Player::connect(&server, &table, setup, 1, &first).await;
    while ann.number < 2 {
        ann.choose().await;
        hear_until(&mut ann, |news| news["news"] == "input").await;
    }
    ann.settle(&server).await;
    let (number, hash, seq) = (ann.number, ann.state.hash(), ann.seq);
    // Nothing is missing: nothing is told but the beginning of every connection.
    let already = ann.heard.len();
    ann.send(json!({ "wish": "resync", "after": seq })).await;
    ann.settle(&server).await;
    assert!(!ann.heard[already..].concat().contains("\"input\""));
    // Everything is missing. The messages of the connection are counted on.
    let already = ann.heard.len();
    (ann.number, ann.seq, ann.state) = (0, 0, ann.start.clone());
    ann.send(json!({ "wish": "resync", "after": 0 })).await;
    ann.settle(&server).await;
    assert_eq!((ann.number, ann.state.hash()), (number, hash));
    let hello: Value = serde_json::from_str(&ann.heard[already]).unwrap();
    assert_eq!(
        (&hello["news"], &hello["after"]),
        (&json!("hello"), &json!(0))
    );
    // A client that knows more than there is has to begin anew, and is told so.
    ann.socket.close(None).await.unwrap();
    let hello = json!({ "secret": first, "after": 1000 });
    let mut back = Player::open(&server, &table, setup, 1, hello).await;
    let hello = back.hear().await.unwrap();
    assert_eq!(hello["after"], 0);
    back.settle(&server).await;
    assert_eq!(back.state.hash(), hash);
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_protocol_is_refused() {
    let server = start(&scratch("protocol")).await;
    let (table, _, _, _) = new_game(&server, "C2; seats 2").await;
    let (_, about) = get(&server, "/api/server").await;
    let own = serde_json::from_str::<Value>(&about).unwrap()["protocol"].clone();
    for (protocol, news) in [(own, "hello"), (json!(99), "refused")] {
        let mut socket = say_hello(&server, &table, json!({ "protocol": protocol })).await;
        let answer = futures_util::StreamExt::next(&mut socket).await.unwrap();
        let answer: Value = serde_json::from_str(&answer.unwrap().to_string()).unwrap();
        assert_eq!(answer["news"], news, "{answer}");
        if news == "refused" {
            assert_eq!(answer["code"], "protocol");
        }
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_one_screen_play_a_whole_game_with_one_secret() {
    let server = start(&scratch("hot-seat")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "me", "name": "Bob" }]);
    let wanted = json!({ "setup": "C2; seats 2; with abbot", "seats": seats });
    let (table, host, secret) = made(&server, wanted).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    let address = server.address().to_string();
    let mut both = Bot::connect(&address, &table, Some(&secret)).await.unwrap();
    assert_eq!(both.seats, [Seat(0), Seat(1)]);
    both.play(&mut Dice::new(8)).await.unwrap();
    let (status, file) = get(&server, &format!("/api/tables/{table}/file")).await;
    assert_eq!(status, 200, "{file}");
    for choice in [" 1: lay ", " 2: lay "] {
        assert!(file.contains(choice), "{file}");
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_plays_a_whole_game_by_http_alone() {
    let server = start(&scratch("script")).await;
    let setup = "C1; seats 2";
    let seats =
        json!([{ "kind": "me", "name": "Script" }, { "kind": "computer", "level": "random" }]);
    let wanted = json!({ "setup": setup, "seats": seats });
    let (table, host, secret) = made(&server, wanted).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    let rules = Rules::new(&parse_setup(setup).unwrap()).unwrap();
    let mut state = rules.start();
    let mut number = 0;
    let address = server.address();
    let events = format!("http://{address}/api/tables/{table}/events");
    let request = reqwest::Client::new().get(events).bearer_auth(&secret);
    let mut stream = request.send().await.unwrap();
    let mut text = String::new();
    while state.waiting() != Waiting::Over {
        let chunk = stream.chunk().await.unwrap().unwrap();
        text += std::str::from_utf8(&chunk).unwrap();
        while let Some((line, rest)) = text.split_once('\n') {
            let news: Value = serde_json::from_str(line).unwrap();
            text = rest.to_string();
            schema::check("News", &news);
            if news["news"] != "input" {
                continue;
            }
            number += 1;
            assert_eq!(news["number"], number);
            let input = news["input"].as_str().unwrap();
            let input = parse_input(&rules, &state, input).unwrap();
            rules.apply(&mut state, input, &mut ()).unwrap();
            if state.waiting() == Waiting::Seats(trencavel_rules::SeatSet::one(Seat(0))) {
                let mut moves = Moves::new();
                rules.legal_for(&state, Seat(0), &mut moves);
                let choice = choice_text(&rules, &state, moves[0]);
                let wish = json!({ "wish": "choose", "number": number + 1, "choice": choice });
                let path = format!("/api/tables/{table}/wish");
                let answer = post(&server, &path, Some(&secret), wish).await;
                assert_eq!(answer.0, 200, "{answer:?}");
            }
        }
    }
    assert_eq!(
        get(&server, &format!("/api/tables/{table}/file")).await.0,
        200
    );
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_rate_refuses_and_says_its_number() {
    let data = scratch("rates");
    let mut config = Config::new(([127, 0, 0, 1], 0).into(), data.display().to_string());
    config.limits.logins_per_minute = 2;
    config.limits.said_per_minute = 3;
    config.limits.joins_per_minute = 4;
    config.limits.wishes_per_second = 2;
    let server = Server::start(config).await.unwrap();
    let (table, _, first, _) = new_game(&server, "C2; seats 2").await;
    let credentials = json!({ "name": "nobody", "passphrase": "0123456789" });
    let say = json!({ "wish": "say", "text": "x" });
    let wish = format!("/api/tables/{table}/wish");
    let wanted = json!({ "setup": "C2; seats 1", "seats": [{ "kind": "open" }] });
    for (path, secret, body, most, what) in [
        (
            "/api/session",
            None,
            credentials,
            2,
            "at most 2 passphrases",
        ),
        (&wish, Some(first.as_str()), say, 3, "at most 3 things said"),
        // The table of this test and who joined it are two of them.
        ("/api/tables", None, wanted, 2, "at most 4 tables made"),
    ] {
        for n in 0..=most {
            let (status, answer) = post(&server, path, secret, body.clone()).await;
            let refused = answer["code"] == "rate";
            assert_eq!(refused, n == most, "{path} {n}: {status} {answer}");
            if refused {
                assert_eq!(status, 429);
                assert!(
                    answer["why"].as_str().unwrap().starts_with(what),
                    "{answer}"
                );
            }
        }
    }
    let mut ann = Player::connect(&server, &table, "C2; seats 2", 1, &first).await;
    // Many, since seconds may end among them.
    for id in 1..=40 {
        ann.send(json!({ "id": id, "wish": "choose", "number": 0, "choice": "pass" }))
            .await;
    }
    hear_until(&mut ann, |news| news["id"] == 40).await;
    assert!(ann.heard.concat().contains("at most 2 wishes a second"));
    server.stop().await.unwrap();
}
