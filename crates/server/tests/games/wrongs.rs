//! Those who would disturb others, and requests that are none.

use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};
use trencavel_server::{Config, Server};

use crate::tables::{code, described, granted, join, made, obeyed, wish};
use crate::{OPERATOR, Player, get, hear_until, new_game, post, schema, scratch, start};

const SETUP: &str = "C2; seats 2";

fn config(name: &str) -> Config {
    let data = scratch(name).display().to_string();
    let mut config = Config::new(([127, 0, 0, 1], 0).into(), data);
    config.operator_token = Some(OPERATOR.to_string());
    config
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_route_takes_is_refused_as_everything_else() {
    let server = start(&scratch("routes")).await;
    let (table, ..) = new_game(&server, SETUP).await;
    for (method, path, status, code) in [
        ("PUT", "/api/tables".to_string(), 405, "method"),
        ("GET", format!("/api/tables/{table}/wish"), 405, "method"),
        ("DELETE", format!("/api/tables/{table}"), 405, "method"),
        ("GET", "/api/tables/%ff".to_string(), 400, "request"),
        ("GET", format!("/api/tables/{table}/ws"), 400, "request"),
        ("GET", "/api/none".to_string(), 404, "no-table"),
    ] {
        let url = format!("http://{}{path}", server.address());
        let request = Client::new().request(Method::from_bytes(method.as_bytes()).unwrap(), url);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status, "{method} {path}");
        assert_eq!(answer.headers().contains_key("allow"), status == 405);
        let refusal: Value = answer.json().await.unwrap();
        schema::check("Refusal", &refusal);
        assert_eq!(refusal["code"], code, "{method} {path}");
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operators_token_cannot_be_guessed() {
    let mut config = config("guessing");
    config.limits.logins_per_minute = 3;
    let server = Server::start(config).await.unwrap();
    let ask = async |method: Method, path: &str, token: &str| {
        let url = format!("http://{}/api/operator{path}", server.address());
        let request = Client::new().request(method, url).bearer_auth(token);
        let order = json!({ "order": "unban", "address": "192.0.2.1" });
        let answer = request.body(order.to_string()).send().await.unwrap();
        let value: Value = answer.json().await.unwrap();
        value["code"].as_str().unwrap_or("").to_string()
    };
    // The right one as often as wanted.
    for _ in 0..6 {
        assert_eq!(ask(Method::GET, "/bans", OPERATOR).await, "");
        assert_eq!(ask(Method::POST, "", OPERATOR).await, "no-account");
    }
    assert_eq!(ask(Method::GET, "/bans", "wrong").await, "secret");
    assert_eq!(ask(Method::GET, "/tables", "wrong").await, "secret");
    assert_eq!(ask(Method::POST, "", "wrong").await, "secret");
    // After that, not even the right one: nobody learns which it is.
    for (method, path) in [
        (Method::GET, "/bans"),
        (Method::GET, "/tables"),
        (Method::POST, ""),
    ] {
        assert_eq!(ask(method, path, OPERATOR).await, "rate");
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_counts_whatever_it_asks_for() {
    let mut config = config("requests");
    config.limits.requests_per_second = 20;
    let server = Server::start(config).await.unwrap();
    for path in ["/healthz", "/metrics", "/api", "/api/server", "/api/none"] {
        let asked = (0..60).map(|_| get(&server, path));
        let answers = futures_util::future::join_all(asked).await;
        let refused = answers.iter().filter(|answer| answer.0 == 429).count();
        assert!(refused > 0, "{path}");
        assert!(
            answers
                .iter()
                .any(|answer| answer.1.contains("at most 20 requests"))
        );
        tokio::time::sleep(Duration::from_millis(1100)).await;
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_banned_hears_no_more() {
    let server = start(&scratch("banned")).await;
    let account = json!({ "name": "Eve", "passphrase": "correct horse battery" });
    let (_, session) = post(&server, "/api/accounts", None, account).await;
    let token = session["token"].as_str().unwrap();
    let (table, host, first, _) = new_game(&server, SETUP).await;
    let mut ann = Player::connect(&server, &table, SETUP, 1, &first).await;
    let mut eve = Player::connect(&server, &table, SETUP, 2, token).await;
    hear_until(&mut eve, |news| news["news"] == "here").await;
    let events = format!("http://{}/api/tables/{table}/events", server.address());
    let request = Client::new().get(events).bearer_auth(token);
    let mut lines = request.send().await.unwrap();
    let order = json!({ "order": "ban", "account": "eve", "why": "shouting" });
    obeyed(&server, order).await;
    let refused = hear_until(&mut eve, |news| news["news"] == "refused").await;
    assert_eq!(refused["code"], "banned");
    assert!(refused["why"].as_str().unwrap().ends_with(": shouting"));
    assert!(eve.hear().await.is_none(), "the connection has ended");
    let mut heard = String::new();
    while let Some(chunk) = lines.chunk().await.unwrap() {
        heard += std::str::from_utf8(&chunk).unwrap();
    }
    assert!(
        heard.lines().last().unwrap().contains("\"banned\""),
        "{heard}"
    );
    // Nobody else is disturbed.
    granted(
        &server,
        &table,
        &host,
        json!({ "wish": "rename", "name": "Tea" }),
    )
    .await;
    hear_until(&mut ann, |news| news["table"]["name"] == "Tea").await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_cannot_silence_the_players() {
    let mut config = config("silence");
    config.limits.chat_lines = 3;
    let server = Server::start(config).await.unwrap();
    let (table, _, first, second) = new_game(&server, SETUP).await;
    let path = format!("/api/tables/{table}/wish");
    let say = json!({ "wish": "say", "text": "x" });
    for n in 0..4 {
        let (status, answer) = post(&server, &path, None, say.clone()).await;
        assert_eq!(status == 429, n == 3, "{answer}");
    }
    for (n, secret) in [&first, &second, &first, &second].into_iter().enumerate() {
        let answer = wish(&server, &table, secret, say.clone()).await;
        assert_eq!(answer.0 == 429, n == 3, "{answer:?}");
    }
    // A secret that is said must be good, also for this.
    let wrong = wish(&server, &table, "guessed", say).await;
    assert_eq!(code(&wrong), (403, "secret"));
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn with_an_account_goes_what_it_said_anywhere_and_its_name() {
    let server = start(&scratch("deleted")).await;
    let account = json!({ "name": "Eve", "passphrase": "correct horse battery" });
    let (_, session) = post(&server, "/api/accounts", None, account.clone()).await;
    let token = session["token"].as_str().unwrap();
    // At one table it plays, at the other it watches.
    let seats = json!([{ "kind": "me", "name": "Eve" }, { "kind": "open" }]);
    let wanted = json!({ "setup": SETUP, "seats": seats, "absence": "wait" });
    let (status, own) = post(&server, "/api/tables", Some(token), wanted).await;
    assert_eq!(status, 201, "{own}");
    let own_table = own["table"].as_str().unwrap();
    join(&server, own_table, None, json!({ "name": "Bob" })).await;
    let host = own["host"].as_str().unwrap();
    granted(&server, own_table, host, json!({ "wish": "start" })).await;
    granted(&server, own_table, token, json!({ "wish": "leave" })).await;
    let (table, host, ..) = new_game(&server, SETUP).await;
    let mut watcher = Player::watch(&server, &table, SETUP, "Zoe").await;
    for table in [own_table, &table] {
        let say = json!({ "wish": "say", "text": "remember me" });
        granted(&server, table, token, say).await;
    }
    hear_until(&mut watcher, |news| news["text"] == "remember me").await;
    let url = format!("http://{}/api/account", server.address());
    let request = Client::new().delete(url).body(account.to_string());
    assert_eq!(request.send().await.unwrap().status(), 200);
    for table in [own_table, &table] {
        let mut late = Player::watch(&server, table, SETUP, "Zoe").await;
        hear_until(&mut late, |news| news["news"] == "here").await;
        let heard = late.heard.concat();
        assert!(
            !heard.contains("remember me") && !heard.contains("Eve"),
            "{heard}"
        );
    }
    for (table, host) in [(own_table, own["host"].as_str().unwrap()), (&table, &host)] {
        granted(&server, table, host, json!({ "wish": "close" })).await;
        let (_, file) = get(&server, &format!("/api/tables/{table}/file")).await;
        assert!(!file.contains("Eve"), "{file}");
    }
    let (_, file) = get(&server, &format!("/api/tables/{own_table}/file")).await;
    assert!(file.contains("seat 1 ((deleted)) left"), "{file}");
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_without_news_shows_that_it_lives() {
    let mut config = config("quiet");
    config.limits.ping_seconds = 1;
    let server = Server::start(config).await.unwrap();
    let (table, ..) = new_game(&server, SETUP).await;
    let events = format!("http://{}/api/tables/{table}/events", server.address());
    let mut lines = Client::new().get(events).send().await.unwrap();
    let mut heard = String::new();
    while !heard.ends_with("\n\n\n") {
        heard += std::str::from_utf8(&lines.chunk().await.unwrap().unwrap()).unwrap();
    }
    // Messages are counted without the empty lines.
    granted_by_http(&server, &table).await;
    while !heard.contains("\"said\"") {
        heard += std::str::from_utf8(&lines.chunk().await.unwrap().unwrap()).unwrap();
    }
    let news = heard.lines().filter(|line| !line.is_empty());
    for (n, line) in (1..).zip(news) {
        let news: Value = serde_json::from_str(line).unwrap();
        assert_eq!(news["n"], n, "{line}");
    }
    server.stop().await.unwrap();
}

async fn granted_by_http(server: &Server, table: &str) {
    let path = format!("/api/tables/{table}/wish");
    let say = json!({ "wish": "say", "text": "hello" });
    assert_eq!(post(server, &path, None, say).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_again_is_what_was_asked_for() {
    let server = start(&scratch("again")).await;
    let (table, _, first, _) = new_game(&server, SETUP).await;
    for text in ["one", "two"] {
        granted(
            &server,
            &table,
            &first,
            json!({ "wish": "say", "text": text }),
        )
        .await;
    }
    let mut ann = Player::connect(&server, &table, SETUP, 1, &first).await;
    ann.settle(&server).await;
    let already = ann.heard.len();
    let seq = ann.told;
    ann.send(json!({ "id": 7, "wish": "resync", "after": seq, "after_said": 1 }))
        .await;
    let hello = ann.hear().await.unwrap();
    assert_eq!(
        (&hello["after"], &hello["after_said"]),
        (&json!(seq), &json!(1))
    );
    hear_until(&mut ann, |news| news["news"] == "done" && news["id"] == 7).await;
    let again = ann.heard[already..].concat();
    assert!(
        again.contains("\"two\"") && !again.contains("\"one\""),
        "{again}"
    );
    // From beyond the end everything is told, and the hello says so.
    ann.send(json!({ "wish": "resync", "after": seq, "after_said": 99 }))
        .await;
    let hello = hear_until(&mut ann, |news| news["news"] == "hello").await;
    assert_eq!(hello["after_said"], 0);
    hear_until(&mut ann, |news| news["text"] == "one").await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_clock_runs_out_soon_after_a_restart() {
    let data = scratch("grace");
    let server = start(&data).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "me", "name": "Bob" }]);
    // It would run out after the restart.
    let clock = json!({ "kind": "fischer", "seconds": 4, "increment": 0 });
    let wanted = json!({ "setup": SETUP, "seats": seats, "clock": clock, "absence": "end" });
    let (table, host, secret) = made(&server, wanted).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    server.stop().await.unwrap();
    let server = start(&data).await;
    let mut ann = Player::connect(&server, &table, SETUP, 1, &secret).await;
    tokio::time::sleep(Duration::from_secs(6)).await;
    ann.settle(&server).await;
    assert_eq!(described(&server, &table).await["stage"], "playing");
    server.stop().await.unwrap();
}
