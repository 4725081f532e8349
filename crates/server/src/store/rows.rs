//! Tables as rows, and what was said at them.

use std::collections::BTreeSet;

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use super::{NotStored, Notice, Store, now};

/// A table as it is stored: `head` and `summary` are JSON.
#[derive(Clone, Debug)]
pub(crate) struct StoredTable {
    pub(crate) id: String,
    pub(crate) made: i64,
    pub(crate) maker: String,
    pub(crate) private: bool,
    pub(crate) head: String,
    pub(crate) row: Row,
}

/// What changes in a table's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) stage: &'static str,
    /// When something is to be done without anybody asking for it, in milliseconds since 1970.
    pub(crate) due: Option<i64>,
    /// What the lobby shows; none if it did not change.
    pub(crate) summary: Option<String>,
    pub(crate) ended: bool,
}

impl Row {
    pub(super) async fn update(
        &self,
        game: &str,
        connection: &mut AnyConnection,
    ) -> Result<(), sqlx::Error> {
        let ended = self.ended.then(now);
        match &self.summary {
            None => sqlx::query("UPDATE tables SET stage = $1, due = $2, ended = $3 WHERE id = $4")
                .bind(self.stage)
                .bind(self.due)
                .bind(ended)
                .bind(game),
            Some(summary) => sqlx::query(
                "UPDATE tables SET stage = $1, due = $2, ended = $3, summary = $4 WHERE id = $5",
            )
            .bind(self.stage)
            .bind(self.due)
            .bind(ended)
            .bind(summary)
            .bind(game),
        }
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// Something said as it is stored; seat 0 is a spectator.
#[derive(Clone, Debug)]
pub(crate) struct StoredChat {
    pub(crate) number: u64,
    pub(crate) seat: u8,
    pub(crate) name: String,
    /// The account that said it; empty if none.
    pub(crate) account: String,
    pub(crate) said: String,
    pub(crate) at: i64,
}

impl StoredTable {
    pub(super) async fn insert(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO tables (id, made, maker, stage, private, due, ended, head, summary) \
             VALUES ($1, $2, $3, $4, $5, $6, NULL, $7, $8)",
        )
        .bind(&self.id)
        .bind(self.made)
        .bind(&self.maker)
        .bind(self.row.stage)
        .bind(i64::from(self.private))
        .bind(self.row.due)
        .bind(&self.head)
        .bind(self.row.summary.as_deref().unwrap_or("{}"))
        .execute(connection)
        .await
        .map(|_| ())
    }
}

impl StoredChat {
    /// Whether it was the first with its number.
    pub(super) async fn insert(
        &self,
        game: &str,
        connection: &mut AnyConnection,
    ) -> Result<bool, sqlx::Error> {
        let done = sqlx::query(
            "INSERT INTO chat (game, number, seat, name, account, said, at) VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (game, number) DO NOTHING",
        )
        .bind(game)
        .bind(self.number as i64)
        .bind(i64::from(self.seat))
        .bind(&self.name)
        .bind(&self.account)
        .bind(&self.said)
        .bind(self.at)
        .execute(connection)
        .await?;
        Ok(done.rows_affected() > 0)
    }
}

impl Store {
    /// What was stored of a table when it was made: when, and its head.
    pub(crate) async fn head(&self, id: &str) -> Result<Option<(i64, String)>> {
        let row = sqlx::query("SELECT made, head FROM tables WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        let row = row.map(|row| Ok::<_, sqlx::Error>((row.try_get(0)?, row.try_get(1)?)));
        Ok(row.transpose()?)
    }

    /// The lobby's tables as stage and summary: public, gathering or playing; newest first.
    pub(crate) async fn lobby(&self, most: u64) -> Result<Vec<(String, String)>> {
        let rows = sqlx::query(
            "SELECT stage, summary FROM tables WHERE stage IN ('gathering', 'playing') AND private = 0 \
             ORDER BY made DESC, id LIMIT $1",
        )
        .bind(most as i64)
        .fetch_all(&self.pool)
        .await?;
        let pair = |row: &AnyRow| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter().map(pair).collect()
    }

    /// All tables, newest first, for the operator: stage, summary, maker's address.
    pub(crate) async fn all_tables(&self, most: u64) -> Result<Vec<(String, String, String)>> {
        let rows =
            sqlx::query("SELECT stage, summary, maker FROM tables ORDER BY made DESC, id LIMIT $1")
                .bind(most as i64)
                .fetch_all(&self.pool)
                .await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?)))
            .collect()
    }

    /// How many tables are gathering or playing: in all, and made by an address.
    pub(crate) async fn n_open(&self, maker: &str) -> Result<(u64, u64)> {
        let row = sqlx::query(
            "SELECT COUNT(*), COALESCE(SUM(CASE WHEN maker = $1 THEN 1 ELSE 0 END), 0) FROM tables \
             WHERE stage IN ('gathering', 'playing')",
        )
        .bind(maker)
        .fetch_one(&self.pool)
        .await?;
        Ok((
            row.try_get::<i64, _>(0)? as u64,
            row.try_get::<i64, _>(1)? as u64,
        ))
    }

    /// The tables where something is due.
    pub(crate) async fn due(&self, before: i64) -> Result<Vec<String>> {
        let rows = sqlx::query(
            "SELECT id FROM tables WHERE due IS NOT NULL AND due <= $1 ORDER BY due LIMIT 1000",
        )
        .bind(before)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// The tables that have waited for players since before a time.
    pub(crate) async fn stale(&self, before: i64) -> Result<Vec<String>> {
        let rows =
            sqlx::query("SELECT id FROM tables WHERE stage = 'gathering' AND made < $1 LIMIT 1000")
                .bind(before)
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// The tables that ended before a time.
    pub(crate) async fn ended(&self, before: i64) -> Result<Vec<String>> {
        let rows = sqlx::query(
            "SELECT id FROM tables WHERE stage IN ('over', 'abandoned') AND ended < $1 LIMIT 1000",
        )
        .bind(before)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Deletes a table with everything that belongs to it.
    pub(crate) async fn delete_table(&self, id: &str) -> Result<(), NotStored> {
        let deleted = async {
            let mut transaction = self.writing.begin().await?;
            for statement in [
                "DELETE FROM chat WHERE game = $1",
                "DELETE FROM entries WHERE game = $1",
                "DELETE FROM members WHERE game = $1",
                "DELETE FROM tables WHERE id = $1",
            ] {
                sqlx::query(statement)
                    .bind(id)
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await
        };
        deleted.await.map_err(|error| self.broken(error))?;
        self.tell(&Notice::Deleted(id.to_string())).await;
        Ok(())
    }

    // ---- chat --------------------------------------------------------------------------------------------------------

    /// What was said at a table after a number, in order.
    pub(crate) async fn chat(&self, game: &str, after: u64) -> Result<Vec<StoredChat>> {
        let rows = sqlx::query(
            "SELECT number, seat, name, account, said, at FROM chat WHERE game = $1 AND number > $2 ORDER BY number",
        )
        .bind(game)
        .bind(after as i64)
        .fetch_all(&self.pool)
        .await?;
        let chat = |row: &AnyRow| {
            Ok(StoredChat {
                number: row.try_get::<i64, _>(0)? as u64,
                seat: u8::try_from(row.try_get::<i64, _>(1)?).unwrap_or(0),
                name: row.try_get(2)?,
                account: row.try_get(3)?,
                said: row.try_get(4)?,
                at: row.try_get(5)?,
            })
        };
        rows.iter().map(chat).collect()
    }

    /// Deletes one thing said.
    pub(crate) async fn delete_said(&self, game: &str, number: u64) -> Result<(), NotStored> {
        sqlx::query("DELETE FROM chat WHERE game = $1 AND number = $2")
            .bind(game)
            .bind(number as i64)
            .execute(&self.writing)
            .await
            .map_err(|error| self.broken(error))?;
        self.tell(&Notice::Chat(game.to_string())).await;
        Ok(())
    }

    /// Deletes what was said before a time at tables that are over; the tables.
    pub(crate) async fn delete_old_chat(&self, before: i64) -> Result<Vec<String>, NotStored> {
        let deleted = sqlx::query(
            "DELETE FROM chat WHERE at < $1 AND game IN (SELECT id FROM tables WHERE stage IN ('over', 'abandoned')) \
             RETURNING game",
        )
        .bind(before)
        .fetch_all(&self.writing)
        .await
        .map_err(|error| self.broken(error))?;
        self.said_is_deleted(&deleted).await
    }

    /// Tells other servers at which tables something said was deleted; those tables.
    pub(super) async fn said_is_deleted(
        &self,
        deleted: &[AnyRow],
    ) -> Result<Vec<String>, NotStored> {
        let games: Result<BTreeSet<String>, _> = deleted.iter().map(|row| row.try_get(0)).collect();
        let games = games.map_err(|error| self.broken(error))?;
        for game in &games {
            self.tell(&Notice::Chat(game.clone())).await;
        }
        Ok(games.into_iter().collect())
    }
}
