//! Logs of finished games are compressed, and their tables can still be used.

use towers_table::{Command, DailyDeals, Record};

use super::client::Client;
use super::player::{gather, play_together};
use super::process::{Data, Process, http, verified_record};

/// The sizes in bytes of the entries and of the packed logs in a database.
async fn stored_bytes(data: &Data) -> (i64, i64) {
    use sqlx::{Connection, Row};
    let file = data.path().join("towers.db");
    let url = format!("sqlite://{}", file.display());
    let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
    let query = "SELECT COALESCE((SELECT SUM(LENGTH(line)) FROM entries), 0), \
                 COALESCE((SELECT SUM(LENGTH(lines)) FROM packed_logs), 0)";
    let row = sqlx::query(query).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    (row.get(0), row.get(1))
}

async fn play_a_game(port: u16) -> (String, Vec<String>, Record) {
    let (table, mut clients) = gather(port, r#"{"seats":3}"#, 2).await;
    let tokens = clients.iter().map(|c| c.token.clone()).collect();
    clients[0].ok(Command::Start).await;
    play_together(clients, 5).await;
    let record = verified_record(port, &table).await;
    (table, tokens, record)
}

/// Checks that the record is unchanged, and plays another game at the table.
async fn goes_on(port: u16, table: &str, tokens: &[String], record: &Record) {
    assert_eq!(verified_record(port, table).await, *record);
    let mut clients = Vec::new();
    for token in tokens {
        clients.push(Client::connect(port, table, Some(token)).await);
    }
    for client in &mut clients {
        client.ok(Command::Rematch).await;
    }
    play_together(clients, 6).await;
    let longer = verified_record(port, table).await;
    assert!(longer.entries.len() > record.entries.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finished_games_are_kept_compressed_and_can_be_continued() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, tokens, record) = play_a_game(process.port).await;
    assert!(process.stop());
    let (before, packed) = stored_bytes(&data).await;
    assert_eq!(packed, 0);
    let mut process = Process::start_quick_with(&data.path(), &["--pack-after", "0"]);
    let mut now = stored_bytes(&data).await;
    while now.0 > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        now = stored_bytes(&data).await;
    }
    println!(
        "{before} bytes of {} entries became {}",
        record.entries.len(),
        now.1
    );
    assert!(now.1 * 3 < before, "{before} bytes became {}", now.1);
    goes_on(process.port, &table, &tokens, &record).await;
    assert!(process.stop());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finished_games_are_kept_compressed_in_postgresql() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let url = postgres.url();
    let start = |args: &[&str]| {
        let database = ["--database-url", &url];
        let all: Vec<&str> = database.iter().chain(args).copied().collect();
        Process::start_quick_with(&data.path(), &all)
    };
    let mut process = start(&[]);
    let (table, tokens, record) = play_a_game(process.port).await;
    assert!(process.stop());
    let process = start(&["--pack-after", "0"]);
    let count = |what: &str| {
        postgres
            .query(&format!("SELECT count(*) FROM {what}"))
            .unwrap()
    };
    while count("entries") != "0" {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(count("packed_logs"), "1");
    goes_on(process.port, &table, &tokens, &record).await;
}

async fn daily(port: u16) -> DailyDeals {
    let answer = http(port, "GET", "/api/daily", &[], "").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

#[tokio::test]
async fn the_deal_of_the_day_is_the_same_at_all_servers_and_after_a_restart() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let (data, url) = (Data::new(), postgres.url());
    let start = || Process::start_quick_with(&data.path(), &["--database-url", &url]);
    let (mut one, other) = (start(), start());
    let deals = daily(one.port).await;
    let tomorrow = daily(other.port).await;
    // Midnight may pass in between.
    assert!(deals == tomorrow || tomorrow.today.keeps(&deals.tomorrow));
    assert!(deals.today.seed.commitment() != deals.tomorrow.commitment);
    assert!(one.stop());
    let again = daily(start().port).await;
    assert!(again == tomorrow || again.today.keeps(&tomorrow.tomorrow));
    // Tomorrow's seed is stored, but no response contains it.
    let query = format!(
        "SELECT seed FROM daily_deals WHERE day = '{}'",
        again.tomorrow.day
    );
    let secret = postgres.query(&query).unwrap();
    assert_eq!(secret.len(), 64);
    let body = http(other.port, "GET", "/api/daily", &[], "").await.body;
    assert!(
        !body.contains(&secret)
            || body.contains(&format!("\"day\":\"{}\",\"seed\"", again.tomorrow.day))
    );
}
