//! A network to the database that drops packets: no response, no error, no end of the connection.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use towers_table::{Command, ServerMessage};

use super::alarms::Scrapes;
use super::client::Client;
use super::nodes::metric;
use super::persistent::{Crowd, Waits, check};
use super::player::gather;
use super::process::{Data, Process, http, towers, verified_record};

/// The time limit for noticing a fault, and for recovering.
const LIMIT: Duration = Duration::from_secs(5);
/// How long the network is silent: longer than a write is retried.
const OUTAGE: Duration = Duration::from_secs(14);
/// The time limit for ending after `SIGTERM`, as in container runtimes.
const STOP: Duration = Duration::from_secs(10);
/// The maximum number of warnings and errors in the log during an outage.
const LOG_LINES: usize = 10;

fn start(url: &str, log: &Path) -> Process {
    let data = Data::new();
    Process::start_logged(&data.path(), &["--database-url", url], log)
}

async fn status(process: &Process, path: &str) -> u16 {
    http(process.port, "GET", path, &[], "").await.status
}

/// The time until a path returns a status.
async fn becomes(process: &Process, path: &str, wanted: u16) -> Duration {
    let begun = Instant::now();
    while status(process, path).await != wanted {
        assert!(begun.elapsed() < 3 * LIMIT, "{path} is not {wanted}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    begun.elapsed()
}

fn chat(text: &str) -> Command {
    Command::Chat { text: text.into() }
}

fn lines(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap();
    text.lines().map(Into::into).collect()
}

/// A network path to the database that can go silent.
pub trait NetworkPath {
    /// The address of the database on this path.
    fn url(&self) -> String;
    fn silence(&self);
    /// Ends the silence, at least for new connections.
    fn resume(&self);
}

/// A proxy that discards what it receives.
struct Swallowing<'a> {
    postgres: &'a towers_test_support::Postgres,
    proxy: towers_test_support::Proxy,
}

impl<'a> Swallowing<'a> {
    fn start(postgres: &'a towers_test_support::Postgres) -> Swallowing<'a> {
        let proxy = towers_test_support::Proxy::start(postgres.port()).unwrap();
        Swallowing { postgres, proxy }
    }
}

impl NetworkPath for Swallowing<'_> {
    fn url(&self) -> String {
        self.postgres.url_through(&self.proxy)
    }

    fn silence(&self) {
        self.proxy.silence();
    }

    fn resume(&self) {
        self.proxy.resume();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_network_is_noticed_and_play_goes_on_when_it_is_back() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let network = Swallowing::start(&postgres);
    is_noticed_and_play_goes_on(&network, &postgres.url()).await;
}

/// Plays on two servers, one of which loses its network path to the database while the other does not.
pub async fn is_noticed_and_play_goes_on(network: &impl NetworkPath, other_url: &str) {
    let folder = tempfile::tempdir().unwrap();
    let logs = [folder.path().join("a.log"), folder.path().join("b.log")];
    let cut_off = start(&network.url(), &logs[0]);
    let other = start(other_url, &logs[1]);
    let (_tell, ports) = watch::channel(vec![cut_off.port, other.port]);
    let crowd = Crowd::gather(&ports).await;
    let tables = crowd.tables.clone();
    let (own, mut clients) = gather(cut_off.port, r#"{"seats":2}"#, 2).await;
    for path in ["/health", "/health/ready", "/health/live"] {
        assert_eq!(status(&cut_off, path).await, 200, "{path}");
    }
    crowd.wait_for_actions(50).await;
    let (mut alarms, mut other_alarms) = (Scrapes::default(), Scrapes::default());
    alarms.take(&cut_off).await;
    other_alarms.take(&other).await;
    network.silence();
    let begun = Instant::now();
    let asked = clients[0].send(chat("is anybody there?")).await.unwrap();
    let red = becomes(&cut_off, "/health/ready", 503).await;
    assert!(red < LIMIT, "noticed after {red:?}");
    assert_eq!(status(&cut_off, "/health").await, 503);
    assert_eq!(status(&cut_off, "/health/live").await, 200, "it runs");
    let address = format!("127.0.0.1:{}", cut_off.port);
    let mut health = towers();
    let health = health.args(["health", "--listen", &address]).output();
    let said = String::from_utf8_lossy(&health.unwrap().stderr).into_owned();
    assert!(said.contains("not ready"), "{said}");
    assert_eq!(status(&other, "/health/ready").await, 200, "not its fault");
    let mut fired = BTreeSet::new();
    while begun.elapsed() < OUTAGE {
        tokio::time::sleep(Duration::from_millis(500)).await;
        alarms.take(&cut_off).await;
        other_alarms.take(&other).await;
        fired.extend(alarms.firing());
    }
    for alarm in [
        "TowersNotReady",
        "TowersWritesFail",
        "TowersWritesWait",
        "TowersDatabaseSilent",
        "TowersNotificationsMissing",
    ] {
        assert!(fired.contains(alarm), "{alarm} is missing in {fired:?}");
    }
    let elsewhere = other_alarms.firing();
    assert!(elsewhere.contains(&"TowersServerMissing"), "{elsewhere:?}");
    assert!(!elsewhere.contains(&"TowersNotReady"), "{elsewhere:?}");
    assert_eq!(status(&cut_off, "/health/ready").await, 503);
    network.resume();
    crowd.note_kill();
    let back = Instant::now();
    let answered = tokio::time::timeout(LIMIT, async {
        while clients[1].ask(chat("again")).await.is_err() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    answered.await.expect("writes go on in time");
    let (wrote, green) = (
        back.elapsed(),
        becomes(&cut_off, "/health/ready", 200).await,
    );
    assert!(wrote + green < LIMIT, "{wrote:?} {green:?}");
    // The pending command was answered, and the answer was correct unless it asked for a retry.
    let view = clients[0].view().await;
    let stored =
        clients[0]
            .received
            .iter()
            .find_map(|text| match serde_json::from_str(text).unwrap() {
                ServerMessage::Accepted { id, .. } if id == asked => Some(true),
                ServerMessage::Rejected { id, why } if id == asked => {
                    assert_eq!(why.code, "not_stored");
                    Some(false)
                }
                _ => None,
            });
    let stored = stored.expect("there was an answer");
    assert!(view.number >= 3 + u64::from(stored), "{}", view.number);
    assert!(metric(&cut_off, "towers_database_timeouts_total").await > 0);
    let people = crowd.finish().await;
    let mut acknowledged = 0;
    for table in &tables {
        let records = [
            verified_record(cut_off.port, table).await,
            verified_record(other.port, table).await,
        ];
        assert_eq!(records[0], records[1]);
        acknowledged += check(&records[0], table, &people);
    }
    let waits = Waits::of(&people);
    let said = lines(&logs[0]);
    println!(
        "silent for {OUTAGE:?}: red after {red:?}, {} log lines, written {wrote:?} and ready {green:?} later; \
         {acknowledged} acknowledged actions, events at most {:?} after the network was back",
        said.len(),
        waits.after_a_kill
    );
    assert!(waits.after_a_kill < LIMIT, "{:?}", waits.after_a_kill);
    assert!(said.len() <= LOG_LINES, "{}", said.join("\n"));
    assert!(!said.is_empty(), "an outage is said");
    drop((own, clients));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_cut_off_from_its_database_still_stops_in_time() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    stops_in_time(&Swallowing::start(&postgres)).await;
}

/// A server with a silent network receives `SIGTERM` while writes are pending.
pub async fn stops_in_time(network: &impl NetworkPath) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut process = start(&network.url(), &log);
    let (_table, mut clients) = gather(process.port, r#"{"seats":3}"#, 2).await;
    network.silence();
    for client in &mut clients {
        client.send(chat("is anybody there?")).await.unwrap();
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let begun = Instant::now();
    let stopped = tokio::task::spawn_blocking(move || process.stop());
    let stopped = tokio::time::timeout(3 * STOP, stopped).await;
    let took = begun.elapsed();
    assert!(stopped.is_ok_and(|s| s.is_ok_and(|orderly| orderly)));
    println!("ended {took:?} after SIGTERM");
    assert!(took < STOP, "{took:?}");
}

/// Everything works except for the connection that receives notifications.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_has_become_deaf_listens_again() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let proxy = towers_test_support::Proxy::start(postgres.port()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let logs = [folder.path().join("a.log"), folder.path().join("b.log")];
    let deaf = start(&postgres.url_through(&proxy), &logs[0]);
    let other = start(&postgres.url(), &logs[1]);
    let (table, mut clients) = gather(other.port, r#"{"seats":2}"#, 2).await;
    let mut watcher = Client::connect(deaf.port, &table, None).await;
    proxy.silence_listeners();
    clients[0].ok(chat("can you hear me?")).await;
    let begun = Instant::now();
    let heard = watcher.until(|m| {
        serde_json::to_string(m)
            .unwrap()
            .contains("hear me")
            .then_some(())
    });
    heard.await;
    let took = begun.elapsed();
    println!("heard again after {took:?}");
    assert!(took < LIMIT, "{took:?}");
    assert!(becomes(&deaf, "/health/ready", 200).await < LIMIT);
    // New connections for notifications are deaf, too. Everything else works, but players of one table no longer see
    // each other.
    proxy.silence_all_listeners();
    let red = becomes(&deaf, "/health/ready", 503).await;
    println!("deaf: red after {red:?}");
    assert!(red < LIMIT, "noticed after {red:?}");
    let why = http(deaf.port, "GET", "/health/ready", &[], "").await.body;
    assert!(why.contains("notifications"), "{why}");
    assert_eq!(status(&other, "/health/ready").await, 200);
    proxy.resume();
    assert!(becomes(&deaf, "/health/ready", 200).await < LIMIT);
}

/// A database that became read-only, as a replica is, answers everything but writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_can_only_be_read_is_noticed() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let process = start(&postgres.url(), &folder.path().join("log"));
    let (_table, mut clients) = gather(process.port, r#"{"seats":2}"#, 1).await;
    assert_eq!(status(&process, "/health/ready").await, 200);
    let read_only = |on: &str| {
        let set = format!("ALTER DATABASE postgres SET default_transaction_read_only = {on}");
        let set = format!("BEGIN READ WRITE; {set}; COMMIT");
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE application_name = 'towers'";
        postgres.query(&format!("{set}; {end}")).unwrap();
    };
    read_only("on");
    // Not only for the moment in which the connections were closed.
    let begun = Instant::now();
    loop {
        let ready = http(process.port, "GET", "/health/ready", &[], "").await;
        if ready.status == 503 && ready.body.contains("heartbeats") {
            break;
        }
        assert!(begun.elapsed() < LIMIT, "{}", ready.body);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("read-only: red after {:?}", begun.elapsed());
    let refusal = clients[0].ask(chat("is it stored?")).await.unwrap_err();
    assert_eq!(refusal.code, "not_stored", "{}", refusal.message);
    assert_eq!(status(&process, "/health/live").await, 200);
    read_only("off");
    assert!(becomes(&process, "/health/ready", 200).await < LIMIT);
    clients[0].ok(chat("again")).await;
}

#[test]
fn a_server_that_waits_for_its_database_says_so_at_once_and_again() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = nobody.local_addr().unwrap().port();
    drop(nobody);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut server = towers();
    server
        .args(["serve", "--listen", "127.0.0.1:0", "--database-url"])
        .arg(format!("postgres://towers@127.0.0.1:{port}/towers"))
        .stderr(std::fs::File::create(&log).unwrap());
    let mut child = server.spawn().unwrap();
    let said = || {
        let all = lines(&log);
        let waits = |line: &&String| line.contains("the database does not answer");
        all.iter().filter(waits).count()
    };
    let begun = Instant::now();
    while said() < 2 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let all = lines(&log);
    // The log shows the remaining time of the thirty seconds: nearly all of it at first, then a few seconds less.
    let left: Vec<u32> = all
        .iter()
        .filter_map(|line| {
            line.split_once("trying for ")?
                .1
                .split(' ')
                .next()?
                .parse()
                .ok()
        })
        .collect();
    assert!(left.len() == 2 && left[0] >= 27, "{all:?}");
    assert!((15..left[0]).contains(&left[1]), "{all:?}");
    let coloured = |line: &String| line.contains('\x1b');
    assert!(
        !lines(&log).iter().any(coloured),
        "colours are for terminals"
    );
}
