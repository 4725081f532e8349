//! All tables: finds the task of a table, starts it when it sleeps, and wakes those where something is due.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use tokio::sync::{broadcast, mpsc, oneshot};
use trencavel_proto::{Made, MyTable, NewTable, Order, Refusal, Table};

use crate::blueprint::{Blueprint, Setups, refuse};
use crate::limits::Limits;
use crate::log::stage_from;
use crate::metrics::{Metrics, count};
use crate::store::{NotStored, Notice, Store, now, now_ms};
use crate::table::{Command, Surroundings, TableTask};
use crate::thinkers::Thinkers;
use crate::who::Who;

/// Commands that wait for a table.
const MAILBOX: usize = 64;
/// How often the storage is asked what is due.
const DUE: Duration = Duration::from_millis(500);
/// How long another server is given to do what is due.
const OTHERS_MS: i64 = 2_000;

/// How long things are kept; none for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Finished games, in days.
    pub games_days: Option<u32>,
    /// What was said at finished games, in days.
    pub chat_days: Option<u32>,
}

/// All tables of this server.
#[derive(Clone)]
pub(crate) struct Tables {
    around: Surroundings,
    running: Arc<Mutex<HashMap<String, mpsc::Sender<Command>>>>,
}

impl Tables {
    /// Takes up every table where something is due, and goes on doing so.
    pub(crate) async fn load(
        store: Store,
        limits: Arc<Limits>,
        metrics: Arc<Metrics>,
        thinkers: usize,
        keep: Keep,
    ) -> Result<Tables> {
        let tables = Tables {
            around: Surroundings {
                thinkers: Thinkers::new(thinkers, metrics.clone()),
                store,
                limits,
                metrics,
                setups: Setups::default(),
                began: now_ms(),
            },
            running: Arc::default(),
        };
        // Alone on the data, nobody else does what is due; else there is time to see whether somebody does.
        let before = if tables.around.store.is_shared() {
            now_ms()
        } else {
            i64::MAX
        };
        for id in tables.around.store.due(before).await? {
            tables.wake(&id);
        }
        tokio::spawn(tables.clone().hear());
        tokio::spawn(tables.clone().wake_the_due());
        tokio::spawn(tables.clone().sweep(keep));
        Ok(tables)
    }

    pub(crate) fn store(&self) -> &Store {
        &self.around.store
    }

    // ---- waking ------------------------------------------------------------------------------------------------------

    fn awake(&self, id: &str) -> Option<mpsc::Sender<Command>> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running
            .get(id)
            .filter(|sender| !sender.is_closed())
            .cloned()
    }

    /// The task of a table; it is started if it sleeps. Whether there is such a table is found out there.
    fn wake(&self, id: &str) -> mpsc::Sender<Command> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = running.get(id).filter(|sender| !sender.is_closed()) {
            return sender.clone();
        }
        let (sender, mut commands) = mpsc::channel(MAILBOX);
        running.insert(id.to_string(), sender.clone());
        let (tables, id, own) = (self.clone(), id.to_string(), sender.downgrade());
        tokio::spawn(async move {
            match TableTask::load(&id, tables.around.clone(), own).await {
                Ok(Some(task)) => task.run(commands).await,
                // Whoever waits for an answer gets none, and is told so.
                Ok(None) => commands.close(),
                Err(error) => {
                    // One broken game must not keep the others from going on.
                    tracing::error!(game = %id, %error, "a table cannot be taken up");
                    commands.close();
                    while let Ok(command) = commands.try_recv() {
                        cannot_be_read(command);
                    }
                }
            }
            let mut running = tables
                .running
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if running.get(&id).is_some_and(mpsc::Sender::is_closed) {
                running.remove(&id);
            }
        });
        sender
    }

    /// Sends a command that is answered.
    pub(crate) async fn ask<T>(
        &self,
        id: &str,
        command: impl FnOnce(oneshot::Sender<T>) -> Command,
    ) -> Result<T, Refusal> {
        let gone = || refuse("no-table", "there is no such table");
        if id.is_empty() || id.len() > 64 || !id.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(gone());
        }
        let (answer, got) = oneshot::channel();
        let mut command = command(answer);
        // A table may fall asleep in the moment it is asked.
        for _ in 0..3 {
            match self.wake(id).send(command).await {
                Ok(()) => {
                    return match got.await {
                        Ok(answer) => Ok(answer),
                        Err(_) => self.why_no_answer(id).await,
                    };
                }
                Err(mpsc::error::SendError(back)) => command = back,
            }
        }
        self.why_no_answer(id).await
    }

    async fn why_no_answer<T>(&self, id: &str) -> Result<T, Refusal> {
        Err(match self.around.store.head(id).await {
            Ok(None) => refuse("no-table", "there is no such table"),
            Ok(Some(_)) => refuse("closing", "the table is closing; come again soon"),
            Err(_) => refuse("storage", "the table cannot be read at the moment"),
        })
    }

    /// Sends a command to a table that is awake.
    pub(crate) async fn tell_awake(&self, id: &str, command: Command) {
        if let Some(sender) = self.awake(id) {
            let _ = sender.send(command).await;
        }
    }

    /// Hears what other servers tell.
    async fn hear(self) {
        let mut notices = self.around.store.notices();
        loop {
            match notices.recv().await {
                Ok(Notice::Entries(ids)) => {
                    for id in ids {
                        self.tell_awake(&id, Command::Entries).await;
                    }
                }
                Ok(Notice::Chat(id)) => self.tell_awake(&id, Command::Chat).await,
                Ok(Notice::Deleted(id)) => self.tell_awake(&id, Command::Deleted).await,
                Ok(Notice::Here {
                    node,
                    table,
                    here,
                    spectators,
                }) => {
                    let command = Command::Here {
                        node,
                        here,
                        spectators,
                    };
                    self.tell_awake(&table, command).await;
                }
                Ok(Notice::Bans) => {}
                Ok(Notice::Missed) | Err(broadcast::error::RecvError::Lagged(_)) => {
                    for sender in self.all_awake() {
                        let _ = sender.send(Command::Entries).await;
                        let _ = sender.send(Command::Chat).await;
                    }
                }
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    }

    fn all_awake(&self) -> Vec<mpsc::Sender<Command>> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.values().cloned().collect()
    }

    /// Wakes tables where a clock has run out or a computer player is to choose.
    async fn wake_the_due(self) {
        let mut every = tokio::time::interval(DUE);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            let others = if self.around.store.is_shared() {
                OTHERS_MS
            } else {
                0
            };
            // The storage tells when it fails; the next time comes soon.
            let Ok(due) = self.around.store.due(now_ms() - others).await else {
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            };
            for id in due {
                if self.awake(&id).is_none() {
                    self.wake(&id);
                }
            }
        }
    }

    /// Ends tables where nobody came, and deletes what is kept no longer.
    async fn sweep(self, keep: Keep) {
        let mut every = tokio::time::interval(self.around.limits.sweep());
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            if let Err(error) = self.sweep_once(keep).await {
                tracing::warn!(%error, "old tables cannot be looked for");
            }
        }
    }

    async fn sweep_once(&self, keep: Keep) -> Result<()> {
        let store = &self.around.store;
        let hours = i64::try_from(self.around.limits.gathering_hours).unwrap_or(i64::MAX / 3600);
        for id in store
            .stale(now().saturating_sub(hours.saturating_mul(3600)))
            .await?
        {
            let why = "not enough players came".to_string();
            let _ = self.ask(&id, |done| Command::End { why, done }).await;
        }
        let day = 24 * 3600;
        if let Some(days) = keep.games_days {
            for id in store.ended(now() - i64::from(days) * day).await? {
                self.delete(&id).await?;
            }
        }
        if let Some(days) = keep.chat_days {
            let deleted = store.delete_old_chat(now() - i64::from(days) * day).await;
            for id in deleted.map_err(|_| anyhow::anyhow!("old chat cannot be deleted"))? {
                tracing::info!(game = %id, "old chat is deleted");
                self.tell_awake(&id, Command::Chat).await;
            }
        }
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<()> {
        let deleted = self.around.store.delete_table(id).await;
        deleted.map_err(|_| anyhow::anyhow!("a table cannot be deleted"))?;
        self.tell_awake(id, Command::Deleted).await;
        Ok(())
    }

    // ---- making and listing ------------------------------------------------------------------------------------------

    /// Makes a table.
    pub(crate) async fn make(&self, wanted: &NewTable, who: &Who) -> Result<Made, Refusal> {
        let limits = &self.around.limits;
        let (blueprint, made) = Blueprint::new(wanted, who, limits, &self.around.setups)?;
        let store = &self.around.store;
        let (all, own) = store
            .n_open(&who.address)
            .await
            .map_err(|_| NotStored::Broken)?;
        if all >= limits.tables {
            return Err(refuse(
                "full",
                format!("the server has {} open tables, its limit", limits.tables),
            ));
        }
        if own >= limits.tables_per_address {
            return Err(refuse(
                "full",
                format!(
                    "from your address {own} open tables were made; the limit is {}",
                    limits.tables_per_address
                ),
            ));
        }
        store.make_table(blueprint.stored(&who.address)).await?;
        if let (Some(account), Some(_)) = (who.account_id(), &made.seat) {
            store.add_member(account, &made.table).await?;
        }
        count(&self.around.metrics.tables_made);
        Ok(made)
    }

    /// The tables of the lobby: public, gathering or playing; newest first.
    pub(crate) async fn lobby(&self) -> Result<Vec<Table>, Refusal> {
        let stored = self.around.store.lobby(self.around.limits.lobby).await;
        let stored = stored.map_err(|_| NotStored::Broken)?;
        let read = |(stage, summary): (String, String)| {
            let mut table: Table = serde_json::from_str(&summary).ok()?;
            table.stage = stage_from(&stage);
            Some(table)
        };
        Ok(stored.into_iter().filter_map(read).collect())
    }

    /// The tables where an account sits.
    pub(crate) async fn of_account(&self, who: &Who) -> Result<Vec<MyTable>, Refusal> {
        let Some(account) = who.account_id() else {
            return Err(refuse("login", "you are not logged in"));
        };
        let ids = self
            .around
            .store
            .tables_of(account, self.around.limits.lobby)
            .await;
        let mut list = Vec::new();
        for id in ids.map_err(|_| NotStored::Broken)? {
            let who = who.clone();
            let entered = self.ask(&id, |done| Command::Enter {
                who,
                follow: false,
                done,
            });
            let seats = match entered.await {
                Ok(Ok(entered)) => entered.seats,
                // Somebody else sits there now.
                Ok(Err(_)) => Vec::new(),
                Err(refusal) if refusal.code == "no-table" => continue,
                Err(refusal) => return Err(refusal),
            };
            let table = self.ask(&id, Command::Describe).await?;
            list.push(MyTable { table, seats });
        }
        Ok(list)
    }

    /// All tables with their makers' addresses, for the operator.
    pub(crate) async fn all(&self) -> Result<Vec<(Table, String)>, Refusal> {
        let stored = self.around.store.all_tables(self.around.limits.lobby).await;
        let stored = stored.map_err(|_| NotStored::Broken)?;
        let read = |(stage, summary, maker): (String, String, String)| {
            let mut table: Table = serde_json::from_str(&summary).ok()?;
            table.stage = stage_from(&stage);
            Some((table, maker))
        };
        Ok(stored.into_iter().filter_map(read).collect())
    }

    /// Carries out an order of the operator about one table.
    pub(crate) async fn operate(&self, id: &str, order: Order) -> Result<(), Refusal> {
        if matches!(order, Order::DeleteTable { .. }) {
            self.ask(id, Command::Describe).await?;
            return self.delete(id).await.map_err(|_| NotStored::Broken.into());
        }
        self.ask(id, |done| Command::Operate(order, done)).await?
    }

    /// Whether the storage answers.
    pub(crate) async fn is_well(&self) -> bool {
        self.around.store.is_well().await
    }

    /// Tells all tables to stop, and closes the storage.
    pub(crate) async fn close(&self) {
        for sender in self.all_awake() {
            let _ = sender.send(Command::Close).await;
        }
        for sender in self.all_awake() {
            // A table that is storing something finishes it.
            let _ = tokio::time::timeout(Duration::from_secs(5), sender.closed()).await;
        }
        self.around.store.close().await;
    }
}

/// Answers a command to a table that cannot be taken up.
fn cannot_be_read(command: Command) {
    let refusal = || {
        refuse(
            "storage",
            "the table cannot be read at the moment; try again soon",
        )
    };
    match command {
        Command::Join { done, .. } => drop(done.send(Err(refusal()))),
        Command::Enter { done, .. } => drop(done.send(Err(refusal()))),
        Command::Listen { done, .. } => drop(done.send(Err(refusal()))),
        Command::Wish { done, .. } => drop(done.send(Err(refusal()))),
        Command::Operate(_, done) | Command::End { done, .. } => drop(done.send(Err(refusal()))),
        Command::Export(_, done) => drop(done.send(Err(refusal()))),
        Command::Describe(_)
        | Command::Unlisten(_)
        | Command::Computed { .. }
        | Command::Again
        | Command::Entries
        | Command::Chat
        | Command::Here { .. }
        | Command::Deleted
        | Command::Close => {}
    }
}
