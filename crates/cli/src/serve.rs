//! The server.

use std::io::{IsTerminal as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use trencavel_server::{Config, Keep, Limits, Server};

/// Options of `serve`.
#[derive(clap::Args, Default)]
#[command(after_long_help = HELP)]
pub(crate) struct Args {
    /// A TOML file with any of these options
    #[arg(long, env = "TRENCAVEL_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The address to listen at; 0.0.0.0 for every address of the machine [default: 127.0.0.1:8420]
    #[arg(long, env = "TRENCAVEL_LISTEN", value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Where games are kept: a file for SQLite, or postgres://user:password@host/name [default: trencavel.sqlite]
    ///
    /// SQLite is for one server. Any number of servers may work on one PostgreSQL; each serves every game.
    #[arg(
        long,
        env = "TRENCAVEL_DATA",
        hide_env_values = true,
        value_name = "FILE|URL"
    )]
    data: Option<String>,
    /// The folder of the built client, instead of the one inside the program (`cargo xtask play` builds it)
    #[arg(long, env = "TRENCAVEL_CLIENT", value_name = "FOLDER")]
    client: Option<PathBuf>,
    /// Another origin whose pages may connect, such as <https://games.example>; may be repeated
    #[arg(
        long = "origin",
        env = "TRENCAVEL_ORIGINS",
        value_delimiter = ',',
        value_name = "ORIGIN"
    )]
    origins: Vec<String>,
    /// Believe X-Forwarded-For and X-Forwarded-Proto: there is a proxy in front of the server, and only it can reach it
    #[arg(long, env = "TRENCAVEL_PROXIED", num_args = 0..=1, default_missing_value = "true", value_name = "true|false")]
    proxied: Option<bool>,
    /// A file whose first line is the token with which the operator of the server gives orders (see docs/hosting.md)
    #[arg(long, env = "TRENCAVEL_OPERATOR_TOKEN_FILE", value_name = "FILE")]
    operator_token_file: Option<PathBuf>,
    /// How many computer players think at the same time [default: one less than there are cores, at least 1]
    #[arg(long, env = "TRENCAVEL_THINKERS", value_name = "N")]
    thinkers: Option<usize>,
    /// Delete finished games after so many days [default: never]
    #[arg(long, env = "TRENCAVEL_KEEP_GAMES_DAYS", value_name = "DAYS")]
    keep_games_days: Option<u32>,
    /// Delete what was said at finished games after so many days [default: never]
    #[arg(long, env = "TRENCAVEL_KEEP_CHAT_DAYS", value_name = "DAYS")]
    keep_chat_days: Option<u32>,
    /// How much is logged: error, warn, info, debug, trace [default: info]
    #[arg(long, env = "TRENCAVEL_LOG", value_name = "LEVEL")]
    log: Option<tracing::Level>,
    /// Log lines of JSON, for programs
    #[arg(long, env = "TRENCAVEL_LOG_JSON", num_args = 0..=1, default_missing_value = "true", value_name = "true|false")]
    log_json: Option<bool>,
    /// Change a limit; may be repeated. A limit is written as in docs/hosting.md, such as chat-lines=100
    #[arg(
        long = "limit",
        env = "TRENCAVEL_LIMITS",
        value_delimiter = ',',
        value_name = "NAME=NUMBER"
    )]
    limits: Vec<String>,
}

const HELP: &str = "\
An option on the command line comes before one of the environment, and that before one of the file. In the file, options are
written without dashes before them, and limits in a table of their own:

    listen = \"127.0.0.1:8420\"
    data = \"/var/lib/trencavel/games.sqlite\"
    proxied = true
    keep-games-days = 365

    [limits]
    chat-lines = 100

The server stops on SIGTERM and SIGINT: it finishes what it writes and tells the clients to come back.
/healthz says whether it and its storage are well, /metrics has figures for Prometheus, /api describes the protocol.
docs/hosting.md tells about proxies, TLS, systemd, backups and upgrades.";

/// The options as a file has them.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    listen: Option<SocketAddr>,
    data: Option<String>,
    client: Option<PathBuf>,
    origins: Vec<String>,
    proxied: Option<bool>,
    operator_token_file: Option<PathBuf>,
    thinkers: Option<usize>,
    keep_games_days: Option<u32>,
    keep_chat_days: Option<u32>,
    log: Option<String>,
    log_json: Option<bool>,
    limits: toml::Table,
}

/// How the server logs.
struct Log {
    level: tracing::Level,
    json: bool,
}

fn read_file(path: &Path) -> Result<File> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

/// The limits of the file, then those of the command line or the environment.
fn limits(mut table: toml::Table, given: &[String]) -> Result<Limits> {
    for limit in given {
        let pair = limit
            .split_once('=')
            .and_then(|(name, number)| Some((name.trim(), number.trim().parse::<i64>().ok()?)));
        let Some((name, number)) = pair else {
            bail!("--limit {limit}: write it as NAME=NUMBER");
        };
        table.insert(name.to_string(), toml::Value::Integer(number));
    }
    table.try_into().context("the limits")
}

/// The first line of a file, which must be long enough that nobody guesses it.
fn read_token(path: &Path) -> Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let token = text.lines().next().unwrap_or("").trim().to_string();
    if token.len() < 20 {
        bail!(
            "{}: the operator's token has at least 20 characters",
            path.display()
        );
    }
    Ok(token)
}

fn settle(args: Args) -> Result<(Config, Log)> {
    let file = match &args.config {
        Some(path) => read_file(path)?,
        None => File::default(),
    };
    let token_file = args.operator_token_file.or(file.operator_token_file);
    let level = match (args.log, file.log) {
        (Some(level), _) => level,
        (None, Some(word)) => word
            .parse()
            .with_context(|| format!("log = \"{word}\" in the file"))?,
        (None, None) => tracing::Level::INFO,
    };
    let origins = if args.origins.is_empty() {
        file.origins
    } else {
        args.origins
    };
    let listen = args.listen.or(file.listen);
    let data = args.data.or(file.data);
    let config = Config {
        client: args.client.or(file.client),
        origins,
        proxied: args.proxied.or(file.proxied).unwrap_or(false),
        operator_token: token_file.as_deref().map(read_token).transpose()?,
        thinkers: args.thinkers.or(file.thinkers),
        keep: Keep {
            games_days: args.keep_games_days.or(file.keep_games_days),
            chat_days: args.keep_chat_days.or(file.keep_chat_days),
        },
        limits: limits(file.limits, &args.limits)?,
        ..Config::new(
            listen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8420))),
            data.unwrap_or_else(|| "trencavel.sqlite".to_string()),
        )
    };
    let log = Log {
        level,
        json: args.log_json.or(file.log_json).unwrap_or(false),
    };
    Ok((config, log))
}

/// Serves until the process is asked to end.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (config, log) = settle(args)?;
    // Libraries may log what passes through them; nobody answers for what that is.
    let levels = Targets::new()
        .with_target("trencavel", log.level)
        .with_default(log.level.min(tracing::Level::WARN));
    let lines = tracing_subscriber::fmt::layer()
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    if log.json {
        let lines = lines.json().with_filter(levels);
        tracing_subscriber::registry().with(lines).init();
    } else {
        let lines = lines.with_filter(levels);
        tracing_subscriber::registry().with(lines).init();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime")?;
    runtime.block_on(async {
        let server = Server::start(config).await?;
        // Whoever does not read where it is has no less of a server.
        let _ = writeln!(std::io::stdout(), "http://{}", server.address());
        server.run().await
    })?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn file(text: &str) -> PathBuf {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("trencavel-{}-{count}.toml", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn flags_come_before_the_file_and_that_before_the_defaults() {
        let config = file(
            "listen = \"127.0.0.1:1\"\nproxied = true\nlog = \"debug\"\n[limits]\nchat-lines = 7\nlobby = 3\n",
        );
        let args = Args {
            config: Some(config),
            listen: Some(SocketAddr::from(([127, 0, 0, 1], 2))),
            limits: vec!["lobby=4".to_string()],
            ..Args::default()
        };
        let (config, log) = settle(args).unwrap();
        assert_eq!(config.listen.port(), 2);
        assert!(config.proxied);
        assert_eq!(log.level, tracing::Level::DEBUG);
        assert_eq!((config.limits.chat_lines, config.limits.lobby), (7, 4));
        assert_eq!(config.limits.chat_chars, Limits::default().chat_chars);
        assert_eq!(config.data, "trencavel.sqlite");
    }

    #[test]
    fn what_the_file_does_not_know_is_an_error() {
        for (text, word) in [
            ("lisen = \"127.0.0.1:1\"\n", "lisen"),
            ("[limits]\nchat-linez = 7\n", "chat-linez"),
            ("[limits]\nchat-lines = -7\n\n", "limits"),
        ] {
            let args = Args {
                config: Some(file(text)),
                ..Args::default()
            };
            let error = format!("{:#}", settle(args).map(|_| ()).unwrap_err());
            assert!(error.contains(word), "{error}");
        }
        let args = Args {
            limits: vec!["chat-lines".to_string()],
            ..Args::default()
        };
        assert!(settle(args).is_err());
    }
}
