//! Computer players think on threads of their own: however many do, nobody's game waits for them.

use std::time::{Duration, Instant};

use serde_json::json;
use trencavel_rules::Waiting;
use trencavel_server::{Config, Server};

use crate::tables::{granted, made};
use crate::{Player, get, hear_until, post, scratch};

/// Far more than can think at the same time.
const TABLES: usize = 24;
/// How long the slow ones think about one decision.
const THOUGHT: Duration = Duration::from_secs(2);

async fn figure(server: &Server, name: &str) -> usize {
    let (_, metrics) = get(server, "/metrics").await;
    let prefix = format!("trencavel_{name} ");
    let value = metrics.lines().find_map(|line| line.strip_prefix(&prefix));
    value.unwrap().parse().unwrap()
}

/// How many inputs some tables have.
async fn inputs(server: &Server, tables: &[String]) -> u64 {
    let mut all = 0;
    for table in tables {
        let (_, text) = get(server, &format!("/api/tables/{table}")).await;
        let table: serde_json::Value = serde_json::from_str(&text).unwrap();
        all += table["number"].as_u64().unwrap();
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_computer_players_think_no_game_waits_for_them() {
    let data = scratch("thinking");
    let mut config = Config::new(([127, 0, 0, 1], 0).into(), data.display().to_string());
    config.thinkers = Some(1);
    let server = Server::start(config).await.unwrap();
    let slow = json!({ "kind": "computer", "level": "viscount" });
    let mut slow_tables = Vec::new();
    for _ in 0..TABLES {
        let wanted = json!({ "setup": "C2; seats 2", "seats": [slow, slow] });
        let (_, made) = post(&server, "/api/tables", None, wanted).await;
        let (table, host) = (made["table"].as_str(), made["host"].as_str());
        let start = json!({ "wish": "start" });
        granted(&server, table.unwrap(), host.unwrap(), start).await;
        slow_tables.push(table.unwrap().to_string());
    }
    let thinking = figure(&server, "computers_thinking").await;
    let waiting = figure(&server, "computers_waiting").await;
    assert!(
        thinking <= 1 && waiting > TABLES / 2,
        "{thinking} {waiting}"
    );

    // A game without them: every choice is acknowledged long before one of them has thought.
    let wanted = json!({ "setup": "C2; seats 1", "seats": [{ "kind": "me", "name": "Ann" }] });
    let (table, host, secret) = made(&server, wanted).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    let mut ann = Player::connect(&server, &table, "C2; seats 1", 1, &secret).await;
    let mut times = Vec::new();
    while times.len() < 40 {
        let began = Instant::now();
        let chose = ann.choose().await;
        hear_until(&mut ann, |news| news["news"] == "input").await;
        if chose {
            times.push(began.elapsed());
        }
    }
    // The machine may stop for a moment; none of them thinks for less than this.
    times.sort();
    assert!(times[times.len() / 2] < THOUGHT / 2, "{times:?}");

    let setup = "C2; seats 2";
    // A game with a computer player: it is next, though all the others have asked before.
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "computer", "level": "greedy" }]);
    let wanted = json!({ "setup": setup, "seats": seats });
    let (table, host, secret) = made(&server, wanted).await;
    granted(&server, &table, &host, json!({ "wish": "start" })).await;
    let mut ann = Player::connect(&server, &table, setup, 1, &secret).await;
    let before = inputs(&server, &slow_tables).await;
    let turns = 3;
    while ann.state.turn().number <= 2 * turns {
        assert_ne!(ann.state.waiting(), Waiting::Over);
        ann.choose().await;
        hear_until(&mut ann, |news| news["news"] == "input").await;
    }
    // Each decision waits for no more than the one that is under way, not for one of every other table.
    let meanwhile = inputs(&server, &slow_tables).await - before;
    let (most, in_order) = (TABLES, TABLES * usize::from(turns));
    assert!(meanwhile < most as u64, "{meanwhile} of {in_order}");
    server.stop().await.unwrap();
}
