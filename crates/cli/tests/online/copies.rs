//! `towers copy` copies everything to the other kind of database and back, and refuses unsafe copies.

use std::path::Path;
use std::process::Output;

use towers_table::Command;

use super::client::Client;
use super::player::{gather, play_together};
use super::process::{Data, Process, http, towers, verified_record};

fn copy(from: &str, to: &str) -> Output {
    let mut command = towers();
    command.args(["copy", "--from", from, "--to", to]);
    command.output().unwrap()
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_string()
}

fn refused(output: &Output, why: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{output:?}");
    assert!(said.contains(why), "{said}");
}

fn copied(output: &Output, tables: usize) {
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains(&format!("\ntables: {tables} rows")), "{said}");
    assert!(
        said.contains(&format!("{tables} tables replayed")),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_copied_from_sqlite_to_postgresql_and_back() {
    let (data, back, never) = (Data::new(), Data::new(), Data::new());
    let mut process = Process::start(&data.path());
    let settings = r#"{"seats":3,"options":{"max_rounds":6}}"#;
    let (over, mut clients) = gather(process.port, settings, 2).await;
    clients[0].ok(Command::Start).await;
    play_together(clients, 3).await;
    let record = verified_record(process.port, &over).await;
    let (open, mut clients) = gather(process.port, settings, 2).await;
    clients[0].ok(Command::Start).await;
    let token = clients[0].token.clone();
    let view = clients[0].view().await;
    let postgres = towers_test_support::Postgres::start().unwrap();
    let (from, url) = (text(&data.path()), postgres.url());
    refused(&copy(&from, &url), "a server uses");
    drop(clients);
    assert!(process.stop());
    refused(&copy(&text(&never.path()), &url), "there is no towers.db");
    copied(&copy(&from, &url), 2);
    refused(&copy(&from, &url), "not empty");
    // A server on the copy: finished games are the same, others continue.
    let mut process = Process::start_quick_with(&never.path(), &["--database-url", &url]);
    assert_eq!(verified_record(process.port, &over).await, record);
    let mut client = Client::connect(process.port, &open, Some(&token)).await;
    let seen = client.view().await;
    assert!(seen.number >= view.number && seen.you == view.you);
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let busy = copy(&url, &text(&back.path()));
    assert!(text_of(&busy.stderr).contains("a server uses"), "{busy:?}");
    drop(client);
    assert!(process.stop());
    copied(&copy(&url, &text(&back.path())), 2);
    refused(&copy(&url, &text(&back.path())), "not empty");
    // The copy has what the original had to hide.
    for name in ["", "towers.db", "towers.lock"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = back.path().join(name).metadata().unwrap().permissions();
        assert_eq!(mode.mode() & 0o077, 0, "{name}");
    }
    let process = Process::start(&back.path());
    assert_eq!(verified_record(process.port, &over).await, record);
    let lobby = http(process.port, "GET", &format!("/api/tables/{open}"), &[], "").await;
    assert_eq!(lobby.status, 200);
}

#[test]
fn a_copy_with_a_broken_log_is_noticed_and_leaves_the_target_empty_or_says_so() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let (data, to) = (Data::new(), Data::new());
    let made = copy(&postgres.url(), &text(&data.path()));
    copied(&made, 0);
    let broken = "INSERT INTO tables (id, header, created, stage, listed, summary, visited) \
                  VALUES ('aaaaaaaaaaaaaaaaaaaa', 'nonsense', 0, 'lobby', false, '{}', 0)";
    postgres.query(broken).unwrap();
    refused(
        &copy(&postgres.url(), &text(&to.path())),
        "cannot be replayed",
    );
}
