//! What all requests share: who asks, how often they may, and from where.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use tokio::sync::watch;
use trencavel_proto::{Refusal, Wish};

use crate::accounts::Accounts;
use crate::blueprint::refuse;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::secret;
use crate::site::Site;
use crate::tables::Tables;
use crate::who::{Who, counted};

/// Addresses whose requests are counted at the same time; the oldest are forgotten.
const COUNTED: usize = 50_000;

/// What addresses did: since when, and how often.
type Rates = HashMap<(String, &'static str), (Instant, u64)>;

/// What all requests share.
pub(crate) struct App {
    pub(crate) tables: Tables,
    pub(crate) accounts: Accounts,
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) stopped: watch::Receiver<bool>,
    pub(crate) site: Site,
    origins: Vec<String>,
    /// Whether a proxy says where requests come from.
    proxied: bool,
    /// The hash of the operator's token.
    operator: Option<String>,
    rates: Mutex<Rates>,
    connections: Mutex<HashMap<String, u64>>,
}

/// What an [`App`] is made of.
pub(crate) struct Parts {
    pub(crate) tables: Tables,
    pub(crate) accounts: Accounts,
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) stopped: watch::Receiver<bool>,
    pub(crate) site: Site,
    pub(crate) origins: Vec<String>,
    pub(crate) proxied: bool,
    pub(crate) operator_token: Option<String>,
}

impl App {
    pub(crate) fn new(parts: Parts) -> App {
        App {
            tables: parts.tables,
            accounts: parts.accounts,
            limits: parts.limits,
            metrics: parts.metrics,
            stopped: parts.stopped,
            site: parts.site,
            origins: parts.origins,
            proxied: parts.proxied,
            operator: parts.operator_token.as_deref().map(secret::hash),
            rates: Mutex::default(),
            connections: Mutex::default(),
        }
    }

    /// Counts something that an address does, and refuses what is too much in a time.
    pub(crate) fn rate(
        &self,
        address: &str,
        what: &'static str,
        most: u64,
        window: Duration,
    ) -> Result<(), Refusal> {
        let mut rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        if rates.len() >= COUNTED {
            rates.retain(|_, (since, _)| since.elapsed() < Duration::from_secs(60));
            if rates.len() >= COUNTED {
                rates.clear();
            }
        }
        let (since, n) = rates
            .entry((address.to_string(), what))
            .or_insert((Instant::now(), 0));
        if since.elapsed() >= window {
            (*since, *n) = (Instant::now(), 0);
        }
        *n += 1;
        if *n > most {
            return Err(too_often(most, what, window));
        }
        Ok(())
    }

    /// Counts a request of an address.
    pub(crate) fn count_request(
        &self,
        peer: SocketAddr,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        let address = counted(self.address(peer, headers));
        let most = self.limits.requests_per_second;
        self.rate(&address, "requests", most, Duration::from_secs(1))
    }

    pub(crate) fn count_join(&self, who: &Who) -> Result<(), Refusal> {
        let most = self.limits.joins_per_minute;
        let minute = Duration::from_secs(60);
        self.rate(&who.address, "tables made or joined", most, minute)
    }

    pub(crate) fn count_said(&self, who: &Who) -> Result<(), Refusal> {
        let most = self.limits.said_per_minute;
        self.rate(&who.address, "things said", most, Duration::from_secs(60))
    }

    pub(crate) fn count_login(&self, who: &Who) -> Result<(), Refusal> {
        let most = self.limits.logins_per_minute;
        let minute = Duration::from_secs(60);
        self.rate(&who.address, "passphrases tried", most, minute)
    }

    /// Wishes that need more than their table.
    pub(crate) fn count_wish(&self, who: &Who, wish: &Wish) -> Result<(), Refusal> {
        self.accounts.admit(who)?;
        match wish {
            Wish::Say { .. } => self.count_said(who),
            Wish::Rematch => self.count_join(who),
            _ => Ok(()),
        }
    }

    /// Counts a connection that listens, as long as the answer lives.
    pub(crate) fn connect(self: &Arc<App>, who: &Who) -> Result<Connected, Refusal> {
        let mut connections = self
            .connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let all: u64 = connections.values().sum();
        if all >= self.limits.connections {
            return Err(refuse(
                "full",
                "the server has as many connections as it can",
            ));
        }
        let own = connections.entry(who.address.clone()).or_insert(0);
        if *own >= self.limits.connections_per_address {
            return Err(refuse(
                "full",
                format!("your address has {own} connections, the limit"),
            ));
        }
        *own += 1;
        self.metrics
            .connections
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(Connected {
            app: self.clone(),
            address: who.address.clone(),
        })
    }

    /// The address of a request, as the proxy in front of this server says it if there is one.
    pub(crate) fn address(&self, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
        let forwarded = headers
            .get("x-forwarded-for")
            .and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        match forwarded {
            Some(address) if self.proxied => address,
            _ => peer.ip(),
        }
    }

    /// Whether the browser speaks to the proxy by TLS.
    pub(crate) fn is_secure(&self, headers: &HeaderMap) -> bool {
        let proto = headers.get("x-forwarded-proto");
        self.proxied && proto.is_some_and(|proto| proto == "https")
    }

    /// Who sends a request about a table.
    pub(crate) async fn who(
        &self,
        peer: SocketAddr,
        headers: &HeaderMap,
        table: &str,
    ) -> Result<Who, Refusal> {
        let mut who = Who::at(self.address(peer, headers));
        let mut session = cookie(headers, "session");
        for name in [format!("seat-{table}"), format!("host-{table}")] {
            let secret = cookie(headers, &name);
            who.hashes.extend(secret.as_deref().map(secret::hash));
        }
        if let Some(secret) = bearer(headers) {
            if Accounts::is_session(&secret) {
                session = Some(secret);
            } else {
                who.hashes.push(secret::hash(&secret));
                who.said = true;
            }
        }
        if let Some(session) = session {
            who.account = self.accounts.of_session(&session).await?;
        }
        self.accounts.admit(&who)?;
        Ok(who)
    }

    /// Whether a browser's page may ask: it comes from this server, or from an origin that is allowed.
    pub(crate) fn is_own_page(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(origin) = text(header::ORIGIN) else {
            return Ok(());
        };
        let host = text(header::HOST).unwrap_or("");
        let own = origin.split("://").nth(1) == Some(host);
        if own || self.origins.iter().any(|allowed| allowed == origin) {
            return Ok(());
        }
        Err(refuse("secret", "pages of other sites may not do that"))
    }

    /// Whether the operator asks. Every wrong token is counted, and after too many none is looked at for a while.
    pub(crate) fn operator(&self, peer: SocketAddr, headers: &HeaderMap) -> Result<(), Refusal> {
        let address = counted(self.address(peer, headers));
        let (what, minute) = ("operator's tokens tried", Duration::from_secs(60));
        let most = self.limits.logins_per_minute;
        let tried = {
            let rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
            let tried = rates.get(&(address.clone(), what));
            tried.is_some_and(|(since, n)| *n >= most && since.elapsed() < minute)
        };
        if tried {
            return Err(too_often(most, what, minute));
        }
        let good = match (&self.operator, bearer(headers)) {
            (Some(hash), Some(token)) => secret::same(hash, &secret::hash(&token)),
            _ => false,
        };
        if good {
            return Ok(());
        }
        self.rate(&address, what, most, minute)?;
        Err(refuse(
            "secret",
            "only the operator of the server may do that",
        ))
    }
}

fn too_often(most: u64, what: &str, window: Duration) -> Refusal {
    let seconds = window.as_secs();
    refuse(
        "rate",
        format!("at most {most} {what} in {seconds} s from one address"),
    )
}

/// A connection that is counted.
pub(crate) struct Connected {
    app: Arc<App>,
    address: String,
}

impl Drop for Connected {
    fn drop(&mut self) {
        let connections = self.app.connections.lock();
        let mut connections = connections.unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = connections.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                connections.remove(&self.address);
            }
        }
        self.app
            .metrics
            .connections
            .fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
    }
}

/// The secret of a request's bearer token.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(String::from)
}

/// A cookie of a request.
pub(crate) fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter();
    cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
        .map(String::from)
}
