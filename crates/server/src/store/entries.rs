//! The logs of the tables. Entries of different tables are stored together, so that one slow disk write serves many.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Instant;

use anyhow::Result;
use sqlx::{AnyConnection, Row as _};
use tokio::sync::{mpsc, oneshot};

use super::rows::{Row, StoredChat, StoredTable};
use super::{NotStored, Notice, Store, write_notice};
use crate::metrics::count;

/// Entries that follow each other and are stored as one: `number` is that of the first line, each line is an entry.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    pub(crate) lines: String,
    /// In milliseconds since 1970.
    pub(crate) at: i64,
}

/// What is stored.
enum What {
    /// An entry, and what it changes in the table's row.
    Entry(Entry, Option<Row>),
    /// A new table.
    Table(Box<StoredTable>),
    /// Something said.
    Said(StoredChat),
}

pub(super) struct Write {
    game: String,
    what: What,
    done: oneshot::Sender<Result<(), NotStored>>,
}

/// How many rows one statement inserts: few different statements, so that each is prepared once.
const ROWS: [usize; 4] = [64, 16, 4, 1];

impl Store {
    /// Stores an entry, and what it changes in the table's row; when this returns well both are on disk.
    pub(crate) async fn add(
        &self,
        game: &str,
        entry: Entry,
        row: Option<Row>,
    ) -> Result<(), NotStored> {
        self.write(game, What::Entry(entry, row)).await
    }

    /// Stores a new table.
    pub(crate) async fn make_table(&self, table: StoredTable) -> Result<(), NotStored> {
        let id = table.id.clone();
        self.write(&id, What::Table(Box::new(table))).await
    }

    /// Stores something said.
    pub(crate) async fn add_chat(&self, game: &str, said: StoredChat) -> Result<(), NotStored> {
        self.write(game, What::Said(said)).await?;
        self.tell(&Notice::Chat(game.to_string())).await;
        Ok(())
    }

    async fn write(&self, game: &str, what: What) -> Result<(), NotStored> {
        let mut hasher = DefaultHasher::new();
        game.hash(&mut hasher);
        let writer = hasher.finish() as usize % self.writers.len().max(1);
        let Some(writer) = self.writers.get(writer) else {
            return Err(NotStored::Broken);
        };
        let (done, answer) = oneshot::channel();
        let write = Write {
            game: game.to_string(),
            what,
            done,
        };
        writer.send(write).await.map_err(|_| NotStored::Broken)?;
        answer.await.unwrap_or(Err(NotStored::Broken))
    }

    /// The entries of a table after a number, in order.
    pub(crate) async fn entries(&self, game: &str, after: u64) -> Result<Vec<Entry>> {
        let rows = sqlx::query(
            "SELECT number, lines, at FROM entries WHERE game = $1 AND number > $2 ORDER BY number",
        )
        .bind(game)
        .bind(after as i64)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Entry {
                    number: row.try_get::<i64, _>(0)? as u64,
                    lines: row.try_get(1)?,
                    at: row.try_get(2)?,
                })
            })
            .collect()
    }

    /// Starts a writer: whatever waits goes into one transaction.
    pub(super) fn start_writer(&self, most: usize) -> mpsc::Sender<Write> {
        let (sender, mut queue) = mpsc::channel::<Write>(most * 4);
        let store = self.clone();
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(most);
            while queue.recv_many(&mut batch, most).await > 0 {
                let began = Instant::now();
                match store.store_all(&batch).await {
                    Ok(stored) => {
                        let stored_lines = |(write, stored): (&'_ Write, &bool)| match &write.what {
                            What::Entry(entry, _) if *stored => entry.lines.clone(),
                            _ => String::new(),
                        };
                        let lines: Vec<String> =
                            batch.iter().zip(&stored).map(stored_lines).collect();
                        let lines = lines.iter().flat_map(|lines| lines.lines());
                        let (n, inputs) = lines.fold((0, 0), |(n, inputs), line| {
                            (n + 1, inputs + u64::from(!line.starts_with('{')))
                        });
                        store.stored(n, inputs, began);
                        for (write, stored) in batch.drain(..).zip(stored) {
                            if !stored {
                                count(&store.metrics.entries_raced);
                            }
                            let answer = if stored {
                                Ok(())
                            } else {
                                Err(NotStored::Taken)
                            };
                            let _ = write.done.send(answer);
                        }
                    }
                    Err(error) => {
                        let _ = store.broken(error);
                        for write in batch.drain(..) {
                            let _ = write.done.send(Err(NotStored::Broken));
                        }
                    }
                }
            }
        });
        sender
    }

    /// Stores a batch in one transaction: whether each was the first with its number.
    async fn store_all(&self, batch: &[Write]) -> Result<Vec<bool>, sqlx::Error> {
        let mut transaction = self.writing.begin().await?;
        let mut new = HashSet::new();
        let entries: Vec<(&str, &Entry)> = batch
            .iter()
            .filter_map(|write| match &write.what {
                What::Entry(entry, _) => Some((write.game.as_str(), entry)),
                What::Table(_) | What::Said(_) => None,
            })
            .collect();
        let mut rest = entries.as_slice();
        while !rest.is_empty() {
            let n = ROWS.into_iter().find(|n| *n <= rest.len()).unwrap_or(1);
            let (now, later) = rest.split_at(n);
            insert(&mut transaction, now, &mut new).await?;
            rest = later;
        }
        let mut stored = Vec::with_capacity(batch.len());
        for write in batch {
            stored.push(match &write.what {
                What::Table(table) => {
                    table.insert(&mut transaction).await?;
                    true
                }
                What::Said(said) => said.insert(&write.game, &mut transaction).await?,
                What::Entry(entry, row) => {
                    let first = new.contains(&(write.game.clone(), entry.number as i64));
                    if let Some(row) = row.as_ref().filter(|_| first) {
                        row.update(&write.game, &mut transaction).await?;
                    }
                    first
                }
            });
        }
        if self.postgres {
            // A notice has at most 8000 bytes.
            let games: Vec<String> = new.into_iter().map(|(game, _)| game).collect();
            for games in games.chunks(200) {
                let notice = write_notice(&Notice::Entries(games.to_vec()), &self.node);
                sqlx::query("SELECT pg_notify($1, $2)")
                    .bind(super::CHANNEL)
                    .bind(notice)
                    .execute(&mut *transaction)
                    .await?;
            }
        }
        transaction.commit().await?;
        Ok(stored)
    }
}

async fn insert(
    connection: &mut AnyConnection,
    entries: &[(&str, &Entry)],
    new: &mut HashSet<(String, i64)>,
) -> Result<(), sqlx::Error> {
    let values: Vec<String> = (0..entries.len())
        .map(|i| {
            let i = 4 * i;
            format!("(${}, ${}, ${}, ${})", i + 1, i + 2, i + 3, i + 4)
        })
        .collect();
    let statement = format!(
        "INSERT INTO entries (game, number, lines, at) VALUES {} ON CONFLICT (game, number) DO NOTHING RETURNING game, number",
        values.join(", ")
    );
    let mut query = sqlx::query(sqlx::AssertSqlSafe(statement));
    for (game, entry) in entries {
        query = query
            .bind(*game)
            .bind(entry.number as i64)
            .bind(&entry.lines)
            .bind(entry.at);
    }
    for row in query.fetch_all(connection).await? {
        new.insert((row.try_get(0)?, row.try_get(1)?));
    }
    Ok(())
}
