//! `towers load` leaves nothing behind, even when it is interrupted.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::process::towers;

fn load(url: &str, folder: &Path, seconds: &str) -> Command {
    let mut load = towers();
    load.args(["load", "--tables", "4", "--bot-tables", "0", "--rate", "20"]);
    load.args(["--seconds", seconds, "--data"]).arg(folder);
    load.env("TOWERS_DATABASE_URL", url);
    load.stdout(Stdio::null()).stderr(Stdio::null());
    load
}

fn is_clean(postgres: &towers_test_support::Postgres, folder: &Path) {
    let query = "SELECT count(*) FROM pg_tables WHERE schemaname !~ '^pg_|^information_schema$'";
    assert_eq!(postgres.query(query).unwrap(), "0");
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^towers'";
    assert_eq!(postgres.query(schemas).unwrap(), "0");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}

/// Starts a measurement and waits until it prints the name of a part.
fn start(url: &str, folder: &Path, seconds: &str, part: &str) -> Child {
    let mut load = load(url, folder, seconds);
    let mut child = load.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let reached = lines.any(|line| line.unwrap().starts_with(part));
    assert!(reached, "the measurement ended before {part}");
    // Drain the rest of its output, so that it does not block.
    std::thread::spawn(move || lines.for_each(drop));
    child
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
    for (signal, seconds, part) in [
        ("-INT", "1", "plain appends"),
        ("-TERM", "1", "playing with pauses"),
    ] {
        let mut child = start(&postgres.url(), folder.path(), seconds, part);
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
    // Killed without cleaning up: the next run removes what was left.
    let mut child = start(&postgres.url(), folder.path(), "1", "playing with pauses");
    // The measured server outlives it, but must not outlive the test.
    let id = child.id();
    let servers = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_ne!(servers.trim(), "", "a server is measured");
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
