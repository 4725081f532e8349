//! The storage's shape, version by version. A step that was released is never changed; a new one is added.

use anyhow::{Result, bail};
use sqlx::{AnyConnection, AnyPool, Row as _};

/// The steps. Each is a list of statements that SQLite and PostgreSQL both understand.
const STEPS: &[&[&str]] = &[
    // 1: tables with their inputs and chat, as the first version had them.
    &[
        "CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, made BIGINT NOT NULL, stage TEXT NOT NULL, about TEXT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS inputs (game TEXT NOT NULL, number BIGINT NOT NULL, input TEXT NOT NULL, at BIGINT NOT NULL, \
         PRIMARY KEY (game, number))",
        "CREATE TABLE IF NOT EXISTS chat (game TEXT NOT NULL, number BIGINT NOT NULL, seat BIGINT NOT NULL, said TEXT NOT NULL, \
         at BIGINT NOT NULL, PRIMARY KEY (game, number))",
    ],
    // 2: one log of entries for each table; accounts, sessions, bans. The first version was never released.
    &[
        "DROP TABLE inputs",
        "DROP TABLE chat",
        "DROP TABLE tables",
        "CREATE TABLE tables (id TEXT PRIMARY KEY, made BIGINT NOT NULL, maker TEXT NOT NULL, stage TEXT NOT NULL, \
         private BIGINT NOT NULL, due BIGINT, ended BIGINT, head TEXT NOT NULL, summary TEXT NOT NULL)",
        "CREATE INDEX tables_by_stage ON tables (stage, private, made)",
        "CREATE INDEX tables_by_due ON tables (due)",
        "CREATE INDEX tables_by_maker ON tables (maker, stage)",
        "CREATE TABLE entries (game TEXT NOT NULL, number BIGINT NOT NULL, lines TEXT NOT NULL, at BIGINT NOT NULL, \
         PRIMARY KEY (game, number))",
        "CREATE TABLE chat (game TEXT NOT NULL, number BIGINT NOT NULL, seat BIGINT NOT NULL, name TEXT NOT NULL, \
         account TEXT NOT NULL, said TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (game, number))",
        "CREATE INDEX chat_by_account ON chat (account)",
        "CREATE TABLE accounts (id TEXT PRIMARY KEY, folded TEXT NOT NULL UNIQUE, name TEXT NOT NULL, passphrase TEXT NOT NULL, \
         made BIGINT NOT NULL)",
        "CREATE TABLE sessions (hash TEXT PRIMARY KEY, account TEXT NOT NULL, made BIGINT NOT NULL)",
        "CREATE INDEX sessions_by_account ON sessions (account)",
        "CREATE TABLE members (account TEXT NOT NULL, game TEXT NOT NULL, PRIMARY KEY (account, game))",
        "CREATE TABLE bans (kind TEXT NOT NULL, who TEXT NOT NULL, why TEXT NOT NULL, until BIGINT, PRIMARY KEY (kind, who))",
    ],
];

/// Brings the data up to this version, once, whoever else starts at the same time.
pub(super) async fn run(pool: &AnyPool, postgres: bool) -> Result<()> {
    let mut connection = pool.acquire().await?;
    let (begin, lock) = if postgres {
        ("BEGIN", Some("SELECT pg_advisory_xact_lock(8420)"))
    } else {
        ("BEGIN IMMEDIATE", None)
    };
    execute(&mut connection, begin).await?;
    let done = async {
        if let Some(lock) = lock {
            execute(&mut connection, lock).await?;
        }
        steps(&mut connection).await
    };
    let done = done.await;
    execute(
        &mut connection,
        if done.is_ok() { "COMMIT" } else { "ROLLBACK" },
    )
    .await?;
    done
}

async fn execute(connection: &mut AnyConnection, statement: &'static str) -> Result<()> {
    sqlx::query(statement).execute(connection).await?;
    Ok(())
}

async fn steps(connection: &mut AnyConnection) -> Result<()> {
    execute(
        connection,
        "CREATE TABLE IF NOT EXISTS versions (version BIGINT PRIMARY KEY)",
    )
    .await?;
    let newest = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM versions")
        .fetch_one(&mut *connection)
        .await?;
    let newest: i64 = newest.try_get(0)?;
    if newest > STEPS.len() as i64 {
        bail!(
            "the data is of version {newest}, this program knows versions up to {}",
            STEPS.len()
        );
    }
    for (version, step) in (1i64..).zip(STEPS).skip(newest as usize) {
        for statement in *step {
            execute(connection, statement).await?;
        }
        sqlx::query("INSERT INTO versions (version) VALUES ($1)")
            .bind(version)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
