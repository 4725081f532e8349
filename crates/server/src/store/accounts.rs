//! Accounts, their sessions and tables, and who is kept away.

use anyhow::Result;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{NotStored, Notice, Store, now};

/// An account as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredAccount {
    pub(crate) id: String,
    /// The name in the form in which no two are alike.
    pub(crate) folded: String,
    pub(crate) name: String,
    /// The hash of the passphrase.
    pub(crate) passphrase: String,
}

/// Somebody who is kept away: `kind` is `address` or `account`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredBan {
    pub(crate) kind: String,
    pub(crate) who: String,
    pub(crate) why: String,
    pub(crate) until: Option<i64>,
}

fn account(row: &AnyRow) -> Result<StoredAccount> {
    Ok(StoredAccount {
        id: row.try_get(0)?,
        folded: row.try_get(1)?,
        name: row.try_get(2)?,
        passphrase: row.try_get(3)?,
    })
}

impl Store {
    /// Stores a new account; its name may be taken.
    pub(crate) async fn add_account(&self, account: &StoredAccount) -> Result<(), NotStored> {
        let query = sqlx::query(
            "INSERT INTO accounts (id, folded, name, passphrase, made) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (folded) DO NOTHING",
        )
        .bind(&account.id)
        .bind(&account.folded)
        .bind(&account.name)
        .bind(&account.passphrase)
        .bind(now());
        match query.execute(&self.writing).await {
            Ok(done) if done.rows_affected() == 0 => Err(NotStored::Taken),
            Ok(_) => Ok(()),
            Err(error) => Err(self.broken(error)),
        }
    }

    /// Renames an account; the name may be taken.
    pub(crate) async fn rename_account(
        &self,
        id: &str,
        folded: &str,
        name: &str,
    ) -> Result<(), NotStored> {
        let query = sqlx::query("UPDATE accounts SET folded = $1, name = $2 WHERE id = $3")
            .bind(folded)
            .bind(name)
            .bind(id);
        match query.execute(&self.writing).await {
            Ok(_) => Ok(()),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
                Err(NotStored::Taken)
            }
            Err(error) => Err(self.broken(error)),
        }
    }

    /// The account with a name.
    pub(crate) async fn account(&self, folded: &str) -> Result<Option<StoredAccount>> {
        // PostgreSQL has no text with this character, so nobody is called so.
        if folded.contains('\0') {
            return Ok(None);
        }
        let row =
            sqlx::query("SELECT id, folded, name, passphrase FROM accounts WHERE folded = $1")
                .bind(folded)
                .fetch_optional(&self.pool)
                .await?;
        row.as_ref().map(account).transpose()
    }

    /// Deletes an account with its sessions and everything it said; the tables where that was.
    pub(crate) async fn delete_account(&self, id: &str) -> Result<Vec<String>, NotStored> {
        let deleted = async {
            let mut transaction = self.writing.begin().await?;
            for statement in [
                "DELETE FROM sessions WHERE account = $1",
                "DELETE FROM members WHERE account = $1",
                "DELETE FROM accounts WHERE id = $1",
            ] {
                sqlx::query(statement)
                    .bind(id)
                    .execute(&mut *transaction)
                    .await?;
            }
            let said = sqlx::query("DELETE FROM chat WHERE account = $1 RETURNING game")
                .bind(id)
                .fetch_all(&mut *transaction)
                .await?;
            transaction.commit().await?;
            Ok(said)
        };
        let said = deleted.await.map_err(|error| self.broken(error))?;
        self.said_is_deleted(&said).await
    }

    /// Stores a session by the hash of its secret.
    pub(crate) async fn add_session(&self, hash: &str, account: &str) -> Result<(), NotStored> {
        sqlx::query("INSERT INTO sessions (hash, account, made) VALUES ($1, $2, $3)")
            .bind(hash)
            .bind(account)
            .bind(now())
            .execute(&self.writing)
            .await
            .map(|_| ())
            .map_err(|error| self.broken(error))
    }

    /// The account of a session.
    pub(crate) async fn session(&self, hash: &str) -> Result<Option<StoredAccount>> {
        let row = sqlx::query(
            "SELECT a.id, a.folded, a.name, a.passphrase FROM accounts a JOIN sessions s ON s.account = a.id WHERE s.hash = $1",
        )
        .bind(hash)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(account).transpose()
    }

    /// Ends a session.
    pub(crate) async fn delete_session(&self, hash: &str) -> Result<(), NotStored> {
        sqlx::query("DELETE FROM sessions WHERE hash = $1")
            .bind(hash)
            .execute(&self.writing)
            .await
            .map(|_| ())
            .map_err(|error| self.broken(error))
    }

    /// Notes that an account sits at a table.
    pub(crate) async fn add_member(&self, account: &str, game: &str) -> Result<(), NotStored> {
        sqlx::query("INSERT INTO members (account, game) VALUES ($1, $2) ON CONFLICT (account, game) DO NOTHING")
            .bind(account)
            .bind(game)
            .execute(&self.writing)
            .await
            .map(|_| ())
            .map_err(|error| self.broken(error))
    }

    /// The tables where an account sits, newest first.
    pub(crate) async fn tables_of(&self, account: &str, most: u64) -> Result<Vec<String>> {
        let rows = sqlx::query(
            "SELECT t.id FROM tables t JOIN members m ON m.game = t.id WHERE m.account = $1 ORDER BY t.made DESC LIMIT $2",
        )
        .bind(account)
        .bind(most as i64)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    // ---- bans --------------------------------------------------------------------------------------------------------

    /// Keeps somebody away.
    pub(crate) async fn ban(&self, ban: &StoredBan) -> Result<(), NotStored> {
        sqlx::query(
            "INSERT INTO bans (kind, who, why, until) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (kind, who) DO UPDATE SET why = excluded.why, until = excluded.until",
        )
        .bind(&ban.kind)
        .bind(&ban.who)
        .bind(&ban.why)
        .bind(ban.until)
        .execute(&self.writing)
        .await
        .map_err(|error| self.broken(error))?;
        self.tell(&Notice::Bans).await;
        Ok(())
    }

    /// Lets somebody in again; whether they were kept away.
    pub(crate) async fn unban(&self, kind: &str, who: &str) -> Result<bool, NotStored> {
        let done = sqlx::query("DELETE FROM bans WHERE kind = $1 AND who = $2")
            .bind(kind)
            .bind(who)
            .execute(&self.writing)
            .await
            .map_err(|error| self.broken(error))?;
        self.tell(&Notice::Bans).await;
        Ok(done.rows_affected() > 0)
    }

    /// Everybody who is kept away.
    pub(crate) async fn bans(&self) -> Result<Vec<StoredBan>> {
        let rows = sqlx::query("SELECT kind, who, why, until FROM bans ORDER BY kind, who")
            .fetch_all(&self.pool)
            .await?;
        let ban = |row: &AnyRow| {
            Ok(StoredBan {
                kind: row.try_get(0)?,
                who: row.try_get(1)?,
                why: row.try_get(2)?,
                until: row.try_get(3)?,
            })
        };
        rows.iter().map(ban).collect()
    }
}
