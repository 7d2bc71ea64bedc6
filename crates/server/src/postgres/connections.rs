//! Connections to `PostgreSQL` with time limits for everything.
//!
//! A network that drops packets reports no error: a statement would wait for minutes until the system gives up. So
//! every statement has a time limit. A connection that exceeds it or breaks is discarded together with the idle ones,
//! which are most likely dead, too.
//!
//! sqlx's own pool cannot do that: it pings a returned connection without a limit, so a silent one would keep its place
//! in the pool. Nor does sqlx set keepalive or `TCP_USER_TIMEOUT` on its sockets, or expose them. The database is asked
//! to set them on its side ([`server_limits`]), so that it drops servers that are gone.

use std::ops::DerefMut;
use std::sync::Arc;
use std::time::{Duration, Instant};

use deadpool::Runtime;
use deadpool::managed::{self, Metrics as Usage, Object, PoolError, RecycleError, RecycleResult};
use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgRow};
use sqlx::{ConnectOptions, Connection, Either, Executor};
use tokio::time::timeout;

use super::retry::Retry;
use crate::metrics::Metrics;
use crate::outage::Outage;
use crate::storage::{SqlRow, Statement, StatementResult, StorageError};

/// The time limit of a statement.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(3);
/// The time limit for connecting, and for waiting for a connection.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// A connection that was idle for this long is tested before it is used.
const IDLE: Duration = Duration::from_secs(60);
/// The time limit of that test.
const PING: Duration = Duration::from_secs(1);
/// The maximum age of a connection.
const LIFETIME: Duration = Duration::from_secs(30 * 60);

pub type Query<'q> = sqlx::query::Query<'q, sqlx::Postgres, PgArguments>;

/// A pool of connections with time limits.
#[derive(Clone)]
pub struct Connections {
    pool: managed::Pool<Connector>,
    /// The kind of work.
    name: &'static str,
    /// Shared by all uses of the database.
    outage: Arc<Outage>,
    /// Statements that the database refused.
    refused: Arc<Outage>,
    metrics: Arc<Metrics>,
}

pub struct Connector(PgConnectOptions);

impl managed::Manager for Connector {
    type Type = PgConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<PgConnection, sqlx::Error> {
        self.0.connect().await
    }

    async fn recycle(
        &self,
        connection: &mut PgConnection,
        usage: &Usage,
    ) -> RecycleResult<sqlx::Error> {
        if usage.age() > LIFETIME {
            return Err(RecycleError::message("old"));
        }
        if usage.last_used() > IDLE {
            connection.ping().await?;
        }
        Ok(())
    }
}

/// Session settings that make the database drop dead connections and abandoned statements.
pub fn server_limits(options: PgConnectOptions) -> PgConnectOptions {
    options.options([
        ("statement_timeout", "30s"),
        ("idle_in_transaction_session_timeout", "15s"),
        ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "15s"),
    ])
}

/// A connection in use. If its user was cancelled, for instance with its request, it returns to the pool after a test
/// with a time limit.
struct BorrowedConnection(Option<Object<Connector>>);

impl BorrowedConnection {
    fn connection(&mut self) -> &mut PgConnection {
        self.0
            .as_mut()
            .expect("it is there until it ends")
            .deref_mut()
    }

    fn give_back(mut self) {
        drop(self.0.take());
    }

    fn throw_away(mut self) {
        if let Some(object) = self.0.take() {
            drop(Object::take(object));
        }
    }
}

impl Drop for BorrowedConnection {
    fn drop(&mut self) {
        let Some(mut object) = self.0.take() else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            drop(Object::take(object));
            return;
        };
        runtime.spawn(async move {
            if !matches!(timeout(PING, object.ping()).await, Ok(Ok(()))) {
                drop(Object::take(object));
            }
        });
    }
}

impl Connections {
    /// A pool of at most `max` connections for one kind of work, which has a name in metrics and logs.
    pub fn new(
        options: &PgConnectOptions,
        max: usize,
        name: &'static str,
        outage: &Arc<Outage>,
        metrics: &Arc<Metrics>,
    ) -> Connections {
        let options = options.clone().disable_statement_logging();
        let pool = managed::Pool::builder(Connector(options))
            .max_size(max)
            .wait_timeout(Some(CONNECT_TIMEOUT))
            .create_timeout(Some(CONNECT_TIMEOUT))
            .recycle_timeout(Some(PING))
            .runtime(Runtime::Tokio1)
            .build();
        let pool = pool.expect("there is a runtime for the time limits");
        let (gauges, watched) = (metrics.pool(name, max), pool.clone());
        metrics.sample(move || {
            let status = watched.status();
            let idle = status.available.min(status.size);
            gauges.set(status.size - idle, idle, status.waiting);
        });
        Connections {
            pool,
            name,
            outage: Arc::clone(outage),
            refused: Arc::new(Outage::new("a statement")),
            metrics: Arc::clone(metrics),
        }
    }

    /// The rows of a statement, without retries.
    pub async fn rows(&self, query: Query<'_>) -> Result<Vec<PgRow>, sqlx::Error> {
        let begun = Instant::now();
        let result = self.try_rows(query).await;
        self.note(begun, result)
    }

    /// The number of rows changed by a statement, without retries.
    pub async fn execute(&self, query: Query<'_>) -> Result<u64, sqlx::Error> {
        let begun = Instant::now();
        let result = self.try_execute(query).await;
        self.note(begun, result)
    }

    /// The rows of an idempotent statement, retried for a limited time.
    pub async fn read<'q>(
        &self,
        query: impl Fn() -> Query<'q>,
    ) -> Result<Vec<PgRow>, StorageError> {
        let mut retry = Retry::new();
        loop {
            match self.rows(query()).await {
                Ok(rows) => return Ok(rows),
                Err(why) => retry.wait_or_fail(why).await?,
            }
        }
    }

    /// Executes statements in one transaction. It is repeated if the database gave it up because of another one.
    pub async fn transact(
        &self,
        statements: &[Statement],
    ) -> Result<Vec<StatementResult>, sqlx::Error> {
        let begun = Instant::now();
        loop {
            match self.try_transact(statements).await {
                Err(why) if is_lost_race(&why) && begun.elapsed() < STATEMENT_TIMEOUT => {}
                result => return self.note(begun, result),
            }
        }
    }

    async fn try_transact(
        &self,
        statements: &[Statement],
    ) -> Result<Vec<StatementResult>, sqlx::Error> {
        let mut lent = self.acquire().await?;
        let connection = lent.connection();
        let working = async {
            connection.execute("BEGIN").await?;
            let mut results = Vec::with_capacity(statements.len());
            for statement in statements {
                let mut result = StatementResult::default();
                let mut parts = connection.fetch_many(statement.for_postgres());
                while let Some(part) = parts.try_next().await? {
                    match part {
                        Either::Left(done) => result.count += done.rows_affected(),
                        Either::Right(row) => result.rows.push(SqlRow::from_postgres(&row)?),
                    }
                }
                results.push(result);
            }
            connection.execute("COMMIT").await?;
            Ok(results)
        };
        let result = timeout(STATEMENT_TIMEOUT, working).await;
        if matches!(&result, Ok(Err(why)) if is_answer(why)) {
            let rollback = timeout(PING, lent.connection().execute("ROLLBACK")).await;
            if !matches!(rollback, Ok(Ok(_))) {
                lent.throw_away();
                return result.unwrap_or(Err(sqlx::Error::PoolTimedOut));
            }
        }
        self.end(lent, result)
    }

    /// Discards all connections and opens no more.
    pub fn close(&self) {
        self.pool.close();
    }

    async fn try_rows(&self, query: Query<'_>) -> Result<Vec<PgRow>, sqlx::Error> {
        let mut lent = self.acquire().await?;
        let mut rows = Vec::new();
        let result = {
            let mut stream = lent.connection().fetch(query);
            loop {
                // The limit applies to each row: a long log may take longer in total.
                match timeout(STATEMENT_TIMEOUT, stream.try_next()).await {
                    Ok(Ok(Some(row))) => rows.push(row),
                    Ok(Ok(None)) => break Ok(Ok(rows)),
                    Ok(Err(why)) => break Ok(Err(why)),
                    Err(elapsed) => break Err(elapsed),
                }
            }
        };
        self.end(lent, result)
    }

    async fn try_execute(&self, query: Query<'_>) -> Result<u64, sqlx::Error> {
        let mut lent = self.acquire().await?;
        let result = timeout(STATEMENT_TIMEOUT, lent.connection().execute(query)).await;
        self.end(lent, result).map(|done| done.rows_affected())
    }

    async fn acquire(&self) -> Result<BorrowedConnection, sqlx::Error> {
        match self.pool.get().await {
            Ok(object) => Ok(BorrowedConnection(Some(object))),
            Err(PoolError::Backend(why)) => Err(why),
            Err(PoolError::Closed) => Err(sqlx::Error::PoolClosed),
            Err(PoolError::Timeout(managed::TimeoutType::Create)) => {
                self.metrics.database_timeouts.increment(1);
                Err(sqlx::Error::PoolTimedOut)
            }
            Err(_) => Err(sqlx::Error::PoolTimedOut),
        }
    }

    /// Discards a faulty connection.
    fn end<T>(
        &self,
        lent: BorrowedConnection,
        result: Result<Result<T, sqlx::Error>, tokio::time::error::Elapsed>,
    ) -> Result<T, sqlx::Error> {
        match result {
            Ok(Ok(value)) => {
                lent.give_back();
                Ok(value)
            }
            Ok(Err(why)) => {
                if is_answer(&why) {
                    lent.give_back();
                } else {
                    lent.throw_away();
                    self.pool.retain(|_, _| false);
                }
                Err(why)
            }
            Err(_) => {
                lent.throw_away();
                self.metrics.database_timeouts.increment(1);
                self.pool.retain(|_, _| false);
                let why = format!("no answer for {} s", STATEMENT_TIMEOUT.as_secs());
                let why = std::io::Error::new(std::io::ErrorKind::TimedOut, why);
                Err(sqlx::Error::Io(why))
            }
        }
    }

    fn note<T>(&self, begun: Instant, result: Result<T, sqlx::Error>) -> Result<T, sqlx::Error> {
        match &result {
            Ok(_) => self.outage.part_succeeded(self.name),
            Err(sqlx::Error::PoolClosed) => {}
            Err(why) => {
                if is_answer(why) {
                    self.refused.failed(begun, why);
                } else {
                    self.outage.part_failed(self.name, begun, why);
                }
            }
        }
        result
    }
}

/// Whether an error is the database's response to a statement, so that the connection still works.
fn is_answer(why: &sqlx::Error) -> bool {
    let sqlx::Error::Database(why) = why else {
        return false;
    };
    // Connection exceptions, insufficient resources, operator intervention.
    let broken = ["08", "53", "57"];
    why.code()
        .is_some_and(|code| !broken.iter().any(|class| code.starts_with(class)))
}

/// Whether the database rolled a transaction back because of a concurrent one.
fn is_lost_race(why: &sqlx::Error) -> bool {
    matches!(why, sqlx::Error::Database(why) if why.code().is_some_and(|code| code.starts_with("40")))
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use sqlx::Row;

    use super::*;

    async fn backend(connections: &Connections) -> i32 {
        let rows = connections.rows(sqlx::query("SELECT pg_backend_pid()"));
        rows.await.unwrap()[0].get(0)
    }

    #[tokio::test]
    async fn a_statement_over_its_limit_costs_its_connection_and_one_that_is_dropped_does_not() {
        let server = towers_test_support::Postgres::start().unwrap();
        let options = PgConnectOptions::from_str(&server.url()).unwrap();
        let metrics = Arc::default();
        let outage = Arc::new(Outage::new("testing"));
        let connections = Connections::new(&server_limits(options), 1, "test", &outage, &metrics);
        let first = backend(&connections).await;
        // The database's side of the connection notices a server that is gone.
        for (name, wanted) in [
            ("statement_timeout", "30s"),
            ("tcp_user_timeout", "15000"),
            ("tcp_keepalives_idle", "10"),
            ("tcp_keepalives_interval", "5"),
            ("tcp_keepalives_count", "3"),
        ] {
            let query = sqlx::query("SELECT current_setting($1)").bind(name);
            let set: String = connections.rows(query).await.unwrap()[0].get(0);
            assert_eq!(set, wanted, "{name}");
        }
        // The caller is cancelled; its connection, the only one, comes back when the statement is finished.
        let slow = connections.execute(sqlx::query("SELECT pg_sleep(0.3)"));
        assert!(timeout(Duration::from_millis(50), slow).await.is_err());
        assert_eq!(backend(&connections).await, first);
        // An error is a response.
        let wrong = connections.execute(sqlx::query("SELECT 1 / 0"));
        assert!(wrong.await.is_err());
        assert_eq!(backend(&connections).await, first);
        let begun = Instant::now();
        let hanging = connections.execute(sqlx::query("SELECT pg_sleep(20)"));
        assert!(matches!(hanging.await, Err(sqlx::Error::Io(_))));
        assert!(begun.elapsed() < STATEMENT_TIMEOUT + Duration::from_secs(1));
        assert_ne!(backend(&connections).await, first);
        let text = metrics.text();
        assert!(
            text.contains("towers_database_timeouts_total 1\n"),
            "{text}"
        );
    }
}
