//! Storage: SQLite in one file, or PostgreSQL. The same statements serve both.

use anyhow::{Result, bail};
use sqlx::any::{AnyPoolOptions, AnyRow};
use sqlx::{AnyPool, Row as _};
use tokio::sync::{mpsc, oneshot};

use crate::limits::BATCH;

/// Tables, made when they are missing. The numbers of a game's inputs are unique: of two who store the same number, one
/// loses.
const SCHEMA: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, made BIGINT NOT NULL, stage TEXT NOT NULL, about TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS inputs (game TEXT NOT NULL, number BIGINT NOT NULL, input TEXT NOT NULL, at BIGINT NOT NULL, \
     PRIMARY KEY (game, number))",
    "CREATE TABLE IF NOT EXISTS chat (game TEXT NOT NULL, number BIGINT NOT NULL, seat BIGINT NOT NULL, said TEXT NOT NULL, \
     at BIGINT NOT NULL, PRIMARY KEY (game, number))",
];

/// A table as it is stored: `about` is JSON that only the server reads.
#[derive(Clone, Debug)]
pub(crate) struct StoredTable {
    pub(crate) id: String,
    pub(crate) made: i64,
    pub(crate) stage: String,
    pub(crate) about: String,
}

/// An input as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredInput {
    pub(crate) number: i64,
    pub(crate) input: String,
}

/// Something said as it is stored; seat 0 is a spectator.
#[derive(Clone, Debug)]
pub(crate) struct StoredChat {
    pub(crate) seat: i64,
    pub(crate) said: String,
    pub(crate) at: i64,
}

/// Why something was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotStored {
    /// Somebody else has stored this number of the game.
    Taken,
    /// The storage does not work now.
    Broken,
}

struct Write {
    game: String,
    number: i64,
    input: String,
    at: i64,
    done: oneshot::Sender<Result<(), NotStored>>,
}

/// The storage.
#[derive(Clone)]
pub(crate) struct Store {
    pool: AnyPool,
    writes: mpsc::Sender<Write>,
}

/// Now, in seconds since 1970.
pub(crate) fn now() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.as_secs() as i64)
}

impl Store {
    /// Opens a storage: a URL of SQLite or PostgreSQL, or the path of a file for SQLite.
    pub(crate) async fn open(data: &str) -> Result<Store> {
        sqlx::any::install_default_drivers();
        let postgres = data.starts_with("postgres:") || data.starts_with("postgresql:");
        let url = match data {
            data if postgres || data.starts_with("sqlite:") => data.to_string(),
            data if data.contains("://") => bail!("data is a file, sqlite:… or postgres://…"),
            file => format!("sqlite://{file}?mode=rwc"),
        };
        let pool = AnyPoolOptions::new()
            // SQLite has one writer at a time anyway; a memory database exists once for each connection.
            .max_connections(if postgres { 8 } else { 1 })
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if !postgres {
                        for pragma in [
                            "PRAGMA journal_mode=WAL",
                            "PRAGMA synchronous=FULL",
                            "PRAGMA busy_timeout=5000",
                        ] {
                            sqlx::query(pragma).execute(&mut *connection).await?;
                        }
                    }
                    Ok(())
                })
            })
            .connect(&url)
            .await?;
        for statement in SCHEMA {
            sqlx::query(*statement).execute(&pool).await?;
        }
        let (writes, queue) = mpsc::channel(BATCH * 4);
        tokio::spawn(write_in_batches(pool.clone(), queue));
        Ok(Store { pool, writes })
    }

    /// Stores an input; when this returns well the input is on disk.
    pub(crate) async fn add_input(
        &self,
        game: &str,
        number: u64,
        input: &str,
    ) -> Result<(), NotStored> {
        let (done, answer) = oneshot::channel();
        let write = Write {
            game: game.to_string(),
            number: number as i64,
            input: input.to_string(),
            at: now(),
            done,
        };
        self.writes
            .send(write)
            .await
            .map_err(|_| NotStored::Broken)?;
        answer.await.unwrap_or(Err(NotStored::Broken))
    }

    /// Forgets the inputs after a number.
    pub(crate) async fn take_back(&self, game: &str, number: u64) -> Result<(), NotStored> {
        let query = sqlx::query("DELETE FROM inputs WHERE game = $1 AND number > $2")
            .bind(game)
            .bind(number as i64);
        query.execute(&self.pool).await.map(|_| ()).map_err(broken)
    }

    /// Stores a table, new or changed.
    pub(crate) async fn put_table(&self, table: &StoredTable) -> Result<(), NotStored> {
        let query = sqlx::query(
            "INSERT INTO tables (id, made, stage, about) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (id) DO UPDATE SET stage = excluded.stage, about = excluded.about",
        );
        let query = query
            .bind(&table.id)
            .bind(table.made)
            .bind(&table.stage)
            .bind(&table.about);
        query.execute(&self.pool).await.map(|_| ()).map_err(broken)
    }

    /// The tables that are gathering or playing.
    pub(crate) async fn open_tables(&self) -> Result<Vec<StoredTable>> {
        let rows = sqlx::query(
            "SELECT id, made, stage, about FROM tables WHERE stage IN ('gathering', 'playing')",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(stored_table).collect()
    }

    /// A table, whatever its stage.
    pub(crate) async fn table(&self, id: &str) -> Result<Option<StoredTable>> {
        let row = sqlx::query("SELECT id, made, stage, about FROM tables WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool);
        row.await?.as_ref().map(stored_table).transpose()
    }

    /// The inputs of a game after a number, in order.
    pub(crate) async fn inputs(&self, game: &str, after: u64) -> Result<Vec<StoredInput>> {
        let rows = sqlx::query(
            "SELECT number, input FROM inputs WHERE game = $1 AND number > $2 ORDER BY number",
        )
        .bind(game)
        .bind(after as i64)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(StoredInput {
                    number: row.try_get(0)?,
                    input: row.try_get(1)?,
                })
            })
            .collect()
    }

    /// Stores something said.
    pub(crate) async fn add_chat(
        &self,
        game: &str,
        number: usize,
        chat: &StoredChat,
    ) -> Result<(), NotStored> {
        let query = sqlx::query(
            "INSERT INTO chat (game, number, seat, said, at) VALUES ($1, $2, $3, $4, $5)",
        );
        let query = query
            .bind(game)
            .bind(number as i64)
            .bind(chat.seat)
            .bind(&chat.said)
            .bind(chat.at);
        query.execute(&self.pool).await.map(|_| ()).map_err(broken)
    }

    /// What was said at a table, in order.
    pub(crate) async fn chat(&self, game: &str) -> Result<Vec<StoredChat>> {
        let rows = sqlx::query("SELECT seat, said, at FROM chat WHERE game = $1 ORDER BY number")
            .bind(game)
            .fetch_all(&self.pool);
        let chat = |row: &AnyRow| {
            Ok(StoredChat {
                seat: row.try_get(0)?,
                said: row.try_get(1)?,
                at: row.try_get(2)?,
            })
        };
        rows.await?.iter().map(chat).collect()
    }

    /// Whether the storage answers.
    pub(crate) async fn is_well(&self) -> bool {
        sqlx::query("SELECT 1").execute(&self.pool).await.is_ok()
    }

    /// Closes the storage; what was begun is finished first.
    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}

fn stored_table(row: &AnyRow) -> Result<StoredTable> {
    Ok(StoredTable {
        id: row.try_get(0)?,
        made: row.try_get(1)?,
        stage: row.try_get(2)?,
        about: row.try_get(3)?,
    })
}

fn broken(error: sqlx::Error) -> NotStored {
    tracing::error!(%error, "the storage failed");
    NotStored::Broken
}

/// Stores inputs of different games together: whatever waits goes into one transaction.
async fn write_in_batches(pool: AnyPool, mut queue: mpsc::Receiver<Write>) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        match store_all(&pool, &batch).await {
            Ok(()) => {
                for write in batch.drain(..) {
                    let _ = write.done.send(Ok(()));
                }
            }
            Err(_) => {
                // One of them spoils the transaction: each gets its own answer.
                for write in batch.drain(..) {
                    let stored = store_one(&pool, &write).await;
                    let _ = write.done.send(stored);
                }
            }
        }
    }
}

const INSERT: &str = "INSERT INTO inputs (game, number, input, at) VALUES ($1, $2, $3, $4)";

async fn store_all(pool: &AnyPool, batch: &[Write]) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    for write in batch {
        let query = sqlx::query(INSERT)
            .bind(&write.game)
            .bind(write.number)
            .bind(&write.input)
            .bind(write.at);
        query.execute(&mut *transaction).await?;
    }
    transaction.commit().await
}

async fn store_one(pool: &AnyPool, write: &Write) -> Result<(), NotStored> {
    let query = sqlx::query(INSERT)
        .bind(&write.game)
        .bind(write.number)
        .bind(&write.input)
        .bind(write.at);
    match query.execute(pool).await {
        Ok(_) => Ok(()),
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Err(NotStored::Taken),
        Err(error) => Err(broken(error)),
    }
}
