//! Interfaces for service managers and operators: readiness and watchdog of systemd, logs, settings.

use std::io::{BufRead, BufReader, ErrorKind};
use std::os::unix::net::UnixDatagram;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::process::{Data, towers};

/// The time after which the service manager considers the server dead. The watchdog is fed twice as often.
const WATCHDOG: Duration = Duration::from_secs(4);

/// Runs a server briefly and returns its log.
fn log_of(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let data = Data::new();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut server = towers();
    server
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .args(arguments)
        .envs(environment.iter().copied())
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&log).unwrap());
    let mut child = server.spawn().unwrap();
    let mut line = String::new();
    let stdout = child.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut line).unwrap();
    if !line.is_empty() {
        terminate(&child);
    }
    child.wait().unwrap();
    std::fs::read_to_string(&log).unwrap()
}

fn terminate(child: &Child) {
    let id = child.id().to_string();
    let told = Command::new("kill").args(["-TERM", &id]).status();
    assert!(told.unwrap().success());
}

#[test]
fn systemd_is_told_when_the_server_is_ready_alive_and_stopping() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let manager = UnixDatagram::bind(&socket).unwrap();
    manager
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let data = Data::new();
    let mut child = towers()
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .env("NOTIFY_SOCKET", &socket)
        .env("WATCHDOG_USEC", WATCHDOG.as_micros().to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let hear = || {
        let mut buffer = [0; 256];
        let count = loop {
            // A receive with a time limit ends when a process of another test ends.
            match manager.recv(&mut buffer) {
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                received => break received.unwrap(),
            }
        };
        String::from_utf8_lossy(&buffer[..count]).trim().to_string()
    };
    assert_eq!(hear(), "READY=1");
    for _ in 0..3 {
        let begun = Instant::now();
        assert_eq!(hear(), "WATCHDOG=1");
        assert!(begun.elapsed() < WATCHDOG, "fed in time");
    }
    terminate(&child);
    while hear() != "STOPPING=1" {}
    assert!(child.wait().unwrap().success());
}

#[test]
fn logs_are_text_or_json_and_a_bad_filter_is_an_error_at_the_start() {
    let json = log_of(&["--log-format", "json"], &[]);
    let line = json.lines().next().expect("stopping is logged");
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["level"], "INFO", "{line}");
    let text = log_of(&[], &[("TOWERS_LOG_FORMAT", "text")]);
    assert!(text.contains(" INFO ") && !text.contains('\x1b'), "{text}");
    for bad in ["loud", "towers_server=loud", "info,,=x"] {
        let said = log_of(&[], &[("TOWERS_LOG", bad)]);
        assert!(said.contains("TOWERS_LOG"), "{bad}: {said}");
    }
    let said = log_of(&["--log-format", "xml"], &[]);
    assert!(said.contains("--log-format"), "{said}");
}
