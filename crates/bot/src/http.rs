//! The requests of a client.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use trencavel_proto::{Join, Made, NewSeat, NewTable, Refusal, Seated, Table, Wish};

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The server said why.
    Said(u16, Refusal),
    /// The server does not answer, or not as it should.
    NoAnswer(String),
}

impl Refused {
    /// The word of the refusal; empty without an answer.
    pub fn code(&self) -> &str {
        match self {
            Refused::Said(_, refusal) => &refusal.code,
            Refused::NoAnswer(_) => "",
        }
    }
}

/// A server, seen by a client.
#[derive(Clone)]
pub struct Http {
    /// Its address.
    pub address: String,
    client: reqwest::Client,
}

impl Http {
    /// The server at an address.
    pub fn new(address: impl Into<String>) -> Http {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(30));
        Http {
            address: address.into(),
            client: client.build().unwrap_or_default(),
        }
    }

    async fn send(
        &self,
        request: reqwest::RequestBuilder,
        secret: Option<&str>,
    ) -> Result<String, Refused> {
        let no_answer = |error: reqwest::Error| Refused::NoAnswer(error.to_string());
        let request = match secret {
            Some(secret) => request.bearer_auth(secret),
            None => request,
        };
        let answer = request.send().await.map_err(no_answer)?;
        let status = answer.status();
        let text = answer.text().await.map_err(no_answer)?;
        if status.is_success() {
            return Ok(text);
        }
        match serde_json::from_str(&text) {
            Ok(refusal) => Err(Refused::Said(status.as_u16(), refusal)),
            Err(_) => Err(Refused::NoAnswer(format!("{status}: {text}"))),
        }
    }

    /// A GET, as text.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn get(&self, path: &str) -> Result<String, Refused> {
        let request = self.client.get(format!("http://{}{path}", self.address));
        self.send(request, None).await
    }

    /// A POST of JSON.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        secret: Option<&str>,
        body: &impl Serialize,
    ) -> Result<T, Refused> {
        let request = self.client.post(format!("http://{}{path}", self.address));
        let text = self.send(request.json(body), secret).await?;
        serde_json::from_str(&text).map_err(|error| Refused::NoAnswer(format!("{text}: {error}")))
    }

    /// Makes a table.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn make(&self, wanted: &NewTable) -> Result<Made, Refused> {
        self.post("/api/tables", None, wanted).await
    }

    /// A table.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn table(&self, id: &str) -> Result<Table, Refused> {
        let text = self.get(&format!("/api/tables/{id}")).await?;
        serde_json::from_str(&text).map_err(|error| Refused::NoAnswer(error.to_string()))
    }

    /// Takes an open seat.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn join(&self, id: &str, name: &str) -> Result<Seated, Refused> {
        let join = Join {
            name: name.to_string(),
            seat: None,
            invite: None,
        };
        self.post(&format!("/api/tables/{id}/join"), None, &join)
            .await
    }

    /// Wishes something at a table.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn wish(&self, id: &str, secret: &str, wish: &Wish) -> Result<(), Refused> {
        let path = format!("/api/tables/{id}/wish");
        self.post::<Value>(&path, Some(secret), wish)
            .await
            .map(|_| ())
    }

    /// The file of a finished game.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn file(&self, id: &str) -> Result<String, Refused> {
        self.get(&format!("/api/tables/{id}/file")).await
    }

    /// A table with a game that has begun: its id and the secrets of host and seats, one for each.
    ///
    /// # Errors
    /// The server's refusal.
    pub async fn begin(
        &self,
        setup: &str,
        seats: usize,
    ) -> Result<(String, String, Vec<String>), Refused> {
        let open = vec![NewSeat::Open; seats];
        let wanted = json!({ "setup": setup, "seats": open });
        let made: Made = self.post("/api/tables", None, &wanted).await?;
        let mut secrets = Vec::new();
        for n in 0..seats {
            secrets.push(self.join(&made.table, &format!("bot {n}")).await?.secret);
        }
        self.wish(&made.table, &made.host, &Wish::Start).await?;
        Ok((made.table, made.host, secrets))
    }
}
