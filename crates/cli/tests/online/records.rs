//! Downloads of records: streamed in bounded memory, limited per address, and aborted when the client does not read.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::{Connection, Row, SqliteConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use towers_table::{Command, MAX_ENTRIES};

use super::client::{Client, Closed};
use super::player::{TestRandom, choose, gather, play_together};
use super::process::{Data, Process, create, http, verified_record};

const READERS: usize = 250;
const MAX_GROWTH_KB: u64 = 64 * 1024;
const GONE_WITHIN: Duration = Duration::from_secs(30);
const P99: Duration = Duration::from_millis(100);

/// Plays a short game and ends it by agreement.
async fn finished_game(port: u16) -> String {
    let (table, mut clients) = gather(port, r#"{"seats":2}"#, 2).await;
    clients[0].ok(Command::Start).await;
    let mut dice = TestRandom(3);
    for _ in 0..6 {
        for client in &mut clients {
            let game = client.view().await.game.unwrap();
            if let Some((decision, action)) = choose(&game, &mut dice) {
                let decision = Some(decision);
                client.ok(Command::Act { action, decision }).await;
            }
        }
    }
    for client in &mut clients {
        client.ok(Command::End { agree: true }).await;
    }
    table
}

/// A table whose rules no longer exist is closed for good; its record stays.
#[tokio::test]
async fn a_table_of_an_earlier_version_with_other_rules_is_closed_for_good() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, token) = create(process.port, "Ann", r#"{"seats":2}"#).await;
    assert!(process.stop());
    let file = format!("sqlite://{}", data.path().join("towers.db").display());
    let mut db = SqliteConnection::connect(&file).await.unwrap();
    // A number of seats that no version allows stands for rules that are gone.
    let older = "UPDATE tables SET header = REPLACE(REPLACE(header, \
        '\"record\":3', '\"record\":2'), '\"seats\":2', '\"seats\":9') RETURNING header";
    let header = sqlx::query(older).fetch_one(&mut db).await.unwrap();
    let header: String = header.get(0);
    assert!(header.contains(r#""record":2"#) && header.contains(r#""seats":9"#));
    drop(db);
    let process = Process::start(&data.path());
    let connected = Client::try_connect(process.port, &table, Some(&token), None).await;
    let end = connected.unwrap().next().await;
    let earlier = towers_table::CloseCode::Earlier.number();
    assert!(
        matches!(end, Err(Closed::With(code, _)) if code == earlier),
        "{end:?}"
    );
    let mut db = SqliteConnection::connect(&file).await.unwrap();
    let kept = sqlx::query("SELECT header FROM tables");
    let kept: String = kept.fetch_one(&mut db).await.unwrap().get(0);
    assert_eq!(kept, header);
}

/// Fills the log of a finished table with moves up to the largest number of entries. Returns its size in bytes.
async fn make_largest(data: &Path, table: &str) -> u64 {
    let file = format!("sqlite://{}", data.join("towers.db").display());
    let mut db = SqliteConnection::connect(&file).await.unwrap();
    let last: i64 = sqlx::query("SELECT MAX(number) FROM entries WHERE table_id = $1")
        .bind(table)
        .fetch_one(&mut db)
        .await
        .unwrap()
        .get(0);
    let most = i64::try_from(MAX_ENTRIES).unwrap();
    let move_the_end = "UPDATE entries SET number = $3, line = REPLACE(line, \
        '\"number\":' || $2 || ',', '\"number\":' || $3 || ',') WHERE table_id = $1 AND number = $2";
    let query = sqlx::query(move_the_end).bind(table).bind(last).bind(most);
    query.execute(&mut db).await.unwrap();
    let fill = "WITH RECURSIVE n(i) AS (SELECT $2 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $3), \
        longest(line, number) AS (SELECT line, number FROM entries WHERE table_id = $1 \
            AND line LIKE '%\"command\":\"act\"%' ORDER BY LENGTH(line) DESC LIMIT 1) \
        INSERT INTO entries (table_id, number, line) SELECT $1, i, \
        REPLACE(line, '\"number\":' || number || ',', '\"number\":' || i || ',') FROM n, longest";
    let query = sqlx::query(fill).bind(table).bind(last).bind(most);
    query.execute(&mut db).await.unwrap();
    let row = sqlx::query("SELECT SUM(LENGTH(line)), COUNT(*) FROM entries WHERE table_id = $1")
        .bind(table)
        .fetch_one(&mut db)
        .await
        .unwrap();
    assert_eq!(row.get::<i64, _>(1), most, "no number is missing");
    db.close().await.unwrap();
    row.get::<i64, _>(0).unsigned_abs()
}

/// A table that is not in memory is read as a whole, which takes seconds.
#[tokio::test]
async fn opening_large_tables_has_a_budget() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let table = finished_game(process.port).await;
    assert!(process.stop());
    make_largest(&data.path(), &table).await;
    let process = Process::start_with(&data.path(), &["--messages-per-second", "2"]);
    let mut opened = 0;
    // The moves were made up, so that the table cannot be replayed and is read again each time.
    loop {
        let client = Client::try_connect(process.port, &table, None, None).await;
        match client.unwrap().next().await {
            Err(Closed::With(1011, _)) => opened += 1,
            Err(Closed::With(4029, _)) => break,
            other => panic!("{other:?}"),
        }
        assert!(opened < 10, "there is no limit");
    }
    assert!(opened >= 6, "{opened}");
}

#[tokio::test]
async fn pictures_of_large_tables_have_a_budget() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let table = finished_game(process.port).await;
    assert!(process.stop());
    make_largest(&data.path(), &table).await;
    let process = Process::start_with(&data.path(), &["--messages-per-second", "2"]);
    let path = format!("/preview/table/{table}.png");
    let mut painted = 0;
    while http(process.port, "GET", &path, &[], "").await.status != 429 {
        painted += 1;
        assert!(painted < 10, "there is no limit");
    }
    assert!(painted >= 6, "{painted}");
}

fn memory_kb(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    let number = line.and_then(|l| l.split_whitespace().next());
    number.and_then(|n| n.parse().ok()).expect("Linux tells")
}

fn sockets(process: &Process) -> usize {
    let files = std::fs::read_dir(format!("/proc/{}/fd", process.id())).unwrap();
    files
        .filter_map(|f| std::fs::read_link(f.ok()?.path()).ok())
        .filter(|target| target.to_string_lossy().starts_with("socket:"))
        .count()
}

async fn ask_for_record(port: u16, table: &str, address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!(
        "GET /api/tables/{table}/record HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
         X-Forwarded-For: {address}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// The minimum number of moves for a meaningful 99th percentile.
const MIN_MOVES: usize = 120;

/// Plays for at least `time` and at least `least` moves, and measures how long moves take to be accepted. Starts new
/// games as needed.
async fn latencies(clients: &mut [Client], time: Duration, least: usize) -> Vec<Duration> {
    let mut dice = TestRandom(11);
    let mut all = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < time || all.len() < least {
        let mut acted = false;
        for client in clients.iter_mut() {
            let view = client.view().await;
            let Some((decision, action)) = view.game.and_then(|g| choose(&g, &mut dice)) else {
                continue;
            };
            let sent = Instant::now();
            let decision = Some(decision);
            if client.ask(Command::Act { action, decision }).await.is_ok() {
                all.push(sent.elapsed());
                acted = true;
            }
        }
        if !acted {
            let _ = clients[0].ask(Command::Start).await;
        }
    }
    all
}

fn p99(mut all: Vec<Duration>) -> Duration {
    assert!(all.len() > 100, "{} moves are too few to tell", all.len());
    all.sort_unstable();
    all[all.len() * 99 / 100]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_who_never_read_cost_little_and_are_let_go() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let table = finished_game(process.port).await;
    assert!(process.stop());
    let bytes = make_largest(&data.path(), &table).await;
    assert!(bytes > 30_000_000, "{bytes}");
    let process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    let port = process.port;
    let (_, mut players) = gather(port, r#"{"seats":2}"#, 2).await;
    players[0].ok(Command::Start).await;
    let before = p99(latencies(&mut players, Duration::from_secs(5), MIN_MOVES).await);
    let (memory, open) = (memory_kb(&process), sockets(&process));

    let begun = Instant::now();
    let mut readers = Vec::new();
    for i in 0..READERS {
        // Every client has its own address, so that no limit per address applies.
        readers.push(ask_for_record(port, &table, &format!("10.0.1.{i}")).await);
    }
    let mut all = Vec::new();
    let mut peak = memory;
    loop {
        all.extend(latencies(&mut players, Duration::from_secs(1), 0).await);
        peak = peak.max(memory_kb(&process));
        if sockets(&process) <= open {
            break;
        }
        let still = sockets(&process) - open;
        assert!(
            begun.elapsed() < GONE_WITHIN,
            "{still} are still there; {peak} kB"
        );
    }
    let gone = begun.elapsed();
    let missing = MIN_MOVES.saturating_sub(all.len());
    all.extend(latencies(&mut players, Duration::ZERO, missing).await);
    let during = p99(all);
    println!(
        "{bytes} bytes; {memory} kB, at most {peak} kB; gone after {gone:?}; p99 {before:?}, {during:?}"
    );
    assert!(
        peak < memory + MAX_GROWTH_KB,
        "from {memory} kB to {peak} kB"
    );
    // Other work on this machine makes it slow even without readers.
    assert!(
        during < P99.max(before * 2),
        "p99 was {before:?}, is {during:?}"
    );
    drop(readers);
}

/// Reading so slowly that every write fails for 15 seconds is like not reading.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_a_byte_a_second_is_disconnected() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let table = finished_game(process.port).await;
    assert!(process.stop());
    make_largest(&data.path(), &table).await;
    let process = Process::start(&data.path());
    let open = sockets(&process);
    let mut reader = ask_for_record(process.port, &table, "10.0.0.1").await;
    let dripping = tokio::spawn(async move {
        let mut count = 0;
        while reader.read_u8().await.is_ok() {
            count += 1;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        count
    });
    while sockets(&process) == open {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let begun = Instant::now();
    while sockets(&process) > open {
        // Far below the time limit of a whole download.
        assert!(begun.elapsed() < 2 * GONE_WITHIN, "it is still there");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    println!("gone after {:?}", begun.elapsed());
    assert!(!dripping.is_finished(), "it was reading all the time");
    dripping.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_gets_few_records_at_once_and_in_a_minute() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let table = finished_game(process.port).await;
    let small = finished_game(process.port).await;
    assert!(process.stop());
    make_largest(&data.path(), &table).await;
    let process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    let port = process.port;
    let mut readers = Vec::new();
    for _ in 0..20 {
        readers.push(ask_for_record(port, &table, "10.0.0.1").await);
    }
    let path = format!("/api/tables/{small}/record");
    let get = async |address: &str| {
        let header = format!("X-Forwarded-For: {address}");
        http(port, "GET", &path, &[&header], "").await
    };
    let refused = get("10.0.0.1").await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert!(refused.head.contains("retry-after: "), "{}", refused.head);
    // Others have their own budget, but not an unlimited one.
    assert_eq!(get("10.0.0.2").await.status, 200);
    let mut served = 1;
    while get("10.0.0.2").await.status == 200 {
        served += 1;
        assert!(served < 200, "there is no limit");
    }
    assert!(served >= 10, "{served}");
    assert_eq!(get("10.0.0.3").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_streamed_record_is_the_whole_record_and_tells_nothing_of_the_game_that_is_on() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":3,"options":{"max_rounds":4}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    let early = http(
        process.port,
        "GET",
        &format!("/api/tables/{table}/record"),
        &[],
        "",
    )
    .await;
    assert_eq!((early.status, early.body.contains("not_over")), (409, true));
    clients[0].ok(Command::Start).await;
    let mut clients = play_together(clients, 5).await;
    let chat = Command::Chat {
        text: "a secret of ours".into(),
    };
    clients[1].ok(chat).await;
    let first = verified_record(process.port, &table).await;
    assert_eq!(first.entries.len() as u64, clients[1].view().await.number);
    assert!(!first.to_text().contains("a secret of ours"));
    clients[0].ok(Command::Start).await;
    clients[1].ask(Command::End { agree: true }).await.unwrap();
    let second = verified_record(process.port, &table).await;
    assert_eq!(first, second, "the second game is still on");
    clients[0].ask(Command::End { agree: true }).await.unwrap();
    let third = verified_record(process.port, &table).await;
    assert!(third.entries.len() > first.entries.len());
    let (other, _) = create(process.port, "Cy", "{}").await;
    let other = http(
        process.port,
        "GET",
        &format!("/api/tables/{other}/record"),
        &[],
        "",
    )
    .await;
    assert_eq!(other.status, 409);
}
