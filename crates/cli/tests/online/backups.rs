//! Backups taken during games can be restored, and the games continue.

use std::process::Output;
use std::time::Duration;

use tokio::sync::watch;
use towers_table::{Command, ServerMessage};

use super::client::Client;
use super::player::play_together;
use super::process::{Data, Process, http, towers};
use super::tough::Crowd;

fn backup(data: &Data, to: &std::path::Path) -> Output {
    let mut command = towers();
    command.arg("backup").arg(to).arg("--data").arg(data.path());
    command.output().unwrap()
}

/// Every table of the copy exists, and people can continue with their tokens.
async fn goes_on(port: u16, crowd: Vec<(String, Vec<String>)>) {
    for (table, tokens) in crowd {
        let mut clients = Vec::new();
        for token in &tokens {
            clients.push(Client::connect(port, &table, Some(token)).await);
        }
        let view = clients[0].view().await;
        assert!(view.number > 1 && view.you.host, "{table}");
        // The copy may have been taken between two games.
        let _ = clients[0].ask(Command::Start).await;
        play_together(clients, 1).await;
        let record = http(port, "GET", &format!("/api/tables/{table}/record"), &[], "").await;
        towers_table::verify_text(&record.body).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_of_sqlite_taken_under_load_can_be_restored() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (_tell, ports) = watch::channel(vec![process.port]);
    let crowd = Crowd::gather(&ports).await;
    let people = crowd.tokens.clone();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let restored = Data::new();
    std::fs::create_dir_all(restored.path()).unwrap();
    let copy = restored.path().join("towers.db");
    let made = backup(&data, &copy);
    assert!(made.status.success(), "{made:?}");
    let again = backup(&data, &copy);
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.contains("exists already"), "{said}");
    crowd.finish().await;
    drop(process);
    let process = Process::start(&restored.path());
    goes_on(process.port, people).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_clean_stop_the_database_is_one_file_that_can_be_copied() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (_tell, ports) = watch::channel(vec![process.port]);
    let crowd = Crowd::gather(&ports).await;
    let people = crowd.tokens.clone();
    tokio::time::sleep(Duration::from_millis(300)).await;
    // People are still playing and are told to reconnect.
    assert!(tokio::task::block_in_place(|| process.stop()));
    crowd.dismiss().await;
    let left: Vec<String> = std::fs::read_dir(data.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("towers.db"))
        .collect();
    assert_eq!(left, ["towers.db"]);
    let restored = Data::new();
    std::fs::create_dir_all(restored.path()).unwrap();
    let copy = restored.path().join("towers.db");
    std::fs::copy(data.path().join("towers.db"), copy).unwrap();
    let process = Process::start(&restored.path());
    goes_on(process.port, people).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_of_postgresql_taken_under_load_can_be_restored() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let start = |url: &str| Process::start_quick_with(&data.path(), &["--database-url", url]);
    let process = start(&postgres.url());
    let (_tell, ports) = watch::channel(vec![process.port]);
    let crowd = Crowd::gather(&ports).await;
    let people = crowd.tokens.clone();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let copy = tokio::task::block_in_place(|| postgres.dump()).unwrap();
    crowd.finish().await;
    drop((process, postgres));
    let other = towers_test_support::Postgres::start().unwrap();
    other.restore(&copy).unwrap();
    let process = start(&other.url());
    goes_on(process.port, people).await;
}

#[tokio::test]
async fn the_dashboard_and_the_document_know_what_is_measured() {
    let hosting = include_str!("../../../../docs/hosting.md");
    let dashboard = include_str!("../../../../deploy/dashboard.json");
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--database-url", &postgres.url()]);
    // Requests are counted after the response.
    http(process.port, "GET", "/health/live", &[], "").await;
    let metrics = http(process.port, "GET", "/metrics", &[], "").await.body;
    let names: Vec<&str> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    for name in &names {
        assert!(hosting.contains(&format!("| `{name}` |")), "{name}");
    }
    let json: serde_json::Value = serde_json::from_str(dashboard).unwrap();
    let panels = json["panels"].as_array().unwrap();
    for target in panels.iter().flat_map(|p| p["targets"].as_array().unwrap()) {
        let query = target["expr"].as_str().unwrap();
        let words = query.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let ours = |word: &&str| word.starts_with("towers_") || word.starts_with("process_");
        let used: Vec<&str> = words.filter(ours).collect();
        assert!(!used.is_empty(), "{query}");
        for word in used {
            let name = word.trim_end_matches("_bucket");
            assert!(names.contains(&name), "{word} in {query}");
        }
    }
}

/// The same after an orderly restart, as in an upgrade.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_across_an_upgrade_of_one_server_after_the_other() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let url = postgres.url();
    let start = || Process::start_quick_with(&data.path(), &["--database-url", &url]);
    let mut nodes = [start(), start()];
    let ports = |nodes: &[Process; 2]| nodes.iter().map(|n| n.port).collect::<Vec<_>>();
    let (tell, hear) = watch::channel(ports(&nodes));
    let crowd = Crowd::gather(&hear).await;
    let mut watcher = Client::connect(nodes[1].port, &crowd.tables[0], None).await;
    // A client that does not read its messages would be disconnected before the upgrade.
    let goodbye = tokio::spawn(async move {
        let is_goodbye = |m: &ServerMessage| matches!(m, ServerMessage::Goodbye { .. });
        watcher.until(|m| is_goodbye(m).then_some(())).await;
    });
    for i in [1, 0] {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let stopped = tokio::task::block_in_place(|| nodes[i].stop());
        assert!(stopped, "an orderly end");
        nodes[i] = start();
        tell.send(ports(&nodes)).unwrap();
    }
    goodbye.await.expect("a spectator is told to come back");
    let people = crowd.finish().await;
    assert!(people.iter().all(|tough| tough.reconnects > 0));
}
