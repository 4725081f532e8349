//! HTTP and WebSockets: the API for clients, bots and scripts, and the client's files.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Router, extract::Request};
use futures_util::stream;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Mutex, mpsc, watch};
use trencavel_proto::{Hello, Join, NewTable, News, Refusal, Seated, Wish};

use crate::limits::{JOINS_PER_MINUTE, MESSAGE_BYTES, PING, WAITING_NEWS, WISHES_PER_SECOND};
use crate::site::Site;
use crate::table::{Command, refuse};
use crate::tables::Tables;

/// The document at `/api`.
const OPEN_API: &str = include_str!("openapi.json");

pub(crate) struct App {
    tables: Tables,
    site: Site,
    origins: Vec<String>,
    stopped: watch::Receiver<bool>,
    joins: Mutex<HashMap<IpAddr, (Instant, u32)>>,
    began: Instant,
}

impl App {
    pub(crate) fn new(
        tables: Tables,
        site: Site,
        origins: Vec<String>,
        stopped: watch::Receiver<bool>,
    ) -> App {
        App {
            tables,
            site,
            origins,
            stopped,
            joins: Mutex::default(),
            began: Instant::now(),
        }
    }

    /// Counts a request that makes or joins a table.
    async fn count_join(&self, address: IpAddr) -> Result<(), Refusal> {
        let mut joins = self.joins.lock().await;
        if joins.len() > 10_000 {
            joins.retain(|_, (since, _)| since.elapsed() < Duration::from_secs(60));
        }
        let (since, n) = joins.entry(address).or_insert((Instant::now(), 0));
        if since.elapsed() >= Duration::from_secs(60) {
            (*since, *n) = (Instant::now(), 0);
        }
        *n += 1;
        if *n > JOINS_PER_MINUTE {
            return Err(refuse(
                "rate",
                format!("at most {JOINS_PER_MINUTE} tables can be made or joined in a minute"),
            ));
        }
        Ok(())
    }
}

type Shared = State<Arc<App>>;

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api", get(async || json_text(OPEN_API)))
        .route("/api/tables", get(lobby).post(make))
        .route("/api/tables/{id}", get(describe))
        .route("/api/tables/{id}/join", post(join))
        .route("/api/tables/{id}/wish", post(wish))
        .route("/api/tables/{id}/events", get(events))
        .route("/api/tables/{id}/ws", get(socket))
        .route("/api/tables/{id}/file", get(file))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .fallback(site)
        .layer(DefaultBodyLimit::max(MESSAGE_BYTES))
        .layer(middleware::from_fn(security_headers))
        .with_state(app)
}

async fn security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        (
            "content-security-policy",
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
             connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

// ---- answers ---------------------------------------------------------------------------------------------------------

fn json_text(text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

fn json<T: Serialize>(status: StatusCode, value: &T) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => (status, [(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn refused(refusal: &Refusal) -> Response {
    let status = match refusal.code.as_str() {
        "no-table" => StatusCode::NOT_FOUND,
        "secret" => StatusCode::FORBIDDEN,
        "rate" => StatusCode::TOO_MANY_REQUESTS,
        "storage" | "closing" | "randomness" => StatusCode::SERVICE_UNAVAILABLE,
        "number" | "moved-on" | "not-asked" | "taken" | "begun" | "not-begun" | "over"
        | "not-over" | "open-seats" => StatusCode::CONFLICT,
        _ => StatusCode::BAD_REQUEST,
    };
    json(status, refusal)
}

fn answer<T: Serialize>(result: Result<T, Refusal>) -> Response {
    match result {
        Ok(value) => json(StatusCode::OK, &value),
        Err(refusal) => refused(&refusal),
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| refuse("json", format!("the message cannot be understood: {error}")))
}

/// The secret that a request brings: a bearer token, or the seat's cookie.
fn secret_of(headers: &HeaderMap, id: &str) -> Option<String> {
    let bearer = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if let Some(secret) = bearer {
        return Some(secret.to_string());
    }
    let name = format!("seat-{id}=");
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|value| value.split(';'))
        .find_map(|part| part.trim().strip_prefix(&name).map(String::from))
}

fn with_cookie(mut response: Response, id: &str, seated: Option<&Seated>) -> Response {
    if let Some(seated) = seated {
        let cookie = format!(
            "seat-{id}={}; Path=/api/tables/{id}; HttpOnly; SameSite=Strict; Max-Age=31536000",
            seated.secret
        );
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}

// ---- routes ----------------------------------------------------------------------------------------------------------

async fn lobby(State(app): Shared) -> Response {
    answer(app.tables.lobby().await)
}

async fn make(
    State(app): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    body: Bytes,
) -> Response {
    let made = async {
        app.count_join(from.ip()).await?;
        let wanted: NewTable = parse(&body)?;
        app.tables.make(&wanted).await
    };
    match made.await {
        Ok(made) => with_cookie(
            json(StatusCode::CREATED, &made),
            &made.table,
            made.seat.as_ref(),
        ),
        Err(refusal) => refused(&refusal),
    }
}

async fn describe(State(app): Shared, Path(id): Path<String>) -> Response {
    answer(app.tables.ask(&id, Command::Describe).await)
}

async fn join(
    State(app): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let joined = async {
        app.count_join(from.ip()).await?;
        let join: Join = parse(&body)?;
        app.tables
            .ask(&id, |answer| Command::Join(join, answer))
            .await?
    };
    match joined.await {
        Ok(seated) => with_cookie(json(StatusCode::OK, &seated), &id, Some(&seated)),
        Err(refusal) => refused(&refusal),
    }
}

async fn wish(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let done = async {
        let wish: Wish = parse(&body)?;
        let secret = secret_of(&headers, &id);
        app.tables
            .ask(&id, |done| Command::Wish { secret, wish, done })
            .await?
    };
    answer(done.await)
}

async fn file(State(app): Shared, Path(id): Path<String>) -> Response {
    match app
        .tables
        .ask(&id, Command::Export)
        .await
        .and_then(|exported| exported)
    {
        Ok(text) => {
            let name = format!("attachment; filename=\"{id}.game\"");
            let headers = [
                (
                    header::CONTENT_TYPE,
                    "text/plain; charset=utf-8".to_string(),
                ),
                (header::CONTENT_DISPOSITION, name),
            ];
            (headers, text).into_response()
        }
        Err(refusal) => refused(&refusal),
    }
}

/// News as one JSON object a line, until the client goes away.
async fn events(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    let after = match query.get("after").map_or(Ok(0), |text| text.parse()) {
        Ok(after) => after,
        Err(_) => return refused(&refuse("after", "after is a whole number")),
    };
    let secret = secret_of(&headers, &id);
    let (news, listening) = mpsc::channel(WAITING_NEWS);
    let listened = app
        .tables
        .ask(&id, |done| Command::Listen {
            secret,
            after,
            news,
            done,
        })
        .await;
    if let Err(refusal) = listened.and_then(|listened| listened) {
        return refused(&refusal);
    }
    let lines = stream::unfold(listening, async |mut listening| {
        let news: News = listening.recv().await?;
        let mut line = serde_json::to_vec(&news).ok()?;
        line.push(b'\n');
        Some((Ok::<_, std::convert::Infallible>(line), listening))
    });
    (
        [(header::CONTENT_TYPE, "application/x-ndjson")],
        Body::from_stream(lines),
    )
        .into_response()
}

/// Whether a browser's page may connect: it comes from this server, or from an origin that is allowed.
fn is_from_here(app: &App, headers: &HeaderMap) -> bool {
    let Some(origin) = headers
        .get(header::ORIGIN)
        .and_then(|value| value.to_str().ok())
    else {
        return true;
    };
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    origin.split("://").nth(1) == Some(host) || app.origins.iter().any(|allowed| allowed == origin)
}

async fn socket(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_from_here(&app, &headers) {
        return refused(&refuse("secret", "pages of other sites may not connect"));
    }
    let secret = secret_of(&headers, &id);
    upgrade
        .max_message_size(MESSAGE_BYTES)
        .max_frame_size(MESSAGE_BYTES)
        .on_upgrade(move |socket| converse(app, id, secret, socket))
}

async fn send(socket: &mut WebSocket, news: &News) -> bool {
    match serde_json::to_string(news) {
        Ok(text) => socket.send(Message::text(text)).await.is_ok(),
        Err(_) => false,
    }
}

async fn refuse_to(socket: &mut WebSocket, refusal: Refusal) -> bool {
    send(
        socket,
        &News::Refused {
            code: refusal.code,
            why: refusal.why,
        },
    )
    .await
}

/// One connection: a hello, then wishes one way and news the other.
async fn converse(app: Arc<App>, id: String, cookie: Option<String>, mut socket: WebSocket) {
    let hello = tokio::time::timeout(Duration::from_secs(10), socket.recv()).await;
    let Ok(Some(Ok(Message::Text(text)))) = hello else {
        return;
    };
    let hello: Hello = match parse(text.as_bytes()) {
        Ok(hello) => hello,
        Err(refusal) => {
            refuse_to(&mut socket, refusal).await;
            return;
        }
    };
    let secret = hello.secret.or(cookie);
    let (news, mut listening) = mpsc::channel(WAITING_NEWS);
    let own = secret.clone();
    let listened = app
        .tables
        .ask(&id, |done| Command::Listen {
            secret: own,
            after: hello.after,
            news,
            done,
        })
        .await;
    if let Err(refusal) = listened.and_then(|listened| listened) {
        refuse_to(&mut socket, refusal).await;
        return;
    }
    let mut stopped = app.stopped.clone();
    let mut ping = tokio::time::interval(PING);
    let (mut second, mut wishes) = (Instant::now(), 0u32);
    loop {
        tokio::select! {
            news = listening.recv() => match news {
                Some(news) => if !send(&mut socket, &news).await { return },
                // The table has dropped this listener: it was too slow, or the table is closing.
                None => return,
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if second.elapsed() >= Duration::from_secs(1) {
                        (second, wishes) = (Instant::now(), 0);
                    }
                    wishes += 1;
                    let done = if wishes > WISHES_PER_SECOND {
                        Err(refuse("rate", format!("at most {WISHES_PER_SECOND} wishes a second")))
                    } else {
                        match parse::<Wish>(text.as_bytes()) {
                            Ok(wish) => {
                                let secret = secret.clone();
                                app.tables.ask(&id, |done| Command::Wish { secret, wish, done }).await.and_then(|done| done)
                            }
                            Err(refusal) => Err(refusal),
                        }
                    };
                    if let Err(refusal) = done && !refuse_to(&mut socket, refusal).await {
                        return;
                    }
                }
                Some(Ok(Message::Binary(_))) => {
                    if !refuse_to(&mut socket, refuse("json", "messages are JSON text")).await {
                        return;
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            _ = ping.tick() => if socket.send(Message::Ping(Bytes::new())).await.is_err() { return },
            () = until_stopped(&mut stopped) => {
                send(&mut socket, &News::Bye { seconds: 5 }).await;
                return;
            }
        }
    }
}

async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stop| *stop).await;
}

async fn health(State(app): Shared) -> Response {
    if app.tables.is_well().await {
        (StatusCode::OK, "ok\n").into_response()
    } else {
        (
            StatusCode::SERVICE_UNAVAILABLE,
            "the storage does not answer\n",
        )
            .into_response()
    }
}

async fn metrics(State(app): Shared) -> Response {
    let text = format!(
        "# TYPE trencavel_tables_awake gauge\ntrencavel_tables_awake {}\n# TYPE trencavel_uptime_seconds counter\ntrencavel_uptime_seconds {}\n",
        app.tables.n_awake().await,
        app.began.elapsed().as_secs()
    );
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

async fn site(State(app): Shared, uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api/") {
        return refused(&refuse("no-table", "there is no such thing"));
    }
    if app.site.is_empty() {
        return (StatusCode::NOT_FOUND, "this server serves no client\n").into_response();
    }
    app.site.answer(uri.path(), &headers)
}
