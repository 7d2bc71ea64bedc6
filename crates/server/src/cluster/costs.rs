//! The costs on which docs/scaling.md builds: claiming, reading and notifying. The limits are several times what was
//! measured on a busy machine; the figures are printed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::Connection;
use sqlx::postgres::{PgConnection, PgListener};

use super::{Cluster, Nodes};
use crate::postgres::Database;
use crate::storage::tests::{append, meta, record};
use crate::storage::{NewTable, PostgresStorage, Storage};

/// The number of tables, of which a server that died has driven an eighth.
const TABLES: usize = 50_000;
const DRIVEN: usize = TABLES / 8;
/// The number of tables in a claim.
const BATCH: usize = 500;
/// The entries of a usual game.
const ENTRIES: u64 = 71;
/// The servers that hear every notification.
const LISTENERS: usize = 8;
/// Notifications in a statement, and the size of each.
const GROUP: usize = 64;
const BYTES: usize = 300;
const STATEMENTS: usize = 100;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[tokio::test]
async fn taking_over_the_tables_of_a_dead_server_is_cheap() {
    let server = towers_test_support::Postgres::start_durable().unwrap();
    let database = Database::open(&server.url(), 8).await.unwrap();
    let storage = PostgresStorage::new(&database, "me", &Arc::default());
    let rows = format!(
        "INSERT INTO tables (id, header, created, stage, listed, summary, wake, visited) \
         SELECT 't' || n, '', 0, 'playing', n % 20 = 0, repeat('x', 600), 9000000000000 + n, n \
         FROM generate_series(1, {TABLES}) AS n; \
         INSERT INTO nodes (node, seen, since) VALUES ('dead', 0, 0); \
         INSERT INTO leases (table_id, node) \
         SELECT 't' || n, 'dead' FROM generate_series(1, {DRIVEN}) AS n"
    );
    server.query(&rows).unwrap();
    server.query("VACUUM ANALYZE").unwrap();
    let nodes = Nodes::join(&database, "me", &Arc::default()).await.unwrap();
    let tables: Vec<String> = (1..=DRIVEN).map(|n| format!("t{n}")).collect();
    let mut times = Vec::new();
    for batch in tables.chunks(BATCH) {
        let begun = Instant::now();
        let claimed = nodes.claim_all(batch.to_vec()).await.unwrap();
        times.push(begun.elapsed());
        assert_eq!(claimed.len(), batch.len());
    }
    let all: Duration = times.iter().sum();
    let (count, claim) = (times.len(), median(times));
    println!(
        "claiming {BATCH} of {TABLES} tables: {claim:?} as a median; {DRIVEN} with {count} statements: {all:?}"
    );
    assert!(claim < Duration::from_millis(250), "{claim:?}");

    let record = record("game", ENTRIES);
    let header = record.header.clone();
    let meta = meta(false, None);
    storage
        .create(NewTable {
            header,
            meta,
            opener: None,
        })
        .await
        .unwrap();
    for i in 0..record.entries.len() {
        storage.append(append(&record, i)).await.unwrap();
    }
    let mut times = Vec::new();
    for _ in 0..200 {
        let begun = Instant::now();
        let stored = storage.load("game").await.unwrap().unwrap();
        stored.rebuild().await.unwrap();
        times.push(begun.elapsed());
    }
    let load = median(times);
    println!("reading a table with {ENTRIES} entries: {load:?} as a median");
    assert!(load < Duration::from_millis(50), "{load:?}");
}

#[tokio::test]
async fn notifications_of_many_entries_reach_many_servers() {
    let server = towers_test_support::Postgres::start().unwrap();
    let mut listeners = Vec::new();
    for _ in 0..LISTENERS {
        let mut listener = PgListener::connect(&server.url()).await.unwrap();
        listener.listen("costs").await.unwrap();
        listeners.push(listener);
    }
    let hearing = listeners.into_iter().map(|mut listener| {
        tokio::spawn(async move {
            for _ in 0..STATEMENTS * GROUP {
                listener.recv().await.unwrap();
            }
        })
    });
    let hearing: Vec<_> = hearing.collect();
    let mut db = PgConnection::connect(&server.url()).await.unwrap();
    let begun = Instant::now();
    for statement in 0..STATEMENTS {
        // Equal payloads in one statement would be sent once.
        let payloads: Vec<String> = (0..GROUP)
            .map(|i| format!("{statement} {i:0>BYTES$}"))
            .collect();
        let notify = "SELECT pg_notify('costs', payload) FROM unnest($1::text[]) AS payload";
        let notify = sqlx::query(notify).bind(payloads);
        notify.execute(&mut db).await.unwrap();
    }
    let sent = begun.elapsed();
    futures_util::future::try_join_all(hearing).await.unwrap();
    let heard = begun.elapsed();
    let rate = (STATEMENTS * GROUP) as f64 / heard.as_secs_f64();
    println!(
        "{STATEMENTS} statements of {GROUP} notifications with {BYTES} bytes: sent in {sent:?}, heard by \
         {LISTENERS} in {heard:?}, {rate:.0} a second"
    );
    assert!(rate > 500.0, "{rate:.0} a second");
}
