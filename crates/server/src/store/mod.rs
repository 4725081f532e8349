//! Storage: SQLite in one file, or PostgreSQL. The same statements serve both.
//!
//! Each table has a log of entries with unique numbers: of two who store the same number, one loses. What else is kept of a
//! table (stage, when it is due, a summary for the lobby) changes in the transaction of the entry that changes it.

mod accounts;
mod entries;
mod migrations;
mod rows;

use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use sqlx::AnyPool;
use sqlx::any::AnyPoolOptions;
use sqlx::postgres::{PgConnectOptions, PgListener};
use tokio::sync::{broadcast, mpsc};

use crate::limits::Limits;
use crate::metrics::{Metrics, count};
use crate::secret;

pub(crate) use accounts::{StoredAccount, StoredBan};
pub(crate) use entries::Entry;
pub(crate) use rows::{Row, StoredChat, StoredTable};

/// The channel of PostgreSQL on which servers tell each other what they stored.
const CHANNEL: &str = "trencavel";
/// How many transactions run at the same time with PostgreSQL; SQLite has one writer.
const WRITERS: usize = 4;
/// How long a statement waits for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why something was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotStored {
    /// Somebody else has stored this number.
    Taken,
    /// The storage does not work now.
    Broken,
}

/// What another server tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// There are new entries in these tables' logs.
    Entries(Vec<String>),
    /// Something was said, or deleted, at a table.
    Chat(String),
    /// Who is connected to a table there: by seat, and how many watch.
    Here {
        node: String,
        table: String,
        here: Vec<bool>,
        spectators: u32,
    },
    /// A table was deleted.
    Deleted(String),
    /// The bans have changed.
    Bans,
    /// Notices may have been missed: everything has to be looked at.
    Missed,
}

/// The storage.
#[derive(Clone)]
pub(crate) struct Store {
    /// For reading; with PostgreSQL for everything.
    pool: AnyPool,
    /// For writing: SQLite has one writer at a time.
    writing: AnyPool,
    writers: Arc<[mpsc::Sender<entries::Write>]>,
    notices: broadcast::Sender<Notice>,
    postgres: bool,
    /// This server's name among those on the same data.
    node: Arc<str>,
    metrics: Arc<Metrics>,
}

/// Now, in seconds since 1970.
pub(crate) fn now() -> i64 {
    now_ms() / 1000
}

/// Now, in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| {
            i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
        })
}

async fn pool(url: &str, postgres: bool, most: u32) -> Result<AnyPool> {
    let options = AnyPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(PATIENCE)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                let settings: &[&str] = if postgres {
                    // A server that hangs must not hold a table for ever.
                    &["SET statement_timeout = 10000", "SET lock_timeout = 5000"]
                } else {
                    &[
                        "PRAGMA journal_mode=WAL",
                        "PRAGMA synchronous=FULL",
                        "PRAGMA busy_timeout=5000",
                    ]
                };
                for setting in settings {
                    sqlx::query(*setting).execute(&mut *connection).await?;
                }
                Ok(())
            })
        });
    Ok(options.connect(url).await?)
}

impl Store {
    /// Opens a storage: a URL of SQLite or PostgreSQL, or the path of a file for SQLite.
    pub(crate) async fn open(data: &str, limits: &Limits, metrics: Arc<Metrics>) -> Result<Store> {
        sqlx::any::install_default_drivers();
        let postgres = data.starts_with("postgres:") || data.starts_with("postgresql:");
        let url = match data {
            data if postgres || data.starts_with("sqlite:") => data.to_string(),
            data if data.contains("://") => bail!("data is a file, sqlite:… or postgres://…"),
            file => format!("sqlite://{file}?mode=rwc"),
        };
        let writing = pool(&url, postgres, if postgres { 12 } else { 1 }).await?;
        migrations::run(&writing, postgres)
            .await
            .context("bringing the data up to this version")?;
        let pool = if postgres {
            writing.clone()
        } else {
            pool(&url, postgres, 4).await?
        };
        let node = secret::new_secret()
            .map_err(|_| anyhow::anyhow!("the system gives no random numbers"))?;
        let (notices, _) = broadcast::channel(1024);
        let mut store = Store {
            pool,
            writing,
            writers: Arc::new([]),
            notices,
            postgres,
            node: node.into(),
            metrics,
        };
        store.writers = (0..if postgres { WRITERS } else { 1 })
            .map(|_| store.start_writer(usize::try_from(limits.batch).unwrap_or(256).max(1)))
            .collect();
        if postgres {
            store.start_listening(&url).await?;
        }
        Ok(store)
    }

    /// What other servers tell.
    pub(crate) fn notices(&self) -> broadcast::Receiver<Notice> {
        self.notices.subscribe()
    }

    /// Whether other servers may work on the same data.
    pub(crate) fn is_shared(&self) -> bool {
        self.postgres
    }

    /// Listens to what other servers tell, until the program ends; comes back when the storage was away.
    async fn start_listening(&self, url: &str) -> Result<()> {
        let options = PgConnectOptions::from_str(url)?;
        let (notices, node) = (self.notices.clone(), self.node.clone());
        let single = || {
            sqlx::postgres::PgPoolOptions::new()
                .max_connections(1)
                .acquire_timeout(PATIENCE)
        };
        let mut listener = PgListener::connect_with(&single().connect_with(options).await?).await?;
        listener.listen(CHANNEL).await?;
        tokio::spawn(async move {
            loop {
                match listener.try_recv().await {
                    Ok(Some(told)) => {
                        if let Some(notice) = read_notice(told.payload(), &node) {
                            let _ = notices.send(notice);
                        }
                    }
                    // The connection was lost and is there again, or will be: what was told meanwhile is not.
                    Ok(None) => {
                        let _ = notices.send(Notice::Missed);
                    }
                    Err(error) => {
                        tracing::warn!(%error, "other servers cannot be heard");
                        tokio::time::sleep(Duration::from_secs(1)).await;
                        let _ = notices.send(Notice::Missed);
                    }
                }
            }
        });
        Ok(())
    }

    /// Tells other servers something; nobody needs to hear it.
    pub(crate) async fn tell(&self, notice: &Notice) {
        if !self.postgres {
            return;
        }
        let told = sqlx::query("SELECT pg_notify($1, $2)")
            .bind(CHANNEL)
            .bind(write_notice(notice, &self.node))
            .execute(&self.pool);
        if let Err(error) = told.await {
            let _ = self.broken(error);
        }
    }

    fn broken(&self, error: sqlx::Error) -> NotStored {
        count(&self.metrics.storage_errors);
        tracing::error!(%error, "the storage failed");
        NotStored::Broken
    }

    /// Whether the storage answers.
    pub(crate) async fn is_well(&self) -> bool {
        let answer = sqlx::query("SELECT 1").execute(&self.pool);
        matches!(tokio::time::timeout(PATIENCE, answer).await, Ok(Ok(_)))
    }

    /// Closes the storage; what was begun is finished first.
    pub(crate) async fn close(&self) {
        for writer in self.writers.iter() {
            // Whoever still writes is waited for: the queue is empty when this comes through.
            let _ = writer.reserve().await;
        }
        self.pool.close().await;
        self.writing.close().await;
    }

    fn stored(&self, entries: u64, inputs: u64, since: std::time::Instant) {
        let metrics = &self.metrics;
        metrics.entries_stored.fetch_add(entries, Ordering::Relaxed);
        metrics.inputs_stored.fetch_add(inputs, Ordering::Relaxed);
        count(&metrics.batches_stored);
        let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
        metrics
            .batch_microseconds
            .fetch_add(spent, Ordering::Relaxed);
    }
}

fn write_notice(notice: &Notice, node: &str) -> String {
    match notice {
        Notice::Entries(tables) => format!("entries {node} {}", tables.join(" ")),
        Notice::Chat(table) => format!("chat {node} {table}"),
        Notice::Deleted(table) => format!("deleted {node} {table}"),
        Notice::Bans => format!("bans {node}"),
        Notice::Missed => format!("missed {node}"),
        Notice::Here {
            table,
            here,
            spectators,
            ..
        } => {
            let here: String = here.iter().map(|h| if *h { '1' } else { '0' }).collect();
            format!("here {node} {table} {spectators} {here}")
        }
    }
}

/// What another server told; what this one told itself is nothing.
fn read_notice(text: &str, own: &str) -> Option<Notice> {
    let mut words = text.split(' ');
    let (word, node) = (words.next()?, words.next()?);
    if node == own {
        return None;
    }
    Some(match word {
        "entries" => Notice::Entries(words.map(String::from).collect()),
        "chat" => Notice::Chat(words.next()?.to_string()),
        "deleted" => Notice::Deleted(words.next()?.to_string()),
        "bans" => Notice::Bans,
        "here" => Notice::Here {
            node: node.to_string(),
            table: words.next()?.to_string(),
            spectators: words.next()?.parse().ok()?,
            here: words
                .next()
                .unwrap_or("")
                .chars()
                .map(|c| c == '1')
                .collect(),
        },
        _ => Notice::Missed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_come_through_and_own_ones_are_not_heard() {
        let here = Notice::Here {
            node: "a".into(),
            table: "t1".into(),
            here: vec![true, false],
            spectators: 3,
        };
        let entries = Notice::Entries(vec!["t1".into(), "t2".into()]);
        for notice in [here, entries, Notice::Chat("t".into()), Notice::Bans] {
            let text = write_notice(&notice, "a");
            assert_eq!(read_notice(&text, "b"), Some(notice));
            assert_eq!(read_notice(&text, "a"), None);
        }
    }
}
