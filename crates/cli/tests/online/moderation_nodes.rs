//! What an operator deletes at one server is gone at the others on the same database.

use towers_table::Command;
use towers_test_support::Postgres;

use super::client::{Client, Closed, sit};
use super::process::{Data, Process, create, http, towers, verified_record};

/// Runs `towers admin` at a server.
fn admin(process: &Process, secret: &std::path::Path, args: &[&str]) {
    let listen = format!("127.0.0.1:{}", process.port);
    let mut program = towers();
    program.arg("admin").args(args).args(["--listen", &listen]);
    let output = program.arg("--admin-secret-file").arg(secret).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

/// Waits for the end of a connection.
async fn end_of(client: &mut Client) -> Closed {
    loop {
        if let Err(end) = client.next().await {
            return end;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_at_one_server_is_one_at_the_others() {
    let postgres = Postgres::start().unwrap_or_else(|why| panic!("{why}"));
    let folder = Data::new();
    std::fs::create_dir_all(folder.path()).unwrap();
    let (url, secret) = (postgres.url(), folder.path().join("admin"));
    let secret_file = secret.display().to_string();
    let args = ["--database-url", &url, "--admin-secret-file", &secret_file];
    let start = || Process::start_quick_with(&folder.path(), &args);
    let (a, b) = (start(), start());
    // Played, watched and downloaded at B.
    let (table, token) = create(b.port, "Mallory", r#"{"seats":2}"#).await;
    let mut host = Client::connect(b.port, &table, Some(&token)).await;
    host.ok(sit("Mallory")).await;
    let mut ben = Client::connect(b.port, &table, None).await;
    ben.ok(sit("Ben")).await;
    host.ok(Command::Start).await;
    for client in [&mut host, &mut ben] {
        client.ok(Command::End { agree: true }).await;
    }
    let mut watcher = Client::connect(b.port, &table, None).await;
    watcher.view().await;
    let has_name = async |process: &Process| {
        let record = verified_record(process.port, &table).await;
        record.to_text().contains("Mallory")
    };
    assert!(has_name(&a).await && has_name(&b).await);
    admin(&a, &secret, &["delete-name", &table, "Mallory"]);
    assert!(!has_name(&a).await, "where it was deleted");
    // The last notification may still be under way.
    let mut is_told = false;
    for _ in 0..100 {
        is_told = !has_name(&b).await;
        if is_told {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert!(is_told, "the other server still has the name");
    // Clients are sent away to load the table again.
    let end = end_of(&mut watcher).await;
    assert!(matches!(end, Closed::With(1012, _)), "{end:?}");
    let mut watcher = Client::connect(b.port, &table, None).await;
    let view = serde_json::to_string(&watcher.view().await).unwrap();
    assert!(!view.contains("Mallory") && view.contains("Ben"), "{view}");
    let path = format!("/api/tables/{table}");
    let summary = http(b.port, "GET", &path, &[], "").await.body;
    assert!(!summary.contains("Mallory"), "{summary}");
    // The same for the whole table.
    admin(&a, &secret, &["delete", &table]);
    end_of(&mut watcher).await;
    for path in [path.clone(), format!("{path}/record")] {
        assert_eq!(http(b.port, "GET", &path, &[], "").await.status, 404);
    }
    let mut again = Client::try_connect(b.port, &table, None, None)
        .await
        .unwrap();
    assert!(matches!(again.next().await, Err(Closed::With(4004, _))));
}
