//! What must not lose anything: a server that is killed, a disk that is full, a database that goes away and comes back.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use trencavel_bot::{Bot, Dice, Http, Knowledge, Trouble};
use trencavel_record::dealer;
use trencavel_record::game::Game;
use trencavel_record::notation::input_text;

use crate::harness::{EAGER, Postgres, Served, folder};

/// Games that are played at the same time while the server is killed.
const GAMES: usize = 8;

/// How often the server is killed: `cargo xtask faults` does it 50 times.
fn kills() -> u64 {
    let kills = std::env::var("TRENCAVEL_KILLS").ok();
    kills.and_then(|text| text.parse().ok()).unwrap_or(4)
}

/// A seat at a game, and what its player has been told.
struct Chair {
    table: String,
    secret: String,
    known: Option<Knowledge>,
    /// The number of the last input that was acknowledged to this player.
    acknowledged: u64,
    dice: Dice,
}

impl Chair {
    /// Plays until the connection breaks or the game is over.
    async fn play(&mut self, server: &str, stop: &AtomicBool) {
        let bot = match self.known.clone() {
            Some(known) => Bot::come_back(server, &self.table, Some(&self.secret), known).await,
            None => Bot::connect(server, &self.table, Some(&self.secret)).await,
        };
        let mut bot = match bot {
            Ok(bot) => bot,
            Err(Trouble::Gone(_)) => return,
            Err(wrong) => panic!("{wrong}"),
        };
        bot.remembers = false;
        let mut sent = None;
        while !bot.known.is_over() && !stop.load(Ordering::Relaxed) {
            let number = bot.known.number();
            if sent != Some(number) {
                match bot.choose(&mut self.dice).await {
                    Ok(Some(_)) => sent = Some(number),
                    Ok(None) => {}
                    Err(_) => break,
                }
            }
            // What was told is stored; a choice of the bot's own is told to it, too.
            match bot.hear().await {
                Ok(_) => self.acknowledged = self.acknowledged.max(bot.known.number()),
                Err(Trouble::Gone(_)) => break,
                Err(wrong) => panic!("{wrong}"),
            }
        }
        self.known = Some(bot.leave().await);
    }

    /// Everything that was acknowledged is there, and is the same.
    async fn check(&self, http: &Http) {
        let Some(known) = &self.known else { return };
        let there = http.table(&self.table).await.unwrap();
        assert!(
            there.number >= self.acknowledged,
            "{}: input {} was acknowledged, there are {}",
            self.table,
            self.acknowledged,
            there.number
        );
        let mut fresh = Bot::connect(&http.address, &self.table, Some(&self.secret))
            .await
            .unwrap();
        while fresh.known.number() < known.number() {
            fresh.hear().await.unwrap();
        }
        assert_eq!(
            fresh.known.inputs[..known.inputs.len()],
            known.inputs[..],
            "{}",
            self.table
        );
    }
}

async fn new_chairs(http: &Http, seed: u64) -> Vec<Arc<Mutex<Chair>>> {
    let (table, _, secrets) = http.begin("C2; seats 2; with abbot", 2).await.unwrap();
    let chair = |(n, secret)| Chair {
        table: table.clone(),
        secret,
        known: None,
        acknowledged: 0,
        dice: Dice::new(n),
    };
    (seed..)
        .zip(secrets)
        .map(|pair| Arc::new(Mutex::new(chair(pair))))
        .collect()
}

/// Kills the server at random moments while games are played.
async fn killed_again_and_again(data: &str, log: &Path, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut server = Served::start(data, log, EAGER);
    let mut chairs: Vec<Arc<Mutex<Chair>>> = Vec::new();
    let (mut inputs, mut finished) = (0, 0);
    for round in 0..kills() {
        let http = server.http();
        while chairs.len() < 2 * GAMES {
            chairs.extend(new_chairs(&http, seed + 100 * round + chairs.len() as u64).await);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let players: Vec<_> = chairs
            .iter()
            .map(|chair| {
                let (chair, address, stop) = (chair.clone(), server.address.clone(), stop.clone());
                tokio::spawn(async move { chair.lock().await.play(&address, &stop).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(200 + dice.below(1200) as u64)).await;
        server.kill();
        stop.store(true, Ordering::Relaxed);
        for player in players {
            player.await.unwrap();
        }
        server = Served::start(data, log, EAGER);
        let http = server.http();
        let mut going = Vec::new();
        for chair in chairs {
            let seat = chair.lock().await;
            seat.check(&http).await;
            if seat.known.as_ref().is_some_and(Knowledge::is_over) {
                let file = http.file(&seat.table).await.unwrap();
                let game = Game::read(file.as_bytes()).unwrap();
                assert_eq!(dealer::check(&game), Ok(true));
                inputs += seat.acknowledged;
                finished += 1;
            } else {
                drop(seat);
                going.push(chair);
            }
        }
        chairs = going;
    }
    // No game is broken: those under way are played to their end.
    let address = server.address.clone();
    let players: Vec<_> = chairs
        .iter()
        .map(|chair| {
            let (chair, address) = (chair.clone(), address.clone());
            tokio::spawn(async move {
                chair
                    .lock()
                    .await
                    .play(&address, &AtomicBool::new(false))
                    .await
            })
        })
        .collect();
    for player in players {
        player.await.unwrap();
    }
    for chair in &chairs {
        let seat = chair.lock().await;
        assert!(
            seat.known.as_ref().is_some_and(Knowledge::is_over),
            "{} does not end",
            seat.table
        );
        seat.check(&server.http()).await;
        inputs += seat.acknowledged;
        finished += 1;
    }
    println!(
        "killed {} times; {} games finished, {} inputs acknowledged, none lost",
        kills(),
        finished / 2,
        inputs / 2
    );
    let log = std::fs::read_to_string(log).unwrap();
    assert!(
        !log.contains("does not apply") && !log.contains("cannot be taken up"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_the_server_is_killed_with_sqlite() {
    let folder = folder("killed");
    let data = folder.join("games.sqlite").display().to_string();
    killed_again_and_again(&data, &folder.join("log"), 11).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_the_server_is_killed_with_postgresql() {
    let Some(postgres) = Postgres::start("killed") else {
        return;
    };
    killed_again_and_again(
        &postgres.url(),
        &folder("killed-postgresql").join("log"),
        22,
    )
    .await;
}

/// Sends choices until one is refused; the word of the refusal.
async fn until_refused(bot: &mut Bot, dice: &mut Dice) -> String {
    loop {
        if let Err(code) = bot.choose_one(dice).await.unwrap() {
            return code;
        }
    }
}

/// Plays on to the end of the game, and compares its file with what was told.
async fn to_the_end(server: &Served, bot: &mut Bot, table: &str, dice: &mut Dice) {
    while !bot.known.is_over() {
        match bot.choose(dice).await.unwrap() {
            Some(wish) => {
                // The table may be about to find out that the storage works again.
                if bot.answer(wish).await.unwrap().is_err() {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
            }
            None => {
                bot.hear().await.unwrap();
            }
        }
    }
    let file = server.http().file(table).await.unwrap();
    let game = Game::read(file.as_bytes()).unwrap();
    assert_eq!(game.history.inputs(), bot.known.inputs);
    assert_eq!(dealer::check(&game), Ok(true));
    let rules = game.history.rules();
    assert!(!input_text(rules, &rules.start(), game.history.inputs()[0]).is_empty());
}

async fn alone(server: &Served) -> (String, Bot) {
    let (table, _, secrets) = server.http().begin("C2; seats 1", 1).await.unwrap();
    let bot = Bot::connect(&server.address, &table, Some(&secrets[0]))
        .await
        .unwrap();
    (table, bot)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_away_and_comes_back_loses_nothing() {
    let Some(mut postgres) = Postgres::start("away") else {
        return;
    };
    let folder = folder("away");
    let server = Served::start(&postgres.url(), &folder.join("log"), EAGER);
    let (table, mut bot) = alone(&server).await;
    let mut dice = Dice::new(4);
    for _ in 0..3 {
        for _ in 0..5 {
            if let Some(wish) = bot.choose(&mut dice).await.unwrap() {
                assert_eq!(bot.answer(wish).await.unwrap(), Ok(()));
            }
        }
        postgres.kill();
        assert_eq!(until_refused(&mut bot, &mut dice).await, "storage");
        assert!(
            server.http().get("/healthz").await.is_err(),
            "the server says that it is not well"
        );
        let made = server.http().begin("C2; seats 1", 1).await;
        assert_eq!(made.unwrap_err().code(), "storage");
        postgres.run();
        for attempt in 0.. {
            if server.http().get("/healthz").await.is_ok() {
                break;
            }
            assert!(attempt < 600, "the server does not find its database again");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    to_the_end(&server, &mut bot, &table, &mut dice).await;
    let log = std::fs::read_to_string(&server.log).unwrap();
    assert!(log.contains("the storage failed"));
    server.stop();
}

/// A small disk that is there as long as this lives.
struct Disk(std::path::PathBuf);

impl Disk {
    fn mount(path: &Path) -> Option<Disk> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=4m", "trencavel-test"])
            .arg(path)
            .output()
            .ok()?;
        if mounted.status.success() {
            return Some(Disk(path.to_path_buf()));
        }
        eprintln!(
            "SKIPPED: no small disk can be mounted: {}",
            String::from_utf8_lossy(&mounted.stderr).trim()
        );
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_and_nothing_is_lost() {
    let folder = folder("full");
    let Some(_disk) = Disk::mount(&folder) else {
        return;
    };
    let log = self::folder("full-log").join("log");
    let server = Served::start(folder.join("games.sqlite").to_str().unwrap(), &log, EAGER);
    let (table, mut bot) = alone(&server).await;
    let mut dice = Dice::new(5);
    let filler = folder.join("filler");
    for _ in 0..2 {
        // Until nothing more goes onto it.
        let written = std::fs::write(&filler, vec![1; 8 << 20]);
        assert!(written.is_err(), "the disk is larger than it should be");
        assert_eq!(until_refused(&mut bot, &mut dice).await, "storage");
        std::fs::remove_file(&filler).unwrap();
        let again = bot.choose_one(&mut dice).await.unwrap();
        assert_eq!(again, Ok(()), "it goes on without a restart");
    }
    to_the_end(&server, &mut bot, &table, &mut dice).await;
    server.stop();
}
