//! Heartbeats of servers that share a database, and leases on tables.
//!
//! A table's bots and clocks are driven by the server that has its lease. A lease is valid as long as its
//! server sends heartbeats, by the database's clock. A server whose heartbeats failed for too long has
//! lost all its leases, and knows that by its own clock.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Row;
use tokio::sync::{mpsc, oneshot};
use towers_table::Millis;

use super::ClusterEvent;
use crate::postgres::Connections;
use crate::storage::{StorageError, signed};
use crate::tables::now;

/// Time between two heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(250);
/// A server without a heartbeat for this long counts as dead.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(1);
/// The database's clock, in milliseconds.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// The maximum number of tables claimed with one statement.
const BATCH: usize = 500;
/// How long a batch waits for more claims.
const BATCH_DELAY: Duration = Duration::from_millis(20);
/// Due tables that no server drives, in random order, so that a few tables that are always due cannot starve the
/// others.
pub const DUE: &str = "\
    SELECT id FROM tables WHERE wake <= $1 AND archived IS NULL \
    AND NOT EXISTS (SELECT 1 FROM leases JOIN nodes USING (node) \
                    WHERE leases.table_id = tables.id AND ALIVE) \
    ORDER BY random() LIMIT $2";

/// A claim waiting to be sent.
pub struct ClaimRequest {
    table: String,
    answer: oneshot::Sender<Result<bool, StorageError>>,
}

fn leases_lost() -> StorageError {
    let why = "the last heartbeat is too long ago: leases may be lost";
    StorageError::Failed(why.into())
}

struct Held {
    tables: HashSet<String>,
    /// The end of their validity.
    until: Instant,
    /// The number of times that all of them were lost.
    losses: u64,
}

/// The leases and heartbeats of this server.
pub struct Leases {
    me: String,
    pool: Connections,
    held: Mutex<Held>,
    tell: mpsc::Sender<ClusterEvent>,
    requests: mpsc::UnboundedSender<ClaimRequest>,
}

pub fn sql(text: &str) -> sqlx::AssertSqlSafe<String> {
    let alive = format!("seen > {NOW} - {}", HEARTBEAT_TIMEOUT.as_millis());
    sqlx::AssertSqlSafe(text.replace("ALIVE", &alive).replace("NOW", NOW))
}

impl Leases {
    pub fn new(
        me: String,
        pool: Connections,
        tell: mpsc::Sender<ClusterEvent>,
        requests: mpsc::UnboundedSender<ClaimRequest>,
    ) -> Leases {
        let held = Held {
            tables: HashSet::new(),
            until: Instant::now(),
            losses: 0,
        };
        Leases {
            me,
            pool,
            held: Mutex::new(held),
            tell,
            requests,
        }
    }

    pub fn me(&self) -> &str {
        &self.me
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the last heartbeat succeeded recently enough.
    pub fn is_current(&self) -> bool {
        self.held().until >= Instant::now()
    }

    /// Registers this server. Returns the time since when at least one server has always been alive.
    pub async fn register(&self) -> Result<Millis, StorageError> {
        let begun = Instant::now();
        let query = sql("INSERT INTO nodes (node, seen, since) \
             SELECT $1, NOW, COALESCE(min(since), $2) FROM nodes WHERE ALIVE \
             ON CONFLICT (node) DO UPDATE SET seen = EXCLUDED.seen, since = EXCLUDED.since \
             RETURNING since");
        let query = sqlx::query(query).bind(&self.me).bind(signed(now()));
        let rows = self.pool.rows(query).await?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        let since: i64 = row.try_get(0)?;
        let mut held = self.held();
        held.tables.clear();
        held.losses += 1;
        held.until = begun + HEARTBEAT_TIMEOUT;
        Ok(since.try_into().unwrap_or(0))
    }

    /// Sends heartbeats and reports changes in the set of live servers; never returns.
    pub async fn send_heartbeats(self: std::sync::Arc<Self>) {
        let mut tick = tokio::time::interval(HEARTBEAT_INTERVAL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut known = HashSet::from([self.me.clone()]);
        loop {
            tick.tick().await;
            // A hanging connection must not delay the next attempt.
            match tokio::time::timeout(HEARTBEAT_TIMEOUT, self.send_heartbeat()).await {
                Ok(Ok(alive)) if alive != known => {
                    known.clone_from(&alive);
                    let _ = self.tell.send(ClusterEvent::NodesAlive(alive)).await;
                }
                Ok(Ok(_)) => {}
                // Logged by the connection pool; `is_current` has the consequence.
                Ok(Err(why)) => tracing::debug!(%why, "heartbeat failed"),
                Err(_) => tracing::debug!("heartbeat timed out"),
            }
        }
    }

    async fn send_heartbeat(&self) -> Result<HashSet<String>, StorageError> {
        let begun = Instant::now();
        let query = sql(
            "WITH beat AS (UPDATE nodes SET seen = NOW WHERE node = $1 AND ALIVE RETURNING node) \
             SELECT node, EXISTS (SELECT 1 FROM beat) FROM nodes WHERE ALIVE",
        );
        let rows = self.pool.rows(sqlx::query(query).bind(&self.me)).await?;
        let renewed: bool = rows.first().map_or(Ok(false), |row| row.try_get(1))?;
        let mut alive: HashSet<String> = rows
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<_, _>>()?;
        if !renewed || self.held().until < Instant::now() {
            // Too late: other servers may have taken over the leases.
            self.register().await?;
            alive.insert(self.me.clone());
        } else {
            self.held().until = begun + HEARTBEAT_TIMEOUT;
        }
        Ok(alive)
    }

    /// Claims a table unless another server drives it; returns whether this server drives it. Fails if that is
    /// currently unknown. Concurrent claims are batched.
    pub async fn claim(&self, table: &str) -> Result<bool, StorageError> {
        if self.check()?.tables.contains(table) {
            return Ok(true);
        }
        let (answer, answered) = oneshot::channel();
        let request = ClaimRequest {
            table: table.into(),
            answer,
        };
        let stopped = || StorageError::Failed("it is closed".into());
        self.requests.send(request).map_err(|_| stopped())?;
        answered.await.map_err(|_| stopped())?
    }

    /// Executes claims in batches; never returns.
    pub async fn claim_batches(
        self: std::sync::Arc<Self>,
        requests: std::sync::Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<ClaimRequest>>>,
    ) {
        let mut requests = requests.lock().await;
        let mut batch = Vec::new();
        while requests.recv_many(&mut batch, BATCH).await > 0 {
            tokio::time::sleep(BATCH_DELAY).await;
            while let Some(more) = (batch.len() < BATCH)
                .then(|| requests.try_recv().ok())
                .flatten()
            {
                batch.push(more);
            }
            let tables = batch.iter().map(|request| request.table.clone()).collect();
            let claimed = self.claim_all(tables).await;
            for ClaimRequest { table, answer } in batch.drain(..) {
                let ours = claimed.as_ref().map(|tables| tables.contains(&table));
                let _ = answer.send(ours.map_err(Clone::clone));
            }
        }
    }

    /// Claims tables; returns those that this server drives. Nothing is written about tables that others drive.
    pub async fn claim_all(&self, tables: Vec<String>) -> Result<HashSet<String>, StorageError> {
        let (losses, mut ours, mut open) = {
            let held = self.check()?;
            let is_held = |table: &String| held.tables.contains(table);
            let (ours, open): (HashSet<_>, HashSet<_>) = tables.into_iter().partition(is_held);
            (held.losses, ours, open)
        };
        let list = |tables: &HashSet<String>| tables.iter().cloned().collect::<Vec<_>>();
        if open.is_empty() {
            return Ok(ours);
        }
        let query = sql("SELECT table_id FROM leases JOIN nodes USING (node) \
             WHERE table_id = ANY($1) AND node <> $2 AND ALIVE");
        let query = sqlx::query(query).bind(list(&open)).bind(&self.me);
        for row in self.pool.rows(query).await? {
            open.remove(row.try_get::<&str, _>(0)?);
        }
        if open.is_empty() {
            return Ok(ours);
        }
        // In order, so that two servers never deadlock.
        let query = sql("INSERT INTO leases (table_id, node) \
             SELECT id, $2 FROM tables WHERE id = ANY($1) ORDER BY id \
             ON CONFLICT (table_id) DO UPDATE SET node = $2 WHERE leases.node = $2 \
             OR NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.node = leases.node AND ALIVE) \
             RETURNING table_id");
        let query = sqlx::query(query).bind(list(&open)).bind(&self.me);
        let rows = self.pool.rows(query).await?;
        let claimed: Vec<String> = rows
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<_, _>>()?;
        let mut held = self.check()?;
        if held.losses != losses {
            return Err(leases_lost());
        }
        held.tables.extend(claimed.iter().cloned());
        ours.extend(claimed);
        Ok(ours)
    }

    /// The leases of this server; an error if their heartbeats are too old.
    fn check(&self) -> Result<MutexGuard<'_, Held>, StorageError> {
        let held = self.held();
        if held.until < Instant::now() {
            return Err(leases_lost());
        }
        Ok(held)
    }

    /// Releases the lease of a table; returns whether this server had it.
    pub async fn release(&self, table: &str) -> Result<bool, StorageError> {
        if !self.held().tables.remove(table) {
            return Ok(false);
        }
        let query = "DELETE FROM leases WHERE table_id = $1 AND node = $2";
        let query = sqlx::query(query).bind(table).bind(&self.me);
        Ok(self.pool.execute(query).await? == 1)
    }

    /// Releases all leases and unregisters this server.
    pub async fn leave(&self) -> Result<(), StorageError> {
        self.held().tables.clear();
        for query in [
            "DELETE FROM leases WHERE node = $1",
            "DELETE FROM nodes WHERE node = $1",
        ] {
            self.pool.execute(sqlx::query(query).bind(&self.me)).await?;
        }
        Ok(())
    }

    /// Due tables that no server drives.
    pub async fn due(&self, now: Millis, most: u32) -> Result<Vec<String>, StorageError> {
        let query = sqlx::query(sql(DUE));
        let query = query.bind(signed(now)).bind(i64::from(most));
        let rows = self.pool.rows(query).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Deletes dead servers and their leases.
    pub async fn tidy(&self) -> Result<(), StorageError> {
        for query in [
            "DELETE FROM leases WHERE NOT EXISTS \
             (SELECT 1 FROM nodes WHERE nodes.node = leases.node AND ALIVE)",
            "DELETE FROM nodes WHERE NOT ALIVE",
        ] {
            self.pool.execute(sqlx::query(sql(query))).await?;
        }
        Ok(())
    }
}
