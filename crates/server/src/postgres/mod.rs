//! Connections to `PostgreSQL` for storage and cluster, with time limits.

mod connections;
mod retry;

use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::time::timeout;

pub use self::connections::{CONNECT_TIMEOUT, Connections, Query};
pub use self::retry::Retry;

use self::connections::server_limits;
use self::retry::is_transient;
use crate::outage::Outage;
use crate::storage::{self, StorageError};

/// How long an operation is retried; longer than a restart of the database takes.
const RETRY_FOR: Duration = Duration::from_secs(10);
/// How long to wait for the database when the server starts.
const START: Duration = Duration::from_secs(30);
/// How often that wait is logged.
const LOG_INTERVAL: Duration = Duration::from_secs(5);
/// The time limit of migrations.
const MIGRATE: Duration = Duration::from_secs(600);
/// The minimum number of connections that a server needs.
pub const MIN_CONNECTIONS: usize = 5;
/// The channel on which servers notify each other.
pub const CHANNEL: &str = "towers";

/// A reachable database with the current schema.
pub struct Database {
    /// Options for durable writes.
    pub durable: PgConnectOptions,
    /// Options for writes that need not survive a power failure: commits do not wait for the disk.
    pub light: PgConnectOptions,
    /// The number of connections for each kind of work.
    pub shares: Shares,
    /// Whether the database fails, for the log.
    pub outage: Arc<Outage>,
}

/// How a server's connections are divided. One more is for notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    pub readers: usize,
    pub writers: usize,
    /// Heartbeats, leases and notifications to other servers.
    pub cluster: usize,
}

impl Shares {
    /// Divides this number of connections, at least [`MIN_CONNECTIONS`].
    pub fn of(connections: usize) -> Shares {
        let cluster = 2;
        let rest = connections.max(MIN_CONNECTIONS) - 1 - cluster;
        Shares {
            readers: rest / 2,
            writers: rest.div_ceil(2),
            cluster,
        }
    }
}

impl Database {
    /// Connects and migrates the database. The server has at most this many connections.
    pub async fn open(url: &str, connections: usize) -> Result<Database, StorageError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|why| StorageError::Failed(why.to_string()))?
            .application_name("towers");
        let mut first = connect(&options).await?;
        let migrating = async {
            storage::migrations().run(&mut first).await?;
            storage::postgres_migrations().run(&mut first).await
        };
        let migrated = timeout(MIGRATE, migrating).await;
        migrated
            .map_err(|_| StorageError::Failed("bringing it up to date takes too long".into()))?
            .map_err(|why| StorageError::Failed(why.to_string()))?;
        let _ = timeout(CONNECT_TIMEOUT, first.close()).await;
        let durable = server_limits(options);
        let light = durable.clone().options([("synchronous_commit", "off")]);
        Ok(Database {
            durable,
            light,
            shares: Shares::of(connections),
            outage: Arc::new(Outage::new("using the database")),
        })
    }
}

/// Opens the first connection. Waits for a database that does not respond yet, and logs that.
async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StorageError> {
    let begun = Instant::now();
    let mut logged: Option<Instant> = None;
    // Migrating and waiting for another server that migrates takes its time.
    let options = options.clone().disable_statement_logging();
    loop {
        let connected = timeout(CONNECT_TIMEOUT, options.connect()).await;
        let why = match connected.unwrap_or(Err(sqlx::Error::PoolTimedOut)) {
            Ok(connection) => return Ok(connection),
            Err(why) if !is_transient(&why) || begun.elapsed() > START => return Err(why.into()),
            Err(why) => why,
        };
        if logged.is_none_or(|logged| logged.elapsed() > LOG_INTERVAL) {
            logged = Some(Instant::now());
            let left = START.saturating_sub(begun.elapsed()).as_secs();
            tracing::warn!(%why, "the database does not answer; trying for {left} more seconds");
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_divided_up_and_every_kind_of_work_has_one() {
        for connections in 0..40 {
            let Shares {
                readers,
                writers,
                cluster,
            } = Shares::of(connections);
            assert!(readers > 0 && writers > 0 && cluster > 0);
            let listener = 1;
            let all = readers + writers + cluster + listener;
            assert_eq!(all, connections.max(MIN_CONNECTIONS));
        }
    }
}
