//! Clients that do what they should not. None disturbs the others.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use trencavel_bot::{Bot, Dice, Http, Socket, open};
use trencavel_proto::{News, Wish};

use crate::harness::{EAGER, Served};

/// A game between good players that goes on all the time.
fn bystanders(server: &Served) -> tokio::task::JoinHandle<()> {
    let http = server.http();
    tokio::spawn(async move {
        let (table, _, secrets) = http.begin("C2; seats 2", 2).await.unwrap();
        let mut one = Bot::connect(&http.address, &table, Some(&secrets[0]))
            .await
            .unwrap();
        let mut two = Bot::connect(&http.address, &table, Some(&secrets[1]))
            .await
            .unwrap();
        let (mut a, mut b) = (Dice::new(1), Dice::new(2));
        let (one, two) = tokio::join!(one.play(&mut a), two.play(&mut b));
        one.unwrap_or_else(|trouble| panic!("a bystander was disturbed: {trouble}"));
        two.unwrap_or_else(|trouble| panic!("a bystander was disturbed: {trouble}"));
    })
}

/// One of the server's figures.
async fn figure(http: &Http, name: &str) -> u64 {
    let metrics = http.get("/metrics").await.unwrap();
    let value = metrics
        .lines()
        .find_map(|line| line.strip_prefix(&format!("trencavel_{name} ")));
    value.unwrap().parse().unwrap()
}

/// A listener who says nothing but hello.
async fn silent(server: &Served, table: &str) -> Socket {
    let mut socket = open(&server.address, table).await.unwrap();
    futures_util::SinkExt::send(&mut socket, Message::text("{}"))
        .await
        .unwrap();
    socket
}

/// How long a game takes that is played as fast as it goes.
async fn a_game(server: &Served) -> Duration {
    let began = Instant::now();
    bystanders(server).await.unwrap();
    began.elapsed()
}

/// Sends bytes as they are; what comes back until the server hangs up or is silent.
async fn raw(address: &str, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may hang up while it is still being written to.
    let _ = stream.write_all(bytes).await;
    let mut answer = vec![0; 65536];
    let mut heard = Vec::new();
    while let Ok(Ok(n @ 1..)) =
        tokio::time::timeout(Duration::from_millis(500), stream.read(&mut answer)).await
    {
        heard.extend_from_slice(&answer[..n]);
    }
    heard
}

/// A WebSocket after its handshake, for frames that no library would send.
async fn bare(address: &str, table: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET /api/tables/{table}/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.unwrap());
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"));
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_and_huge_messages_are_refused() {
    let server = Served::with_sqlite("malformed", EAGER);
    let good = bystanders(&server);
    let http = server.http();
    let (table, host, secrets) = http.begin("C2; seats 2", 2).await.unwrap();
    let before = http.table(&table).await.unwrap();
    for bytes in [
        &b"\x00\xff\x00\xff\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/tables/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let answer = String::from_utf8_lossy(&raw(&server.address, bytes).await).into_owned();
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{bytes:?}: {answer}"
        );
    }
    let head = format!(
        "GET / HTTP/1.1\r\nHost: x\r\nCookie: {}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let answer = raw(&server.address, head.as_bytes()).await;
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"));
    // Bodies: too large, too deep, not JSON, not text.
    let big = "x".repeat(1 << 20);
    let deep = format!("{}{}", "[".repeat(8000), "]".repeat(8000));
    for (body, code) in [
        (
            serde_json::json!({ "wish": "say", "text": big }),
            "too-large",
        ),
        (serde_json::Value::String(deep), "json"),
        (
            serde_json::json!({ "wish": "choose", "number": -1, "choice": "pass" }),
            "json",
        ),
        (
            serde_json::json!({ "wish": "choose", "number": 1e300, "choice": "pass" }),
            "json",
        ),
        (serde_json::json!(null), "json"),
    ] {
        let answer: Result<serde_json::Value, _> = http
            .post(&format!("/api/tables/{table}/wish"), Some(&host), &body)
            .await;
        assert_eq!(answer.unwrap_err().code(), code);
    }
    // Frames: not masked, reserved bits, a length of 2^63, a control frame that is too long, text that is none. Each is whole, so
    // that nothing is waited for.
    let long = [&b"\x89\xfe\x01\x00\x00\x00\x00\x00"[..], &[b'x'; 256]].concat();
    for frame in [
        &b"\x81\x05hello"[..],
        b"\xf1\x80\x00\x00\x00\x00",
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",
        &long,
        b"\x81\x82\x00\x00\x00\x00\xff\xfe",
        b"\x83\x80\x00\x00\x00\x00",
    ] {
        let mut stream = bare(&server.address, &table).await;
        stream.write_all(frame).await.unwrap();
        let mut rest = Vec::new();
        let ended =
            tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "{frame:?}: the connection stays open");
    }
    // Messages at a connection that is good otherwise.
    let mut bot = Bot::connect(&server.address, &table, Some(&secrets[0]))
        .await
        .unwrap();
    for (text, code) in [
        (Message::text("{"), "json"),
        (Message::text("{\"wish\":\"fly\"}"), "json"),
        (Message::binary(vec![0; 100]), "json"),
        (Message::text("\"\\u0000\""), "json"),
        (Message::text("x".repeat(40_000)), "too-large"),
    ] {
        bot.send(text).await.unwrap();
        loop {
            if let News::Refused { code: got, .. } = bot.hear().await.unwrap() {
                assert_eq!(got, code);
                break;
            }
        }
    }
    // The server does not read that much: the connection may be closed before all is sent, or before the answer is read.
    if bot.send(Message::text(big)).await.is_ok() {
        let ended = tokio::time::timeout(Duration::from_secs(60), async {
            while let Ok(news) = bot.hear().await {
                if let News::Refused { code, .. } = news {
                    assert_eq!(code, "too-large");
                }
            }
        });
        assert!(ended.await.is_ok(), "the connection stays open");
    }
    let after = http.table(&table).await.unwrap();
    assert_eq!(
        (before.number, before.seq),
        (after.number, after.seq),
        "nothing has changed"
    );
    good.await.unwrap();
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_say_hello_is_sent_away() {
    let server = Served::with_sqlite("no-hello", &["--limit", "hello-seconds=1"]);
    let (table, _, _) = server.http().begin("C2; seats 1", 1).await.unwrap();
    // Nothing, the beginning of a frame, and a ping again and again.
    for (said, again) in [
        (&b""[..], false),
        (b"\x81\xfe\x01", false),
        (b"\x89\x80abcd", true),
    ] {
        let mut stream = bare(&server.address, &table).await;
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(60), async {
            stream.write_all(said).await.unwrap();
            let mut answer = [0; 512];
            loop {
                tokio::select! {
                    read = stream.read(&mut answer) => match read {
                        Ok(n @ 1..) => rest.extend_from_slice(&answer[..n]),
                        Ok(0) | Err(_) => break,
                    },
                    () = tokio::time::sleep(Duration::from_millis(300)), if again => {
                        let _ = stream.write_all(said).await;
                    }
                }
            }
        });
        assert!(ended.await.is_ok(), "{said:?}: the connection stays open");
        assert!(String::from_utf8_lossy(&rest).contains("no hello came"));
    }
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn choices_out_of_turn_for_others_for_other_games_and_replayed_change_nothing() {
    let server = Served::with_sqlite("cheats", EAGER);
    let good = bystanders(&server);
    let http = server.http();
    let (table, host, secrets) = http.begin("C2; seats 2", 2).await.unwrap();
    let (other, _, strangers) = http.begin("C2; seats 2", 2).await.unwrap();
    let mut bots = Vec::new();
    for secret in &secrets {
        bots.push(
            Bot::connect(&server.address, &table, Some(secret))
                .await
                .unwrap(),
        );
    }
    let mut dice = Dice::new(9);
    let mut replay: Option<Wish> = None;
    for _ in 0..20 {
        let most = http.table(&table).await.unwrap().number;
        for bot in &mut bots {
            while bot.known.number() < most {
                bot.hear().await.unwrap();
            }
        }
        let turn = bots
            .iter()
            .position(|bot| {
                bot.known
                    .random_choice(bot.seats[0], &mut dice.clone())
                    .is_some()
            })
            .unwrap();
        let known = &bots[turn].known;
        let choice = known.random_choice(bots[turn].seats[0], &mut dice).unwrap();
        let wish = Wish::Choose {
            number: known.number() + 1,
            choice: known.text(choice),
        };
        let early = Wish::Choose {
            number: known.number() + 2,
            choice: known.text(choice),
        };
        for (at, secret, wish, code) in [
            (&table, &secrets[1 - turn], &wish, "not-asked"),
            (&table, &strangers[turn], &wish, "secret"),
            (&table, &host, &wish, "secret"),
            (&other, &secrets[turn], &wish, "secret"),
            (&table, &secrets[turn], &early, "number"),
        ] {
            let refused = http.wish(at, secret, wish).await.unwrap_err();
            assert_eq!(refused.code(), code);
        }
        if let Some(replay) = &replay {
            let refused = http.wish(&table, &secrets[turn], replay).await.unwrap_err();
            assert_eq!(refused.code(), "number");
        }
        assert_eq!(http.table(&table).await.unwrap().number, most);
        http.wish(&table, &secrets[turn], &wish).await.unwrap();
        replay = Some(wish);
    }
    assert_eq!(
        http.table(&other).await.unwrap().number,
        1,
        "the other game has only its first tile"
    );
    good.await.unwrap();
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_dropped_and_costs_little() {
    let options = [
        EAGER,
        &[
            "--limit",
            "said-per-minute=1000000",
            "--limit",
            "chat-lines=1000000",
            "--limit",
            "chat-chars=15000",
        ],
    ]
    .concat();
    let server = Served::with_sqlite("slow", &options);
    let good = bystanders(&server);
    let http = server.http();
    let (table, _, secrets) = http.begin("C2; seats 2", 2).await.unwrap();
    let mut slow = Vec::new();
    for _ in 0..20 {
        slow.push(silent(&server, &table).await);
    }
    let before = server.memory();
    let mut talker = Bot::connect(&server.address, &table, Some(&secrets[0]))
        .await
        .unwrap();
    talker.remembers = false;
    // Far more than sockets and queues hold.
    let mut dropped = 0;
    for n in 0..5_000u32 {
        let wish = talker
            .wish(Wish::Say {
                text: format!("{n} {}", "x".repeat(14_000)),
            })
            .await
            .unwrap();
        assert_eq!(talker.answer(wish).await.unwrap(), Ok(()));
        if n % 50 == 49 {
            dropped = figure(&http, "listeners_dropped").await;
            // One that is dropped may be found to be slow once more.
            if dropped >= 20 {
                break;
            }
        }
    }
    let after = server.memory();
    println!("memory with 20 clients that do not read: {before} KiB before, {after} KiB after");
    assert!(dropped >= 20, "{dropped}");
    assert!(
        after < before + 120_000,
        "{before} KiB before, {after} KiB after"
    );
    good.await.unwrap();
    drop(slow);
    server.stop();
}

/// How many connections do nothing: `cargo xtask faults` opens 10,000.
fn idle() -> usize {
    let idle = std::env::var("TRENCAVEL_IDLE").ok();
    idle.and_then(|text| text.parse().ok()).unwrap_or(1_000)
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_cost_little() {
    let options = [
        EAGER,
        &["--limit", "connections=20000", "--limit", "listeners=20000"],
    ]
    .concat();
    let server = Served::with_sqlite("idle", &options);
    let http = server.http();
    let (table, _, secrets) = http.begin("C2; seats 2", 2).await.unwrap();
    let alone = a_game(&server).await;
    let before = server.memory();
    let mut sockets = Vec::new();
    for _ in 0..idle() {
        sockets.push(silent(&server, &table).await);
    }
    while figure(&http, "connections").await < idle() as u64 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let after = server.memory();
    let each = (after - before) * 1024 / idle() as u64;
    println!(
        "{} idle connections: {before} KiB before, {after} KiB after, {each} bytes each",
        idle()
    );
    assert!(each < 64 * 1024, "{each} bytes for each connection");
    // Games go on.
    let mut bot = Bot::connect(&server.address, &table, Some(&secrets[0]))
        .await
        .unwrap();
    let mut dice = Dice::new(1);
    assert_eq!(bot.choose_one(&mut dice).await.unwrap(), Ok(()));
    let among = a_game(&server).await;
    println!("a game without them: {alone:?}, with them: {among:?}");
    drop(sockets);
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_more_than_an_address_may_have_is_told_so() {
    let limits = [
        "--limit",
        "connections-per-address=2",
        "--limit",
        "joins-per-minute=3",
        "--limit",
        "tables-per-address=1",
    ];
    let server = Served::with_sqlite("limited", &limits);
    let http = server.http();
    let (table, _, secrets) = http.begin("C2; seats 2", 2).await.unwrap();
    let kept = [
        Bot::connect(&server.address, &table, Some(&secrets[0]))
            .await
            .unwrap(),
        Bot::connect(&server.address, &table, Some(&secrets[1]))
            .await
            .unwrap(),
    ];
    assert!(Bot::connect(&server.address, &table, None).await.is_err());
    assert_eq!(
        http.begin("C2; seats 1", 1).await.unwrap_err().code(),
        "rate"
    );
    drop(kept);
    server.stop();
}
