//! Idle tables cause almost no load on the database.

use std::time::{Duration, Instant};

use towers_table::Command;

use super::client::{Client, sit};
use super::process::{Data, Process, create};

/// The number of tables with connections; half of them have a running clock.
const TABLES: usize = 120;
/// The number of further tables without connections; half of them have a clock that runs out much later.
const IDLE_TABLES: usize = 100_000;
/// The time for which commits are counted.
const COUNTED: Duration = Duration::from_secs(12);
/// The maximum rate of durable commits of all servers together, per second.
const MAX_COMMITS_PER_SECOND: f64 = 5.0;

/// The transactions that changed data, and how many of them were heartbeats, which do not wait for the disk.
fn writes(postgres: &towers_test_support::Postgres) -> (i64, i64) {
    let query = "SELECT txid_snapshot_xmax(txid_current_snapshot()), \
                 (SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'nodes')";
    let answer = postgres.query(query).unwrap();
    let (all, beats) = answer.split_once('|').unwrap();
    (all.parse().unwrap(), beats.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_tables_on_two_servers_cause_hardly_any_commits() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let url = postgres.url();
    let start = || Process::start_quick_with(&data.path(), &["--database-url", &url]);
    let (a, b) = (start(), start());
    let resting = format!(
        "INSERT INTO tables (id, header, created, stage, listed, summary, wake, visited) \
         SELECT lpad(n::text, 20, '0'), '', 0, 'playing', false, repeat('x', 500), \
         CASE WHEN n % 2 = 0 THEN 9000000000000 END, \
         (extract(epoch FROM now()) * 1000)::bigint FROM generate_series(1, {IDLE_TABLES}) AS n"
    );
    postgres.query(&resting).unwrap();
    let mut people = Vec::new();
    for i in 0..TABLES {
        let settings = match i % 2 {
            0 => r#"{"seats":2}"#,
            _ => r#"{"seats":2,"clock":{"kind":"move","seconds":3600}}"#,
        };
        let (table, token) = create(a.port, "Ann", settings).await;
        let mut ann = Client::connect(a.port, &table, Some(&token)).await;
        ann.ok(sit("Ann")).await;
        let mut ben = Client::connect(b.port, &table, None).await;
        ben.ok(sit("Ben")).await;
        ann.ok(Command::Start).await;
        people.push((ann, ben));
    }
    // The last claims and PostgreSQL's own work on the new rows take some time on a slow machine.
    let mut durable = f64::INFINITY;
    for _ in 0..4 {
        let before = writes(&postgres);
        let begun = Instant::now();
        tokio::time::sleep(COUNTED).await;
        let after = writes(&postgres);
        let beats = after.1 - before.1;
        durable = (after.0 - before.0 - beats) as f64 / begun.elapsed().as_secs_f64();
        println!(
            "{TABLES} idle tables and {IDLE_TABLES} at which nobody is: {durable:.1} commits a second besides {beats} heartbeats"
        );
        if durable < MAX_COMMITS_PER_SECOND {
            break;
        }
    }
    assert!(
        durable < MAX_COMMITS_PER_SECOND,
        "{durable:.1} commits a second"
    );
    // The tables still work: a returning person finds them unchanged.
    let (ann, ben) = &mut people[0];
    assert_eq!(ann.view().await.number, ben.view().await.number);
}
