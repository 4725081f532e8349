//! One table: a task that owns its game and takes one command after another.
//!
//! Long: a table is one task with one state; its commands share all of it. What players wish is in `wishes.rs`, what listeners are told in
//! `table/telling.rs`.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use trencavel_ai::{Clock as AiClock, Level, level};
use trencavel_proto::{Entered, Gone, Join, News, Order, Refusal, Seated, Stage, Table, Wish};
use trencavel_record::dealer::{Dealer, parse_seed, seed_hash};
use trencavel_record::history::History;
use trencavel_rules::{Choice, Input, Moves, Rules, Seat, State, Waiting};

use crate::blueprint::{Setups, refuse};
use crate::draft::{Draft, Kept, Told};
use crate::limits::Limits;
use crate::log::{Described, Event, Head, Now, asked};
use crate::metrics::{Metrics, count, hold};
use crate::store::{Entry, NotStored, Row, Store, StoredChat, now_ms};
use crate::thinkers::Thinkers;
use crate::who::Who;

/// How long what another server said about who is connected there is believed.
const HERE: Duration = Duration::from_secs(150);
/// How often listeners are told that only the number of spectators has changed: with many, each who came would be told to all.
const SPECTATORS: Duration = Duration::from_secs(5);
/// How often it is said again.
const SAY_HERE: Duration = Duration::from_secs(60);
/// After a start of the server no clock runs out for so long: players need time to come back.
const GRACE_MS: i64 = 60_000;

/// What a table is asked.
pub(crate) enum Command {
    Describe(oneshot::Sender<Table>),
    Join {
        join: Join,
        who: Who,
        done: oneshot::Sender<Result<Seated, Refusal>>,
    },
    /// Who somebody is; after a rematch at the new table if they want to follow.
    Enter {
        who: Who,
        follow: bool,
        done: oneshot::Sender<Result<Entered, Refusal>>,
    },
    Listen {
        who: Who,
        after: u64,
        after_said: u64,
        news: mpsc::Sender<Arc<News>>,
        done: oneshot::Sender<Result<Listening, Refusal>>,
    },
    Unlisten(u64),
    Wish {
        who: Who,
        wish: Wish,
        done: oneshot::Sender<Result<(), Refusal>>,
    },
    Operate(Order, oneshot::Sender<Result<(), Refusal>>),
    /// Nobody came, or the table is deleted.
    End {
        why: String,
        done: oneshot::Sender<Result<(), Refusal>>,
    },
    Export(Who, oneshot::Sender<Result<String, Refusal>>),
    /// A computer player has decided, in this epoch of the game.
    Computed {
        epoch: u64,
        seat: Seat,
        choice: Option<Choice>,
    },
    /// What could not be stored is tried again.
    Again,
    /// Another server has stored entries.
    Entries,
    /// Another server has stored or deleted something said.
    Chat,
    /// Who is connected at another server.
    Here {
        node: String,
        here: Vec<bool>,
        spectators: u32,
    },
    /// The table was deleted.
    Deleted,
    Close,
}

/// What a new listener is told first.
pub(crate) struct Listening {
    pub(crate) id: u64,
    pub(crate) past: Vec<News>,
}

pub(crate) struct Listener {
    id: u64,
    who: Who,
    /// What `who` proves, now.
    pub(crate) seats: Vec<Seat>,
    news: mpsc::Sender<Arc<News>>,
}

struct HereThere {
    at: Instant,
    here: Vec<bool>,
    spectators: u32,
}

/// What all tables share.
#[derive(Clone)]
pub(crate) struct Surroundings {
    pub(crate) store: Store,
    pub(crate) thinkers: Thinkers,
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) setups: Setups,
    /// When this server began, in milliseconds since 1970.
    pub(crate) began: i64,
}

/// A table at work.
pub(crate) struct TableTask {
    pub(crate) id: String,
    made: i64,
    pub(crate) head: Head,
    seed: [u8; 32],
    dealer_hash: String,
    pub(crate) rules: Arc<Rules>,
    pub(crate) history: History,
    pub(crate) now: Now,
    kept: Vec<Kept>,
    /// News that those who come later must hear too, with the number of their entry.
    lasting: Vec<(u64, News)>,
    /// Where the dealer is after the inputs; found out when it is needed.
    dealer: Option<Dealer>,
    pub(crate) chat: Vec<StoredChat>,
    listeners: Vec<Listener>,
    next_listener: u64,
    elsewhere: HashMap<String, HereThere>,
    told_here: (Vec<bool>, u32),
    told_here_at: Instant,
    said_here: (Vec<bool>, u32),
    said_here_at: Instant,
    /// Counts the changes of the game; what was thought in an earlier epoch is worth nothing.
    epoch: u64,
    /// The same for those who think.
    current: Arc<AtomicU64>,
    thinking: Option<(u64, Seat)>,
    /// What the storage has beside the log.
    row: Option<Row>,
    /// Whether an entry may have been stored without the storage saying so.
    unsure: bool,
    deleted: bool,
    pub(crate) around: Surroundings,
    own: mpsc::WeakSender<Command>,
}

impl TableTask {
    /// Takes a stored table up again: its log is played from the start. `None` if there is no such table.
    pub(crate) async fn load(
        id: &str,
        around: Surroundings,
        own: mpsc::WeakSender<Command>,
    ) -> anyhow::Result<Option<TableTask>> {
        let Some((made, head)) = around.store.head(id).await? else {
            return Ok(None);
        };
        let head: Head = serde_json::from_str(&head)?;
        let rules = around
            .setups
            .rules(&head.setup, &head.tiles)
            .map_err(anyhow::Error::msg)?;
        let seed = parse_seed(&head.dealer_seed)
            .ok_or_else(|| anyhow::anyhow!("the dealer's seed is mangled"))?;
        let mut table = TableTask {
            id: id.to_string(),
            made,
            seed,
            dealer_hash: seed_hash(&seed),
            history: History::sparse(rules.clone()),
            now: Now::new(&head, made),
            head,
            rules,
            kept: Vec::new(),
            lasting: Vec::new(),
            dealer: None,
            chat: around.store.chat(id, 0).await?,
            listeners: Vec::new(),
            next_listener: 1,
            elsewhere: HashMap::new(),
            told_here: (Vec::new(), 0),
            told_here_at: Instant::now(),
            said_here: (Vec::new(), 0),
            said_here_at: Instant::now(),
            epoch: 0,
            current: Arc::default(),
            thinking: None,
            row: None,
            unsure: false,
            deleted: false,
            around,
            own,
        };
        for entry in table.around.store.entries(id, 0).await? {
            table.take_stored(&entry).map_err(anyhow::Error::msg)?;
        }
        table.row = Some(table.now.row(&table.head, table.waiting(), None));
        Ok(Some(table))
    }

    /// Takes commands until nobody can send any more, or the table is closed, or nobody has listened for a while.
    pub(crate) async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        let metrics = self.around.metrics.clone();
        let _awake = hold(&metrics.tables_awake);
        self.advance().await;
        let mut alone_since = Instant::now();
        loop {
            if !self.listeners.is_empty() || self.thinking.is_some() {
                alone_since = Instant::now();
            }
            let mut sleep = alone_since + self.around.limits.sleep();
            if !self.listeners.is_empty() {
                sleep = sleep.min(alone_since + SAY_HERE);
                if self.here() != self.told_here {
                    sleep = sleep.min(self.told_here_at + SPECTATORS);
                }
            }
            let deadline = self.deadline();
            let next = deadline.map_or(sleep, |deadline| deadline.min(sleep));
            let command = tokio::select! {
                biased;
                command = commands.recv() => command,
                () = tokio::time::sleep_until(next.into()) => {
                    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                        self.time_is_up().await;
                    } else if self.listeners.is_empty() && self.thinking.is_none() {
                        // Whoever wants it wakes it again; what was sent meanwhile is still answered.
                        commands.close();
                        while let Some(command) = commands.recv().await {
                            self.take(command).await;
                        }
                        return;
                    } else {
                        self.say_here().await;
                    }
                    continue;
                }
            };
            match command {
                None => return,
                Some(Command::Close) => {
                    self.tell_all(News::Bye { seconds: 5 });
                    return;
                }
                Some(command) => self.take(command).await,
            }
            if self.deleted {
                self.tell_all(News::Bye { seconds: 60 });
                return;
            }
        }
    }

    async fn take(&mut self, command: Command) {
        match command {
            Command::Describe(answer) => {
                let _ = answer.send(self.describe());
            }
            Command::Join { join, who, done } => {
                let _ = done.send(self.join(&join, &who).await);
            }
            Command::Enter { who, follow, done } => {
                let _ = done.send(self.enter(&who, follow));
            }
            Command::Listen {
                who,
                after,
                after_said,
                news,
                done,
            } => {
                let listening = self.listen(&who, after, after_said, news).await;
                if let Err(Ok(listening)) = done.send(listening) {
                    self.unlisten(listening.id);
                }
                self.say_here().await;
            }
            Command::Unlisten(id) => {
                self.unlisten(id);
                self.say_here().await;
            }
            Command::Wish { who, wish, done } => {
                count(&self.around.metrics.wishes);
                let _ = done.send(self.wish(&who, wish).await);
                self.advance().await;
                self.say_here().await;
            }
            Command::Operate(order, done) => {
                let _ = done.send(self.operate(&order).await);
                self.advance().await;
                self.say_here().await;
            }
            Command::End { why, done } => {
                let ended = match self.now.stage {
                    Stage::Gathering | Stage::Playing => self.events([Event::Closed { why }]).await,
                    Stage::Over | Stage::Abandoned => Ok(()),
                };
                let _ = done.send(ended);
            }
            Command::Export(who, answer) => {
                let _ = answer.send(self.export(&who));
            }
            Command::Computed {
                epoch,
                seat,
                choice,
            } => {
                if self.thinking == Some((epoch, seat)) {
                    self.thinking = None;
                }
                if let Some(choice) = choice.filter(|_| epoch == self.epoch)
                    && self.may_choose(seat, choice)
                {
                    // What cannot be stored is thought about again.
                    let _ = self.choices(seat, choice).await;
                }
                self.advance().await;
            }
            Command::Again => self.advance().await,
            Command::Entries => {
                if self.catch_up().await.is_ok() {
                    self.advance().await;
                    self.say_here().await;
                }
            }
            Command::Chat => self.read_chat().await,
            Command::Here {
                node,
                here,
                spectators,
            } => {
                let at = Instant::now();
                let there = HereThere {
                    at,
                    here,
                    spectators,
                };
                self.elsewhere.insert(node, there);
                self.tell_here();
            }
            Command::Deleted => self.deleted = true,
            Command::Close => {}
        }
    }

    pub(crate) fn waiting(&self) -> Waiting {
        self.history.state().waiting()
    }

    pub(crate) fn number(&self) -> u64 {
        self.history.inputs().len() as u64
    }

    fn describe(&self) -> Table {
        let game = Described {
            waiting: self.waiting(),
            number: self.number(),
            here: &self.here().0,
            dealer_hash: &self.dealer_hash,
        };
        self.now
            .describe(&self.head, &self.id, self.made, game, now_ms())
    }

    // ---- the log -----------------------------------------------------------------------------------------------------

    /// A draft to which entries are added.
    pub(crate) fn draft(&self) -> Draft {
        Draft::new(&self.now, &self.history, self.dealer.clone())
    }

    /// Before anything is written it must be known what is stored.
    async fn settle(&mut self) -> Result<(), Refusal> {
        if self.unsure {
            self.catch_up().await?;
        }
        Ok(())
    }

    /// Stores a draft; when that went well the table becomes what the draft says, and everybody is told.
    pub(crate) async fn write(&mut self, mut draft: Draft) -> Result<(), Refusal> {
        if draft.lines.is_empty() {
            return Ok(());
        }
        let row = self.row_of(&mut draft);
        let stored = self
            .around
            .store
            .add(&self.id, draft.entry(), row.clone())
            .await;
        match stored {
            Ok(_) => {
                if let Some(row) = row {
                    self.row = Some(Row {
                        summary: None,
                        ..row
                    });
                }
                self.adopt(draft);
                Ok(())
            }
            Err(NotStored::Taken) => {
                self.catch_up().await?;
                Err(NotStored::Taken.into())
            }
            Err(NotStored::Broken) => {
                // It may be stored nevertheless: the answer was lost, not the entry.
                self.unsure = true;
                Err(NotStored::Broken.into())
            }
        }
    }

    /// What changes in the storage beside the log.
    fn row_of(&self, draft: &mut Draft) -> Option<Row> {
        let waiting = draft.state.waiting();
        let summary = draft.changed.then(|| {
            let game = Described {
                waiting,
                number: draft.number(),
                here: &[],
                dealer_hash: &self.dealer_hash,
            };
            let table = draft
                .now
                .describe(&self.head, &self.id, self.made, game, draft.now.at);
            serde_json::to_string(&table).unwrap_or_default()
        });
        let row = draft.now.row(&self.head, waiting, summary);
        let same = self.row.as_ref() == Some(&row);
        (!same).then_some(row)
    }

    /// The table becomes what a stored draft says.
    fn adopt(&mut self, draft: Draft) {
        let stage = self.now.stage;
        let played = !draft.inputs.is_empty() || draft.hold < self.history.inputs().len();
        self.history.truncate(draft.hold);
        self.kept.truncate(draft.hold);
        self.history.go_on(&draft.inputs, draft.state);
        self.kept.extend(draft.kept);
        self.lasting.extend(draft.lasting);
        self.dealer = draft.dealer;
        let others_sit = draft.now.sits_otherwise(&self.now);
        self.now = draft.now;
        if played || self.now.stage != stage {
            self.epoch += 1;
            self.current.store(self.epoch, Ordering::Relaxed);
        }
        if others_sit {
            self.seat_listeners();
        }
        for told in &draft.told {
            match told {
                Told::Input { .. } => self.tell_input(told),
                Told::All(news) => self.tell_all((**news).clone()),
            }
        }
        if draft.changed {
            self.tell_table();
        }
        if others_sit {
            self.dismiss();
        }
        // What spectators said during the game may be heard by all when it is over.
        if stage == Stage::Playing && self.now.stage != Stage::Playing {
            let said: Vec<News> = self
                .chat
                .iter()
                .filter(|said| said.seat == 0)
                .map(said_news)
                .collect();
            for news in said {
                let news = Arc::new(news);
                self.tell(|listener| (!listener.seats.is_empty()).then(|| news.clone()));
            }
        }
    }

    fn take_stored(&mut self, entry: &Entry) -> Result<(), String> {
        let mut draft = self.draft();
        draft
            .stored(&self.rules, &self.head, &self.history, entry)
            .map_err(|error| format!("entry {}: {error}", entry.number))?;
        self.adopt(draft);
        Ok(())
    }

    /// Takes over what is stored and not known here: another server stored it, or an answer was lost.
    pub(crate) async fn catch_up(&mut self) -> Result<(), Refusal> {
        let entries = self.around.store.entries(&self.id, self.now.seq).await;
        let entries = entries.map_err(|error| {
            tracing::error!(game = %self.id, %error, "the log cannot be read");
            Refusal::from(NotStored::Broken)
        })?;
        let any = !entries.is_empty();
        for entry in entries {
            if let Err(error) = self.take_stored(&entry) {
                tracing::error!(game = %self.id, %error, "a stored entry does not apply");
                return Err(refuse("storage", "the table's log cannot be read"));
            }
        }
        self.unsure = false;
        if any {
            self.row = Some(self.now.row(&self.head, self.waiting(), None));
        }
        Ok(())
    }

    /// Stores events.
    pub(crate) async fn events(
        &mut self,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<(), Refusal> {
        self.settle().await?;
        let mut draft = self.draft();
        for event in events {
            draft.event(&self.head, &self.history, event);
        }
        self.write(draft).await
    }

    /// Stores a choice that is legal, and what follows by itself.
    pub(crate) async fn choices(&mut self, seat: Seat, choice: Choice) -> Result<(), Refusal> {
        let mut draft = self.draft();
        draft.input(&self.rules, &self.head, Input::Choice(seat, choice));
        draft.automatic(&self.rules, &self.head, &self.history, self.seed);
        self.write(draft).await
    }

    pub(crate) fn may_choose(&self, seat: Seat, choice: Choice) -> bool {
        if self.now.stage != Stage::Playing || !asked(self.waiting()).has(seat) {
            return false;
        }
        let mut moves = Moves::new();
        self.rules.legal_for(self.history.state(), seat, &mut moves);
        moves.contains(&choice)
    }

    /// Stores a player's being gone, and what follows.
    pub(crate) async fn lose(&mut self, seat: Seat, why: Gone) -> Result<(), Refusal> {
        self.settle().await?;
        let mut draft = self.draft();
        let event = Event::Gone {
            seat: seat.0 + 1,
            why,
        };
        draft.event(&self.head, &self.history, event);
        let passes = draft.now.passes(&self.head, seat);
        if passes && draft.now.stage == Stage::Playing && !draft.state.seat(seat).gone {
            draft.input(&self.rules, &self.head, Input::Leave(seat));
        }
        draft.automatic(&self.rules, &self.head, &self.history, self.seed);
        self.write(draft).await
    }

    /// Lets nature decide and computer players think, until a person is asked or the game is over.
    async fn advance(&mut self) {
        loop {
            if self.settle().await.is_err() {
                return self.try_again_soon();
            }
            if self.now.stage != Stage::Playing {
                return;
            }
            let passes = |seat| self.now.passes(&self.head, seat);
            let by_itself = match self.waiting() {
                Waiting::Chance(_) => true,
                Waiting::Seats(seats) => seats.iter().any(passes),
                Waiting::Over => false,
            };
            if !by_itself {
                break;
            }
            let mut draft = self.draft();
            draft.automatic(&self.rules, &self.head, &self.history, self.seed);
            if draft.lines.is_empty() {
                break;
            }
            match self.write(draft).await {
                Ok(()) => {}
                // Another server was faster, and this one knows now what it did.
                Err(refusal) if refusal.code == "moved-on" => {}
                Err(_) => return self.try_again_soon(),
            }
        }
        self.let_computer_think();
    }

    /// The storage failed: the table comes back to what is due after a moment.
    fn try_again_soon(&self) {
        let Some(own) = self.own.upgrade() else {
            return;
        };
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let _ = own.send(Command::Again).await;
        });
    }

    fn let_computer_think(&mut self) {
        let computer = asked(self.waiting()).iter().find_map(|seat| {
            let level = self.now.seat(seat)?.computer.as_deref().and_then(level)?;
            Some((seat, level))
        });
        let Some((seat, level)) = computer else {
            return;
        };
        if self.thinking == Some((self.epoch, seat)) {
            return;
        }
        let Some(own) = self.own.upgrade() else {
            return;
        };
        let epoch = self.epoch;
        self.thinking = Some((epoch, seat));
        let view = self.rules.view(self.history.state(), Some(seat));
        let rules = self.rules.clone();
        let number = self.number();
        let current = self.current.clone();
        let waited_for = !self.now.persons().is_empty();
        self.around.thinkers.think(waited_for, move || {
            // The game may have gone on, or be over, since this was asked.
            let choice = (current.load(Ordering::Relaxed) == epoch)
                .then(|| decide(level, &rules, &view, seat, number))
                .flatten();
            let _ = own.blocking_send(Command::Computed {
                epoch,
                seat,
                choice,
            });
        });
    }

    // ---- clocks ------------------------------------------------------------------------------------------------------

    fn deadline(&self) -> Option<Instant> {
        let (at, seat) = self.now.deadline(asked(self.waiting()))?;
        let began = self.around.began;
        // Nobody can play while no server runs.
        let asked_before = self.now.seat(seat).is_some_and(|now| now.since < began);
        let at = if asked_before {
            at.max(began + GRACE_MS)
        } else {
            at
        };
        let wait = u64::try_from(at - now_ms()).unwrap_or(0);
        Some(Instant::now() + Duration::from_millis(wait))
    }

    async fn time_is_up(&mut self) {
        // Another server may know of a choice that this one has not heard of.
        if self.catch_up().await.is_err() {
            tokio::time::sleep(Duration::from_millis(200)).await;
            return;
        }
        let Some((at, seat)) = self.now.deadline(asked(self.waiting())) else {
            return;
        };
        if at > now_ms() {
            return;
        }
        match self.lose(seat, Gone::Time).await {
            Ok(()) => {
                count(&self.around.metrics.clocks_fired);
                tracing::info!(game = %self.id, seat = seat.0 + 1, "a player ran out of time");
            }
            Err(refusal) if refusal.code == "moved-on" => {}
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
        self.advance().await;
    }

    // ---- chat --------------------------------------------------------------------------------------------------------

    /// Another server has stored or deleted something said.
    pub(crate) async fn read_chat(&mut self) {
        let Ok(chat) = self.around.store.chat(&self.id, 0).await else {
            return;
        };
        let last = self.chat.last().map_or(0, |said| said.number);
        self.chat = chat;
        let new: Vec<StoredChat> = self
            .chat
            .iter()
            .filter(|said| said.number > last)
            .cloned()
            .collect();
        for said in new {
            self.tell_said(&said);
        }
    }

    pub(crate) fn tell_said(&mut self, said: &StoredChat) {
        let news = Arc::new(said_news(said));
        let only_spectators = said.seat == 0 && self.now.stage == Stage::Playing;
        self.tell(|listener| {
            let hears = listener.seats.is_empty() || !only_spectators;
            hears.then(|| news.clone())
        });
    }
}

/// What a computer player chooses. One that fails must not hold up the game: then it is the first of what it may.
fn decide(level: &Level, rules: &Rules, view: &State, seat: Seat, number: u64) -> Option<Choice> {
    let clock = Wall(Instant::now());
    let chosen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut player = level.player(view.hash() ^ number);
        player.choose(rules, view, seat, level.budget(), &clock)
    }));
    if chosen.is_err() {
        tracing::error!(level = level.name, number, "a computer player failed");
    }
    let decision = chosen.ok().flatten().map(|decision| decision.choice);
    decision.or_else(|| {
        let mut moves = Moves::new();
        rules.legal_for(view, seat, &mut moves);
        moves.first().copied()
    })
}

fn said_news(said: &StoredChat) -> News {
    News::Said {
        number: said.number,
        seat: Some(said.seat).filter(|seat| *seat > 0),
        name: said.name.clone(),
        text: said.said.clone(),
        at: said.at,
    }
}

struct Wall(Instant);

impl AiClock for Wall {
    fn now_ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1000.0
    }
}

mod telling;
#[cfg(test)]
mod tests;
