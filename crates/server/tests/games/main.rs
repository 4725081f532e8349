//! Whole games over real sockets. Everything that is heard is compared with the document at `/api`.

mod computers;
mod keeping;
mod schema;
mod seats;
mod site;
mod tables;
mod ways;
mod wrongs;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use trencavel_record::dealer::{parse_seed, verify};
use trencavel_record::game::Game;
use trencavel_record::notation::{choice_text, parse_input};
use trencavel_record::setup_text::parse_setup;
use trencavel_rules::{Input, Moves, Rules, Seat, State, Waiting};
use trencavel_server::{Config, Server};

/// The token of the operator of the servers here.
const OPERATOR: &str = "the operator of these tests";

type Socket =
    tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

fn scratch(name: &str) -> PathBuf {
    trencavel_bot::scratch(env!("CARGO_TARGET_TMPDIR"), name).join("games.sqlite")
}

async fn start(data: &std::path::Path) -> Server {
    let here = SocketAddr::from(([127, 0, 0, 1], 0));
    let mut config = Config::new(here, data.display().to_string());
    config.operator_token = Some(OPERATOR.to_string());
    config.limits.logins_per_minute = 1000;
    // Scripts choose faster than people.
    config.limits.wishes_per_second = 100_000;
    config.limits.requests_per_second = 100_000;
    Server::start(config).await.unwrap()
}

async fn post(server: &Server, path: &str, secret: Option<&str>, body: Value) -> (u16, Value) {
    let mut request = reqwest::Client::new()
        .post(format!("http://{}{path}", server.address()))
        .json(&body);
    if let Some(secret) = secret {
        request = request.bearer_auth(secret);
    }
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    let answer = answer.json().await.unwrap_or(Value::Null);
    schema::check_answer("post", path, status, &answer);
    (status, answer)
}

async fn get(server: &Server, path: &str) -> (u16, String) {
    let answer = reqwest::get(format!("http://{}{path}", server.address()))
        .await
        .unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// A client that plays by first choices and keeps its own copy of the game.
struct Player {
    table: String,
    socket: Socket,
    rules: Rules,
    state: State,
    seat: Seat,
    number: u64,
    seq: u64,
    /// The number of the last entry that was told in any way.
    told: u64,
    start: State,
    inputs: Vec<Input>,
    asked: u64,
    heard: Vec<String>,
}

async fn say_hello(server: &Server, table: &str, hello: Value) -> Socket {
    let url = format!("ws://{}/api/tables/{table}/ws", server.address());
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
    let text = Message::text(hello.to_string());
    socket.send(text).await.unwrap();
    socket
}

impl Player {
    async fn connect(server: &Server, table: &str, setup: &str, seat: u8, secret: &str) -> Player {
        Player::open(server, table, setup, seat, json!({ "secret": secret })).await
    }

    async fn watch(server: &Server, table: &str, setup: &str, name: &str) -> Player {
        Player::open(server, table, setup, 8, json!({ "name": name })).await
    }

    async fn open(server: &Server, table: &str, setup: &str, seat: u8, hello: Value) -> Player {
        let socket = say_hello(server, table, hello).await;
        let rules = Rules::new(&parse_setup(setup).unwrap()).unwrap();
        let state = rules.start();
        Player {
            table: table.to_string(),
            socket,
            start: state.clone(),
            inputs: Vec::new(),
            rules,
            state,
            seat: Seat(seat - 1),
            number: 0,
            seq: 0,
            told: 0,
            asked: 0,
            heard: Vec::new(),
        }
    }

    /// The same player with a new connection, who knows what they knew.
    async fn come_back(self, server: &Server, table: &str, secret: &str) -> Player {
        let hello = json!({ "secret": secret, "after": self.seq });
        let socket = say_hello(server, table, hello).await;
        Player {
            socket,
            heard: Vec::new(),
            ..self
        }
    }

    async fn send(&mut self, wish: Value) {
        let text = Message::text(wish.to_string());
        self.socket.send(text).await.unwrap();
    }

    /// Hears everything that has happened until now, and what follows from it by itself.
    async fn settle(&mut self, server: &Server) {
        self.asked += 1;
        let id = 1_000_000 + self.asked;
        // Something that is always refused, and answered.
        self.send(json!({ "id": id, "wish": "choose", "number": 0, "choice": "pass" }))
            .await;
        loop {
            let news = self.hear().await.expect("the server hung up");
            if news["id"] == id {
                break;
            }
        }
        // What was under way when it was refused.
        loop {
            let (_, text) = get(server, &format!("/api/tables/{}", self.table)).await;
            let table: Value = serde_json::from_str(&text).unwrap();
            while self.told < table["seq"].as_u64().unwrap() {
                self.hear().await.expect("the server hung up");
            }
            if table["stage"] != "playing" || table["asked"] != json!([]) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn hear(&mut self) -> Option<Value> {
        // Pings are no news.
        let until = tokio::time::Instant::now() + Duration::from_secs(60);
        loop {
            let message = tokio::time::timeout_at(until, self.socket.next())
                .await
                .expect("no news");
            match message? {
                Ok(Message::Text(text)) => {
                    self.heard.push(text.to_string());
                    let news: Value = serde_json::from_str(&text).unwrap();
                    schema::check("News", &news);
                    assert_eq!(news["n"], self.heard.len(), "a lost message");
                    for seq in [&news["seq"], &news["table"]["seq"]] {
                        self.told = self.told.max(seq.as_u64().unwrap_or(0));
                    }
                    if news["news"] == "input" {
                        assert_eq!(news["number"], self.number + 1, "a gap");
                        let text = news["input"].as_str().unwrap();
                        let input = parse_input(&self.rules, &self.state, text).unwrap();
                        self.rules.apply(&mut self.state, input, &mut ()).unwrap();
                        self.inputs.push(input);
                        self.number += 1;
                        if let Some(hash) = news["hash"].as_str() {
                            assert_eq!(hash, format!("{:016x}", self.state.hash()));
                        }
                        self.seq = news["seq"].as_u64().unwrap();
                    }
                    if news["news"] == "taken-back" {
                        self.seq = news["seq"].as_u64().unwrap();
                        self.inputs
                            .truncate(news["number"].as_u64().unwrap() as usize);
                        self.number = self.inputs.len() as u64;
                        self.state = self.start.clone();
                        for input in &self.inputs {
                            self.rules.apply(&mut self.state, *input, &mut ()).unwrap();
                        }
                    }
                    return Some(news);
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Sends the first legal choice if this seat is asked; whether it was.
    async fn choose(&mut self) -> bool {
        match self.state.waiting() {
            Waiting::Seats(seats) if seats.has(self.seat) => {}
            _ => return false,
        }
        let mut moves = Moves::new();
        self.rules.legal_for(&self.state, self.seat, &mut moves);
        let choice = choice_text(&self.rules, &self.state, moves[0]);
        let wish = json!({ "wish": "choose", "number": self.number + 1, "choice": choice });
        self.socket
            .send(Message::text(wish.to_string()))
            .await
            .unwrap();
        true
    }
}

/// Hears news until the wanted comes.
async fn hear_until(player: &mut Player, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let news = player.hear().await.expect("the server hung up");
        if wanted(&news) {
            return news;
        }
    }
}

async fn play_to_the_end(players: &mut [Player]) {
    let games = players.iter_mut().map(|player| async move {
        let mut sent = None;
        while player.state.waiting() != Waiting::Over {
            if sent != Some(player.number) && player.choose().await {
                sent = Some(player.number);
            }
            let news = player.hear().await.expect("the server hung up");
            assert_ne!(news["news"], "refused", "{news}");
        }
    });
    futures_util::future::join_all(games).await;
}

async fn new_game(server: &Server, setup: &str) -> (String, String, String, String) {
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let (status, made) = post(
        server,
        "/api/tables",
        None,
        json!({ "setup": setup, "seats": seats, "name": "A game" }),
    )
    .await;
    assert_eq!(status, 201, "{made}");
    let table = made["table"].as_str().unwrap().to_string();
    let (status, joined) = post(
        server,
        &format!("/api/tables/{table}/join"),
        None,
        json!({ "name": "Bob" }),
    )
    .await;
    assert_eq!(status, 200, "{joined}");
    assert_eq!(joined["seat"], 2);
    let host = made["host"].as_str().unwrap().to_string();
    let first = made["seat"]["secret"].as_str().unwrap().to_string();
    let second = joined["secret"].as_str().unwrap().to_string();
    let (status, refused) = post(
        server,
        &format!("/api/tables/{table}/wish"),
        Some(&second),
        json!({ "wish": "start" }),
    )
    .await;
    assert_eq!((status, refused["code"].as_str()), (403, Some("secret")));
    let (status, _) = post(
        server,
        &format!("/api/tables/{table}/wish"),
        Some(&host),
        json!({ "wish": "start" }),
    )
    .await;
    assert_eq!(status, 200);
    (table, host, first, second)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_a_whole_game_and_can_verify_the_dealer() {
    let server = start(&scratch("whole")).await;
    let setup = "C2; seats 2; with abbot russian-promos hungarian-promo festival phantom";
    let (table, _, first, second) = new_game(&server, setup).await;
    let mut players = vec![
        Player::connect(&server, &table, setup, 1, &first).await,
        Player::connect(&server, &table, setup, 2, &second).await,
    ];
    let (status, _) = get(&server, &format!("/api/tables/{table}/file")).await;
    assert_eq!(status, 409);
    let (_, described) = get(&server, &format!("/api/tables/{table}")).await;
    let described: Value = serde_json::from_str(&described).unwrap();
    assert_eq!(described["dealer_seed"], Value::Null);
    play_to_the_end(&mut players).await;
    let (status, file) = get(&server, &format!("/api/tables/{table}/file")).await;
    assert_eq!(status, 200);
    let game = Game::read(file.as_bytes()).unwrap();
    assert_eq!(game.history.state().hash(), players[0].state.hash());
    let seed = parse_seed(game.note("dealer-seed").unwrap()).unwrap();
    assert_eq!(verify(&game.history, seed), Ok(()));
    assert_eq!(game.note("dealer-hash"), described["dealer_hash"].as_str());
    // Nothing that a seat may not know was in any byte sent to it while the game was on.
    for player in &players {
        let last = player
            .heard
            .iter()
            .rposition(|text| text.contains("\"input\""))
            .unwrap();
        for text in &player.heard[..last] {
            assert!(!text.contains(game.note("dealer-seed").unwrap()));
            assert!(!text.contains(&first) && !text.contains(&second));
        }
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_does_not_wait_until_the_one_before_it_is_confirmed() {
    let server = start(&scratch("prompt")).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }]);
    let wanted = json!({ "setup": "C2; seats 1", "seats": seats });
    let (table, _, secret) = tables::made(&server, wanted).await;
    let mut ann = Player::connect(&server, &table, "C2; seats 1", 1, &secret).await;
    hear_until(&mut ann, |news| news["news"] == "here").await;
    // This is answered by several small messages, and needs no disk. A receiver that has nothing to send confirms the first
    // late, after 40 ms, but those at the beginning of a connection at once.
    let mut times = Vec::new();
    for id in 1..=60 {
        let began = std::time::Instant::now();
        ann.send(json!({ "id": id, "wish": "resync", "after": ann.told }))
            .await;
        hear_until(&mut ann, |news| news["news"] == "done" && news["id"] == id).await;
        times.push(began.elapsed());
    }
    times.sort();
    assert!(times[20] < Duration::from_millis(30), "{times:?}");
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_survives_the_server_and_a_client_comes_back() {
    let data = scratch("survives");
    let setup = "C1; seats 2";
    let server = start(&data).await;
    let (table, _, first, second) = new_game(&server, setup).await;
    let mut ann = Player::connect(&server, &table, setup, 1, &first).await;
    while ann.number < 4 {
        if !ann.choose().await && matches!(ann.state.waiting(), Waiting::Seats(_)) {
            break;
        }
        ann.hear().await.unwrap();
        while ann.state.waiting() == Waiting::Chance(trencavel_rules::Nature::Draw) {
            ann.hear().await.unwrap();
        }
    }
    let (number, hash) = (ann.number, ann.state.hash());
    server.stop().await.unwrap();
    let server = start(&data).await;
    let mut players = vec![
        Player::connect(&server, &table, setup, 1, &first).await,
        Player::connect(&server, &table, setup, 2, &second).await,
    ];
    while players[0].number < number {
        players[0].hear().await.unwrap();
    }
    assert_eq!(players[0].state.hash(), hash);
    play_to_the_end(&mut players).await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn computer_players_finish_a_game_by_themselves() {
    let server = start(&scratch("computers")).await;
    let seats = json!([{ "kind": "computer", "level": "greedy" }, { "kind": "computer", "level": "random" }]);
    let (_, made) = post(
        &server,
        "/api/tables",
        None,
        json!({ "setup": "C2; seats 2", "seats": seats }),
    )
    .await;
    let table = made["table"].as_str().unwrap();
    let (status, _) = post(
        &server,
        &format!("/api/tables/{table}/wish"),
        made["host"].as_str(),
        json!({ "wish": "start" }),
    )
    .await;
    assert_eq!(status, 200);
    for _ in 0..3000 {
        let (_, text) = get(&server, &format!("/api/tables/{table}")).await;
        let described: Value = serde_json::from_str(&text).unwrap();
        if described["stage"] == "over" {
            assert!(described["dealer_seed"].is_string());
            server.stop().await.unwrap();
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the game did not end");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_wishes_are_refused_and_change_nothing() {
    let server = start(&scratch("wrong")).await;
    let (table, host, first, second) = new_game(&server, "C2; seats 2").await;
    let wish = format!("/api/tables/{table}/wish");
    let described = || async { get(&server, &format!("/api/tables/{table}")).await.1 };
    let number = |text: &str| serde_json::from_str::<Value>(text).unwrap()["number"].clone();
    let before = number(&described().await);
    for (secret, body, status, code) in [
        (
            Some(&second),
            json!({ "wish": "choose", "number": 2, "choice": "lay 1,0 r0" }),
            409,
            "not-asked",
        ),
        (
            Some(&first),
            json!({ "wish": "choose", "number": 1, "choice": "lay 1,0 r0" }),
            409,
            "number",
        ),
        (
            Some(&first),
            json!({ "wish": "choose", "number": 2, "choice": "lay 9,9 r0" }),
            400,
            "illegal",
        ),
        (
            Some(&first),
            json!({ "wish": "choose", "number": 2, "choice": "jump" }),
            400,
            "notation",
        ),
        (
            None,
            json!({ "wish": "choose", "number": 2, "choice": "lay 1,0 r0" }),
            403,
            "secret",
        ),
        (Some(&first), json!({ "wish": "close" }), 403, "secret"),
        (Some(&host), json!({ "wish": "start" }), 409, "begun"),
        (Some(&first), json!({ "wish": "fly" }), 400, "json"),
        (
            Some(&first),
            json!({ "wish": "say", "text": "x".repeat(301) }),
            400,
            "too-long",
        ),
    ] {
        let (got, refused) = post(&server, &wish, secret.map(String::as_str), body.clone()).await;
        assert_eq!(
            (got, refused["code"].as_str()),
            (status, Some(code)),
            "{body}: {refused}"
        );
    }
    assert_eq!(number(&described().await), before);
    let (status, _) = get(&server, "/api/tables/nonsense").await;
    assert_eq!(status, 404);
    let (status, refused) = post(&server, "/api/tables", None, json!({ "setup": "C2; seats 2; with atlantis", "seats": [{ "kind": "open" }, { "kind": "open" }] })).await;
    assert_eq!(status, 400);
    assert_eq!(refused["why"], "there is no expansion \"atlantis\"");
    let big = "x".repeat(40_000);
    let (status, _) = post(
        &server,
        &wish,
        Some(&first),
        json!({ "wish": "say", "text": big }),
    )
    .await;
    assert_eq!(status, 413);
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_is_taken_back_and_the_file_says_who_left() {
    let server = start(&scratch("taken-back")).await;
    let setup = "C2; seats 2";
    let (table, _, first, second) = new_game(&server, setup).await;
    let mut ann = Player::connect(&server, &table, setup, 1, &first).await;
    while ann.state.waiting() == Waiting::Chance(trencavel_rules::Nature::Draw) {
        ann.hear().await.unwrap();
    }
    let before = ann.state.hash();
    assert!(ann.choose().await);
    while ann.number < 2 {
        ann.hear().await.unwrap();
    }
    let wish = format!("/api/tables/{table}/wish");
    let (status, answer) = post(&server, &wish, Some(&first), json!({ "wish": "take-back" })).await;
    assert_eq!(status, 200, "{answer}");
    let again = Player::connect(&server, &table, setup, 1, &first).await;
    let mut again = again;
    while again.number < 1 {
        again.hear().await.unwrap();
    }
    assert_eq!(again.state.hash(), before);
    let (status, _) = post(&server, &wish, Some(&second), json!({ "wish": "leave" })).await;
    assert_eq!(status, 200);
    let (_, text) = get(&server, &format!("/api/tables/{table}")).await;
    let described: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(described["seats"][1]["computer"], "steady");
    let (status, _) = post(&server, &wish, Some(&first), json!({ "wish": "abandon" })).await;
    assert_eq!(status, 200);
    let (status, file) = get(&server, &format!("/api/tables/{table}/file")).await;
    assert_eq!(status, 200);
    assert!(
        file.contains("seat 2 (Bob) left; steady plays on"),
        "{file}"
    );
    server.stop().await.unwrap();
}
