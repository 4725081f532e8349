//! Who has which seat, who is asked, and what follows when that changes.

use serde_json::{Value, json};
use trencavel_server::Server;

use crate::tables::{code, described, granted, join, made, wish};
use crate::{Player, get, hear_until, new_game, post, scratch, start};

const SETUP: &str = "C2; seats 2";

/// A table with Ann, who hosts it, and Bob: its id and the secrets of the host and of both.
async fn game(server: &Server, more: Value) -> [String; 4] {
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let mut wanted = json!({ "setup": SETUP, "seats": seats });
    let all = wanted.as_object_mut().unwrap();
    all.extend(more.as_object().unwrap().clone());
    let (table, host, first) = made(server, wanted).await;
    let (status, bob) = join(server, &table, None, json!({ "name": "Bob" })).await;
    assert_eq!(status, 200, "{bob}");
    granted(server, &table, &host, json!({ "wish": "start" })).await;
    let second = bob["secret"].as_str().unwrap().to_string();
    [table, host, first, second]
}

async fn remarks(server: &Server, table: &str) -> Vec<String> {
    let (status, file) = get(server, &format!("/api/tables/{table}/file")).await;
    assert_eq!(status, 200, "{file}");
    let remarks = file
        .lines()
        .filter_map(|line| line.strip_prefix("note remark "));
    remarks.map(String::from).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_loses_the_seat_is_a_spectator_from_then_on() {
    let server = start(&scratch("lost-seat")).await;
    let [table, host, first, second] = game(&server, json!({})).await;
    let mut ann = Player::connect(&server, &table, SETUP, 1, &first).await;
    let mut bob = Player::connect(&server, &table, SETUP, 2, &second).await;
    for player in [&mut ann, &mut bob] {
        hear_until(player, |news| news["here"] == json!([true, true])).await;
    }
    granted(&server, &table, &second, json!({ "wish": "leave" })).await;
    let seated = hear_until(&mut bob, |news| news["news"] == "seated").await;
    assert_eq!(
        (&seated["you"], &seated["seats"]),
        (&Value::Null, &json!([]))
    );
    // The computer player is there, not Bob.
    let here = hear_until(&mut ann, |news| news["news"] == "here").await;
    assert_eq!(
        (&here["here"], &here["spectators"]),
        (&json!([true, false]), &json!(1))
    );
    // He goes on watching, but the secret proves nothing more.
    bob.send(json!({ "id": 1, "wish": "say", "text": "well played" }))
        .await;
    let refused = hear_until(&mut bob, |news| news["id"] == 1).await;
    assert_eq!(refused["code"], "secret");
    granted(&server, &table, &host, json!({ "wish": "close" })).await;
    hear_until(&mut bob, |news| news["table"]["stage"] == "abandoned").await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_watch_is_sent_away_with_the_seat() {
    let server = start(&scratch("sent-away")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let wanted = json!({ "setup": SETUP, "seats": seats, "spectators": false });
    let (table, host, first) = made(&server, wanted).await;
    let (_, bob) = join(&server, &table, None, json!({ "name": "Bob" })).await;
    let secret = bob["secret"].as_str().unwrap();
    let mut bob = Player::connect(&server, &table, SETUP, 2, secret).await;
    hear_until(&mut bob, |news| news["news"] == "here").await;
    let remove = json!({ "wish": "remove", "seat": 2 });
    granted(&server, &table, &host, remove).await;
    hear_until(&mut bob, |news| news["table"]["seats"][1]["name"].is_null()).await;
    hear_until(&mut bob, |news| news["news"] == "bye").await;
    join(&server, &table, None, json!({ "name": "Cid" })).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    assert!(bob.hear().await.is_none());
    // Neither is the file for those who may not watch.
    granted(&server, &table, &host, json!({ "wish": "close" })).await;
    let path = format!("/api/tables/{table}/file");
    let (status, refused) = get(&server, &path).await;
    assert!(
        status == 403 && refused.contains("no-spectators"),
        "{refused}"
    );
    for secret in [&first, &host] {
        let url = format!("http://{}{path}", server.address());
        let request = reqwest::Client::new().get(url).bearer_auth(secret);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_an_account_takes_is_told_to_all_its_devices() {
    let server = start(&scratch("account-seat")).await;
    let account = json!({ "name": "Zoe", "passphrase": "correct horse battery" });
    let (status, session) = post(&server, "/api/accounts", None, account).await;
    assert_eq!(status, 201, "{session}");
    let token = session["token"].as_str().unwrap();
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let wanted = json!({ "setup": SETUP, "seats": seats });
    let (table, ..) = made(&server, wanted).await;
    let mut phone = Player::connect(&server, &table, SETUP, 2, token).await;
    let hello = hear_until(&mut phone, |news| news["news"] == "hello").await;
    assert_eq!(hello["you"], Value::Null);
    let (status, seated) = join(&server, &table, Some(token), json!({ "name": "Zoe" })).await;
    assert_eq!(status, 200, "{seated}");
    let seated = hear_until(&mut phone, |news| news["news"] == "seated").await;
    assert_eq!((&seated["you"], &seated["seats"]), (&json!(2), &json!([2])));
    // A second seat of the same person would be lost in a browser, which has one secret for a table.
    let again = join(&server, &table, Some(token), json!({ "name": "Zoe" })).await;
    assert_eq!(code(&again), (409, "taken"));
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_start_all_seats_of_a_hot_seat_are_given_up_together() {
    let server = start(&scratch("freed")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "me", "name": "Amy" }, { "kind": "open" }]);
    let wanted = json!({ "setup": "C2; seats 3", "seats": seats });
    let (table, _, secret) = made(&server, wanted).await;
    let again = join(&server, &table, Some(&secret), json!({ "name": "Bob" })).await;
    assert_eq!(code(&again), (409, "taken"));
    granted(&server, &table, &secret, json!({ "wish": "leave" })).await;
    let now = described(&server, &table).await;
    for seat in now["seats"].as_array().unwrap() {
        assert_eq!(seat["name"], Value::Null);
    }
    let (status, back) = join(&server, &table, Some(&secret), json!({ "name": "Ann" })).await;
    assert_eq!((status, &back["seat"]), (200, &json!(1)));
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn to_wish_what_another_asks_for_is_to_agree() {
    let server = start(&scratch("agreed")).await;
    let (table, _, first, second) = new_game(&server, SETUP).await;
    for what in ["abandon", "rematch"] {
        granted(&server, &table, &first, json!({ "wish": what })).await;
        // Neither a second time nor a second answer changes anything.
        granted(&server, &table, &first, json!({ "wish": what })).await;
        let yes = json!({ "wish": "answer", "agree": true });
        granted(&server, &table, &first, yes).await;
        let asked = described(&server, &table).await["question"].clone();
        assert_eq!(asked, json!({ "seat": 1, "what": what, "agreed": [1] }));
        granted(&server, &table, &second, json!({ "wish": what })).await;
        let now = described(&server, &table).await;
        assert_eq!(now["question"], Value::Null);
        assert_eq!(now["stage"], "abandoned");
        assert_eq!(now["rematch"].is_string(), what == "rematch", "{now}");
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_player_wants_back_is_their_own_choice() {
    let server = start(&scratch("own-choice")).await;
    let (table, _, first, second) = new_game(&server, SETUP).await;
    let mut players = [
        Player::connect(&server, &table, SETUP, 1, &first).await,
        Player::connect(&server, &table, SETUP, 2, &second).await,
    ];
    // Both have chosen, and the next tile is drawn.
    for _ in 0..4 {
        for player in &mut players {
            player.settle(&server).await;
        }
        let [ann, bob] = &mut players;
        let asked = ann.choose().await || bob.choose().await;
        assert!(asked);
    }
    for player in &mut players {
        player.settle(&server).await;
    }
    for (secret, seat) in [(&first, 1), (&second, 2)] {
        granted(&server, &table, secret, json!({ "wish": "take-back" })).await;
        let asked = described(&server, &table).await["question"].clone();
        let wanted = json!({ "seat": seat, "what": "take-back", "agreed": [seat] });
        assert_eq!(asked, wanted, "the other's question is another one");
    }
    // The next choice answers it, and everybody is told that nobody asks any more.
    let [ann, bob] = &mut players;
    for player in [&mut *ann, &mut *bob] {
        hear_until(player, |news| news["table"]["question"]["seat"] == 2).await;
    }
    assert!(ann.choose().await || bob.choose().await);
    for player in [ann, bob] {
        hear_until(player, |news| {
            news["news"] == "table" && news["table"]["question"].is_null()
        })
        .await;
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_no_rematch_of_a_game_that_never_was() {
    let server = start(&scratch("no-rematch")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let wanted = json!({ "setup": SETUP, "seats": seats });
    let (table, host, first) = made(&server, wanted).await;
    granted(&server, &table, &host, json!({ "wish": "close" })).await;
    let refused = wish(&server, &table, &first, json!({ "wish": "rematch" })).await;
    assert_eq!(code(&refused), (409, "open-seats"));
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_rematch_a_computer_plays_for_those_who_left() {
    let server = start(&scratch("stand-in")).await;
    for (absence, does, has_a_say) in [
        ("computer", "leave", false),
        ("wait", "leave", false),
        ("pass", "resign", false),
        ("end", "leave", false),
        ("end", "resign", true),
        ("wait", "resign", true),
    ] {
        let [table, host, first, second] = game(&server, json!({ "absence": absence })).await;
        granted(&server, &table, &second, json!({ "wish": does })).await;
        if described(&server, &table).await["stage"] == "playing" {
            granted(&server, &table, &host, json!({ "wish": "close" })).await;
        }
        granted(&server, &table, &first, json!({ "wish": "rematch" })).await;
        let now = described(&server, &table).await;
        assert_eq!(now["rematch"].is_null(), has_a_say, "{absence} {does}");
        let answer = json!({ "wish": "answer", "agree": true });
        let answered = wish(&server, &table, &second, answer).await;
        let status = if has_a_say { 200 } else { answered.0 };
        assert_eq!(answered.0, status, "{answered:?}");
        let now = described(&server, &table).await;
        let new = described(&server, now["rematch"].as_str().unwrap()).await;
        let seat = &new["seats"][1];
        if has_a_say {
            assert_eq!(
                (&seat["name"], &seat["computer"]),
                (&json!("Bob"), &Value::Null)
            );
        } else {
            assert_eq!(
                (&seat["name"], &seat["computer"]),
                (&json!("steady 2"), &json!("steady")),
                "{absence} {does}"
            );
        }
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_gone_twice_and_the_gone_decide_nothing() {
    let server = start(&scratch("gone-twice")).await;
    let [table, _, first, second] = game(&server, json!({ "absence": "wait" })).await;
    for what in ["leave", "leave", "resign"] {
        granted(&server, &table, &second, json!({ "wish": what })).await;
    }
    let mut ann = Player::connect(&server, &table, SETUP, 1, &first).await;
    ann.settle(&server).await;
    let no = json!({ "wish": "answer", "agree": false });
    granted(&server, &table, &first, json!({ "wish": "abandon" })).await;
    let late = wish(&server, &table, &second, no).await;
    assert_eq!(code(&late), (409, "nothing-asked"));
    assert_eq!(
        remarks(&server, &table).await,
        [
            "after input 1: seat 2 (Bob) left; the others wait",
            "after input 1: the players ended the game by agreement"
        ]
    );
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_back_is_told_to_be_back() {
    let server = start(&scratch("come-back")).await;
    let [table, _, first, second] = game(&server, json!({ "absence": "wait" })).await;
    let mut players = [
        Player::connect(&server, &table, SETUP, 1, &first).await,
        Player::connect(&server, &table, SETUP, 2, &second).await,
    ];
    for player in &mut players {
        player.settle(&server).await;
    }
    let asked = described(&server, &table).await["asked"][0]
        .as_u64()
        .unwrap();
    let (mover, secret) = if asked == 1 {
        (0, &first)
    } else {
        (1, &second)
    };
    granted(&server, &table, secret, json!({ "wish": "leave" })).await;
    let gone = |news: &Value| news["table"]["seats"][mover]["gone"] == "left";
    for player in &mut players {
        hear_until(player, gone).await;
    }
    assert!(players[mover].choose().await);
    let back =
        |news: &Value| news["news"] == "table" && news["table"]["seats"][mover]["gone"].is_null();
    for player in &mut players {
        hear_until(player, back).await;
    }
    server.stop().await.unwrap();
}
