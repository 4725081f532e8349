//! HTTP: the API for clients, bots and scripts, and the client's files. WebSockets and streams are in `socket.rs`.
//!
//! Long: every route of the API, and the tests that the document has each.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Router, extract::Request};
use futures_util::StreamExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use trencavel_ai::LEVELS;
use trencavel_proto::{
    About, Credentials, Enter, Entered, Join, NewTable, Order, PROTOCOL, Refusal,
    Request as Wished, Session,
};

use crate::app::{App, bearer, cookie};
use crate::blueprint::refuse;
use crate::metrics::count;
use crate::secret;
use crate::socket;
use crate::table::Command;
use crate::who::Who;

/// The document at `/api`.
const OPEN_API: &str = include_str!("openapi.json");
pub(crate) type Shared = State<Arc<App>>;

/// All routes with their methods, as the document at `/api` must have them.
#[cfg(test)]
const ROUTES: &[(&str, &[&str])] = &[
    ("/api", &["get"]),
    ("/api/server", &["get"]),
    ("/api/tables", &["get", "post"]),
    ("/api/tables/{id}", &["get"]),
    ("/api/tables/{id}/join", &["post"]),
    ("/api/tables/{id}/enter", &["post"]),
    ("/api/tables/{id}/follow", &["post"]),
    ("/api/tables/{id}/wish", &["post"]),
    ("/api/tables/{id}/events", &["get"]),
    ("/api/tables/{id}/ws", &["get"]),
    ("/api/tables/{id}/file", &["get"]),
    ("/api/accounts", &["post"]),
    ("/api/session", &["get", "post", "delete"]),
    ("/api/account", &["delete"]),
    ("/api/account/tables", &["get"]),
    ("/api/operator", &["post"]),
    ("/api/operator/bans", &["get"]),
    ("/api/operator/tables", &["get"]),
    ("/healthz", &["get"]),
    ("/metrics", &["get"]),
];

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    let bytes = usize::try_from(app.limits.message_bytes).unwrap_or(usize::MAX);
    Router::new()
        .route("/api", get(async || json_text(OPEN_API)))
        .route("/api/server", get(about))
        .route("/api/tables", get(lobby).post(make))
        .route("/api/tables/{id}", get(describe))
        .route("/api/tables/{id}/join", post(join))
        .route("/api/tables/{id}/enter", post(enter))
        .route("/api/tables/{id}/follow", post(follow))
        .route("/api/tables/{id}/wish", post(wish))
        .route("/api/tables/{id}/events", get(socket::events))
        .route("/api/tables/{id}/ws", get(socket::socket))
        .route("/api/tables/{id}/file", get(file))
        .route("/api/accounts", post(make_account))
        .route("/api/session", get(session).post(log_in).delete(log_out))
        .route("/api/account/tables", get(my_tables))
        .route("/api/account", axum::routing::delete(delete_account))
        .route("/api/operator", post(operate))
        .route("/api/operator/bans", get(bans))
        .route("/api/operator/tables", get(all_tables))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .fallback(site)
        .layer(DefaultBodyLimit::max(bytes))
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// Origins of what changes something, and headers for everything.
async fn guard(State(app): Shared, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path();
    let api = path == "/api" || path.starts_with("/api/");
    let client = !api && path != "/healthz" && path != "/metrics";
    let allowed = match request.extensions().get() {
        Some(ConnectInfo(peer)) if !client => app.count_request(*peer, request.headers()),
        _ => Ok(()),
    };
    let allowed = allowed.and_then(|()| {
        if changes {
            app.is_own_page(request.headers())
        } else {
            Ok(())
        }
    });
    let most = app.limits.message_bytes;
    let announced = (request.headers().get(header::CONTENT_LENGTH))
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let mut response = match allowed {
        Ok(()) if announced.is_some_and(|bytes| bytes > most) => {
            swallow(request.into_body()).await;
            StatusCode::PAYLOAD_TOO_LARGE.into_response()
        }
        Ok(()) => next.run(request).await,
        Err(refusal) => refused(&refusal),
    };
    if response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        response = refused(&refuse(
            "too-large",
            format!("a message has at most {most} bytes"),
        ));
        // What is left of the message is not read: nothing more can be asked on this connection.
        (response.headers_mut()).insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    if api && response.status().is_client_error() && !is_json(&response) {
        response = explained(response);
    }
    if response.status().is_client_error() || response.status().is_server_error() {
        count(&app.metrics.refusals);
    }
    let headers = response.headers_mut();
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        (
            "content-security-policy",
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
             connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if api {
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind == "application/json")
}

/// A refusal that came about before the request was understood, as every other refusal.
fn explained(response: Response) -> Response {
    let status = response.status();
    let (code, why) = match status {
        StatusCode::METHOD_NOT_ALLOWED => ("method", "nothing answers to this method there"),
        _ => ("request", "this is no such request as /api describes"),
    };
    let mut explained = json(status, &refuse(code, why));
    if let Some(methods) = response.headers().get(header::ALLOW) {
        let methods = methods.clone();
        explained.headers_mut().insert(header::ALLOW, methods);
    }
    explained
}

/// Reads a message that is too large and forgets it, so that its sender gets to read the answer: as much as people send by
/// mistake, and not for long.
async fn swallow(body: Body) {
    const MOST: usize = 4 << 20;
    let mut stream = body.into_data_stream();
    let reading = async {
        let mut bytes = 0;
        while let Some(Ok(chunk)) = stream.next().await {
            bytes += chunk.len();
            if bytes > MOST {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(5), reading).await;
}

// ---- requests --------------------------------------------------------------------------------------------------------

/// Who sends a request: what handlers need of it beside its path and its body.
pub(crate) struct Caller {
    pub(crate) app: Arc<App>,
    pub(crate) headers: HeaderMap,
    peer: SocketAddr,
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Infallible> {
        let peer = parts.extensions.get();
        Ok(Caller {
            app: app.clone(),
            headers: parts.headers.clone(),
            // Every connection has one.
            peer: peer.map_or(NOBODY, |ConnectInfo(peer)| *peer),
        })
    }
}

const NOBODY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

impl Caller {
    /// Who they are, as far as their secrets for a table prove it.
    pub(crate) async fn who(&self, table: &str) -> Result<Who, Refusal> {
        self.app.who(self.peer, &self.headers, table).await
    }

    fn operator(&self) -> Result<(), Refusal> {
        self.app.operator(self.peer, &self.headers)
    }
}

pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| refuse("json", format!("the message cannot be understood: {error}")))
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

/// The status of each word of a refusal; docs/protocol.md lists them.
fn status_of(code: &str) -> StatusCode {
    match code {
        "no-table" | "no-account" => StatusCode::NOT_FOUND,
        "secret" | "banned" | "no-spectators" | "login" => StatusCode::FORBIDDEN,
        "method" => StatusCode::METHOD_NOT_ALLOWED,
        "too-large" => StatusCode::PAYLOAD_TOO_LARGE,
        "rate" | "full" => StatusCode::TOO_MANY_REQUESTS,
        "storage" | "closing" | "randomness" => StatusCode::SERVICE_UNAVAILABLE,
        "number"
        | "moved-on"
        | "not-asked"
        | "taken"
        | "begun"
        | "not-begun"
        | "over"
        | "not-over"
        | "open-seats"
        | "nothing-asked"
        | "no-undo"
        | "nothing-to-take-back"
        | "name-taken" => StatusCode::CONFLICT,
        _ => StatusCode::BAD_REQUEST,
    }
}

pub(crate) fn refused(refusal: &Refusal) -> Response {
    json(status_of(&refusal.code), refusal)
}

fn answer<T: Serialize>(result: Result<T, Refusal>) -> Response {
    match result {
        Ok(value) => json(StatusCode::OK, &value),
        Err(refusal) => refused(&refusal),
    }
}

/// Something was done and there is nothing to say.
fn done(result: Result<(), Refusal>) -> Response {
    answer(result.map(|()| json!({})))
}

fn set_cookie(caller: &Caller, response: &mut Response, name: &str, path: &str, value: &str) {
    let secure = if caller.app.is_secure(&caller.headers) {
        "; Secure"
    } else {
        ""
    };
    let age = if value.is_empty() { 0 } else { 31_536_000 };
    let cookie =
        format!("{name}={value}; Path={path}; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// A table's secret for the browser: `host` or `seat`, the table's id, the secret.
type Kept = (&'static str, String, String);

/// An answer with secrets that the browser keeps.
fn answer_and_keep<T: Serialize>(
    caller: &Caller,
    status: StatusCode,
    result: Result<(T, Vec<Kept>), Refusal>,
) -> Response {
    let (value, secrets) = match result {
        Ok(kept) => kept,
        Err(refusal) => return refused(&refusal),
    };
    let mut response = json(status, &value);
    for (what, id, secret) in secrets {
        let (name, path) = (format!("{what}-{id}"), format!("/api/tables/{id}"));
        set_cookie(caller, &mut response, &name, &path, &secret);
    }
    response
}

// ---- tables ----------------------------------------------------------------------------------------------------------

async fn about(State(app): Shared) -> Response {
    let about = About {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").to_string(),
        levels: LEVELS.iter().map(|level| level.name.to_string()).collect(),
        accounts: true,
        limits: app.limits.by_name(),
    };
    json(StatusCode::OK, &about)
}

async fn lobby(caller: Caller) -> Response {
    let listed = async {
        caller.who("").await?;
        caller.app.tables.lobby().await
    };
    answer(listed.await)
}

async fn make(caller: Caller, body: Bytes) -> Response {
    let made = async {
        let who = caller.who("").await?;
        caller.app.count_join(&who)?;
        let wanted: NewTable = parse(&body)?;
        let made = caller.app.tables.make(&wanted, &who).await?;
        let mut kept = vec![("host", made.table.clone(), made.host.clone())];
        kept.extend((made.seat.iter()).map(|s| ("seat", made.table.clone(), s.secret.clone())));
        Ok((made, kept))
    };
    answer_and_keep(&caller, StatusCode::CREATED, made.await)
}

async fn describe(caller: Caller, Path(id): Path<String>) -> Response {
    let described = async {
        caller.who(&id).await?;
        caller.app.tables.ask(&id, Command::Describe).await
    };
    answer(described.await)
}

async fn join(caller: Caller, Path(id): Path<String>, body: Bytes) -> Response {
    let joined = async {
        let who = caller.who(&id).await?;
        caller.app.count_join(&who)?;
        let join: Join = parse(&body)?;
        let joining = |done| Command::Join { join, who, done };
        let seated = caller.app.tables.ask(&id, joining).await??;
        let kept = vec![("seat", id.clone(), seated.secret.clone())];
        Ok((seated, kept))
    };
    answer_and_keep(&caller, StatusCode::OK, joined.await)
}

async fn entered(app: &Arc<App>, id: &str, who: Who, follow: bool) -> Result<Entered, Refusal> {
    app.tables
        .ask(id, |done| Command::Enter { who, follow, done })
        .await?
}

async fn enter(caller: Caller, Path(id): Path<String>, body: Bytes) -> Response {
    let came = async {
        let mut who = caller.who(&id).await?;
        let enter: Enter = parse(&body)?;
        who.hashes = vec![secret::hash(&enter.secret)];
        let entered = entered(&caller.app, &id, who, false).await?;
        let is_host = entered.seats.is_empty();
        let kept = vec![(
            if is_host { "host" } else { "seat" },
            id.clone(),
            enter.secret,
        )];
        Ok((entered, kept))
    };
    answer_and_keep(&caller, StatusCode::OK, came.await)
}

async fn follow(caller: Caller, Path(id): Path<String>) -> Response {
    let came = async {
        let who = caller.who(&id).await?;
        let entered = entered(&caller.app, &id, who, true).await?;
        // The secrets that the browser has of the old table are those of the new one.
        let known = ["seat", "host"].into_iter().filter_map(|what| {
            let secret = cookie(&caller.headers, &format!("{what}-{id}"))?;
            Some((what, entered.table.clone(), secret))
        });
        let kept = known.collect();
        Ok((entered, kept))
    };
    answer_and_keep(&caller, StatusCode::OK, came.await)
}

async fn wish(caller: Caller, Path(id): Path<String>, body: Bytes) -> Response {
    let carried_out = async {
        let who = caller.who(&id).await?;
        let Wished { wish, .. } = parse(&body)?;
        caller.app.count_wish(&who, &wish)?;
        caller
            .app
            .tables
            .ask(&id, |done| Command::Wish { who, wish, done })
            .await?
    };
    done(carried_out.await)
}

async fn file(caller: Caller, Path(id): Path<String>) -> Response {
    let exported = async {
        let who = caller.who(&id).await?;
        let exporting = |done| Command::Export(who, done);
        caller.app.tables.ask(&id, exporting).await?
    };
    match exported.await {
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

// ---- accounts --------------------------------------------------------------------------------------------------------

fn logged_in(caller: &Caller, status: StatusCode, session: Result<Session, Refusal>) -> Response {
    match session {
        Ok(session) => {
            let mut response = json(status, &session);
            set_cookie(caller, &mut response, "session", "/api", &session.token);
            response
        }
        Err(refusal) => refused(&refusal),
    }
}

/// The name and passphrase that somebody gives; how often is counted.
async fn credentials(caller: &Caller, body: &[u8]) -> Result<Credentials, Refusal> {
    let who = caller.who("").await?;
    caller.app.count_login(&who)?;
    parse(body)
}

async fn make_account(caller: Caller, body: Bytes) -> Response {
    let made = async {
        let wanted = credentials(&caller, &body).await?;
        caller.app.accounts.make(wanted).await
    };
    logged_in(&caller, StatusCode::CREATED, made.await)
}

async fn log_in(caller: Caller, body: Bytes) -> Response {
    let entered = async {
        let given = credentials(&caller, &body).await?;
        caller.app.accounts.log_in(given).await
    };
    logged_in(&caller, StatusCode::OK, entered.await)
}

async fn session(caller: Caller) -> Response {
    let found = async {
        let who = caller.who("").await?;
        let account = who.account;
        account.ok_or_else(|| refuse("login", "you are not logged in"))
    };
    answer(found.await.map(|account| json!({ "name": account.name })))
}

async fn log_out(caller: Caller) -> Response {
    let token = bearer(&caller.headers).or_else(|| cookie(&caller.headers, "session"));
    let left = match token {
        Some(token) => caller.app.accounts.log_out(&token).await,
        None => Err(refuse("login", "you are not logged in")),
    };
    let mut response = done(left);
    set_cookie(&caller, &mut response, "session", "/api", "");
    response
}

async fn my_tables(caller: Caller) -> Response {
    let listed = async {
        let who = caller.who("").await?;
        caller.app.tables.of_account(&who).await
    };
    answer(listed.await)
}

async fn delete_account(caller: Caller, body: Bytes) -> Response {
    let deleted = async {
        let given = credentials(&caller, &body).await?;
        let app = &caller.app;
        app.accounts.delete_own(given, &app.tables).await
    };
    done(deleted.await)
}

// ---- the operator ----------------------------------------------------------------------------------------------------

async fn operate(caller: Caller, body: Bytes) -> Response {
    let carried_out = async {
        caller.operator()?;
        let order: Order = parse(&body)?;
        // Whom it is about is nobody's business later.
        let word = serde_json::to_value(&order).map(|order| order["order"].to_string());
        tracing::info!(order = word.unwrap_or_default(), "an order of the operator");
        caller.app.accounts.operate(order, &caller.app.tables).await
    };
    done(carried_out.await)
}

async fn bans(caller: Caller) -> Response {
    let allowed = caller.operator();
    answer(allowed.map(|()| caller.app.accounts.list_bans()))
}

async fn all_tables(caller: Caller) -> Response {
    let listed = async {
        caller.operator()?;
        let all = caller.app.tables.all().await?;
        let list = all.into_iter();
        let list = list.map(|(table, maker)| json!({ "table": table, "address": maker }));
        Ok(list.collect::<Vec<_>>())
    };
    answer(listed.await)
}

// ---- the server ------------------------------------------------------------------------------------------------------

async fn health(State(app): Shared) -> Response {
    if app.tables.is_well().await {
        (StatusCode::OK, "ok\n").into_response()
    } else {
        let why = "the storage does not answer\n";
        (StatusCode::SERVICE_UNAVAILABLE, why).into_response()
    }
}

async fn metrics(State(app): Shared) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, app.metrics.text()).into_response()
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::*;

    #[test]
    fn the_document_has_every_route_and_no_other() {
        let document: Value = serde_json::from_str(OPEN_API).unwrap();
        let documented: BTreeMap<&str, BTreeSet<&str>> = document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(path, about)| {
                let methods = about.as_object().unwrap().keys().map(String::as_str);
                (
                    path.as_str(),
                    methods.filter(|key| *key != "parameters").collect(),
                )
            })
            .collect();
        let served = ROUTES
            .iter()
            .map(|(path, methods)| (*path, methods.iter().copied().collect()))
            .collect();
        assert_eq!(documented, served);
        // The router is made of the same paths.
        let source = include_str!("web.rs");
        let routed: BTreeSet<&str> = source
            .lines()
            .filter_map(|line| line.trim().strip_prefix(".route(\"")?.split('"').next())
            .collect();
        assert_eq!(routed, documented.keys().copied().collect());
    }

    #[test]
    fn every_refusal_is_documented_with_its_status() {
        let protocol = include_str!("../../../docs/protocol.md");
        let mut documented = BTreeMap::new();
        for row in protocol.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [_, codes, status, ..] = cells.as_slice() else {
                continue;
            };
            if let Ok(status) = status.parse::<u16>() {
                for code in codes.split(',') {
                    documented.insert(code.trim().trim_matches('`'), status);
                }
            }
        }
        assert!(documented.len() > 30, "{documented:?}");
        for (code, status) in &documented {
            assert_eq!(status_of(code).as_u16(), *status, "{code}");
        }
        let sources = [
            include_str!("web.rs"),
            include_str!("app.rs"),
            include_str!("socket.rs"),
            include_str!("wishes.rs"),
            include_str!("table.rs"),
            include_str!("tables.rs"),
            include_str!("accounts.rs"),
            include_str!("blueprint.rs"),
        ];
        for source in sources {
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
            for call in code.split("refuse(").skip(1) {
                let Some(code) = call.trim_start().strip_prefix('"') else {
                    continue;
                };
                let code = code.split('"').next().unwrap();
                assert!(documented.contains_key(code), "{code} is not documented");
            }
        }
    }
}
