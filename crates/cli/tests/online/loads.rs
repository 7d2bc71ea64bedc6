//! `towers load` leaves nothing behind, even when it is interrupted.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::process::towers;

fn load(url: &str, folder: &std::path::Path, seconds: &str) -> Command {
    let mut load = towers();
    load.args(["load", "--tables", "4", "--bot-tables", "0", "--rate", "20"]);
    load.args(["--seconds", seconds, "--data"]).arg(folder);
    load.env("TOWERS_DATABASE_URL", url);
    load.stdout(Stdio::null()).stderr(Stdio::null());
    load
}

fn is_clean(postgres: &towers_test_support::Postgres, folder: &std::path::Path) {
    let query = "SELECT count(*) FROM pg_tables WHERE schemaname !~ '^pg_|^information_schema$'";
    assert_eq!(postgres.query(query).unwrap(), "0");
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^towers'";
    assert_eq!(postgres.query(schemas).unwrap(), "0");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}

/// Waits until tables exist in the schema of a measurement.
fn wait_for_tables(postgres: &towers_test_support::Postgres) {
    let query = "SELECT coalesce(sum(n_tup_ins), 0) FROM pg_stat_user_tables \
                 WHERE relname = 'tables' AND schemaname ~ '^towers_load_'";
    let begun = Instant::now();
    while postgres.query(query).unwrap() == "0" {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "no table is opened"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn measuring_leaves_nothing_behind_also_when_it_is_interrupted() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let done = load(&postgres.url(), folder.path(), "0.2")
        .status()
        .unwrap();
    assert!(done.success());
    is_clean(&postgres, folder.path());
    for signal in ["-INT", "-TERM"] {
        let mut child = load(&postgres.url(), folder.path(), "30").spawn().unwrap();
        // The baseline parts come first and take as long as the others.
        std::thread::sleep(Duration::from_millis(500));
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        assert!(!child.wait().unwrap().success());
        is_clean(&postgres, folder.path());
    }
    // Killed without cleaning up: the next run does that.
    let mut child = load(&postgres.url(), folder.path(), "0.2").spawn().unwrap();
    wait_for_tables(&postgres);
    // The measured server outlives it, but must not outlive the test.
    let id = child.id();
    let servers = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    for server in servers.split_whitespace() {
        let killed = Command::new("kill").args(["-KILL", server]).status();
        assert!(killed.unwrap().success());
    }
    for entry in std::fs::read_dir(folder.path()).unwrap().flatten() {
        std::fs::remove_dir_all(entry.path()).unwrap();
    }
    let done = load(&postgres.url(), folder.path(), "0.2")
        .status()
        .unwrap();
    assert!(done.success());
    is_clean(&postgres, folder.path());
}
