//! How long things are kept: what is too old goes, everything else stays.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _, Row as _};
use trencavel_server::{Config, Keep, Server};

use crate::tables::granted;
use crate::{Player, get, hear_until, new_game, scratch};

const DAY: i64 = 24 * 3600;

async fn start(data: &Path, keep: Keep) -> Server {
    let mut config = Config::new(([127, 0, 0, 1], 0).into(), data.display().to_string());
    config.keep = keep;
    config.limits.sweep_seconds = 1;
    Server::start(config).await.unwrap()
}

/// The data, for a look behind the server's back.
async fn open(data: &Path) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let url = format!("sqlite://{}", data.display());
    AnyConnection::connect(&url).await.unwrap()
}

/// Makes something `days` older.
async fn age(data: &mut AnyConnection, what: &'static str, table: &str, days: i64) {
    let aged = sqlx::query(what).bind(days * DAY).bind(table);
    let rows = aged.execute(&mut *data).await.unwrap().rows_affected();
    assert!(rows > 0, "{what}");
}

const ENDED: &str = "UPDATE tables SET ended = ended - $1 WHERE id = $2";
const MADE: &str = "UPDATE tables SET made = made - $1 WHERE id = $2";
const SAID: &str = "UPDATE chat SET at = at - $1 WHERE game = $2";

/// How many rows of each kind a table has: itself, its log, what was said.
async fn rows(data: &mut AnyConnection, table: &str) -> [i64; 3] {
    let mut counts = [0; 3];
    for (count, query) in counts.iter_mut().zip([
        "SELECT COUNT(*) FROM tables WHERE id = $1",
        "SELECT COUNT(*) FROM entries WHERE game = $1",
        "SELECT COUNT(*) FROM chat WHERE game = $1",
    ]) {
        let row = sqlx::query(query).bind(table).fetch_one(&mut *data);
        *count = row.await.unwrap().try_get(0).unwrap();
    }
    counts
}

/// A table where something was said; the game is closed if it is to be over.
async fn table(server: &Server, over: bool) -> (String, String) {
    let (table, host, first, _) = new_game(server, "C2; seats 2").await;
    let say = json!({ "wish": "say", "text": "once upon a time" });
    granted(server, &table, &first, say).await;
    if over {
        granted(server, &table, &host, json!({ "wish": "close" })).await;
    }
    (table, first)
}

async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    for _ in 0..1200 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("in vain waited for: {what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_and_chat_are_kept_as_long_as_was_set() {
    let path = scratch("keeping");
    let server = start(&path, Keep::default()).await;
    let (old, _) = table(&server, true).await;
    let (older, _) = table(&server, true).await;
    let (young, _) = table(&server, true).await;
    let (playing, first) = table(&server, false).await;
    let seats = json!([{ "kind": "open" }, { "kind": "open" }]);
    let mut gathering = Vec::new();
    for _ in 0..2 {
        let wanted = json!({ "setup": "C2; seats 2", "seats": seats });
        let (_, made) = crate::post(&server, "/api/tables", None, wanted).await;
        gathering.push(made["table"].as_str().unwrap().to_string());
    }
    server.stop().await.unwrap();
    let mut data = open(&path).await;
    age(&mut data, ENDED, &older, 31).await;
    age(&mut data, ENDED, &old, 29).await;
    age(&mut data, SAID, &old, 8).await;
    age(&mut data, SAID, &young, 6).await;
    // A game that goes on is kept, and what is said at it, however old.
    age(&mut data, MADE, &playing, 400).await;
    age(&mut data, SAID, &playing, 400).await;
    age(&mut data, MADE, &gathering[0], 2).await;
    let all = [&older, &old, &young, &playing];
    let mut before = Vec::new();
    for table in all {
        before.push(rows(&mut data, table).await);
    }
    // Nothing is deleted where nothing is set, but a table where nobody comes is closed after a day.
    let server = start(&path, Keep::default()).await;
    let closed = format!("/api/tables/{}", gathering[0]);
    until("the table where nobody came is closed", || async {
        get(&server, &closed).await.1.contains("\"abandoned\"")
    })
    .await;
    let open = get(&server, &format!("/api/tables/{}", gathering[1])).await;
    assert!(open.1.contains("\"gathering\""), "{}", open.1);
    tokio::time::sleep(Duration::from_millis(1500)).await;
    for (table, before) in all.into_iter().zip(&before) {
        assert_eq!(rows(&mut data, table).await, *before);
    }
    server.stop().await.unwrap();

    let keep = Keep {
        games_days: Some(30),
        chat_days: Some(7),
    };
    let server = start(&path, keep).await;
    let gone = format!("/api/tables/{older}");
    until("the oldest game is deleted", || async {
        get(&server, &gone).await.0 == 404
    })
    .await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(rows(&mut data, &older).await, [0, 0, 0]);
    let [_, entries, _] = before[1];
    assert_eq!(
        rows(&mut data, &old).await,
        [1, entries, 0],
        "its chat goes"
    );
    assert_eq!(rows(&mut data, &young).await, before[2]);
    assert_eq!(rows(&mut data, &playing).await, before[3]);
    assert_eq!(
        get(&server, &format!("/api/tables/{old}/file")).await.0,
        200
    );
    let mut player = Player::connect(&server, &playing, "C2; seats 2", 1, &first).await;
    hear_until(&mut player, |news| news["text"] == "once upon a time").await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_becomes_too_old_goes_while_somebody_listens() {
    let path = scratch("keeping-awake");
    let keep = Keep {
        games_days: Some(30),
        chat_days: Some(7),
    };
    let server = start(&path, keep).await;
    let (table, first) = table(&server, true).await;
    let setup = "C2; seats 2";
    let mut listener = Player::connect(&server, &table, setup, 1, &first).await;
    hear_until(&mut listener, |news| news["text"] == "once upon a time").await;
    let mut data = open(&path).await;
    age(&mut data, SAID, &table, 8).await;
    // The table is awake: it must forget, too, what its data no longer has.
    until("what was said is deleted", || async {
        let mut other = Player::watch(&server, &table, setup, "Zoe").await;
        hear_until(&mut other, |news| news["news"] == "here").await;
        !other.heard.concat().contains("once upon a time")
    })
    .await;
    // What is said from now on comes to those who knew more than there is.
    let after = json!({ "secret": first, "after": 0, "after_said": 1 });
    let say = json!({ "wish": "say", "text": "a new tale" });
    granted(&server, &table, &first, say).await;
    hear_until(&mut listener, |news| news["text"] == "a new tale").await;
    let mut back = Player::open(&server, &table, setup, 1, after).await;
    hear_until(&mut back, |news| news["news"] == "here").await;
    age(&mut data, ENDED, &table, 31).await;
    let bye = hear_until(&mut listener, |news| news["news"] == "bye").await;
    assert!(bye["seconds"].as_u64() > Some(0), "{bye}");
    until("the game is deleted", || async {
        get(&server, &format!("/api/tables/{table}")).await.0 == 404
    })
    .await;
    assert_eq!(rows(&mut data, &table).await, [0, 0, 0]);
    let (_, lobby) = get(&server, "/api/tables").await;
    assert_eq!(serde_json::from_str::<Value>(&lobby).unwrap(), json!([]));
    server.stop().await.unwrap();
}
