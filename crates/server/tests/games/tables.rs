//! What can be done at and with a table besides playing.
//!
//! Long: one test for each of them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    OPERATOR, Player, get, hear_until, new_game, play_to_the_end, post, schema, scratch, start,
};

pub(crate) async fn wish(
    server: &trencavel_server::Server,
    table: &str,
    secret: &str,
    wish: Value,
) -> (u16, Value) {
    let path = format!("/api/tables/{table}/wish");
    post(server, &path, Some(secret), wish).await
}

/// A wish that is carried out.
pub(crate) async fn granted(
    server: &trencavel_server::Server,
    table: &str,
    secret: &str,
    wanted: Value,
) {
    let answer = wish(server, table, secret, wanted.clone()).await;
    assert_eq!(answer.0, 200, "{wanted}: {answer:?}");
}

/// An order of the operator that is carried out.
pub(crate) async fn obeyed(server: &trencavel_server::Server, order: Value) {
    let answer = post(server, "/api/operator", Some(OPERATOR), order.clone()).await;
    assert_eq!(answer.0, 200, "{order}: {answer:?}");
}

/// A new table with the maker at the first seat: its id and the secrets of host and seat.
pub(crate) async fn made(
    server: &trencavel_server::Server,
    wanted: Value,
) -> (String, String, String) {
    let (status, made) = post(server, "/api/tables", None, wanted).await;
    assert_eq!(status, 201, "{made}");
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let secret = text(&made["seat"]["secret"]);
    (text(&made["table"]), text(&made["host"]), secret)
}

/// Takes a seat: who asks, and with what words.
pub(crate) async fn join(
    server: &trencavel_server::Server,
    table: &str,
    secret: Option<&str>,
    join: Value,
) -> (u16, Value) {
    post(server, &format!("/api/tables/{table}/join"), secret, join).await
}

/// A request of a browser, or a script, with a session.
pub(crate) async fn asked(
    server: &trencavel_server::Server,
    method: Method,
    path: &str,
    token: &str,
) -> (u16, Value) {
    let url = format!("http://{}{path}", server.address());
    let request = reqwest::Client::new().request(method, url);
    let answer = request.bearer_auth(token).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

pub(crate) async fn described(server: &trencavel_server::Server, table: &str) -> Value {
    let (_, text) = get(server, &format!("/api/tables/{table}")).await;
    let table = serde_json::from_str(&text).unwrap();
    schema::check("Table", &table);
    table
}

pub(crate) fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["code"].as_str().unwrap_or(""))
}

#[tokio::test(flavor = "multi_thread")]
async fn private_tables_are_not_listed_and_links_keep_seats() {
    let server = start(&scratch("private")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "link" }, { "kind": "open" }]);
    let wanted = json!({ "setup": "C2; seats 3", "seats": seats, "private": true });
    let (status, made) = post(&server, "/api/tables", None, wanted).await;
    assert_eq!(status, 201);
    let table = made["table"].as_str().unwrap();
    let public =
        json!({ "setup": "C2; seats 1", "seats": [{ "kind": "open" }], "name": "For all" });
    post(&server, "/api/tables", None, public).await;
    let (_, lobby) = get(&server, "/api/tables").await;
    assert!(
        lobby.contains("For all") && !lobby.contains(table),
        "{lobby}"
    );
    schema::check_answer(
        "get",
        "/api/tables",
        200,
        &serde_json::from_str(&lobby).unwrap(),
    );
    let kept = join(&server, table, None, json!({ "name": "Eve", "seat": 2 })).await;
    assert_eq!(code(&kept), (409, "taken"));
    let bob = join(&server, table, None, json!({ "name": "Bob" })).await;
    assert_eq!(
        bob.1["seat"], 3,
        "the seat of the link is not for everybody"
    );
    let none_left = join(&server, table, None, json!({ "name": "Eve" })).await;
    assert_eq!(code(&none_left), (409, "taken"));
    assert_eq!(described(&server, table).await["seats"][1]["kept"], true);
    let invite = made["invites"][0]["secret"].as_str().unwrap();
    let wrong = join(
        &server,
        table,
        None,
        json!({ "name": "Eve", "invite": "no" }),
    )
    .await;
    assert_eq!(code(&wrong), (409, "taken"));
    let cid = join(
        &server,
        table,
        None,
        json!({ "name": "Cid", "invite": invite }),
    )
    .await;
    assert_eq!(cid.1["seat"], 2);
    let again = join(
        &server,
        table,
        None,
        json!({ "name": "Eve", "invite": invite }),
    )
    .await;
    assert_eq!(code(&again), (409, "taken"));
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_host_renames_removes_and_closes() {
    let server = start(&scratch("host")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let wanted = json!({ "setup": "C2; seats 2", "seats": seats, "name": "Tea" });
    let (table, host, _) = made(&server, wanted).await;
    let (_, eve) = join(&server, &table, None, json!({ "name": "Eve" })).await;
    let eve = eve["secret"].as_str().unwrap();
    for forbidden in [
        json!({ "wish": "rename", "name": "Mine" }),
        json!({ "wish": "remove", "seat": 1 }),
        json!({ "wish": "close" }),
        json!({ "wish": "start" }),
    ] {
        let refused = wish(&server, &table, eve, forbidden).await;
        assert_eq!(code(&refused), (403, "secret"));
    }
    granted(
        &server,
        &table,
        &host,
        json!({ "wish": "rename", "name": "Coffee" }),
    )
    .await;
    let banned = wish(
        &server,
        &table,
        &host,
        json!({ "wish": "remove", "seat": 2, "ban": true }),
    )
    .await;
    assert_eq!(banned.0, 200);
    let now = described(&server, &table).await;
    assert_eq!(
        (&now["name"], &now["seats"][1]["name"]),
        (&json!("Coffee"), &Value::Null)
    );
    let back = join(&server, &table, Some(eve), json!({ "name": "Eve" })).await;
    assert_eq!(code(&back), (403, "banned"));
    granted(&server, &table, &host, json!({ "wish": "close" })).await;
    assert_eq!(described(&server, &table).await["stage"], "abandoned");
    let late = join(&server, &table, None, json!({ "name": "Bob" })).await;
    assert_eq!(code(&late), (409, "begun"));
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_are_heard_by_players_only_after_the_game() {
    let server = start(&scratch("chat")).await;
    let setup = "C2; seats 2";
    let (table, _, first, second) = new_game(&server, setup).await;
    let mut ann = Player::connect(&server, &table, setup, 1, &first).await;
    let mut watcher = Player::watch(&server, &table, setup, "Zoe").await;
    hear_until(&mut watcher, |news| news["news"] == "here").await;
    watcher
        .send(json!({ "id": 5, "wish": "say", "text": "lay it there" }))
        .await;
    let said = hear_until(&mut watcher, |news| news["news"] == "said").await;
    assert_eq!(
        (&said["seat"], &said["name"]),
        (&Value::Null, &json!("Zoe"))
    );
    ann.send(json!({ "id": 6, "wish": "say", "text": "hello" }))
        .await;
    hear_until(&mut ann, |news| news["news"] == "done" && news["id"] == 6).await;
    hear_until(&mut watcher, |news| news["text"] == "hello").await;
    assert!(!ann.heard.concat().contains("lay it there"));
    // Whoever comes later hears no more than those who were there.
    let mut again = Player::connect(&server, &table, setup, 1, &first).await;
    hear_until(&mut again, |news| news["text"] == "hello").await;
    assert!(!again.heard.concat().contains("lay it there"));
    for secret in [&first, &second] {
        let what = if secret == &first {
            json!({ "wish": "abandon" })
        } else {
            json!({ "wish": "answer", "agree": true })
        };
        granted(&server, &table, secret, what).await;
    }
    hear_until(&mut ann, |news| news["text"] == "lay it there").await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_a_player_who_is_gone_is_the_tables_setting() {
    let server = start(&scratch("absence")).await;
    for (absence, then) in [
        ("computer", "steady plays on"),
        ("wait", "the others wait"),
        ("pass", "the figures stay, the seat passes"),
        ("end", "the game ends"),
    ] {
        let setup = "C2; seats 2";
        let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
        let wanted = json!({ "setup": setup, "seats": seats, "absence": absence });
        let (table, host, first) = made(&server, wanted).await;
        let (_, bob) = join(&server, &table, None, json!({ "name": "Bob" })).await;
        let second = bob["secret"].as_str().unwrap().to_string();
        granted(&server, &table, &host, json!({ "wish": "start" })).await;
        granted(&server, &table, &second, json!({ "wish": "resign" })).await;
        let now = described(&server, &table).await;
        match absence {
            "computer" => assert_eq!(now["seats"][1]["computer"], "steady"),
            "end" => assert_eq!(now["stage"], "abandoned"),
            _ => assert_eq!(now["seats"][1]["gone"], "resigned"),
        }
        match absence {
            "wait" => {
                // The player may come back; the others may agree to end it.
                let answer = wish(&server, &table, &first, json!({ "wish": "abandon" })).await;
                assert_eq!(answer.0, 200, "{answer:?}");
            }
            "end" => {}
            _ => {
                let mut players = [Player::connect(&server, &table, setup, 1, &first).await];
                // The seat's leaving is an input, too.
                players[0].settle(&server).await;
                play_to_the_end(&mut players).await;
                assert_eq!(
                    players[0].state.seat(trencavel_rules::Seat(1)).gone,
                    absence == "pass"
                );
            }
        }
        let (status, file) = get(&server, &format!("/api/tables/{table}/file")).await;
        assert_eq!(status, 200, "{file}");
        let remark = format!("seat 2 (Bob) resigned; {then}");
        assert!(file.contains(&remark), "{remark}: {file}");
        assert!(file.contains(&format!("note absence {absence}\n")));
        trencavel_record::game::Game::read(file.as_bytes()).unwrap();
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_runs_out_once_and_the_file_says_so() {
    let data = scratch("clock");
    let server = start(&data).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "me", "name": "Bob" }]);
    let clock = json!({ "kind": "fischer", "seconds": 1, "increment": 0 });
    let wanted =
        json!({ "setup": "C2; seats 2", "seats": seats, "clock": clock, "absence": "end" });
    let (table, host, secret) = made(&server, wanted).await;
    let mut ann = Player::connect(&server, &table, "C2; seats 2", 1, &secret).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    let input = hear_until(&mut ann, |news| news["news"] == "input").await;
    assert_eq!(input["clocks"].as_array().unwrap().len(), 2);
    let gone = hear_until(&mut ann, |news| news["news"] == "gone").await;
    assert_eq!(
        (&gone["seat"], &gone["why"], &gone["then"]),
        (&json!(1), &json!("time"), &json!("end"))
    );
    hear_until(&mut ann, |news| news["table"]["stage"] == "abandoned").await;
    let (_, file) = get(&server, &format!("/api/tables/{table}/file")).await;
    assert_eq!(file.matches("ran out of time").count(), 1, "{file}");
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_players_play_again_with_their_secrets() {
    let server = start(&scratch("rematch")).await;
    let setup = "C2; seats 2";
    let (table, host, first, second) = new_game(&server, setup).await;
    let early = wish(&server, &table, &first, json!({ "wish": "rematch" })).await;
    assert_eq!(code(&early), (409, "not-over"));
    granted(&server, &table, &host, json!({ "wish": "close" })).await;
    granted(&server, &table, &first, json!({ "wish": "rematch" })).await;
    let asked = described(&server, &table).await;
    assert_eq!(
        asked["question"],
        json!({ "seat": 1, "what": "rematch", "agreed": [1] })
    );
    assert_eq!(asked["rematch"], Value::Null);
    granted(
        &server,
        &table,
        &second,
        json!({ "wish": "answer", "agree": true }),
    )
    .await;
    let again = described(&server, &table).await["rematch"]
        .as_str()
        .unwrap()
        .to_string();
    let new = described(&server, &again).await;
    assert_eq!(new["setup"], "C2; seats 2; first 2");
    assert_eq!(new["stage"], "playing");
    let (status, entered) = post(
        &server,
        &format!("/api/tables/{table}/follow"),
        Some(&second),
        json!({}),
    )
    .await;
    assert_eq!(
        (status, &entered["table"], &entered["seats"]),
        (200, &json!(again), &json!([2]))
    );
    let setup = "C2; seats 2; first 2";
    let mut players = [
        Player::connect(&server, &again, setup, 1, &first).await,
        Player::connect(&server, &again, setup, 2, &second).await,
    ];
    play_to_the_end(&mut players).await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn aids_are_refused_and_recorded() {
    let server = start(&scratch("aids")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }]);
    let aids = json!({ "remaining-tiles": false, "dead-spaces": false, "fields": false, "projected-points": false, "undo": false });
    let wanted = json!({ "setup": "C2; seats 1", "seats": seats, "aids": aids });
    let (table, host, secret) = made(&server, wanted).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    let undo = wish(&server, &table, &secret, json!({ "wish": "take-back" })).await;
    assert_eq!(code(&undo), (409, "no-undo"));
    granted(&server, &table, &host, json!({ "wish": "close" })).await;
    let (_, file) = get(&server, &format!("/api/tables/{table}/file")).await;
    assert!(
        file.contains("note aids none\n") && file.contains("the host closed the table"),
        "{file}"
    );
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_its_seats_on_every_device_and_can_be_deleted() {
    let server = start(&scratch("accounts")).await;
    let credentials = json!({ "name": "Ann Lee", "passphrase": "correct horse battery" });
    let (status, session) = post(&server, "/api/accounts", None, credentials.clone()).await;
    assert_eq!(status, 201, "{session}");
    let taken = post(
        &server,
        "/api/accounts",
        None,
        json!({ "name": "ann lee", "passphrase": "0123456789" }),
    )
    .await;
    assert_eq!(code(&taken), (409, "name-taken"));
    let short = post(
        &server,
        "/api/accounts",
        None,
        json!({ "name": "Bob", "passphrase": "012345678" }),
    )
    .await;
    assert_eq!(code(&short), (400, "too-long"));
    let wrong = post(
        &server,
        "/api/session",
        None,
        json!({ "name": "Ann Lee", "passphrase": "wrong horse battery" }),
    )
    .await;
    assert_eq!(code(&wrong), (403, "login"));
    let token = session["token"].as_str().unwrap();
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "computer", "level": "greedy" }]);
    let wanted = json!({ "setup": "C2; seats 2", "seats": seats });
    let (_, made) = post(&server, "/api/tables", Some(token), wanted).await;
    let table = made["table"].as_str().unwrap();
    let start = json!({ "wish": "start" });
    granted(&server, table, made["host"].as_str().unwrap(), start).await;
    // Another device: only the session.
    let (_, other) = post(&server, "/api/session", None, credentials.clone()).await;
    let other = other["token"].as_str().unwrap();
    let mut player = Player::connect(&server, table, "C2; seats 2", 1, other).await;
    let hello = player.hear().await.unwrap();
    assert_eq!(hello["you"], 1);
    player
        .send(json!({ "wish": "say", "text": "it is me" }))
        .await;
    hear_until(&mut player, |news| news["text"] == "it is me").await;
    let (_, mine) = asked(&server, Method::GET, "/api/account/tables", other).await;
    schema::check_answer("get", "/api/account/tables", 200, &mine);
    assert_eq!(
        (&mine[0]["table"]["id"], &mine[0]["seats"]),
        (&json!(table), &json!([1]))
    );
    let out = asked(&server, Method::DELETE, "/api/session", token).await;
    assert_eq!(out.0, 200);
    let gone = asked(&server, Method::GET, "/api/session", token).await;
    assert_eq!(code(&gone), (403, "login"));
    // The operator keeps the account away, then deletes it.
    let order = |order: Value| post(&server, "/api/operator", Some(OPERATOR), order);
    let not_you = post(
        &server,
        "/api/operator",
        Some(other),
        json!({ "order": "close-table", "table": table }),
    )
    .await;
    assert_eq!(code(&not_you), (403, "secret"));
    obeyed(
        &server,
        json!({ "order": "ban", "account": "ann lee", "why": "rude" }),
    )
    .await;
    let (_, kept_away) = asked(&server, Method::GET, "/api/account/tables", other).await;
    assert_eq!(kept_away["why"], "you are kept away from this server: rude");
    obeyed(&server, json!({ "order": "unban", "account": "ann lee" })).await;
    let unknown = order(json!({ "order": "ban", "account": "nobody" })).await;
    assert_eq!(code(&unknown), (404, "no-account"));
    obeyed(
        &server,
        json!({ "order": "delete-account", "account": "Ann Lee" }),
    )
    .await;
    let login = post(&server, "/api/session", None, credentials).await;
    assert_eq!(code(&login), (403, "login"));
    let watcher = Player::watch(&server, table, "C2; seats 2", "Zoe").await;
    let mut watcher = watcher;
    hear_until(&mut watcher, |news| news["news"] == "here").await;
    assert!(
        !watcher.heard.concat().contains("it is me"),
        "what it said is deleted"
    );
    assert_eq!(
        described(&server, table).await["seats"][0]["name"],
        "(deleted)"
    );
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_keeps_addresses_away_and_deletes_tables() {
    let server = start(&scratch("operator")).await;
    let (table, _, first, _) = new_game(&server, "C2; seats 2").await;
    for good in [
        json!({ "order": "rename-table", "table": table, "name": "Renamed" }),
        json!({ "order": "rename-seat", "table": table, "seat": 1, "name": "Anna" }),
        json!({ "order": "remove-seat", "table": table, "seat": 2 }),
        json!({ "order": "close-table", "table": table }),
    ] {
        obeyed(&server, good).await;
    }
    let now = described(&server, &table).await;
    assert_eq!(
        (&now["name"], &now["seats"][0]["name"]),
        (&json!("Renamed"), &json!("Anna"))
    );
    obeyed(&server, json!({ "order": "delete-table", "table": table })).await;
    assert_eq!(get(&server, &format!("/api/tables/{table}")).await.0, 404);
    let again = wish(&server, &table, &first, json!({ "wish": "start" })).await;
    assert_eq!(code(&again), (404, "no-table"));
    obeyed(&server, json!({ "order": "ban", "address": "127.0.0.1" })).await;
    assert_eq!(get(&server, "/api/tables").await.0, 403);
    let (_, bans) = asked(&server, Method::GET, "/api/operator/bans", OPERATOR).await;
    schema::check_answer("get", "/api/operator/bans", 200, &bans);
    assert_eq!(bans[0]["who"], "127.0.0.1");
    obeyed(&server, json!({ "order": "unban", "address": "127.0.0.1" })).await;
    assert_eq!(get(&server, "/api/tables").await.0, 200);
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_moves_to_another_browser_by_its_link() {
    let server = start(&scratch("cookies")).await;
    let (table, host, first, _) = new_game(&server, "C2; seats 2").await;
    let enter = format!("http://{}/api/tables/{table}/enter", server.address());
    let client = reqwest::Client::new();
    let bad = client
        .post(&enter)
        .json(&json!({ "secret": "guessed" }))
        .send()
        .await
        .unwrap();
    assert_eq!(bad.status(), 403);
    for (secret, name, seats) in [(&first, "seat", json!([1])), (&host, "host", json!([]))] {
        let answer = client
            .post(&enter)
            .json(&json!({ "secret": secret }))
            .send()
            .await
            .unwrap();
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_string();
        for part in [
            "HttpOnly",
            "SameSite=Strict",
            &format!("Path=/api/tables/{table}"),
        ] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(
            cookie.starts_with(&format!("{name}-{table}={secret};")),
            "{cookie}"
        );
        let entered: Value = answer.json().await.unwrap();
        assert_eq!(entered["seats"], seats);
        // The cookie alone is enough from now on.
        let pair = cookie.split(';').next().unwrap();
        let wish = format!("http://{}/api/tables/{table}/wish", server.address());
        let request = client
            .post(wish)
            .header("cookie", pair)
            .json(&json!({ "wish": "rename", "name": "x" }));
        let status = request.send().await.unwrap().status();
        assert_eq!(status, if name == "host" { 200 } else { 403 });
    }
    // A page of another site may not use it.
    let request = client.post(&enter).header("origin", "https://evil.example");
    let foreign = request
        .json(&json!({ "secret": first }))
        .send()
        .await
        .unwrap();
    assert_eq!(foreign.status(), 403);
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_lines_tells_the_same_as_a_socket() {
    let server = start(&scratch("lines")).await;
    let setup = "C1; seats 2";
    let (table, _, first, second) = new_game(&server, setup).await;
    let url = format!(
        "http://{}/api/tables/{table}/events?after=0",
        server.address()
    );
    let mut lines = reqwest::Client::new()
        .get(url)
        .bearer_auth(&first)
        .send()
        .await
        .unwrap();
    let mut players = [
        Player::connect(&server, &table, setup, 1, &first).await,
        Player::connect(&server, &table, setup, 2, &second).await,
    ];
    play_to_the_end(&mut players).await;
    let inputs = |heard: &str| -> Vec<String> {
        let news = heard
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let inputs = news.filter(|news| news["news"] == "input");
        inputs
            .map(|news| format!("{} {} {}", news["seq"], news["input"], news["hash"]))
            .collect()
    };
    let wanted = inputs(&players[0].heard.join("\n"));
    let mut heard = String::new();
    while inputs(&heard).len() < wanted.len() {
        heard += std::str::from_utf8(&lines.chunk().await.unwrap().unwrap()).unwrap();
    }
    assert_eq!(inputs(&heard), wanted);
    for line in heard.lines() {
        schema::check("News", &serde_json::from_str(line).unwrap());
    }
    server.stop().await.unwrap();
    // The server says goodbye to those who stream, too.
    while let Ok(Some(chunk)) = lines.chunk().await {
        heard += std::str::from_utf8(&chunk).unwrap();
    }
    assert!(heard.lines().last().unwrap().contains("\"bye\""), "{heard}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_is_taken_back_by_agreement_and_latecomers_hear_the_same_game() {
    let server = start(&scratch("agreement")).await;
    let setup = "C2; seats 2";
    let (table, _, first, second) = new_game(&server, setup).await;
    let mut players = [
        Player::connect(&server, &table, setup, 1, &first).await,
        Player::connect(&server, &table, setup, 2, &second).await,
    ];
    for round in 0..3 {
        for _ in 0..12 {
            let [ann, bob] = &mut players;
            let number = ann.number.max(bob.number);
            if !ann.choose().await && !bob.choose().await {
                ann.hear().await.unwrap();
                bob.hear().await.unwrap();
                continue;
            }
            while ann.number <= number {
                ann.hear().await.unwrap();
            }
            while bob.number < ann.number {
                bob.hear().await.unwrap();
            }
        }
        players[0].settle(&server).await;
        let number = players[0].number;
        players[1].settle(&server).await;
        players[0].send(json!({ "wish": "take-back" })).await;
        let heard = hear_until(&mut players[1], |news| {
            news["news"] == "asked" || news["news"] == "taken-back"
        });
        if heard.await["news"] == "asked" {
            players[1]
                .send(json!({ "wish": "answer", "agree": true }))
                .await;
            hear_until(&mut players[1], |news| news["news"] == "taken-back").await;
        }
        hear_until(&mut players[0], |news| news["news"] == "taken-back").await;
        for player in &mut players {
            player.settle(&server).await;
        }
        assert!(players[0].number < number, "round {round}");
        assert_eq!(players[0].state.hash(), players[1].state.hash());
    }
    // Whoever comes now, or knows only a part, hears the game that holds.
    let number = players[0].number;
    let mut late = Player::connect(&server, &table, setup, 1, &first).await;
    while late.number < number {
        late.hear().await.unwrap();
    }
    assert_eq!(late.state.hash(), players[0].state.hash());
    let [mut ann, bob] = players;
    ann.socket.close(None).await.unwrap();
    let mut ann = ann.come_back(&server, &table, &first).await;
    ann.settle(&server).await;
    assert_eq!(ann.state.hash(), late.state.hash());
    let mut players = [ann, bob];
    play_to_the_end(&mut players).await;
    server.stop().await.unwrap();
}
