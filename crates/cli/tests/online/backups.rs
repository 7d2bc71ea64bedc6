//! Backups taken during games can be restored, and the games continue.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command as Program, Output, Stdio};
use std::time::{Duration, Instant};

use sqlx::Connection;
use tokio::sync::watch;
use towers_table::{Command, ServerMessage};

use super::client::Client;
use super::hosting::{blocks, commands};
use super::persistent::Crowd;
use super::player::{gather, play_together};
use super::process::{Data, Process, http, towers};

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
    crowd.wait_for_actions(30).await;
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
    // With the key of its secrets, as the document says.
    let key = restored.path().join("secret-key");
    std::fs::copy(data.path().join("secret-key"), key).unwrap();
    let process = Process::start(&restored.path());
    goes_on(process.port, people).await;
    drop(process);
    assert_eq!(
        push_key(&copy).await,
        push_key(&data.path().join("towers.db")).await,
        "what was encrypted is still there"
    );
}

/// The key for push messages as it is stored. A server with another key of secrets would have made a new one.
async fn push_key(database: &std::path::Path) -> String {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(database);
    let mut db = sqlx::SqliteConnection::connect_with(&options)
        .await
        .unwrap();
    let query = "SELECT value FROM server_keys WHERE name = 'vapid'";
    let key = sqlx::query_scalar(query).fetch_one(&mut db).await;
    key.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_clean_stop_the_database_is_one_file_that_can_be_copied() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (_tell, ports) = watch::channel(vec![process.port]);
    let crowd = Crowd::gather(&ports).await;
    let people = crowd.tokens.clone();
    crowd.wait_for_actions(30).await;
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

/// Runs a command of the document.
fn run(command: &str, port: u16) -> Output {
    let mut shell = Program::new("sh");
    shell.args(["-e", "-c", command]).stdin(Stdio::null());
    // The superuser, unless the command says otherwise.
    let superuser = [("PGHOST", "127.0.0.1"), ("PGUSER", "towers")];
    shell.envs(superuser).env("PGPORT", port.to_string());
    shell.output().unwrap()
}

/// With the commands of the document, and a role that needs its password.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_of_postgresql_taken_under_load_can_be_restored() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let port = postgres.port();
    let folder = tempfile::tempdir().unwrap();
    let own = |name: &str| folder.path().join(name).display().to_string();
    // The superuser of tests has the name `towers` already.
    let adapt = |text: &str| {
        text.replace("/etc/towers/", &own(""))
            .replace("=towers.dump", &format!("={}", own("dump")))
            .replace(" towers.dump", &format!(" {}", own("dump")))
            .replace("towers", "games")
            .replace("database.example", "127.0.0.1")
    };
    let sql = adapt(&blocks("sql")[0]);
    for statement in sql.split(';').filter(|s| !s.trim().is_empty()) {
        postgres.query(statement).unwrap();
    }
    postgres.require_password("games").unwrap();
    let [address, password] = &blocks("text")[..] else {
        panic!("the address and the password");
    };
    let address = adapt(address).replace("127.0.0.1", &format!("127.0.0.1:{port}"));
    let password = adapt(password).replace("5432", &port.to_string());
    let restored = address.replace(&format!("{port}/games"), &format!("{port}/restored"));
    for (name, text) in [
        ("database-url", &address),
        ("restored-url", &restored),
        ("pgpass", &password),
    ] {
        std::fs::write(own(name), format!("{text}\n")).unwrap();
        std::fs::set_permissions(own(name), Permissions::from_mode(0o600)).unwrap();
    }
    let data = Data::new();
    let start = |file: &str| {
        let file = own(file);
        Process::start_quick_with(&data.path(), &["--database-url-file", &file])
    };
    let [dump, create, restore] = ["pg_dump ", "createdb ", "pg_restore "].map(|program| {
        let all = commands();
        let command = all.iter().find(|line| line.contains(program));
        adapt(command.unwrap_or_else(|| panic!("no {program}")))
    });
    let process = start("database-url");
    let (_tell, ports) = watch::channel(vec![process.port]);
    let crowd = Crowd::gather(&ports).await;
    let people = crowd.tokens.clone();
    crowd.wait_for_actions(30).await;
    let without = dump.replace("/pgpass", "/no-pgpass") + " --no-password";
    let refused = tokio::task::block_in_place(|| run(&without, port));
    assert!(!refused.status.success(), "the password is needed");
    let done = tokio::task::block_in_place(|| run(&dump, port));
    assert!(done.status.success(), "{done:?}");
    crowd.finish().await;
    drop(process);
    for command in [create, restore] {
        let done = tokio::task::block_in_place(|| run(&command, port));
        assert!(done.status.success(), "{command}: {done:?}");
    }
    let process = start("restored-url");
    goes_on(process.port, people).await;
}

/// With the settings of the document.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moment_can_be_restored_from_the_archive() {
    let mut postgres = towers_test_support::Postgres::start().unwrap();
    let archive = postgres.archive().display().to_string();
    let [archiving, recovering] = &blocks("ini")[..] else {
        panic!("before and after");
    };
    let adapt = |text: &str| text.replace("/srv/archive", &archive);
    postgres.restart_with(&adapt(archiving)).unwrap();
    let data = Data::new();
    let start = |url: &str| Process::start_quick_with(&data.path(), &["--database-url", url]);
    let process = start(&postgres.url());
    let (table, mut clients) = gather(process.port, r#"{"seats":2}"#, 1).await;
    let chat = |text: &str| Command::Chat { text: text.into() };
    let all = commands();
    let backup = all
        .iter()
        .find_map(|line| line.strip_prefix("pg_basebackup "));
    let backup = backup.unwrap().split(' ');
    let arguments: Vec<&str> = backup.filter(|a| !a.starts_with("--pgdata=")).collect();
    tokio::task::block_in_place(|| postgres.back_up(&arguments)).unwrap();
    clients[0].ok(chat("this is kept")).await;
    let kept = clients[0].view().await.number;
    let moment = postgres.query("SELECT clock_timestamp()").unwrap();
    clients[0].ok(chat("this is lost")).await;
    drop(process);
    let recovering = adapt(recovering).replace("2026-11-18 04:00:00+00", &moment);
    assert!(recovering.contains(&moment), "{recovering}");
    tokio::task::block_in_place(|| postgres.recover(&recovering)).unwrap();
    let begun = Instant::now();
    while postgres.query("SELECT pg_is_in_recovery()").unwrap() != "f" {
        assert!(begun.elapsed() < Duration::from_secs(60), "it is promoted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let process = start(&postgres.url());
    let mut client = Client::connect(process.port, &table, Some(&clients[0].token)).await;
    assert_eq!(client.view().await.number, kept);
    let words = "SELECT count(*) FROM entries WHERE line LIKE '%this is kept%'";
    assert_eq!(postgres.query(words).unwrap(), "1");
    client.ok(chat("and it goes on")).await;
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
    assert!(names.len() > 20, "{names:?}");
    for name in &names {
        assert!(hosting.contains(&format!("| `{name}` |")), "{name}");
    }
    let json: serde_json::Value = serde_json::from_str(dashboard).unwrap();
    let panels = json["panels"].as_array().unwrap();
    assert!(panels.len() > 5, "{} panels", panels.len());
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
        crowd.wait_for_actions(50).await;
        let stopped = tokio::task::block_in_place(|| nodes[i].stop());
        assert!(stopped, "an orderly end");
        nodes[i] = start();
        tell.send(ports(&nodes)).unwrap();
    }
    goodbye.await.expect("a spectator is told to come back");
    let people = crowd.finish().await;
    assert!(people.iter().all(|person| person.reconnects > 0));
}
