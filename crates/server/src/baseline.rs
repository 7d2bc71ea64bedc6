//! A baseline for measurements: an echo on the same stack, and equally durable appends to the same database.

use std::net::SocketAddr;
use std::str::FromStr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::get;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Executor};

use crate::config::Config;
use crate::failure::ServeError;
use crate::listen::{self, ConnectionContext};
use crate::storage::{SqliteStorage, StorageError};

/// About as long as an entry of a table's record.
const LINE: &str = r#"{"number":1234,"at":1794782953652,"by":{"person":0},"do":{"command":"act","action":"w3:tC","decision":321},"chance":["draw b w2t2"],"sum":"211fea0ee5b0f126b79be78ad3f16212"}"#;

/// A server that echoes what it receives, once the future is polled. Needs a Tokio runtime.
pub fn echo(address: SocketAddr) -> Result<(SocketAddr, impl Future<Output = ()>), ServeError> {
    let listener = listen::bind(address)?;
    let address = listener.local_addr().unwrap_or(address);
    let context = ConnectionContext {
        router: Router::new().route("/", get(upgrade)),
        tls: None,
        connections: None,
        open_connections: metrics::Gauge::noop(),
    };
    Ok((
        address,
        listen::serve(listener, context, std::future::pending()),
    ))
}

async fn upgrade(upgrade: WebSocketUpgrade) -> axum::response::Response {
    let upgrade = upgrade.read_buffer_size(4096).write_buffer_size(0);
    upgrade.on_upgrade(async |mut socket: WebSocket| {
        while let Some(Ok(message)) = socket.recv().await {
            if matches!(message, Message::Text(_)) && socket.send(message).await.is_err() {
                break;
            }
        }
    })
}

/// Appends rows to a server's database, `group` per transaction, for some time; returns the rows per second.
pub async fn appends(config: &Config, group: u32, time: Duration) -> Result<f64, StorageError> {
    match &config.database {
        Some(url) => appends_to_postgres(url, group, time).await,
        None => appends_to_sqlite(config, group, time).await,
    }
}

const CREATE: &str =
    "CREATE TABLE IF NOT EXISTS bare (number BIGINT PRIMARY KEY, line TEXT NOT NULL)";
const EMPTY: &str = "DELETE FROM bare";
const APPEND: &str = "INSERT INTO bare (number, line) VALUES ($1, $2)";

async fn appends_to_sqlite(
    config: &Config,
    group: u32,
    time: Duration,
) -> Result<f64, StorageError> {
    let options = SqliteStorage::writing(&config.data.join("bare.db"));
    let mut to = SqliteConnection::connect_with(&options).await?;
    to.execute(CREATE).await?;
    to.execute(EMPTY).await?;
    let begun = Instant::now();
    let mut rows = 0_u32;
    while begun.elapsed() < time {
        let mut transaction = to.begin_with("BEGIN IMMEDIATE").await?;
        for _ in 0..group {
            let query = sqlx::query(APPEND).bind(rows).bind(LINE);
            query.execute(&mut *transaction).await?;
            rows += 1;
        }
        transaction.commit().await?;
    }
    Ok(f64::from(rows) / begun.elapsed().as_secs_f64())
}

async fn appends_to_postgres(url: &str, group: u32, time: Duration) -> Result<f64, StorageError> {
    let mut to = PgConnection::connect_with(&PgConnectOptions::from_str(url)?).await?;
    to.execute(CREATE).await?;
    to.execute(EMPTY).await?;
    let query =
        "INSERT INTO bare (number, line) SELECT number, $2 FROM unnest($1::bigint[]) AS number";
    let begun = Instant::now();
    let mut rows = 0_u32;
    while begun.elapsed() < time {
        let numbers: Vec<i64> = (rows..rows + group).map(i64::from).collect();
        let query = sqlx::query(query).bind(numbers).bind(LINE);
        query.execute(&mut to).await?;
        rows += group;
    }
    Ok(f64::from(rows) / begun.elapsed().as_secs_f64())
}
