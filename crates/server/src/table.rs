//! One table: a task that owns its game and takes one command after another.
//!
//! Long: a table is one task with one state; its commands share all of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, mpsc, oneshot};
use trencavel_ai::{Clock as AiClock, level};
use trencavel_proto::{
    Absence, Clock, Join, NewSeat, NewTable, News, PROTOCOL, Refusal, Seat as SeatNews, Seated,
    Stage, Table, Wish,
};
use trencavel_record::dealer::{Dealer, hex, parse_seed, seed_hash};
use trencavel_record::game::Game;
use trencavel_record::history::History;
use trencavel_record::notation::{input_text, parse_choice, parse_input};
use trencavel_record::setup_text::parse_setup;
use trencavel_rules::{Choice, Input, Moves, Rules, Seat, Waiting};

use crate::limits::{CHAT_CHARS, CHAT_LINES, LISTENERS, NAME_CHARS, TABLE_NAME_CHARS};
use crate::secret::{self, NoRandomness};
use crate::store::{NotStored, Store, StoredChat, StoredTable, now};

/// The level that takes a seat over when its player is gone.
const STAND_IN: &str = "steady";

/// What the server knows about a table besides its game; stored as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct About {
    name: String,
    setup: String,
    seats: Vec<SeatAbout>,
    private: bool,
    clock: Clock,
    absence: Absence,
    host: String,
    dealer_seed: String,
    /// What happened to seats: taken over, left. Part of the file.
    remarks: Vec<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SeatAbout {
    name: Option<String>,
    secret: Option<String>,
    computer: Option<String>,
    left_ms: Option<i64>,
}

/// What a table is asked.
pub(crate) enum Command {
    Describe(oneshot::Sender<Table>),
    Join(Join, oneshot::Sender<Result<Seated, Refusal>>),
    Listen {
        secret: Option<String>,
        after: u64,
        news: mpsc::Sender<News>,
        done: oneshot::Sender<Result<(), Refusal>>,
    },
    Wish {
        secret: Option<String>,
        wish: Wish,
        done: oneshot::Sender<Result<(), Refusal>>,
    },
    Export(oneshot::Sender<Result<String, Refusal>>),
    Computed {
        number: usize,
        choice: Option<Choice>,
    },
    Close,
}

/// A refusal with a word and a sentence.
pub(crate) fn refuse(code: &str, why: impl Into<String>) -> Refusal {
    Refusal {
        code: code.to_string(),
        why: why.into(),
    }
}

impl From<NotStored> for Refusal {
    fn from(error: NotStored) -> Refusal {
        match error {
            NotStored::Taken => refuse(
                "moved-on",
                "the game has gone on at another server; here is what happened",
            ),
            NotStored::Broken => refuse(
                "storage",
                "nothing can be stored at the moment; nothing was changed, try again soon",
            ),
        }
    }
}

impl From<NoRandomness> for Refusal {
    fn from(_: NoRandomness) -> Refusal {
        refuse(
            "randomness",
            "the system gives no random numbers; nothing was changed",
        )
    }
}

struct Listener {
    seat: Option<Seat>,
    news: mpsc::Sender<News>,
}

struct Question {
    by: Seat,
    what: What,
    agreed: Vec<Seat>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    TakeBack,
    Abandon,
}

/// A table at work.
pub(crate) struct TableTask {
    id: String,
    made: i64,
    stage: Stage,
    about: About,
    rules: Arc<Rules>,
    history: History,
    dealer: Dealer,
    chat: Vec<StoredChat>,
    listeners: Vec<Listener>,
    question: Option<Question>,
    thinking: Option<usize>,
    /// Since when the asked seat thinks.
    since: Instant,
    store: Store,
    computers: Arc<Semaphore>,
    own: mpsc::WeakSender<Command>,
}

/// A new table: checked, not yet stored.
pub(crate) struct Blueprint {
    about: About,
    pub(crate) host: String,
    pub(crate) seated: Option<Seated>,
}

fn clean_name(name: &str, most: usize, what: &str) -> Result<String, Refusal> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() > most {
        return Err(refuse(
            "too-long",
            format!("{what} has more than {most} characters"),
        ));
    }
    if name.chars().any(char::is_control) {
        return Err(refuse(
            "bad-name",
            format!("{what} has characters that cannot be shown"),
        ));
    }
    Ok(name)
}

impl Blueprint {
    pub(crate) fn new(wanted: &NewTable) -> Result<Blueprint, Refusal> {
        let setup = parse_setup(&wanted.setup).map_err(|why| refuse("setup", why))?;
        if usize::from(setup.seats) != wanted.seats.len() {
            let why = format!(
                "the setup has {} seats, but {} are described",
                setup.seats,
                wanted.seats.len()
            );
            return Err(refuse("seats", why));
        }
        Rules::new(&setup).map_err(|faults| refuse("setup", faults.to_string()))?;
        let time = match wanted.clock {
            Clock::None => None,
            Clock::Fischer { seconds, increment } => {
                if !(10..=86_400).contains(&seconds) || increment > 3600 {
                    return Err(refuse(
                        "clock",
                        "a clock has 10 to 86400 seconds, and an increment of at most 3600",
                    ));
                }
                Some(i64::from(seconds) * 1000)
            }
            Clock::Days { days } => {
                if !(1..=60).contains(&days) {
                    return Err(refuse("clock", "a correspondence clock has 1 to 60 days"));
                }
                Some(i64::from(days) * 86_400_000)
            }
        };
        let mut seated = None;
        let mut seats = Vec::new();
        for (number, seat) in (1u8..).zip(&wanted.seats) {
            let mut about = SeatAbout {
                left_ms: time,
                ..SeatAbout::default()
            };
            match seat {
                NewSeat::Open => {}
                NewSeat::Me { name } => {
                    about.name = Some(clean_name(name, NAME_CHARS, "the name")?);
                    let secret = secret::new_secret()?;
                    about.secret = Some(secret::hash(&secret));
                    seated.get_or_insert(Seated {
                        seat: number,
                        secret,
                    });
                }
                NewSeat::Computer { level: name } => {
                    if level(name).is_none() {
                        return Err(refuse(
                            "level",
                            format!("there is no computer player \"{name}\""),
                        ));
                    }
                    about.name = Some(format!("{name} {number}"));
                    about.computer = Some(name.clone());
                }
            }
            seats.push(about);
        }
        // Several seats of the maker (hot seat) have one secret.
        if let Some(first) = &seated {
            let hash = secret::hash(&first.secret);
            for seat in seats.iter_mut().filter(|seat| seat.secret.is_some()) {
                seat.secret = Some(hash.clone());
            }
        }
        let host = secret::new_secret()?;
        let about = About {
            name: clean_name(&wanted.name, TABLE_NAME_CHARS, "the table's name")?,
            setup: wanted.setup.clone(),
            seats,
            private: wanted.private,
            clock: wanted.clock,
            absence: wanted.absence,
            host: secret::hash(&host),
            dealer_seed: hex(&secret::random::<32>()?),
            remarks: Vec::new(),
        };
        Ok(Blueprint {
            about,
            host,
            seated,
        })
    }

    pub(crate) fn stored(&self, id: &str) -> StoredTable {
        let about = serde_json::to_string(&self.about).unwrap_or_default();
        StoredTable {
            id: id.to_string(),
            made: now(),
            stage: stage_word(Stage::Gathering).to_string(),
            about,
        }
    }
}

fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Gathering => "gathering",
        Stage::Playing => "playing",
        Stage::Over => "over",
        Stage::Abandoned => "abandoned",
    }
}

fn stage_from(word: &str) -> Stage {
    match word {
        "gathering" => Stage::Gathering,
        "playing" => Stage::Playing,
        "over" => Stage::Over,
        _ => Stage::Abandoned,
    }
}

impl TableTask {
    /// Takes a stored table up again: its inputs are played from the start.
    pub(crate) async fn load(
        stored: StoredTable,
        store: Store,
        computers: Arc<Semaphore>,
        own: mpsc::WeakSender<Command>,
    ) -> anyhow::Result<TableTask> {
        let about: About = serde_json::from_str(&stored.about)?;
        let setup = parse_setup(&about.setup).map_err(anyhow::Error::msg)?;
        let rules = Arc::new(Rules::new(&setup)?);
        let mut history = History::new(rules.clone());
        for input in store.inputs(&stored.id, 0).await? {
            let parsed = parse_input(&rules, history.state(), &input.input)?;
            history.apply(parsed, &mut ())?;
        }
        let seed = parse_seed(&about.dealer_seed)
            .ok_or_else(|| anyhow::anyhow!("the dealer's seed is mangled"))?;
        let dealer = Dealer::after(seed, &history);
        let chat = store.chat(&stored.id).await?;
        Ok(TableTask {
            id: stored.id,
            made: stored.made,
            stage: stage_from(&stored.stage),
            about,
            rules,
            history,
            dealer,
            chat,
            listeners: Vec::new(),
            question: None,
            thinking: None,
            since: Instant::now(),
            store,
            computers,
            own,
        })
    }

    /// Takes commands until nobody can send any more, or the table is closed.
    pub(crate) async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        if self.stage == Stage::Playing {
            let _ = self.advance().await;
        }
        loop {
            let command = match self.deadline() {
                Some(deadline) => tokio::select! {
                    command = commands.recv() => command,
                    () = tokio::time::sleep_until(deadline.into()) => {
                        self.time_is_up().await;
                        continue;
                    }
                },
                None => commands.recv().await,
            };
            match command {
                None => return,
                Some(Command::Close) => {
                    self.tell_all(&News::Bye { seconds: 5 });
                    return;
                }
                Some(command) => self.take(command).await,
            }
        }
    }

    async fn take(&mut self, command: Command) {
        self.listeners.retain(|listener| !listener.news.is_closed());
        match command {
            Command::Describe(answer) => {
                let _ = answer.send(self.describe());
            }
            Command::Join(join, answer) => {
                let _ = answer.send(self.join(&join).await);
            }
            Command::Listen {
                secret,
                after,
                news,
                done,
            } => {
                let _ = done.send(self.listen(secret.as_deref(), after, news));
            }
            Command::Wish { secret, wish, done } => {
                let _ = done.send(self.wish(secret.as_deref(), wish).await);
            }
            Command::Export(answer) => {
                let _ = answer.send(self.export());
            }
            Command::Computed { number, choice } => {
                if self.thinking == Some(number) {
                    self.thinking = None;
                    if let (Some(choice), Some(seat)) = (choice, self.asked()) {
                        let _ = self.add(Input::Choice(seat, choice)).await;
                    }
                    let _ = self.advance().await;
                }
            }
            Command::Close => {}
        }
    }

    // ---- who is who ----------------------------------------------------------------------------------------------

    /// The seats of a secret: one, or all of a hot seat.
    fn seats_of(&self, secret: Option<&str>) -> Vec<Seat> {
        let Some(hash) = secret.map(secret::hash) else {
            return Vec::new();
        };
        let seats = (0u8..).map(Seat).zip(&self.about.seats);
        seats
            .filter(|(_, seat)| seat.secret.as_deref() == Some(&hash))
            .map(|(seat, _)| seat)
            .collect()
    }

    fn is_host(&self, secret: Option<&str>) -> bool {
        secret.is_some_and(|secret| secret::hash(secret) == self.about.host)
    }

    fn asked(&self) -> Option<Seat> {
        match self.history.state().waiting() {
            Waiting::Seats(seats) => seats.iter().next(),
            Waiting::Chance(_) | Waiting::Over => None,
        }
    }

    fn describe(&self) -> Table {
        let asked = if self.stage == Stage::Playing {
            self.asked()
        } else {
            None
        };
        let seats = (0u8..)
            .map(Seat)
            .zip(&self.about.seats)
            .map(|(seat, about)| SeatNews {
                name: about.name.clone(),
                computer: about.computer.clone(),
                here: self
                    .listeners
                    .iter()
                    .any(|listener| listener.seat == Some(seat)),
                left_ms: about.left_ms.map(|left| {
                    if asked == Some(seat) {
                        left - self.spent_ms()
                    } else {
                        left
                    }
                }),
            });
        let seed = parse_seed(&self.about.dealer_seed).unwrap_or_default();
        let ended = matches!(self.stage, Stage::Over | Stage::Abandoned);
        Table {
            id: self.id.clone(),
            name: self.about.name.clone(),
            setup: self.about.setup.clone(),
            stage: self.stage,
            seats: seats.collect(),
            private: self.about.private,
            clock: self.about.clock,
            absence: self.about.absence,
            number: self.history.inputs().len() as u64,
            dealer_hash: seed_hash(&seed),
            dealer_seed: ended.then(|| self.about.dealer_seed.clone()),
            made: self.made,
        }
    }

    fn spent_ms(&self) -> i64 {
        i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    // ---- telling -------------------------------------------------------------------------------------------------

    /// Tells all listeners; one that does not read is dropped and must come back.
    fn tell_all(&mut self, news: &News) {
        self.listeners
            .retain(|listener| listener.news.try_send(news.clone()).is_ok());
    }

    fn tell_table(&mut self) {
        let table = self.describe();
        self.tell_all(&News::Table { table });
    }

    fn listen(
        &mut self,
        secret: Option<&str>,
        after: u64,
        news: mpsc::Sender<News>,
    ) -> Result<(), Refusal> {
        if self.listeners.len() >= LISTENERS {
            return Err(refuse(
                "full",
                format!("a table has at most {LISTENERS} listeners"),
            ));
        }
        let seat = match secret {
            None => None,
            Some(_) => match self.seats_of(secret).first() {
                Some(seat) => Some(*seat),
                None if self.is_host(secret) => None,
                None => {
                    return Err(refuse(
                        "secret",
                        "this secret belongs to no seat of the table",
                    ));
                }
            },
        };
        let hello = News::Hello {
            protocol: PROTOCOL,
            table: self.describe(),
            you: seat.map(|seat| seat.0 + 1),
        };
        let mut all = vec![hello];
        all.extend(self.inputs_after(after, seat));
        all.extend(self.chat.iter().map(|said| News::Said {
            seat: u8::try_from(said.seat).ok().filter(|seat| *seat > 0),
            text: said.said.clone(),
            at: said.at,
        }));
        // The whole past goes at once; only what comes later may find the listener slow.
        let slow = news.clone();
        tokio::spawn(async move {
            for item in all {
                if slow.send(item).await.is_err() {
                    return;
                }
            }
        });
        self.listeners.push(Listener { seat, news });
        self.tell_table();
        Ok(())
    }

    /// The inputs after a number as a seat may see them.
    fn inputs_after(&self, after: u64, seat: Option<Seat>) -> Vec<News> {
        let mut state = self
            .history
            .at(usize::try_from(after).unwrap_or(usize::MAX));
        let mut news = Vec::new();
        for (number, input) in (1u64..)
            .zip(self.history.inputs())
            .skip(usize::try_from(after).unwrap_or(usize::MAX))
        {
            let shown = self.rules.redact(&state, *input, seat);
            let text = input_text(&self.rules, &state, shown);
            let turn = state.turn().number;
            self.rules.apply_listed(&mut state, *input, &mut ());
            let ended = state.turn().number != turn || state.waiting() == Waiting::Over;
            let hash = ended.then(|| format!("{:016x}", self.rules.view(&state, seat).hash()));
            news.push(News::Input {
                number,
                input: text,
                hash,
            });
        }
        news
    }

    // ---- the game ------------------------------------------------------------------------------------------------

    /// Stores an input, then applies it and tells everybody. The input must be legal.
    async fn add(&mut self, input: Input) -> Result<(), Refusal> {
        let number = self.history.inputs().len() as u64 + 1;
        let text = input_text(&self.rules, self.history.state(), input);
        match self.store.add_input(&self.id, number, &text).await {
            Ok(()) => {}
            Err(NotStored::Taken) => {
                self.catch_up().await;
                return Err(NotStored::Taken.into());
            }
            Err(error) => return Err(error.into()),
        }
        if let Input::Choice(seat, _) = input {
            self.stop_clock(seat);
        }
        self.apply_and_tell(input);
        Ok(())
    }

    fn apply_and_tell(&mut self, input: Input) {
        let number = self.history.inputs().len() as u64;
        let before = self.history.state().clone();
        if self.history.apply(input, &mut ()).is_err() {
            tracing::error!(game = %self.id, number, "a stored input does not apply");
            return;
        }
        let state = self.history.state();
        let ended = state.turn().number != before.turn().number || state.waiting() == Waiting::Over;
        let rules = self.rules.clone();
        let state = state.clone();
        self.listeners.retain(|listener| {
            let shown = rules.redact(&before, input, listener.seat);
            let hash = ended.then(|| format!("{:016x}", rules.view(&state, listener.seat).hash()));
            let news = News::Input {
                number: number + 1,
                input: input_text(&rules, &before, shown),
                hash,
            };
            listener.news.try_send(news).is_ok()
        });
        self.since = Instant::now();
    }

    /// Another server has stored inputs of this game: takes them over.
    async fn catch_up(&mut self) {
        let after = self.history.inputs().len() as u64;
        let Ok(inputs) = self.store.inputs(&self.id, after).await else {
            return;
        };
        for stored in inputs {
            if stored.number as usize == self.history.inputs().len() + 1
                && let Ok(input) = parse_input(&self.rules, self.history.state(), &stored.input)
            {
                self.apply_and_tell(input);
            }
        }
        if let Some(seed) = parse_seed(&self.about.dealer_seed) {
            self.dealer = Dealer::after(seed, &self.history);
        }
        self.thinking = None;
    }

    /// Lets nature decide and computer players think, until a person is asked or the game is over.
    async fn advance(&mut self) -> Result<(), Refusal> {
        if self.stage != Stage::Playing {
            return Ok(());
        }
        loop {
            match self.history.state().waiting() {
                Waiting::Over => {
                    self.stage = Stage::Over;
                    self.put().await?;
                    self.tell_table();
                    return Ok(());
                }
                Waiting::Chance(_) => {
                    let Some(chance) = self.dealer.decide(&self.rules, self.history.state()) else {
                        return Ok(());
                    };
                    if let Err(refusal) = self.add(Input::Chance(chance)).await {
                        // The dealer must not run ahead of what is stored.
                        if let Some(seed) = parse_seed(&self.about.dealer_seed) {
                            self.dealer = Dealer::after(seed, &self.history);
                        }
                        self.try_again_soon();
                        return Err(refusal);
                    }
                }
                Waiting::Seats(_) => {
                    self.let_computer_think();
                    return Ok(());
                }
            }
        }
    }

    /// The storage failed: the table comes back to what is due after a moment.
    fn try_again_soon(&mut self) {
        let number = self.history.inputs().len();
        self.thinking = Some(number);
        let Some(own) = self.own.upgrade() else {
            return;
        };
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let _ = own
                .send(Command::Computed {
                    number,
                    choice: None,
                })
                .await;
        });
    }

    fn let_computer_think(&mut self) {
        let number = self.history.inputs().len();
        let Some(seat) = self.asked().filter(|_| self.thinking != Some(number)) else {
            return;
        };
        let computer = self
            .about
            .seats
            .get(seat.index())
            .and_then(|about| about.computer.as_deref());
        let Some(level) = computer.and_then(level) else {
            return;
        };
        let Some(own) = self.own.upgrade() else {
            return;
        };
        self.thinking = Some(number);
        let view = self.rules.view(self.history.state(), Some(seat));
        let (rules, computers) = (self.rules.clone(), self.computers.clone());
        tokio::spawn(async move {
            // Only so many think at once, so that games between people never wait for them.
            let Ok(_permit) = computers.acquire_owned().await else {
                return;
            };
            let thought = tokio::task::spawn_blocking(move || {
                let mut player = level.player(view.hash() ^ number as u64);
                let decision =
                    player.choose(&rules, &view, seat, level.budget(), &Wall(Instant::now()));
                decision.map(|decision| decision.choice).or_else(|| {
                    let mut moves = Moves::new();
                    rules.legal_for(&view, seat, &mut moves);
                    moves.first().copied()
                })
            });
            let choice = thought.await.ok().flatten();
            let _ = own.send(Command::Computed { number, choice }).await;
        });
    }

    // ---- clocks --------------------------------------------------------------------------------------------------

    fn deadline(&self) -> Option<Instant> {
        if self.stage != Stage::Playing {
            return None;
        }
        let about = self.about.seats.get(self.asked()?.index())?;
        let left = about
            .left_ms
            .filter(|left| about.computer.is_none() && *left > 0)?;
        Some(self.since + Duration::from_millis(left as u64))
    }

    fn stop_clock(&mut self, seat: Seat) {
        let spent = self.spent_ms();
        let Some(about) = self.about.seats.get_mut(seat.index()) else {
            return;
        };
        match self.about.clock {
            Clock::None => {}
            Clock::Fischer { increment, .. } => {
                about.left_ms = about
                    .left_ms
                    .map(|left| (left - spent).max(0) + i64::from(increment) * 1000);
            }
            Clock::Days { days } => about.left_ms = Some(i64::from(days) * 86_400_000),
        }
    }

    async fn time_is_up(&mut self) {
        let Some(seat) = self.asked() else { return };
        if let Some(about) = self.about.seats.get_mut(seat.index()) {
            about.left_ms = Some(0);
        }
        let _ = self.lose(seat, "ran out of time").await;
    }

    /// A player is gone: what the table said happens.
    async fn lose(&mut self, seat: Seat, why: &str) -> Result<(), Refusal> {
        let Some(about) = self.about.seats.get_mut(seat.index()) else {
            return Ok(());
        };
        let name = about.name.clone().unwrap_or_default();
        let number = self.history.inputs().len();
        let then = match self.about.absence {
            Absence::Computer => {
                about.computer = Some(STAND_IN.to_string());
                about.secret = None;
                format!("{STAND_IN} plays on")
            }
            Absence::Wait => "the others wait".to_string(),
            Absence::End => {
                self.stage = Stage::Abandoned;
                "the game ends".to_string()
            }
        };
        self.about.remarks.push(format!(
            "after input {number}: seat {} ({name}) {why}; {then}",
            seat.0 + 1
        ));
        self.put().await?;
        self.tell_table();
        self.advance().await
    }

    // ---- wishes --------------------------------------------------------------------------------------------------

    async fn put(&self) -> Result<(), NotStored> {
        let about = serde_json::to_string(&self.about).unwrap_or_default();
        let stage = stage_word(self.stage).to_string();
        self.store
            .put_table(&StoredTable {
                id: self.id.clone(),
                made: self.made,
                stage,
                about,
            })
            .await
    }

    async fn join(&mut self, join: &Join) -> Result<Seated, Refusal> {
        if self.stage != Stage::Gathering {
            return Err(refuse("begun", "the game has begun; you can watch it"));
        }
        let name = clean_name(&join.name, NAME_CHARS, "the name")?;
        if name.is_empty() {
            return Err(refuse("bad-name", "a player needs a name"));
        }
        let is_open = |about: &SeatAbout| about.name.is_none();
        let index = match join.seat {
            Some(seat) => usize::from(seat)
                .checked_sub(1)
                .filter(|i| self.about.seats.get(*i).is_some_and(is_open)),
            None => self.about.seats.iter().position(is_open),
        };
        let Some(index) = index else {
            return Err(refuse("taken", "that seat is not open"));
        };
        let secret = secret::new_secret()?;
        let before = self.about.clone();
        if let Some(about) = self.about.seats.get_mut(index) {
            about.name = Some(name);
            about.secret = Some(secret::hash(&secret));
        }
        if let Err(error) = self.put().await {
            self.about = before;
            return Err(error.into());
        }
        self.tell_table();
        Ok(Seated {
            seat: index as u8 + 1,
            secret,
        })
    }

    async fn wish(&mut self, secret: Option<&str>, wish: Wish) -> Result<(), Refusal> {
        let seats = self.seats_of(secret);
        let player = || {
            seats
                .first()
                .copied()
                .ok_or_else(|| refuse("secret", "only a player of this table may do that"))
        };
        match wish {
            Wish::Start => {
                if !self.is_host(secret) {
                    return Err(refuse("secret", "only the host may begin the game"));
                }
                self.begin().await
            }
            Wish::Choose { number, choice } => {
                player()?;
                self.choose(&seats, number, &choice).await
            }
            Wish::Say { text } => self.say(seats.first().copied(), &text).await,
            Wish::Leave => {
                let seat = player()?;
                match self.stage {
                    Stage::Playing => self.lose(seat, "left").await,
                    Stage::Gathering => {
                        if let Some(about) = self.about.seats.get_mut(seat.index()) {
                            about.name = None;
                            about.secret = None;
                        }
                        self.put().await?;
                        self.tell_table();
                        Ok(())
                    }
                    Stage::Over | Stage::Abandoned => Err(refuse("over", "the game is over")),
                }
            }
            Wish::TakeBack => {
                let seat = player()?;
                self.playing()?;
                if seats.iter().any(|seat| self.history.may_take_back(*seat)) {
                    let number = self.history.inputs().len() - 1;
                    return self.take_back(number).await;
                }
                self.ask(seat, What::TakeBack).await
            }
            Wish::Abandon => {
                let seat = player()?;
                self.playing()?;
                self.ask(seat, What::Abandon).await
            }
            Wish::Answer { agree } => {
                player()?;
                self.answer(&seats, agree).await
            }
            Wish::Resync { .. } => Err(refuse(
                "resync",
                "listen again with the last number that is known",
            )),
            Wish::Close => {
                if !self.is_host(secret) {
                    return Err(refuse("secret", "only the host may close the table"));
                }
                self.stage = Stage::Abandoned;
                self.about
                    .remarks
                    .push("the host closed the table".to_string());
                self.put().await?;
                self.tell_table();
                Ok(())
            }
        }
    }

    fn playing(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::Playing => Ok(()),
            Stage::Gathering => Err(refuse("not-begun", "the game has not begun")),
            Stage::Over | Stage::Abandoned => Err(refuse("over", "the game is over")),
        }
    }

    async fn begin(&mut self) -> Result<(), Refusal> {
        if self.stage != Stage::Gathering {
            return Err(refuse("begun", "the game has begun already"));
        }
        if self.about.seats.iter().any(|about| about.name.is_none()) {
            return Err(refuse("open-seats", "there are open seats"));
        }
        self.stage = Stage::Playing;
        if let Err(error) = self.put().await {
            self.stage = Stage::Gathering;
            return Err(error.into());
        }
        self.since = Instant::now();
        self.tell_table();
        self.advance().await
    }

    async fn choose(&mut self, seats: &[Seat], number: u64, text: &str) -> Result<(), Refusal> {
        self.playing()?;
        let due = self.history.inputs().len() as u64 + 1;
        if number != due {
            return Err(refuse(
                "number",
                format!("input {number} was sent, but {due} is due"),
            ));
        }
        let asked = match self.history.state().waiting() {
            Waiting::Seats(asked) => seats.iter().copied().find(|seat| asked.has(*seat)),
            Waiting::Chance(_) | Waiting::Over => None,
        };
        let Some(seat) = asked else {
            return Err(refuse("not-asked", "it is not your turn to choose"));
        };
        let choice = parse_choice(&self.rules, self.history.state(), text)
            .map_err(|error| refuse("notation", error.to_string()))?;
        let mut moves = Moves::new();
        self.rules.legal_for(self.history.state(), seat, &mut moves);
        if !moves.contains(&choice) {
            let clauses = self.rules.why_not(self.history.state(), seat, choice);
            let clauses: Vec<&str> = clauses.iter().map(|clause| clause.id()).collect();
            return Err(refuse(
                "illegal",
                format!("that is not allowed: {}", clauses.join(", ")),
            ));
        }
        self.add(Input::Choice(seat, choice)).await?;
        self.question = None;
        let _ = self.advance().await;
        Ok(())
    }

    async fn say(&mut self, seat: Option<Seat>, text: &str) -> Result<(), Refusal> {
        let text = text.trim();
        if text.is_empty() || text.chars().count() > CHAT_CHARS {
            return Err(refuse(
                "too-long",
                format!("what is said has 1 to {CHAT_CHARS} characters"),
            ));
        }
        if self.chat.len() >= CHAT_LINES {
            return Err(refuse(
                "full",
                format!("at a table at most {CHAT_LINES} things can be said"),
            ));
        }
        let number = seat.map_or(0, |seat| i64::from(seat.0) + 1);
        let said = StoredChat {
            seat: number,
            said: text.to_string(),
            at: now(),
        };
        self.store
            .add_chat(&self.id, self.chat.len(), &said)
            .await?;
        let news = News::Said {
            seat: seat.map(|seat| seat.0 + 1),
            text: said.said.clone(),
            at: said.at,
        };
        self.chat.push(said);
        // Spectators are not heard by players while the game is on.
        let from_spectator = seat.is_none() && self.stage == Stage::Playing;
        self.listeners.retain(|listener| {
            (from_spectator && listener.seat.is_some())
                || listener.news.try_send(news.clone()).is_ok()
        });
        Ok(())
    }

    /// Persons whose agreement is needed: all seats with a secret.
    fn persons(&self) -> Vec<Seat> {
        let seats = (0u8..).map(Seat).zip(&self.about.seats);
        seats
            .filter(|(_, about)| about.secret.is_some())
            .map(|(seat, _)| seat)
            .collect()
    }

    async fn ask(&mut self, by: Seat, what: What) -> Result<(), Refusal> {
        self.question = Some(Question {
            by,
            what,
            agreed: Vec::new(),
        });
        let word = if what == What::TakeBack {
            "take-back"
        } else {
            "abandon"
        };
        self.tell_all(&News::Asked {
            seat: by.0 + 1,
            what: word.to_string(),
        });
        let own: Vec<Seat> = self.same_hand(by);
        self.answer(&own, true).await
    }

    /// The seats that have the same secret as one.
    fn same_hand(&self, seat: Seat) -> Vec<Seat> {
        let secret = self
            .about
            .seats
            .get(seat.index())
            .and_then(|about| about.secret.clone());
        let seats = (0u8..).map(Seat).zip(&self.about.seats);
        seats
            .filter(|(_, about)| about.secret.is_some() && about.secret == secret)
            .map(|(seat, _)| seat)
            .collect()
    }

    async fn answer(&mut self, seats: &[Seat], agree: bool) -> Result<(), Refusal> {
        let persons = self.persons();
        let Some(question) = &mut self.question else {
            return Err(refuse("nothing-asked", "nobody has asked for anything"));
        };
        if !agree {
            self.question = None;
            self.tell_all(&News::Answered { agreed: false });
            return Ok(());
        }
        question.agreed.extend(seats);
        if !persons.iter().all(|seat| question.agreed.contains(seat)) {
            return Ok(());
        }
        let (by, what) = (question.by, question.what);
        self.question = None;
        self.tell_all(&News::Answered { agreed: true });
        match what {
            What::Abandon => {
                self.stage = Stage::Abandoned;
                self.about
                    .remarks
                    .push("the players ended the game by agreement".to_string());
                self.put().await?;
                self.tell_table();
                Ok(())
            }
            What::TakeBack => {
                let own = |input: &Input| matches!(input, Input::Choice(seat, _) if *seat == by);
                match self.history.inputs().iter().rposition(own) {
                    Some(number) => self.take_back(number).await,
                    None => Ok(()),
                }
            }
        }
    }

    async fn take_back(&mut self, number: usize) -> Result<(), Refusal> {
        self.store.take_back(&self.id, number as u64).await?;
        self.history.truncate(number);
        if let Some(seed) = parse_seed(&self.about.dealer_seed) {
            self.dealer = Dealer::after(seed, &self.history);
        }
        self.thinking = None;
        self.since = Instant::now();
        self.tell_all(&News::TakenBack {
            number: number as u64,
        });
        let _ = self.advance().await;
        Ok(())
    }

    /// The file of a finished game.
    fn export(&self) -> Result<String, Refusal> {
        if !matches!(self.stage, Stage::Over | Stage::Abandoned) {
            return Err(refuse(
                "not-over",
                "a game can be taken away as a file when it is over",
            ));
        }
        let names = self
            .about
            .seats
            .iter()
            .map(|about| about.name.clone().unwrap_or_default())
            .collect();
        let mut game = Game {
            history: self.history.clone(),
            names,
            notes: Vec::new(),
            changed: Vec::new(),
        };
        let seed = parse_seed(&self.about.dealer_seed).unwrap_or_default();
        game.notes.push(("dealer-hash".into(), seed_hash(&seed)));
        game.notes
            .push(("dealer-seed".into(), self.about.dealer_seed.clone()));
        game.notes.extend(
            self.about
                .remarks
                .iter()
                .map(|remark| ("remark".to_string(), remark.clone())),
        );
        Ok(game.to_text())
    }
}

struct Wall(Instant);

impl AiClock for Wall {
    fn now_ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1000.0
    }
}
