//! Accounts with passphrases, their sessions, and who is kept away.

use std::sync::{Arc, PoisonError, RwLock};

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, watch};
use trencavel_proto::{Banned, Credentials, Order, Refusal, Session};

use crate::blueprint::{clean_name, refuse};
use crate::limits::Limits;
use crate::secret;
use crate::store::{NotStored, Notice, Store, StoredAccount, StoredBan, now};
use crate::table::Command;
use crate::tables::Tables;
use crate::who::{Account, Who};

/// Every session's secret begins so; a seat's does not.
const SESSION: &str = "s-";
/// The shortest and the longest passphrase, in characters.
const PASSPHRASE: std::ops::RangeInclusive<usize> = 10..=200;
/// Passphrases that are tried at the same time: each takes 19 MiB and some time by intention.
const AT_ONCE: usize = 2;

/// All accounts.
#[derive(Clone)]
pub(crate) struct Accounts {
    store: Store,
    limits: Arc<Limits>,
    bans: Arc<RwLock<Vec<StoredBan>>>,
    banned: watch::Sender<()>,
    hashing: Arc<Semaphore>,
}

/// The form of a name in which no two accounts are alike.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

fn wrong() -> Refusal {
    refuse("login", "there is no account with this name and passphrase")
}

impl Accounts {
    /// Reads who is kept away, and goes on doing so.
    pub(crate) async fn load(store: Store, limits: Arc<Limits>) -> anyhow::Result<Accounts> {
        let accounts = Accounts {
            bans: Arc::new(RwLock::new(store.bans().await?)),
            banned: watch::Sender::new(()),
            store,
            limits,
            hashing: Arc::new(Semaphore::new(AT_ONCE)),
        };
        tokio::spawn(accounts.clone().hear());
        Ok(accounts)
    }

    async fn hear(self) {
        let mut notices = self.store.notices();
        loop {
            match notices.recv().await {
                Ok(Notice::Bans | Notice::Missed) | Err(RecvError::Lagged(_)) => {
                    self.read_bans().await;
                }
                Ok(_) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }

    async fn read_bans(&self) {
        if let Ok(bans) = self.store.bans().await {
            *self.bans.write().unwrap_or_else(PoisonError::into_inner) = bans;
            self.banned.send_replace(());
        }
    }

    /// Hears when somebody else is kept away.
    pub(crate) fn bans_change(&self) -> watch::Receiver<()> {
        self.banned.subscribe()
    }

    /// Waits until somebody is kept away who was not when they came.
    pub(crate) async fn until_banned(
        &self,
        who: &Who,
        changes: &mut watch::Receiver<()>,
    ) -> Refusal {
        loop {
            if changes.changed().await.is_err() {
                return std::future::pending().await;
            }
            if let Err(refusal) = self.admit(who) {
                return refusal;
            }
        }
    }

    /// Refuses whoever is kept away.
    pub(crate) fn admit(&self, who: &Who) -> Result<(), Refusal> {
        let bans = self.bans.read().unwrap_or_else(PoisonError::into_inner);
        let hit = bans.iter().find(|ban| {
            let them = match ban.kind.as_str() {
                "address" => ban.who == who.address,
                _ => who.account_id() == Some(&ban.who),
            };
            them && ban.until.is_none_or(|until| until > now())
        });
        match hit {
            None => Ok(()),
            Some(ban) => {
                let why = if ban.why.is_empty() {
                    String::new()
                } else {
                    format!(": {}", ban.why)
                };
                Err(refuse(
                    "banned",
                    format!("you are kept away from this server{why}"),
                ))
            }
        }
    }

    // ---- sessions ----------------------------------------------------------------------------------------------------

    /// Whether a secret is that of a session.
    pub(crate) fn is_session(secret: &str) -> bool {
        secret.starts_with(SESSION)
    }

    /// The account of a session's secret.
    pub(crate) async fn of_session(&self, secret: &str) -> Result<Option<Account>, Refusal> {
        if !Accounts::is_session(secret) {
            return Ok(None);
        }
        let account = self.store.session(&secret::hash(secret)).await;
        let account = account.map_err(|_| NotStored::Broken)?;
        Ok(account.map(|account| Account {
            id: account.id,
            name: account.name,
        }))
    }

    async fn begin_session(&self, account: &StoredAccount) -> Result<Session, Refusal> {
        let token = format!("{SESSION}{}", secret::new_secret()?);
        self.store
            .add_session(&secret::hash(&token), &account.id)
            .await?;
        Ok(Session {
            name: account.name.clone(),
            token,
        })
    }

    /// Makes an account.
    pub(crate) async fn make(&self, wanted: Credentials) -> Result<Session, Refusal> {
        let name = self.name(&wanted.name)?;
        if !PASSPHRASE.contains(&wanted.passphrase.chars().count()) {
            return Err(refuse(
                "too-long",
                format!(
                    "a passphrase has {} to {} characters",
                    PASSPHRASE.start(),
                    PASSPHRASE.end()
                ),
            ));
        }
        let salt =
            SaltString::encode_b64(&secret::random::<16>()?).map_err(|_| secret::NoRandomness)?;
        let passphrase = self
            .hash(move || {
                // argon2id with 19 MiB and 2 passes.
                let hash = Argon2::default().hash_password(wanted.passphrase.as_bytes(), &salt);
                hash.map(|hash| hash.to_string()).ok()
            })
            .await?
            .ok_or_else(|| refuse("bad-name", "this passphrase cannot be used"))?;
        let account = StoredAccount {
            id: secret::new_secret()?,
            folded: folded(&name),
            name,
            passphrase,
        };
        self.store.add_account(&account).await.map_err(taken)?;
        self.begin_session(&account).await
    }

    fn name(&self, name: &str) -> Result<String, Refusal> {
        let name = clean_name(name, self.limits.name_chars, "the name")?;
        if name.chars().count() < 2 {
            return Err(refuse(
                "bad-name",
                "an account's name has at least 2 characters",
            ));
        }
        Ok(name)
    }

    /// Works on a thread of its own, a few at a time.
    async fn hash<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let closing = |_| refuse("closing", "the server is closing");
        let permit = self.hashing.clone().acquire_owned().await;
        let permit = permit.map_err(|_| refuse("closing", "the server is closing"))?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(closing)
    }

    /// The account of a name and a passphrase.
    async fn check(&self, given: Credentials) -> Result<StoredAccount, Refusal> {
        let account = self.store.account(&folded(given.name.trim())).await;
        let account = account.map_err(|_| NotStored::Broken)?;
        let hash = account.as_ref().map(|account| account.passphrase.clone());
        let good = self
            .hash(move || match hash {
                Some(hash) => PasswordHash::new(&hash).is_ok_and(|hash| {
                    let given = given.passphrase.as_bytes();
                    Argon2::default().verify_password(given, &hash).is_ok()
                }),
                None => {
                    // As long as with an account: the time must not tell whether there is one.
                    if let Ok(salt) = SaltString::encode_b64(&[0; 16]) {
                        let _ = Argon2::default().hash_password(given.passphrase.as_bytes(), &salt);
                    }
                    false
                }
            })
            .await?;
        account.filter(|_| good).ok_or_else(wrong)
    }

    /// Logs in.
    pub(crate) async fn log_in(&self, given: Credentials) -> Result<Session, Refusal> {
        let account = self.check(given).await?;
        self.begin_session(&account).await
    }

    /// Logs out.
    pub(crate) async fn log_out(&self, token: &str) -> Result<(), Refusal> {
        Ok(self.store.delete_session(&secret::hash(token)).await?)
    }

    /// Deletes an account by its own wish.
    pub(crate) async fn delete_own(
        &self,
        given: Credentials,
        tables: &Tables,
    ) -> Result<(), Refusal> {
        let account = self.check(given).await?;
        self.delete(&account, tables).await
    }

    async fn delete(&self, account: &StoredAccount, tables: &Tables) -> Result<(), Refusal> {
        let ids = self.store.tables_of(&account.id, u64::from(u32::MAX)).await;
        for id in ids.map_err(|_| NotStored::Broken)? {
            let order = Order::DeleteAccount {
                account: account.id.clone(),
            };
            match tables.operate(&id, order).await {
                Ok(()) => {}
                Err(refusal) if refusal.code == "no-table" => {}
                Err(refusal) => return Err(refusal),
            }
        }
        for id in self.store.delete_account(&account.id).await? {
            // Where it only watched, what it said is remembered, too.
            tables.tell_awake(&id, Command::Chat).await;
        }
        Ok(())
    }

    // ---- the operator ------------------------------------------------------------------------------------------------

    async fn named(&self, name: &str) -> Result<StoredAccount, Refusal> {
        let account = self.store.account(&folded(name.trim())).await;
        let account = account.map_err(|_| NotStored::Broken)?;
        account.ok_or_else(|| refuse("no-account", format!("there is no account \"{name}\"")))
    }

    /// Whom a ban is about, as the storage knows them: kind and id.
    async fn banned(
        &self,
        address: Option<&str>,
        account: Option<&str>,
    ) -> Result<(String, String), Refusal> {
        match (address, account) {
            (Some(address), None) => {
                let network = address.strip_suffix("/64").unwrap_or(address);
                let address = network
                    .parse()
                    .map_err(|_| refuse("json", format!("\"{address}\" is no address")))?;
                Ok(("address".to_string(), crate::who::counted(address)))
            }
            (None, Some(account)) => Ok(("account".to_string(), self.named(account).await?.id)),
            _ => Err(refuse("json", "say an address or an account")),
        }
    }

    /// Carries out an order of the operator.
    pub(crate) async fn operate(&self, order: Order, tables: &Tables) -> Result<(), Refusal> {
        match &order {
            Order::RenameTable { table, .. }
            | Order::RenameSeat { table, .. }
            | Order::RemoveSeat { table, .. }
            | Order::CloseTable { table }
            | Order::DeleteTable { table }
            | Order::DeleteSaid { table, .. } => {
                let table = table.clone();
                tables.operate(&table, order).await
            }
            Order::Ban {
                address,
                account,
                days,
                why,
            } => {
                let (kind, who) = self.banned(address.as_deref(), account.as_deref()).await?;
                let ban = StoredBan {
                    kind,
                    who,
                    why: clean_name(why, 200, "the reason")?,
                    until: days.map(|days| now() + i64::from(days) * 24 * 3600),
                };
                self.store.ban(&ban).await?;
                self.read_bans().await;
                Ok(())
            }
            Order::Unban { address, account } => {
                let (kind, who) = self.banned(address.as_deref(), account.as_deref()).await?;
                let was = self.store.unban(&kind, &who).await?;
                self.read_bans().await;
                if was {
                    Ok(())
                } else {
                    Err(refuse("no-account", "they were not kept away"))
                }
            }
            Order::RenameAccount { account, name } => {
                let account = self.named(account).await?;
                let name = self.name(name)?;
                let fold = folded(&name);
                let renamed = self.store.rename_account(&account.id, &fold, &name);
                Ok(renamed.await.map_err(taken)?)
            }
            Order::DeleteAccount { account } => {
                let account = self.named(account).await?;
                self.delete(&account, tables).await
            }
        }
    }

    /// Everybody who is kept away.
    pub(crate) fn list_bans(&self) -> Vec<Banned> {
        let bans = self.bans.read().unwrap_or_else(PoisonError::into_inner);
        bans.iter()
            .map(|ban| Banned {
                kind: ban.kind.clone(),
                who: ban.who.clone(),
                why: ban.why.clone(),
                until: ban.until,
            })
            .collect()
    }
}

fn taken(error: NotStored) -> Refusal {
    match error {
        NotStored::Taken => refuse("name-taken", "there is an account with this name already"),
        NotStored::Broken => error.into(),
    }
}
