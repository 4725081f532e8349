//! The server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use trencavel_server::{Config, Server};

/// Options of `serve`. Each can also be given by the environment, as TRENCAVEL_LISTEN and so on.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address to listen at; 0.0.0.0 for every address of the machine
    #[arg(long, env = "TRENCAVEL_LISTEN", default_value = "127.0.0.1:8420")]
    listen: SocketAddr,
    /// Where games are kept: a file for SQLite, or postgres://user:password@host/name
    #[arg(
        long,
        env = "TRENCAVEL_DATA",
        default_value = "trencavel.sqlite",
        hide_env_values = true
    )]
    data: String,
    /// The folder of the built client (`cargo xtask play` builds it)
    #[arg(long, env = "TRENCAVEL_CLIENT")]
    client: Option<PathBuf>,
    /// Another origin whose pages may connect, such as <https://games.example>; may be repeated
    #[arg(long = "origin", env = "TRENCAVEL_ORIGINS", value_delimiter = ',')]
    origins: Vec<String>,
    /// How much is logged: error, warn, info, debug, trace
    #[arg(long, env = "TRENCAVEL_LOG", default_value = "info")]
    log: tracing::Level,
}

/// Serves until the process is asked to end.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    tracing_subscriber::fmt()
        .with_max_level(args.log)
        .with_target(false)
        .with_writer(std::io::stderr)
        .init();
    let config = Config {
        listen: args.listen,
        data: args.data,
        client: args.client,
        origins: args.origins,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime")?;
    runtime.block_on(async {
        let server = Server::start(config).await?;
        println!("http://{}", server.address());
        server.run().await
    })?;
    Ok(ExitCode::SUCCESS)
}
