//! Servers that share a database: signs of life, and who looks after which table.
//!
//! A table's bots and clocks are driven by the server that has its lease. A lease is worth
//! something as long as its server gives signs of life; the database's clock decides. A server that
//! could not give any for a while has lost all its leases, and knows that by its own clock.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Row;
use sqlx::postgres::PgPool;
use table::Millis;
use tokio::sync::mpsc;

use crate::storage::{News, StorageError, signed};
use crate::tables::now;

/// How often a server gives a sign of life.
const BEAT: Duration = Duration::from_millis(250);
/// After how long without one it counts as dead.
const LIFE: Duration = Duration::from_secs(1);
/// The database's clock, in milliseconds.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// What this server has.
struct Held {
    tables: HashSet<String>,
    /// Until when that is certain.
    until: Instant,
    /// Counts how often everything was lost.
    losses: u64,
}

/// This server among others.
pub struct Nodes {
    me: String,
    held: Mutex<Held>,
    tell: mpsc::Sender<News>,
}

fn sql(text: &str) -> sqlx::AssertSqlSafe<String> {
    let alive = format!("seen > {NOW} - {}", LIFE.as_millis());
    sqlx::AssertSqlSafe(text.replace("ALIVE", &alive).replace("NOW", NOW))
}

impl Nodes {
    pub fn new(me: String, tell: mpsc::Sender<News>) -> Nodes {
        let held = Held {
            tables: HashSet::new(),
            until: Instant::now(),
            losses: 0,
        };
        Nodes {
            me,
            held: Mutex::new(held),
            tell,
        }
    }

    /// This server's name.
    pub fn me(&self) -> &str {
        &self.me
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the last sign of life was taken, and not too long ago.
    pub fn is_certain(&self) -> bool {
        self.held().until >= Instant::now()
    }

    /// Joins the others. Says since when there has always been a server.
    pub async fn register(&self, pool: &PgPool) -> Result<Millis, StorageError> {
        let begun = Instant::now();
        let query = sql("INSERT INTO nodes (node, seen, since) \
             SELECT $1, NOW, COALESCE(min(since), $2) FROM nodes WHERE ALIVE \
             ON CONFLICT (node) DO UPDATE SET seen = EXCLUDED.seen, since = EXCLUDED.since \
             RETURNING since");
        let query = sqlx::query(query).bind(&self.me).bind(signed(now()));
        let since: i64 = query.fetch_one(pool).await?.try_get(0)?;
        let mut held = self.held();
        held.tables.clear();
        held.losses += 1;
        held.until = begun + LIFE;
        Ok(since.try_into().unwrap_or(0))
    }

    /// Gives signs of life for ever, and tells when somebody comes or goes.
    pub async fn beat(self: std::sync::Arc<Self>, pool: PgPool) {
        let mut tick = tokio::time::interval(BEAT);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut known = HashSet::from([self.me.clone()]);
        loop {
            tick.tick().await;
            // A connection that hangs must not keep us from trying another one.
            match tokio::time::timeout(LIFE, self.beat_once(&pool)).await {
                Ok(Ok(alive)) if alive != known => {
                    known.clone_from(&alive);
                    let _ = self.tell.send(News::Alive(alive)).await;
                }
                Ok(Ok(_)) => {}
                Ok(Err(why)) => tracing::warn!(%why, "no sign of life could be given"),
                Err(_) => tracing::warn!("the database takes too long for a sign of life"),
            }
        }
    }

    async fn beat_once(&self, pool: &PgPool) -> Result<HashSet<String>, StorageError> {
        let begun = Instant::now();
        let query = sql("UPDATE nodes SET seen = NOW WHERE node = $1 AND ALIVE");
        let done = sqlx::query(query).bind(&self.me).execute(pool).await?;
        if done.rows_affected() == 0 || self.held().until < Instant::now() {
            // It was too long ago: others may have taken over what we had.
            self.register(pool).await?;
        } else {
            self.held().until = begun + LIFE;
        }
        let rows = sqlx::query(sql("SELECT node FROM nodes WHERE ALIVE"))
            .fetch_all(pool)
            .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Whether this server looks after a table; if nobody does, it does from now on. An error if that
    /// cannot be told now.
    pub async fn claim(&self, pool: &PgPool, table: &str) -> Result<bool, StorageError> {
        let uncertain = || {
            let why = "too long without a sign of life to look after anything";
            StorageError::Failed(why.into())
        };
        let losses = {
            let held = self.held();
            if held.until < Instant::now() {
                return Err(uncertain());
            }
            if held.tables.contains(table) {
                return Ok(true);
            }
            held.losses
        };
        let query = sql("INSERT INTO leases (table_id, node) VALUES ($1, $2) \
             ON CONFLICT (table_id) DO UPDATE SET node = $2 WHERE leases.node = $2 \
             OR NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.node = leases.node AND ALIVE)");
        let query = sqlx::query(query).bind(table).bind(&self.me);
        if query.execute(pool).await?.rows_affected() == 0 {
            return Ok(false);
        }
        let mut held = self.held();
        if held.losses != losses || held.until < Instant::now() {
            return Err(uncertain());
        }
        held.tables.insert(table.into());
        Ok(true)
    }

    /// Leaves a table to others; says whether it was ours.
    pub async fn release(&self, pool: &PgPool, table: &str) -> Result<bool, StorageError> {
        if !self.held().tables.remove(table) {
            return Ok(false);
        }
        let query = "DELETE FROM leases WHERE table_id = $1 AND node = $2";
        let query = sqlx::query(query).bind(table).bind(&self.me);
        Ok(query.execute(pool).await?.rows_affected() == 1)
    }

    /// Leaves everything to others.
    pub async fn leave(&self, pool: &PgPool) -> Result<(), StorageError> {
        self.held().tables.clear();
        for query in [
            "DELETE FROM leases WHERE node = $1",
            "DELETE FROM nodes WHERE node = $1",
        ] {
            sqlx::query(query).bind(&self.me).execute(pool).await?;
        }
        Ok(())
    }

    /// Tables that are due and that nobody looks after.
    pub async fn due(
        &self,
        pool: &PgPool,
        now: Millis,
        most: u32,
    ) -> Result<Vec<String>, StorageError> {
        // At random, so that a few tables that are always due cannot hide the others.
        let query = sql(
            "SELECT id FROM tables WHERE wake <= $1 AND archived IS NULL \
             AND NOT EXISTS (SELECT 1 FROM leases JOIN nodes USING (node) \
                             WHERE leases.table_id = tables.id AND ALIVE) \
             ORDER BY random() LIMIT $2",
        );
        let query = sqlx::query(query).bind(signed(now)).bind(i64::from(most));
        let rows = query.fetch_all(pool).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Forgets the dead.
    pub async fn tidy(&self, pool: &PgPool) -> Result<(), StorageError> {
        for query in [
            "DELETE FROM leases WHERE NOT EXISTS \
             (SELECT 1 FROM nodes WHERE nodes.node = leases.node AND ALIVE)",
            "DELETE FROM nodes WHERE NOT ALIVE",
        ] {
            sqlx::query(sql(query)).execute(pool).await?;
        }
        Ok(())
    }
}
