//! Two servers on one PostgreSQL: any of them takes an input for any game.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use trencavel_bot::{Bot, Dice, Http};
use trencavel_proto::{Gone, Made, News, Seated, Stage, Wish};
use trencavel_record::dealer;
use trencavel_record::game::Game;

use crate::games::fitful;
use crate::harness::{EAGER, Postgres, Served, folder};

fn two(postgres: &Postgres, name: &str) -> [Served; 2] {
    let folder = folder(name);
    [1, 2].map(|n| Served::start(&postgres.url(), &folder.join(format!("log-{n}")), EAGER))
}

async fn good_file(http: &Http, table: &str) -> Game {
    let file = http.file(table).await.unwrap();
    let game = Game::read(file.as_bytes()).unwrap();
    assert_eq!(dealer::check(&game), Ok(true));
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_spread_over_two_servers_play_one_game() {
    let Some(postgres) = Postgres::start("spread") else {
        return;
    };
    let servers = two(&postgres, "spread");
    let addresses = servers.each_ref().map(|server| server.address.clone());
    let [one, other] = servers.each_ref().map(Served::http);
    let (table, _, secrets) = one.begin("C2; seats 2; with abbot", 2).await.unwrap();
    // One stays at the second server, one comes and goes at both.
    let mut staying = Bot::connect(&addresses[1], &table, Some(&secrets[0]))
        .await
        .unwrap();
    let (mut dice, mut others) = (Dice::new(5), Dice::new(6));
    let (stayed, went) = tokio::join!(
        staying.play(&mut dice),
        fitful(&addresses, &table, &secrets[1], &mut others)
    );
    stayed.unwrap_or_else(|trouble| panic!("{trouble}"));
    assert_eq!(staying.known.state.hash(), went.0);
    let game = good_file(&other, &table).await;
    assert_eq!(game.history.state().hash(), went.0);
    // What is said at one is heard at the other, and who is connected there is known here.
    let mut listener = Bot::connect(&addresses[0], &table, None).await.unwrap();
    let text = "from the other side".to_string();
    other
        .wish(&table, &secrets[0], &Wish::Say { text })
        .await
        .unwrap();
    while !matches!(listener.hear().await.unwrap(), News::Said { text, .. } if text == "from the other side")
    {
    }
    let here = one.table(&table).await.unwrap();
    assert!(
        here.seats[0].here,
        "the first player is connected to the other server"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_inputs_raced_at_two_servers_one_wins() {
    let Some(postgres) = Postgres::start("raced") else {
        return;
    };
    let servers = two(&postgres, "raced");
    let [one, other] = servers.each_ref().map(Served::http);
    let (table, _, secrets) = one.begin("C2; seats 2", 2).await.unwrap();
    let mut bots = Vec::new();
    for (server, secret) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        bots.push((
            secret,
            Bot::connect(&servers[server].address, &table, Some(&secrets[secret]))
                .await
                .unwrap(),
        ));
    }
    let mut dice = [1, 2, 3, 4].map(Dice::new);
    let (mut won, mut lost) = (0, 0);
    while !bots[0].1.known.is_over() {
        // All know the same game before the next race.
        let most = bots
            .iter()
            .map(|(_, bot)| bot.known.number())
            .max()
            .unwrap();
        for (_, bot) in &mut bots {
            while bot.known.number() < most {
                bot.hear().await.unwrap();
            }
        }
        let mut answers = Vec::new();
        for ((_, bot), dice) in bots.iter_mut().zip(&mut dice) {
            if let Some(wish) = bot.choose(dice).await.unwrap() {
                answers.push((bot, wish));
            }
        }
        if answers.is_empty() {
            for (_, bot) in &mut bots {
                bot.hear().await.unwrap();
            }
            continue;
        }
        let answers = join_all(
            answers
                .into_iter()
                .map(async |(bot, wish)| bot.answer(wish).await.unwrap()),
        )
        .await;
        let good = answers.iter().filter(|answer| answer.is_ok()).count();
        assert_eq!(good, 1, "{answers:?}");
        // Whoever loses the race for the last choice may hear that the game is over.
        let over = one.table(&table).await.unwrap().stage == Stage::Over;
        let refusals: &[&str] = if over {
            &["moved-on", "number", "not-asked", "over"]
        } else {
            &["moved-on", "number", "not-asked"]
        };
        for answer in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            assert!(refusals.contains(&answer.as_str()), "{answer}");
            lost += 1;
        }
        won += 1;
        // The dealer's draw and the choice come to all.
        for (_, bot) in &mut bots {
            while bot.known.number() <= most {
                bot.hear().await.unwrap();
            }
        }
    }
    println!("{won} races, {lost} inputs lost");
    assert!(lost >= won, "{won} {lost}");
    let game = good_file(&other, &table).await;
    assert_eq!(game.history.state().hash(), bots[0].1.known.state.hash());
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_run_out_exactly_once_whoever_notices() {
    let Some(postgres) = Postgres::start("clocks") else {
        return;
    };
    let servers = two(&postgres, "clocks");
    let http = servers.each_ref().map(Served::http);
    let mut tables = Vec::new();
    let mut listeners = Vec::new();
    for n in 0..12 {
        let wanted = json!({
            "setup": "C2; seats 2", "absence": "pass",
            "seats": [{ "kind": "me", "name": "Ann" }, { "kind": "me", "name": "Bob" }],
            "clock": { "kind": "fischer", "seconds": 2, "increment": 0 },
        });
        let made: Made = http[n % 2]
            .post("/api/tables", None, &wanted)
            .await
            .unwrap();
        http[(n + 1) % 2]
            .wish(&made.table, &made.host, &Wish::Start)
            .await
            .unwrap();
        let Some(Seated { secret, .. }) = made.seat else {
            panic!("no seat")
        };
        // Two thirds are awake at both servers when the time runs out, the others at one.
        let awake = if n % 3 == 0 { 1 } else { 2 };
        for server in servers.iter().take(awake) {
            listeners.push(
                Bot::connect(&server.address, &made.table, Some(&secret))
                    .await
                    .unwrap(),
            );
        }
        tables.push(made.table);
    }
    for bot in &mut listeners {
        let mut gone = Vec::new();
        while gone.len() < 2 {
            if let News::Gone { seat, why, .. } = bot.hear().await.unwrap() {
                gone.push((seat, why));
            }
        }
        gone.sort_by_key(|(seat, _)| *seat);
        assert_eq!(gone, [(1, Gone::Time), (2, Gone::Time)]);
    }
    // Nobody fires once more in the time in which a server looks after what another has left.
    tokio::time::sleep(Duration::from_secs(4)).await;
    for (n, table) in tables.iter().enumerate() {
        let file = http[n % 2].file(table).await.unwrap();
        for name in [
            "seat 1 (Ann) ran out of time",
            "seat 2 (Bob) ran out of time",
        ] {
            assert_eq!(file.matches(name).count(), 1, "{file}");
        }
        assert_eq!(
            http[n % 2].table(table).await.unwrap().stage,
            Stage::Abandoned
        );
        let query = format!(
            "SELECT COUNT(*) FROM entries WHERE game = '{table}' AND lines LIKE '%\"gone\"%'"
        );
        assert_eq!(postgres.query(&query), Some("2".to_string()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_rematches_raced_at_two_servers_one_is_left() {
    let Some(postgres) = Postgres::start("rematches") else {
        return;
    };
    let servers = two(&postgres, "rematches");
    let [one, other] = servers.each_ref().map(Served::http);
    let mut tables = Vec::new();
    for _ in 0..12 {
        let (table, host, secrets) = one.begin("C2; seats 2", 2).await.unwrap();
        one.wish(&table, &host, &Wish::Close).await.unwrap();
        one.wish(&table, &secrets[0], &Wish::Rematch).await.unwrap();
        other.table(&table).await.unwrap();
        tables.push((table, secrets));
    }
    let mut raced = 0;
    for (table, secrets) in &tables {
        let yes = Wish::Answer { agree: true };
        let answers = tokio::join!(
            one.wish(table, &secrets[1], &yes),
            other.wish(table, &secrets[1], &yes)
        );
        let refused = [answers.0, answers.1].map(Result::err);
        let codes = refused.iter().flatten().map(|refused| refused.code());
        let codes: Vec<&str> = codes.collect();
        assert!(
            codes == ["moved-on"] || codes == ["nothing-asked"],
            "{codes:?}"
        );
        raced += usize::from(codes == ["moved-on"]);
        let [here, there] = [
            one.table(table).await.unwrap().rematch,
            other.table(table).await.unwrap().rematch,
        ];
        assert!(here.is_some() && here == there, "{here:?} {there:?}");
        let again = other.table(&here.unwrap()).await.unwrap();
        assert_eq!(again.stage, Stage::Playing);
    }
    println!("{raced} of {} were raced", tables.len());
    assert_eq!(
        postgres.query("SELECT COUNT(*) FROM tables"),
        Some((2 * tables.len()).to_string()),
        "no table is left to which nobody is led"
    );
}
