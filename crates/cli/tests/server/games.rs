//! Whole games by scripted clients with each set, and clients that come and go.

use trencavel_bot::{Bot, Dice, Http, Trouble};
use trencavel_proto::{News, Stage, Wish};
use trencavel_record::dealer;
use trencavel_record::game::Game;
use trencavel_rules::Ext;

use crate::harness::{EAGER, Postgres, Served, folder};

/// Plays a game by bots at every seat, and gives its file.
async fn whole_game(server: &str, setup: &str, seed: u64) -> String {
    let http = Http::new(server);
    let (table, _, secrets) = http.begin(setup, 2).await.unwrap();
    let mut players = Vec::new();
    for (n, secret) in (seed..).zip(&secrets) {
        let (server, table, secret) = (server.to_string(), table.clone(), secret.clone());
        players.push(tokio::spawn(async move {
            let mut bot = Bot::connect(&server, &table, Some(&secret)).await.unwrap();
            bot.play(&mut Dice::new(n))
                .await
                .unwrap_or_else(|trouble| panic!("{trouble}"));
            bot.known.state.hash()
        }));
    }
    let mut hashes = Vec::new();
    for player in players {
        hashes.push(player.await.unwrap());
    }
    let file = http.file(&table).await.unwrap();
    let game = Game::read(file.as_bytes()).unwrap();
    assert_eq!(hashes, [game.history.state().hash(); 2], "{setup}");
    assert_eq!(dealer::check(&game), Ok(true), "{setup}");
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_with_each_set_is_played_and_its_file_is_good() {
    let server = Served::with_sqlite("each-set", EAGER);
    let slugs: Vec<&str> = Ext::ALL
        .iter()
        .map(|ext| ext.expansion().slug)
        .filter(|slug| *slug != "base")
        .collect();
    let mut setups: Vec<String> = slugs
        .iter()
        .map(|slug| format!("C2; seats 2; with {slug}"))
        .collect();
    setups.extend(["C1; seats 2".to_string(), "C3; seats 2".to_string()]);
    setups.push(format!("C2; seats 2; with {}", slugs.join(" ")));
    // Setups that cannot be linked are a matter of other tests.
    let linked = |setup: &String| {
        trencavel_record::setup_text::parse_setup(setup)
            .is_ok_and(|setup| trencavel_rules::Rules::new(&setup).is_ok())
    };
    let setups: Vec<String> = setups.into_iter().filter(linked).collect();
    assert!(setups.len() > slugs.len(), "{setups:?}");
    let mut last = String::new();
    for (seed, setup) in (1000..).step_by(10).zip(&setups) {
        last = whole_game(&server.address, setup, seed).await;
    }
    // The program itself says that the file is good, the dealer's seed included, and finds out when it is not.
    let check = |text: &str| {
        let path = folder("each-set-file").join("last.game");
        std::fs::write(&path, text).unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_trencavel"))
            .arg("check")
            .arg(path)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (status, said) = check(&last);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("the dealer's seed agrees"), "{said}");
    let seed = last
        .lines()
        .find(|line| line.starts_with("note dealer-seed "))
        .unwrap();
    let other = format!("note dealer-seed {}", "07".repeat(32));
    let (status, said) = check(&last.replace(seed, &other));
    assert_eq!(status, Some(1), "{said}");
    server.stop();
}

/// A player whose connection ends at every message, and who comes back each time, now at one server, now at another.
pub(crate) async fn fitful(
    servers: &[String],
    table: &str,
    secret: &str,
    dice: &mut Dice,
) -> (u64, u64) {
    let mut known = None;
    let mut comings = 0;
    loop {
        let server = &servers[dice.below(servers.len())];
        let bot = match known.take() {
            Some(known) => Bot::come_back(server, table, Some(secret), known).await,
            None => Bot::connect(server, table, Some(secret)).await,
        };
        let mut bot = bot.unwrap_or_else(|trouble| panic!("{trouble}"));
        comings += 1;
        // What was missed is told first; it may be nothing.
        while bot.known.seq < bot.known.table.seq && bot.known.number() < bot.known.table.number {
            bot.hear()
                .await
                .unwrap_or_else(|trouble| panic!("{trouble}"));
        }
        if bot.known.is_over() {
            return (bot.known.state.hash(), comings);
        }
        let wish = bot.choose(dice).await.unwrap();
        // Half of the time it does not even wait for the answer.
        if wish.is_some() && dice.below(2) == 0 {
            known = Some(bot.leave().await);
            continue;
        }
        match bot.hear().await {
            Ok(_) | Err(Trouble::Gone(_)) => {}
            Err(wrong) => panic!("{wrong}"),
        }
        known = Some(bot.leave().await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_disconnects_at_every_message_plays_to_the_end() {
    let server = Served::with_sqlite("fitful", EAGER);
    let setup = "C2; seats 2; with abbot";
    let (table, _, secrets) = server.http().begin(setup, 2).await.unwrap();
    let servers = [server.address.clone()];
    let (mut one, mut two) = (Dice::new(1), Dice::new(2));
    let (one, two) = tokio::join!(
        fitful(&servers, &table, &secrets[0], &mut one),
        fitful(&servers, &table, &secrets[1], &mut two)
    );
    assert_eq!(one.0, two.0);
    assert!(one.1 > 70 && two.1 > 70, "{one:?} {two:?}");
    let file = server.http().file(&table).await.unwrap();
    assert_eq!(
        Game::read(file.as_bytes()).unwrap().history.state().hash(),
        one.0
    );
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_says_goodbye_and_every_game_is_there_again() {
    let folder = folder("stop");
    let data = folder.join("games.sqlite").display().to_string();
    let log = folder.join("log");
    let server = Served::start(&data, &log, EAGER);
    let (table, _, secrets) = server.http().begin("C2; seats 2", 2).await.unwrap();
    let mut bot = Bot::connect(&server.address, &table, Some(&secrets[0]))
        .await
        .unwrap();
    assert_eq!(bot.choose_one(&mut Dice::new(3)).await.unwrap(), Ok(()));
    let stopping = tokio::task::spawn_blocking(move || server.stop());
    loop {
        match bot.hear().await {
            Ok(News::Bye { seconds }) => {
                assert!(seconds > 0);
                break;
            }
            Ok(_) => {}
            Err(trouble) => panic!("no goodbye: {trouble}"),
        }
    }
    let known = bot.leave().await;
    let took = stopping.await.unwrap();
    assert!(took.as_secs() < 10, "{took:?}");
    let server = Served::start(&data, &log, EAGER);
    let there = server.http().table(&table).await.unwrap();
    assert_eq!(
        (there.stage, there.number),
        (Stage::Playing, known.number())
    );
    let bot = Bot::come_back(&server.address, &table, Some(&secrets[0]), known)
        .await
        .unwrap();
    assert_eq!(bot.known.table.number, there.number);
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn games_on_postgresql_are_played_to_the_end() {
    let Some(postgres) = Postgres::start("games") else {
        return;
    };
    let folder = folder("postgresql");
    let server = Served::start(&postgres.url(), &folder.join("log"), EAGER);
    whole_game(&server.address, "C2; seats 2; with abbot phantom", 7).await;
    // Everything else that is stored: accounts, chat, bans, a rematch.
    let http = server.http();
    let account = serde_json::json!({ "name": "Ann", "passphrase": "correct horse battery" });
    let session: serde_json::Value = http.post("/api/accounts", None, &account).await.unwrap();
    let again: Result<serde_json::Value, _> = http.post("/api/accounts", None, &account).await;
    assert_eq!(again.unwrap_err().code(), "name-taken");
    let (table, host, secrets) = http.begin("C2; seats 2", 2).await.unwrap();
    let say = Wish::Say {
        text: "Grüße, 你好".to_string(),
    };
    http.wish(&table, &secrets[0], &say).await.unwrap();
    http.wish(&table, &host, &Wish::Close).await.unwrap();
    http.wish(&table, &secrets[0], &Wish::Rematch)
        .await
        .unwrap();
    http.wish(&table, &secrets[1], &Wish::Answer { agree: true })
        .await
        .unwrap();
    let rematch = http.table(&table).await.unwrap().rematch.unwrap();
    let log = server.log.clone();
    server.stop();
    let server = Served::start(&postgres.url(), &log, EAGER);
    let http = server.http();
    assert_eq!(http.table(&rematch).await.unwrap().stage, Stage::Playing);
    let mut watcher = Bot::connect(&server.address, &table, None).await.unwrap();
    while !matches!(watcher.hear().await.unwrap(), News::Said { text, .. } if text == "Grüße, 你好")
    {
    }
    let session: serde_json::Value = http
        .post("/api/session", None, &account)
        .await
        .map(|new: serde_json::Value| {
            assert_ne!(new, session);
            new
        })
        .unwrap();
    assert_eq!(session["name"], "Ann");
    server.stop();
    assert_eq!(
        postgres.query("SELECT COUNT(*) FROM versions"),
        Some("2".to_string())
    );
}
