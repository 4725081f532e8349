//! Accepted inputs a second, and how long from sending a choice to its acknowledgement, over real sockets of this machine.
//!
//! `cargo xtask bench server [DATA [GAMES SECONDS [IDLE-GAMES SECONDS]]]`. DATA is `sqlite` (default), `postgres` (one is
//! started for it), a file or a URL. First GAMES games (64) are played at full speed for SECONDS (15); then IDLE-GAMES (2000)
//! games go on with one input every 5 s each for SECONDS (30).

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use trencavel_bot::{Bot, Dice, Http};
use trencavel_server::{Config, Server};

const SETUP: &str = "C2; seats 1; with abbot";

/// How long answers took.
#[derive(Default)]
struct Times(Mutex<Vec<Duration>>);

impl Times {
    async fn add(&self, time: Duration) {
        self.0.lock().await.push(time);
    }

    async fn print(&self, what: &str, elapsed: Duration, inputs: u64) {
        let mut times = self.0.lock().await;
        times.sort();
        let at = |share: f64| {
            let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
            times
                .get(place)
                .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let seconds = elapsed.as_secs_f64();
        println!(
            "{what}: {:.0} inputs a second stored ({:.0} choices acknowledged); p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
            inputs as f64 / seconds,
            times.len() as f64 / seconds,
            at(0.50),
            at(0.95),
            at(0.99),
            at(1.0)
        );
        times.clear();
    }
}

/// One game by one player, and again, until the time is over.
async fn play(
    address: String,
    seed: u64,
    pace: Option<Duration>,
    until: Instant,
    times: Arc<Times>,
    choices: Arc<AtomicU64>,
) {
    let http = Http::new(address.clone());
    let mut dice = Dice::new(seed);
    while Instant::now() < until {
        let (table, _, secrets) = http.begin(SETUP, 1).await.expect("a table");
        let mut bot = Bot::connect(&address, &table, secrets.first().map(String::as_str))
            .await
            .expect("a connection");
        bot.remembers = false;
        if let Some(pace) = pace {
            // Not all at the same moment.
            tokio::time::sleep(pace.mul_f64(dice.below(1000) as f64 / 1000.0)).await;
        }
        while !bot.known.is_over() && Instant::now() < until {
            let began = Instant::now();
            match bot.choose(&mut dice).await.expect("the connection") {
                None => drop(bot.hear().await.expect("news")),
                Some(wish) => {
                    assert_eq!(bot.answer(wish).await.expect("an answer"), Ok(()));
                    times.add(began.elapsed()).await;
                    choices.fetch_add(1, Ordering::Relaxed);
                    if let Some(pace) = pace {
                        tokio::time::sleep(pace.saturating_sub(began.elapsed())).await;
                    }
                }
            }
        }
        let _ = bot.leave().await;
    }
}

async fn stored(http: &Http) -> u64 {
    let metrics = http.get("/metrics").await.unwrap_or_default();
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix("trencavel_inputs_stored "));
    line.and_then(|n| n.parse().ok()).unwrap_or(0)
}

async fn round(address: &str, what: &str, games: u64, seconds: u64, pace: Option<Duration>) {
    let (times, choices) = (Arc::new(Times::default()), Arc::new(AtomicU64::new(0)));
    let http = Http::new(address);
    let began = Instant::now();
    // Opening the connections is no part of the measurement at a pace; it takes a while.
    let warm = if pace.is_some() { 20 } else { 1 };
    let until = began + Duration::from_secs(seconds + warm);
    let mut players = Vec::new();
    for seed in 0..games {
        players.push(tokio::spawn(play(
            address.to_string(),
            seed,
            pace,
            until,
            times.clone(),
            choices.clone(),
        )));
        if pace.is_some() {
            tokio::time::sleep(Duration::from_millis(warm * 900 / games.max(1))).await;
        }
    }
    tokio::time::sleep(
        (began + Duration::from_secs(warm)).saturating_duration_since(Instant::now()),
    )
    .await;
    times.0.lock().await.clear();
    let (before, measured) = (stored(&http).await, Instant::now());
    tokio::time::sleep(until.saturating_duration_since(Instant::now())).await;
    let inputs = stored(&http).await - before;
    times.print(what, measured.elapsed(), inputs).await;
    for player in players {
        player.await.expect("a player");
    }
}

/// A PostgreSQL for the time of the measurement.
struct Postgres(Child, std::path::PathBuf);

impl Postgres {
    fn start() -> std::io::Result<(Postgres, String)> {
        let folder = std::env::temp_dir().join(format!("trencavel-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let as_user = |program: &str| {
            let root = Command::new("id")
                .arg("-u")
                .output()
                .is_ok_and(|o| o.stdout == b"0\n");
            let mut command = if root {
                let mut command = Command::new("runuser");
                command.args(["-u", "postgres", "--", program]);
                command
            } else {
                Command::new(program)
            };
            command.current_dir(&folder);
            command
        };
        let mut versions: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")?
            .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
            .collect();
        versions.sort();
        let programs = versions.pop().unwrap_or_default();
        let program = |name: &str| programs.join(name).display().to_string();
        Command::new("chown")
            .arg("postgres")
            .arg(&folder)
            .stderr(Stdio::null())
            .status()?;
        let data = folder.join("data").display().to_string();
        let made = as_user(&program("initdb"))
            .args(["-A", "trust", "-U", "postgres", "-D", &data])
            .stdout(Stdio::null())
            .status()?;
        assert!(made.success(), "initdb");
        let port = std::net::TcpListener::bind("127.0.0.1:0")?
            .local_addr()?
            .port();
        let child = as_user("timeout")
            .args([
                "-s",
                "QUIT",
                "900",
                &program("postgres"),
                "-D",
                &data,
                "-p",
                &port.to_string(),
            ])
            .args([
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
            ])
            .stderr(Stdio::null())
            .spawn()?;
        for _ in 0..300 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        std::thread::sleep(Duration::from_secs(1));
        Ok((
            Postgres(child, folder),
            format!("postgres://postgres:unused@127.0.0.1:{port}/postgres"),
        ))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Ok(text) = std::fs::read_to_string(self.1.join("data/postmaster.pid")) {
            let pid = text.lines().next().unwrap_or("");
            let _ = Command::new("kill").args(["-QUIT", pid]).status();
        }
        let _ = self.0.wait();
        let _ = std::fs::remove_dir_all(&self.1);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        args.get(at)
            .and_then(|arg| arg.parse().ok())
            .unwrap_or(default)
    };
    let what = args.first().map_or("sqlite", String::as_str);
    let folder =
        std::env::temp_dir().join(format!("trencavel-bench-sqlite-{}", std::process::id()));
    let (postgres, data) = match what {
        "postgres" => {
            let (postgres, url) = Postgres::start().expect("PostgreSQL");
            (Some(postgres), url)
        }
        "sqlite" => {
            std::fs::create_dir_all(&folder).expect("a folder");
            (None, folder.join("games.sqlite").display().to_string())
        }
        data => (None, data.to_string()),
    };
    let runtime = tokio::runtime::Runtime::new().expect("the runtime");
    runtime.block_on(async {
        let mut config = Config::new(SocketAddr::from(([127, 0, 0, 1], 0)), data);
        let limits = &mut config.limits;
        for limit in [
            &mut limits.wishes_per_second,
            &mut limits.requests_per_second,
            &mut limits.joins_per_minute,
            &mut limits.tables_per_address,
            &mut limits.tables,
            &mut limits.connections_per_address,
        ] {
            *limit = 1_000_000;
        }
        let server = Server::start(config).await.expect("the server");
        let address = server.address().to_string();
        let (games, seconds) = (number(1, 64), number(2, 15));
        if games > 0 {
            round(
                &address,
                &format!("{what}, {games} games at full speed"),
                games,
                seconds,
                None,
            )
            .await;
        }
        let (games, seconds) = (number(3, 2000), number(4, 30));
        if games > 0 {
            let pace = Some(Duration::from_secs(5));
            round(
                &address,
                &format!("{what}, {games} games with an input every 5 s"),
                games,
                seconds,
                pace,
            )
            .await;
        }
        if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
            let line = status.lines().find(|line| line.starts_with("VmHWM"));
            println!(
                "most memory of server and clients together: {}",
                line.unwrap_or("").trim_start_matches("VmHWM:").trim()
            );
        }
        server.stop().await.expect("stopped");
    });
    drop(postgres);
    let _ = std::fs::remove_dir_all(&folder);
}
