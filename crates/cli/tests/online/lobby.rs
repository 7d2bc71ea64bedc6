//! The list of public tables: no address can fill it, and tables that cannot be joined are removed from it.

use std::ops::RangeInclusive;

use sqlx::{Connection, SqliteConnection};
use towers_table::Command;
use towers_test_support::Postgres;

use super::player::gather;
use super::process::{Data, Process, create_from, http};

async fn list(port: u16) -> Vec<serde_json::Value> {
    let answer = http(port, "GET", "/api/tables", &[], "").await;
    // The types that the browser client reads.
    let read: towers_table::Listing = serde_json::from_str(&answer.body).unwrap();
    let list: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        serde_json::to_value(&read).unwrap(),
        list,
        "nothing is lost"
    );
    list["tables"].as_array().unwrap().clone()
}

/// Opens a public table from an address.
async fn open(process: &Process, address: &str) -> String {
    let header = format!("X-Forwarded-For: {address}");
    let public = r#"{"public":true}"#;
    create_from(process.port, "Ann", public, &[&header]).await.0
}

/// Checks that this table is listed, and how many are.
async fn check_share(process: &Process, ours: &str, count: RangeInclusive<usize>) {
    let shown = list(process.port).await;
    assert!(shown.iter().any(|t| t["table"] == ours));
    assert!(count.contains(&shown.len()), "{}", shown.len());
}

#[tokio::test]
async fn one_address_cannot_push_others_out_of_the_list() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    let ours = open(&process, "10.0.0.1").await;
    for i in 0..300 {
        // One customer has many IPv6 addresses.
        open(&process, &format!("2001:db8::{i:x}")).await;
    }
    check_share(&process, &ours, 2..=10).await;
    // More tables than a list has, of few addresses.
    for i in 0..150 {
        open(&process, &format!("10.0.1.{}", i % 3)).await;
    }
    check_share(&process, &ours, 2..=40).await;
    // Nobody is forgotten by a restart.
    drop(process);
    let process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    check_share(&process, &ours, 2..=40).await;
}

#[tokio::test]
async fn the_share_of_an_address_is_the_same_at_all_servers() {
    let postgres = Postgres::start().unwrap_or_else(|why| panic!("{why}"));
    let data = Data::new();
    let url = postgres.url();
    let args = ["--trust-proxy", "--database-url", &url];
    let start = || Process::start_quick_with(&data.path(), &args);
    let (a, b) = (start(), start());
    let ours = open(&a, "10.0.0.1").await;
    for i in 0..60 {
        let process = if i % 2 == 0 { &a } else { &b };
        open(process, "10.0.0.2").await;
    }
    for process in [&a, &b] {
        // Five a day, if midnight is in between.
        check_share(process, &ours, 2..=11).await;
    }
}

#[tokio::test]
async fn a_table_is_listed_as_printed_or_with_its_rules() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let printed = r#"{"public":true}"#;
    let changed = r#"{"public":true,"options":{"may_decline":true}}"#;
    let (printed, _) = create_from(process.port, "Ann", printed, &[]).await;
    let (changed, _) = create_from(process.port, "Ben", changed, &[]).await;
    let shown = list(process.port).await;
    let find = |table: &str| shown.iter().find(|t| t["table"] == table).unwrap();
    assert_eq!(find(&printed)["as_printed"], true);
    assert!(find(&printed).get("rules").is_none());
    assert_eq!(find(&changed)["as_printed"], false);
    assert_eq!(find(&changed)["rules"]["options"]["may_decline"], true);
}

#[tokio::test]
async fn full_tables_are_marked_and_finished_and_deserted_ones_leave_the_list() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":2,"public":true}"#;
    let (open, mut hosts) = gather(process.port, settings, 1).await;
    hosts[0]
        .ok(Command::Remove {
            seat: towers_rules::Seat(1),
        })
        .await;
    let (full, mut clients) = gather(process.port, settings, 2).await;
    let shown = list(process.port).await;
    let find = |table: &str| shown.iter().find(|t| t["table"] == table).unwrap();
    assert_eq!(find(&full)["full"], true);
    assert_eq!(find(&open)["full"], false);
    clients[0].ok(Command::Start).await;
    for client in &mut clients {
        client.ok(Command::End { agree: true }).await;
    }
    let is_shown = async |table: &str| list(process.port).await.iter().any(|t| t["table"] == table);
    assert!(!is_shown(&full).await, "its game is over");
    assert!(is_shown(&open).await);
    // Six minutes pass without a connection.
    drop(hosts);
    let file = format!("sqlite://{}", data.path().join("towers.db").display());
    let mut db = SqliteConnection::connect(&file).await.unwrap();
    let earlier = "UPDATE tables SET visited = visited - 360000";
    sqlx::query(earlier).execute(&mut db).await.unwrap();
    assert!(!is_shown(&open).await, "nobody is there");
}
