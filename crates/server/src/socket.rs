//! Connections that listen to a table: WebSockets, and streams of JSON lines.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde::de::DeserializeOwned;
use tokio::sync::{mpsc, watch};
use trencavel_proto::{Hello, News, PROTOCOL, Refusal, Request, Sent, Wish};

use crate::accounts::Accounts;
use crate::app::{App, Connected};
use crate::blueprint::{clean_name, refuse};
use crate::metrics::count;
use crate::secret;
use crate::table::Command;
use crate::web::{Caller, parse, refused};
use crate::who::Who;

/// How long a client may take to read a message before its connection is closed.
const SLOW: Duration = Duration::from_secs(10);

/// A place among a table's listeners. The table is told when it is given up.
struct Place {
    app: Arc<App>,
    table: String,
    id: u64,
    news: mpsc::Receiver<Arc<News>>,
}

impl Place {
    /// Begins to listen; what is told first.
    async fn take(
        app: &Arc<App>,
        table: &str,
        who: &Who,
        (after, after_said): (u64, u64),
    ) -> Result<(Place, Vec<News>), Refusal> {
        let most = usize::try_from(app.limits.waiting_news).unwrap_or(256);
        let (sender, news) = mpsc::channel(most.max(1));
        let who = who.clone();
        let listen = |done| Command::Listen {
            who,
            after,
            after_said,
            news: sender,
            done,
        };
        let listening = app.tables.ask(table, listen).await??;
        let place = Place {
            app: app.clone(),
            table: table.to_string(),
            id: listening.id,
            news,
        };
        Ok((place, listening.past))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let (app, table, id) = (self.app.clone(), std::mem::take(&mut self.table), self.id);
        tokio::spawn(async move {
            app.tables.tell_awake(&table, Command::Unlisten(id)).await;
        });
    }
}

// ---- streams ---------------------------------------------------------------------------------------------------------

struct Lines {
    place: Place,
    who: Who,
    bans: watch::Receiver<()>,
    past: std::vec::IntoIter<News>,
    n: u64,
    ended: bool,
    _connected: Connected,
}

impl Lines {
    /// The next line without its end. It is empty after a while without news, so that nobody on the way, and neither of the
    /// two ends, takes the connection for a dead one.
    async fn next(&mut self) -> Option<Vec<u8>> {
        if self.ended {
            return None;
        }
        if let Some(news) = self.past.next() {
            return self.line(&news);
        }
        let app = self.place.app.clone();
        let mut stopped = app.stopped.clone();
        let last = tokio::select! {
            news = self.place.news.recv() => match news {
                Some(news) => return self.line(&news),
                None => News::Bye { seconds: 1 },
            },
            () = tokio::time::sleep(app.limits.ping()) => return Some(Vec::new()),
            refusal = app.accounts.until_banned(&self.who, &mut self.bans) => news_of(None, refusal),
            () = until_stopped(&mut stopped) => News::Bye { seconds: 5 },
        };
        self.ended = true;
        self.line(&last)
    }

    fn line(&mut self, news: &News) -> Option<Vec<u8>> {
        self.n += 1;
        serde_json::to_vec(&sent(self.n, news)).ok()
    }
}

fn news_of(id: Option<u64>, refusal: Refusal) -> News {
    let Refusal { code, why } = refusal;
    News::Refused { id, code, why }
}

fn number(query: &HashMap<String, String>, name: &str) -> Result<u64, Refusal> {
    let text = query.get(name).map_or("0", String::as_str);
    text.parse()
        .map_err(|_| refuse("after", format!("{name} is a whole number")))
}

/// News as one JSON object a line, until the client goes away.
pub(crate) async fn events(
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let app = &caller.app;
    let begun = async {
        let bans = app.accounts.bans_change();
        let who = caller.who(&id).await?;
        let after = (number(&query, "after")?, number(&query, "after_said")?);
        let connected = app.connect(&who)?;
        let (place, past) = Place::take(app, &id, &who, after).await?;
        Ok(Lines {
            place,
            who,
            bans,
            past: past.into_iter(),
            n: 0,
            ended: false,
            _connected: connected,
        })
    };
    let lines: Lines = match begun.await {
        Ok(lines) => lines,
        Err(refusal) => return refused(&refusal),
    };
    let body = stream::unfold(lines, async |mut lines| {
        let mut line = lines.next().await?;
        line.push(b'\n');
        Some((Ok::<_, Infallible>(line), lines))
    });
    (
        [
            (header::CONTENT_TYPE, "application/x-ndjson"),
            // A proxy must not collect lines.
            (header::HeaderName::from_static("x-accel-buffering"), "no"),
        ],
        Body::from_stream(body),
    )
        .into_response()
}

fn sent(n: u64, news: &News) -> Sent {
    Sent {
        n,
        news: news.clone(),
    }
}

// ---- WebSockets ------------------------------------------------------------------------------------------------------

/// A WebSocket: a hello, then wishes one way and news the other.
pub(crate) async fn socket(
    caller: Caller,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let app = caller.app.clone();
    let admitted = async {
        app.is_own_page(&caller.headers)?;
        let who = caller.who(&id).await?;
        let connected = app.connect(&who)?;
        Ok((who, connected))
    };
    let (who, connected) = match admitted.await {
        Ok(admitted) => admitted,
        Err(refusal) => return refused(&refusal),
    };
    // What is somewhat too large is read whole, so that its sender hears why it is refused; of more only the head is read.
    let bytes = usize::try_from(app.limits.message_bytes)
        .unwrap_or(usize::MAX)
        .saturating_mul(4);
    upgrade
        .max_message_size(bytes)
        .max_frame_size(bytes)
        .read_buffer_size(1 << 12)
        .write_buffer_size(0)
        .on_upgrade(async move |socket| {
            let _connected = connected;
            let mut talk = Talk {
                app,
                id,
                who,
                socket,
                n: 0,
                second: Instant::now(),
                wishes: 0,
            };
            // The client is gone, or was told why it is sent away.
            let _ = talk.talk().await;
        })
}

async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// The connection has ended.
struct Ended;

struct Talk {
    app: Arc<App>,
    id: String,
    who: Who,
    socket: WebSocket,
    /// Messages sent so far.
    n: u64,
    second: Instant,
    wishes: u64,
}

impl Talk {
    async fn send_message(&mut self, message: Message) -> Result<(), Ended> {
        let sent = tokio::time::timeout(SLOW, self.socket.send(message)).await;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Ended),
            Err(_) => {
                count(&self.app.metrics.listeners_dropped);
                Err(Ended)
            }
        }
    }

    async fn send(&mut self, news: &News) -> Result<(), Ended> {
        self.n += 1;
        let text = serde_json::to_string(&sent(self.n, news)).map_err(|_| Ended)?;
        self.send_message(Message::text(text)).await
    }

    async fn refuse(&mut self, id: Option<u64>, refusal: Refusal) -> Result<(), Ended> {
        count(&self.app.metrics.refusals);
        self.send(&news_of(id, refusal)).await
    }

    fn too_large(&self) -> Refusal {
        let most = self.app.limits.message_bytes;
        refuse(
            "too-large",
            format!("a message is text of at most {most} bytes"),
        )
    }

    fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, Refusal> {
        if text.len() as u64 > self.app.limits.message_bytes {
            return Err(self.too_large());
        }
        parse(text.as_bytes())
    }

    /// The client's first message.
    async fn hello(&mut self) -> Result<Result<Hello, Refusal>, Ended> {
        // Whatever else comes does not make the time longer.
        let until = tokio::time::Instant::now() + self.app.limits.hello();
        let text = loop {
            match tokio::time::timeout_at(until, self.socket.recv()).await {
                Ok(Some(Ok(Message::Text(text)))) => break text,
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
                Ok(Some(Ok(Message::Binary(_)))) => {
                    return Ok(Err(refuse("json", "messages are JSON text")));
                }
                Ok(Some(Err(_))) => return Ok(Err(self.too_large())),
                Ok(Some(Ok(Message::Close(_))) | None) => return Err(Ended),
                Err(_) => return Ok(Err(refuse("json", "no hello came"))),
            }
        };
        Ok(self.read(&text))
    }

    /// Takes over what the hello says about the client.
    async fn introduce(&mut self, hello: &Hello) -> Result<(), Refusal> {
        if let Some(protocol) = hello.protocol.filter(|protocol| *protocol != PROTOCOL) {
            return Err(refuse(
                "protocol",
                format!("this server speaks protocol {PROTOCOL}, not {protocol}"),
            ));
        }
        if let Some(name) = &hello.name {
            self.who.name = clean_name(name, self.app.limits.name_chars, "the name")?;
        }
        match &hello.secret {
            None => {}
            Some(secret) if Accounts::is_session(secret) => {
                self.who.account = self.app.accounts.of_session(secret).await?;
            }
            Some(secret) => {
                self.who.hashes.push(secret::hash(secret));
                self.who.said = true;
            }
        }
        self.app.accounts.admit(&self.who)
    }

    async fn listen(&mut self, after: (u64, u64)) -> Result<Result<Place, Refusal>, Ended> {
        match Place::take(&self.app, &self.id, &self.who, after).await {
            Ok((place, past)) => {
                for news in past {
                    self.send(&news).await?;
                }
                Ok(Ok(place))
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    async fn talk(&mut self) -> Result<(), Ended> {
        let mut bans = self.app.accounts.bans_change();
        let hello = match self.hello().await? {
            Ok(hello) => hello,
            Err(refusal) => return self.refuse(None, refusal).await,
        };
        if let Err(refusal) = self.introduce(&hello).await {
            return self.refuse(None, refusal).await;
        }
        let mut place = match self.listen((hello.after, hello.after_said)).await? {
            Ok(place) => place,
            Err(refusal) => return self.refuse(None, refusal).await,
        };
        let app = self.app.clone();
        let mut stopped = app.stopped.clone();
        let mut ping = tokio::time::interval(self.app.limits.ping());
        ping.tick().await;
        // Whether the client was heard since the last ping.
        let mut heard = true;
        loop {
            tokio::select! {
                news = place.news.recv() => match news {
                    Some(news) => {
                        self.send(&news).await?;
                        if matches!(*news, News::Bye { .. }) {
                            return Ok(());
                        }
                    }
                    // The table has dropped this listener: it was too slow, or the table is closing.
                    None => return self.send(&News::Bye { seconds: 1 }).await,
                },
                message = self.socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => {
                        heard = true;
                        if let Some((id, after)) = self.wish(&text, &mut place.news).await? {
                            drop(place);
                            place = match self.listen(after).await? {
                                Ok(place) => place,
                                Err(refusal) => return self.refuse(id, refusal).await,
                            };
                            self.done(id).await?;
                        }
                    }
                    Some(Ok(Message::Binary(_))) => {
                        self.refuse(None, refuse("json", "messages are JSON text")).await?;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => heard = true,
                    Some(Ok(Message::Close(_))) | None => return Err(Ended),
                    Some(Err(error)) => {
                        tracing::debug!(%error, "a connection broke");
                        return self.refuse(None, self.too_large()).await;
                    }
                },
                _ = ping.tick() => {
                    if !std::mem::take(&mut heard) {
                        return Err(Ended);
                    }
                    self.send_message(Message::Ping(Bytes::new())).await?;
                }
                refusal = app.accounts.until_banned(&self.who, &mut bans) => {
                    return self.refuse(None, refusal).await;
                }
                () = until_stopped(&mut stopped) => {
                    return self.send(&News::Bye { seconds: 5 }).await;
                }
            }
        }
    }

    async fn done(&mut self, id: Option<u64>) -> Result<(), Ended> {
        match id {
            Some(id) => self.send(&News::Done { id }).await,
            None => Ok(()),
        }
    }

    /// Carries out a wish; from where to tell all again if that was the wish, and its number.
    async fn wish(
        &mut self,
        text: &str,
        news: &mut mpsc::Receiver<Arc<News>>,
    ) -> Result<Option<(Option<u64>, (u64, u64))>, Ended> {
        if self.second.elapsed() >= Duration::from_secs(1) {
            (self.second, self.wishes) = (Instant::now(), 0);
        }
        self.wishes += 1;
        let most = self.app.limits.wishes_per_second;
        let request: Result<Request, Refusal> = self.read(text);
        let id = request.as_ref().ok().and_then(|request| request.id);
        let done = match request {
            _ if self.wishes > most => {
                Err(refuse("rate", format!("at most {most} wishes a second")))
            }
            Ok(Request {
                wish: Wish::Resync { after, after_said },
                ..
            }) => return Ok(Some((id, (after, after_said)))),
            Ok(Request { wish, .. }) => self.carry_out(wish).await,
            Err(refusal) => Err(refusal),
        };
        // What the wish led to is told before its answer.
        while let Ok(news) = news.try_recv() {
            self.send(&news).await?;
        }
        match done {
            Ok(()) => self.done(id).await?,
            Err(refusal) => self.refuse(id, refusal).await?,
        }
        Ok(None)
    }

    async fn carry_out(&mut self, wish: Wish) -> Result<(), Refusal> {
        self.app.count_wish(&self.who, &wish)?;
        let who = self.who.clone();
        self.app
            .tables
            .ask(&self.id, |done| Command::Wish { who, wish, done })
            .await?
    }
}
