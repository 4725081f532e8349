//! A scripted player over the server's protocol. It keeps its own copy of the game, compares every hash, and remembers every
//! byte that it was sent.

mod http;
mod scratch;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use trencavel_proto::{Hello, News, Request, Sent, Table, Wish};
use trencavel_record::notation::{choice_text, parse_input};
use trencavel_record::setup_text::parse_setup;
use trencavel_rules::{Choice, Input, Moves, Rules, Seat, State, Waiting};

pub use http::{Http, Refused};
pub use scratch::scratch;

/// How long a bot waits for news before it says that none came.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A WebSocket.
pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Why a bot cannot go on.
#[derive(Debug)]
pub enum Trouble {
    /// The connection is gone, or was never there.
    Gone(String),
    /// The server said something that cannot be true.
    Wrong(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Gone(why) => write!(f, "the connection is gone: {why}"),
            Trouble::Wrong(why) => write!(f, "the server is wrong: {why}"),
        }
    }
}

impl std::error::Error for Trouble {}

fn gone(error: impl fmt::Display) -> Trouble {
    Trouble::Gone(error.to_string())
}

/// A random sequence that is the same for the same seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

/// What a bot knows of its game; it survives the connection.
#[derive(Clone)]
pub struct Knowledge {
    rules: Arc<Rules>,
    start: State,
    /// The position.
    pub state: State,
    /// The inputs that hold.
    pub inputs: Vec<Input>,
    /// The number of the last entry that was told.
    pub seq: u64,
    /// The table as it was last described.
    pub table: Table,
}

impl Knowledge {
    /// Of a game that begins.
    fn new(table: Table) -> Result<Knowledge, Trouble> {
        let setup = parse_setup(&table.setup).map_err(Trouble::Wrong)?;
        let rules = Rules::new(&setup).map_err(|error| Trouble::Wrong(error.to_string()))?;
        let start = rules.start();
        Ok(Knowledge {
            rules: Arc::new(rules),
            state: start.clone(),
            start,
            inputs: Vec::new(),
            seq: 0,
            table,
        })
    }

    /// How many inputs the game has.
    pub fn number(&self) -> u64 {
        self.inputs.len() as u64
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.state.waiting() == Waiting::Over
    }

    fn hear(&mut self, news: &News, seat: Option<Seat>) -> Result<(), Trouble> {
        match news {
            News::Input {
                seq,
                number,
                input,
                hash,
                ..
            } => {
                if *number != self.number() + 1 {
                    let known = self.number();
                    return Err(Trouble::Wrong(format!("input {number} came after {known}")));
                }
                let parsed = parse_input(&self.rules, &self.state, input)
                    .map_err(|error| Trouble::Wrong(format!("{input}: {error}")))?;
                self.rules
                    .apply(&mut self.state, parsed, &mut ())
                    .map_err(|error| Trouble::Wrong(format!("{input}: {error}")))?;
                self.inputs.push(parsed);
                self.seq = *seq;
                let Some(hash) = hash else { return Ok(()) };
                let own = format!("{:016x}", self.rules.view(&self.state, seat).hash());
                if *hash != own {
                    let what = format!("hash {hash}, not {own}, at {number}");
                    return Err(Trouble::Wrong(what));
                }
                Ok(())
            }
            News::TakenBack { seq, number } => {
                self.seq = *seq;
                self.inputs
                    .truncate(usize::try_from(*number).unwrap_or(usize::MAX));
                self.state = self.start.clone();
                for input in &self.inputs {
                    self.rules.apply_listed(&mut self.state, *input, &mut ());
                }
                Ok(())
            }
            News::Gone { seq, .. } | News::Rematch { seq, .. } => {
                self.seq = *seq;
                Ok(())
            }
            News::Table { table } => {
                self.table = table.clone();
                Ok(())
            }
            News::Hello { table, after, .. } => {
                if *after != self.seq {
                    *self = Knowledge::new(table.clone())?;
                }
                self.table = table.clone();
                Ok(())
            }
            News::Seated { .. }
            | News::Here { .. }
            | News::Said { .. }
            | News::Asked { .. }
            | News::Answered { .. }
            | News::Done { .. }
            | News::Refused { .. }
            | News::Bye { .. } => Ok(()),
        }
    }

    /// A random choice of a seat; none if it is not asked.
    pub fn random_choice(&self, seat: Seat, dice: &mut Dice) -> Option<Choice> {
        match self.state.waiting() {
            Waiting::Seats(seats) if seats.has(seat) => {}
            Waiting::Seats(_) | Waiting::Chance(_) | Waiting::Over => return None,
        }
        let mut moves = Moves::new();
        self.rules.legal_for(&self.state, seat, &mut moves);
        moves.get(dice.below(moves.len())).copied()
    }

    /// The text of a choice in the position.
    pub fn text(&self, choice: Choice) -> String {
        choice_text(&self.rules, &self.state, choice)
    }
}

/// A player, or a spectator, at a table.
pub struct Bot {
    socket: Socket,
    /// What it knows.
    pub known: Knowledge,
    /// Its seats.
    pub seats: Vec<Seat>,
    /// Messages heard on this connection.
    pub n: u64,
    /// Every text that was sent to it on this connection.
    pub heard: Vec<String>,
    /// Whether to remember them.
    pub remembers: bool,
    next_id: u64,
}

/// Opens a WebSocket at a table, without a word.
///
/// # Errors
/// The server does not answer, or refuses.
pub async fn open(address: &str, table: &str) -> Result<Socket, Trouble> {
    let url = format!("ws://{address}/api/tables/{table}/ws");
    let connected =
        tokio::time::timeout(PATIENCE, connect_async_with_config(url, None, true)).await;
    let (socket, _) = connected.map_err(gone)?.map_err(gone)?;
    Ok(socket)
}

impl Bot {
    /// Comes to a table: with a secret as a player, without one as a spectator.
    ///
    /// # Errors
    /// There is no connection, or the server refuses.
    pub async fn connect(address: &str, table: &str, secret: Option<&str>) -> Result<Bot, Trouble> {
        Bot::arrive(address, table, secret, None).await
    }

    /// Comes back with what it knew.
    ///
    /// # Errors
    /// There is no connection, or the server refuses.
    pub async fn come_back(
        address: &str,
        table: &str,
        secret: Option<&str>,
        known: Knowledge,
    ) -> Result<Bot, Trouble> {
        Bot::arrive(address, table, secret, Some(known)).await
    }

    async fn arrive(
        address: &str,
        table: &str,
        secret: Option<&str>,
        known: Option<Knowledge>,
    ) -> Result<Bot, Trouble> {
        let mut socket = open(address, table).await?;
        let hello = Hello {
            secret: secret.map(String::from),
            after: known.as_ref().map_or(0, |known| known.seq),
            ..Hello::default()
        };
        let text = serde_json::to_string(&hello).map_err(gone)?;
        socket.send(Message::text(text)).await.map_err(gone)?;
        let (text, sent) = receive(&mut socket).await?;
        let News::Hello { table, seats, .. } = &sent.news else {
            return Err(Trouble::Gone(text));
        };
        let seats = from_one(seats);
        let mut known = match known {
            Some(known) => known,
            None => Knowledge::new(table.clone())?,
        };
        known.hear(&sent.news, seats.first().copied())?;
        Ok(Bot {
            socket,
            known,
            seats,
            n: sent.n,
            heard: vec![text],
            remembers: true,
            next_id: 1,
        })
    }

    /// The next news. The bot's copy of the game follows it.
    ///
    /// # Errors
    /// The connection is gone, or what came cannot be true.
    pub async fn hear(&mut self) -> Result<News, Trouble> {
        let (text, sent) = receive(&mut self.socket).await?;
        if sent.n != self.n + 1 {
            let (n, known) = (sent.n, self.n);
            return Err(Trouble::Wrong(format!("message {n} came after {known}")));
        }
        self.n = sent.n;
        if self.remembers {
            self.heard.push(text);
        }
        if let News::Hello { seats, .. } | News::Seated { seats, .. } = &sent.news {
            self.seats = from_one(seats);
        }
        self.known.hear(&sent.news, self.seats.first().copied())?;
        Ok(sent.news)
    }

    /// Sends a wish; the number under which it will be answered.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn wish(&mut self, wish: Wish) -> Result<u64, Trouble> {
        let id = self.next_id;
        self.next_id += 1;
        let request = Request { id: Some(id), wish };
        let text = serde_json::to_string(&request).map_err(gone)?;
        self.send(Message::text(text)).await?;
        Ok(id)
    }

    /// Sends anything.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn send(&mut self, message: Message) -> Result<(), Trouble> {
        self.socket.send(message).await.map_err(gone)
    }

    /// Sends a random choice if one of its seats is asked: the number of the wish.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn choose(&mut self, dice: &mut Dice) -> Result<Option<u64>, Trouble> {
        // What has happened already is still being told.
        if self.known.number() < self.known.table.number {
            return Ok(None);
        }
        for seat in self.seats.clone() {
            if let Some(choice) = self.known.random_choice(seat, dice) {
                let wish = Wish::Choose {
                    number: self.known.number() + 1,
                    choice: self.known.text(choice),
                };
                return self.wish(wish).await.map(Some);
            }
        }
        Ok(None)
    }

    /// Waits until one of its seats is asked, sends a random choice and waits for the answer: the refusal's word if it was
    /// refused.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn choose_one(&mut self, dice: &mut Dice) -> Result<Result<(), String>, Trouble> {
        loop {
            match self.choose(dice).await? {
                Some(wish) => return self.answer(wish).await,
                None => drop(self.hear().await?),
            }
        }
    }

    /// Waits for the answer to a wish: the refusal's word if it was refused.
    ///
    /// # Errors
    /// The connection is gone.
    pub async fn answer(&mut self, wish: u64) -> Result<Result<(), String>, Trouble> {
        loop {
            match self.hear().await? {
                News::Done { id } if id == wish => return Ok(Ok(())),
                News::Refused {
                    id: Some(id), code, ..
                } if id == wish => return Ok(Err(code)),
                _ => {}
            }
        }
    }

    /// Plays by random choices until the game is over.
    ///
    /// # Errors
    /// The connection is gone, or the server is wrong.
    pub async fn play(&mut self, dice: &mut Dice) -> Result<(), Trouble> {
        let mut sent = None;
        while !self.known.is_over() {
            if sent != Some(self.known.number()) && self.choose(dice).await?.is_some() {
                sent = Some(self.known.number());
            }
            match self.hear().await? {
                News::Refused { code, why, .. } => {
                    return Err(Trouble::Wrong(format!("{code}: {why}")));
                }
                News::Bye { .. } => return Err(gone("bye")),
                _ => {}
            }
        }
        Ok(())
    }

    /// Ends the connection as a client does that is closed.
    pub async fn leave(mut self) -> Knowledge {
        // Whether the other side has heard it does not matter.
        let _ = self.socket.close(None).await;
        self.known
    }
}

/// Seats as messages count them.
fn from_one(seats: &[u8]) -> Vec<Seat> {
    let seats = seats.iter().map(|seat| Seat(seat.saturating_sub(1)));
    seats.collect()
}

async fn receive(socket: &mut Socket) -> Result<(String, Sent), Trouble> {
    // Pings are no news.
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let message = tokio::time::timeout_at(until, socket.next()).await;
        match message.map_err(|_| gone("no news came"))? {
            Some(Ok(Message::Text(text))) => {
                let sent = serde_json::from_str(&text)
                    .map_err(|error| Trouble::Wrong(format!("{text}: {error}")))?;
                return Ok((text.to_string(), sent));
            }
            Some(Ok(Message::Close(_))) | None => return Err(gone("closed")),
            Some(Err(error)) => return Err(gone(error)),
            Some(Ok(_)) => {}
        }
    }
}
