//! Tables, seats, clocks, chat and storage; it serves the client's files too.
//!
//! Every table is one task that owns its game. An input is stored before it is acknowledged and sent on; inputs of
//! different games are stored together, so that one slow disk write serves many.

pub mod limits;
mod secret;
mod site;
mod store;
mod table;
mod tables;
mod web;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use site::Site;
use store::Store;
use tables::Tables;

/// How a server is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at.
    pub listen: SocketAddr,
    /// `sqlite:` or `postgres:` URL, or the path of a file for SQLite.
    pub data: String,
    /// The folder of the built client, if it is served.
    pub client: Option<PathBuf>,
    /// Origins from which browsers may connect, besides the server's own; empty for none.
    pub origins: Vec<String>,
}

/// A server that is running.
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<Result<()>>,
}

impl Server {
    /// Opens the data, takes up every unfinished game, and listens.
    ///
    /// # Errors
    /// The data cannot be opened, or the address cannot be listened at.
    pub async fn start(config: Config) -> Result<Server> {
        let store = Store::open(&config.data)
            .await
            .with_context(|| format!("the data at {}", config.data))?;
        let tables = Tables::load(store).await?;
        let site = match &config.client {
            Some(folder) => {
                Site::load(folder).with_context(|| format!("the client in {}", folder.display()))?
            }
            None => Site::empty(),
        };
        let listener = TcpListener::bind(config.listen)
            .await
            .with_context(|| format!("listening at {}", config.listen))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let app = web::router(Arc::new(web::App::new(
            tables.clone(),
            site,
            config.origins,
            stopped.clone(),
        )));
        let mut until = stopped.clone();
        let task = tokio::spawn(async move {
            let service = app.into_make_service_with_connect_info::<SocketAddr>();
            axum::serve(listener, service)
                .with_graceful_shutdown(async move {
                    let _ = until.wait_for(|stop| *stop).await;
                })
                .await?;
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
