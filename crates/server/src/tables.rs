//! All tables: finds the task of a table, starts it when it sleeps.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Result;
use tokio::sync::{Mutex, Semaphore, mpsc, oneshot};
use trencavel_proto::{Made, NewTable, Refusal, Table};

use crate::limits::{LOBBY, OPEN_TABLES};
use crate::secret;
use crate::store::Store;
use crate::table::{Blueprint, Command, TableTask, refuse};

/// Commands that wait for a table.
const MAILBOX: usize = 64;

/// All tables of this server.
#[derive(Clone)]
pub(crate) struct Tables {
    store: Store,
    running: Arc<Mutex<HashMap<String, mpsc::Sender<Command>>>>,
    computers: Arc<Semaphore>,
}

impl Tables {
    /// Takes up every table that is gathering or playing.
    pub(crate) async fn load(store: Store) -> Result<Tables> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let tables = Tables {
            store,
            running: Arc::default(),
            computers: Arc::new(Semaphore::new(cores)),
        };
        for stored in tables.store.open_tables().await? {
            let id = stored.id.clone();
            if let Err(error) = tables.wake(&id).await {
                // One broken game must not keep the others from going on.
                tracing::error!(game = %id, %error, "a game cannot be taken up");
            }
        }
        Ok(tables)
    }

    /// The task of a table; it is started if it sleeps.
    async fn wake(&self, id: &str) -> Result<Option<mpsc::Sender<Command>>> {
        let mut running = self.running.lock().await;
        if let Some(sender) = running.get(id).filter(|sender| !sender.is_closed()) {
            return Ok(Some(sender.clone()));
        }
        let Some(stored) = self.store.table(id).await? else {
            return Ok(None);
        };
        let (sender, commands) = mpsc::channel(MAILBOX);
        let task = TableTask::load(
            stored,
            self.store.clone(),
            self.computers.clone(),
            sender.downgrade(),
        )
        .await?;
        tokio::spawn(task.run(commands));
        running.insert(id.to_string(), sender.clone());
        Ok(Some(sender))
    }

    /// Sends a command to a table.
    pub(crate) async fn send(&self, id: &str, command: Command) -> Result<(), Refusal> {
        let gone = || refuse("no-table", "there is no such table");
        if id.len() > 64 {
            return Err(gone());
        }
        let sender = self.wake(id).await.map_err(|error| {
            tracing::error!(game = %id, %error, "a table cannot be taken up");
            refuse("storage", "the table cannot be read at the moment")
        })?;
        sender
            .ok_or_else(gone)?
            .send(command)
            .await
            .map_err(|_| gone())
    }

    /// Sends a command that is answered.
    pub(crate) async fn ask<T>(
        &self,
        id: &str,
        command: impl FnOnce(oneshot::Sender<T>) -> Command,
    ) -> Result<T, Refusal> {
        let (answer, got) = oneshot::channel();
        self.send(id, command(answer)).await?;
        got.await
            .map_err(|_| refuse("closing", "the table is closing; come again soon"))
    }

    /// Makes a table.
    pub(crate) async fn make(&self, wanted: &NewTable) -> Result<Made, Refusal> {
        if self.running.lock().await.len() >= OPEN_TABLES {
            return Err(refuse(
                "full",
                format!("the server has {OPEN_TABLES} open tables, its limit"),
            ));
        }
        let blueprint = Blueprint::new(wanted)?;
        let id = secret::new_id()?;
        self.store.put_table(&blueprint.stored(&id)).await?;
        Ok(Made {
            table: id,
            host: blueprint.host,
            seat: blueprint.seated,
        })
    }

    /// The tables of the lobby: public, gathering or playing; newest first.
    pub(crate) async fn lobby(&self) -> Result<Vec<Table>, Refusal> {
        let mut stored = self
            .store
            .open_tables()
            .await
            .map_err(|_| refuse("storage", "the lobby cannot be read at the moment"))?;
        stored.sort_by_key(|table| std::cmp::Reverse(table.made));
        let mut lobby = Vec::new();
        for table in stored {
            if lobby.len() >= LOBBY {
                break;
            }
            if let Ok(table) = self.ask(&table.id, Command::Describe).await
                && !table.private
            {
                lobby.push(table);
            }
        }
        Ok(lobby)
    }

    /// How many tables are awake.
    pub(crate) async fn n_awake(&self) -> usize {
        self.running
            .lock()
            .await
            .values()
            .filter(|sender| !sender.is_closed())
            .count()
    }

    /// Whether the storage answers.
    pub(crate) async fn is_well(&self) -> bool {
        self.store.is_well().await
    }

    /// Tells all tables to stop, and closes the storage.
    pub(crate) async fn close(&self) {
        for sender in self.running.lock().await.values() {
            let _ = sender.send(Command::Close).await;
        }
        self.store.close().await;
    }
}
