//! Tables, seats, clocks, chat and storage; it serves the client's files too.
//!
//! Every table is one task that owns its game. An input is stored before it is acknowledged and sent on; inputs of
//! different games are stored together, so that one slow disk write serves many.

mod accounts;
mod app;
mod blueprint;
mod draft;
mod limits;
mod log;
mod metrics;
mod secret;
mod site;
mod socket;
mod store;
mod table;
mod tables;
mod thinkers;
mod web;
mod who;
mod wishes;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::sync::watch;

use accounts::Accounts;
pub use limits::Limits;
use metrics::Metrics;
pub use site::Site;
use store::Store;
pub use tables::Keep;
use tables::Tables;

/// How long connections are given to end when the server stops.
const GOODBYE: Duration = Duration::from_secs(10);

/// How a server is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at.
    pub listen: SocketAddr,
    /// `sqlite:` or `postgres:` URL, or the path of a file for SQLite.
    pub data: String,
    /// The folder of the built client; none for the one inside the program, if there is one.
    pub client: Option<PathBuf>,
    /// Origins from which browsers may connect, besides the server's own; empty for none.
    pub origins: Vec<String>,
    /// Whether a proxy in front of the server says where requests come from.
    pub proxied: bool,
    /// The token that proves who runs the server; without one nobody does.
    pub operator_token: Option<String>,
    /// How many computer players think at the same time; none for one less than there are cores.
    pub thinkers: Option<usize>,
    /// How long things are kept.
    pub keep: Keep,
    /// The limits.
    pub limits: Limits,
}

impl Config {
    /// A server at an address with its data, and else as usual.
    pub fn new(listen: SocketAddr, data: impl Into<String>) -> Config {
        Config {
            listen,
            data: data.into(),
            client: None,
            origins: Vec::new(),
            proxied: false,
            operator_token: None,
            thinkers: None,
            keep: Keep::default(),
            limits: Limits::default(),
        }
    }
}

/// A server that is running.
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<Result<()>>,
}

/// Connections are files; as many as there may be are wanted.
#[cfg(unix)]
fn allow_many_connections() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        limit.current = limit.maximum;
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::debug!(%error, "the number of open files cannot be raised");
        }
    }
}

#[cfg(not(unix))]
fn allow_many_connections() {}

/// The data without its password, for messages.
fn without_password(data: &str) -> String {
    match (data.find("://"), data.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            let (before, after) = (data.get(..scheme + 3), data.get(at..));
            format!("{}…{}", before.unwrap_or(""), after.unwrap_or(""))
        }
        _ => data.to_string(),
    }
}

impl Server {
    /// Opens the data, takes up every unfinished game, and listens.
    ///
    /// # Errors
    /// The data cannot be opened, or the address cannot be listened at.
    pub async fn start(config: Config) -> Result<Server> {
        allow_many_connections();
        let limits = Arc::new(config.limits);
        let metrics = Arc::new(Metrics::default());
        let store = Store::open(&config.data, &limits, metrics.clone())
            .await
            .with_context(|| format!("the data at {}", without_password(&config.data)))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let thinkers = config.thinkers.unwrap_or(cores - 1).max(1);
        let (limits_, metrics_) = (limits.clone(), metrics.clone());
        let tables = Tables::load(store, limits_, metrics_, thinkers, config.keep).await?;
        let accounts = Accounts::load(tables.store().clone(), limits.clone()).await?;
        let site = match &config.client {
            Some(folder) => {
                Site::load(folder).with_context(|| format!("the client in {}", folder.display()))?
            }
            None => Site::embedded(),
        };
        let listener = TcpListener::bind(config.listen)
            .await
            .with_context(|| format!("listening at {}", config.listen))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let app = web::router(Arc::new(app::App::new(app::Parts {
            tables: tables.clone(),
            accounts,
            limits,
            metrics,
            stopped: stopped.clone(),
            site,
            origins: config.origins,
            proxied: config.proxied,
            operator_token: config.operator_token,
        })));
        let mut until = stopped.clone();
        let mut since = stopped;
        let task = tokio::spawn(async move {
            let service = app.into_make_service_with_connect_info::<SocketAddr>();
            // News and the answer to a wish follow each other: the second must not wait until the first is confirmed.
            let listener = listener.tap_io(|connection| {
                if let Err(error) = connection.set_nodelay(true) {
                    tracing::debug!(%error, "a connection may be slow");
                }
            });
            let serving = axum::serve(listener, service)
                .with_graceful_shutdown(async move {
                    let _ = until.wait_for(|stop| *stop).await;
                })
                .into_future();
            // A connection that does not end must not keep the server from ending.
            let patience = async move {
                let _ = since.wait_for(|stop| *stop).await;
                tokio::time::sleep(GOODBYE).await;
            };
            tokio::select! {
                served = serving => served?,
                () = patience => tracing::warn!("some connections did not end in time"),
            }
            tables.close().await;
            Ok(())
        });
        tracing::info!(%address, "listening");
        Ok(Server {
            address,
            stop,
            task,
        })
    }

    /// The address it listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Tells the clients to come back, finishes what was begun, and stops.
    ///
    /// # Errors
    /// What went wrong while serving.
    pub async fn stop(self) -> Result<()> {
        let _ = self.stop.send(true);
        self.task.await?
    }

    /// Serves until the process is asked to end.
    ///
    /// # Errors
    /// What went wrong while serving.
    pub async fn run(self) -> Result<()> {
        asked_to_end().await;
        tracing::info!("stopping");
        self.stop().await
    }
}

async fn asked_to_end() {
    let interrupt = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
