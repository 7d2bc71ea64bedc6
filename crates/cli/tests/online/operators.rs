//! Security for operators: a separate listener, checked host names, private files.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::client::Client;
use super::nodes::metric;
use super::process::{Data, Process, create, http, towers};

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test]
async fn metrics_and_health_can_have_a_listener_of_their_own() {
    let data = Data::new();
    let ops = free_port();
    let listen = format!("127.0.0.1:{ops}");
    let process = Process::start_quick_with(&data.path(), &["--ops-listen", &listen]);
    for path in ["/metrics", "/health", "/health/live", "/health/ready"] {
        assert_eq!(http(ops, "GET", path, &[], "").await.status, 200, "{path}");
        let public = http(process.port, "GET", path, &[], "").await;
        assert_eq!(public.status, 404, "{path}");
    }
    assert_eq!(http(ops, "GET", "/api/tables", &[], "").await.status, 404);
    assert_eq!(
        http(process.port, "GET", "/api/tables", &[], "")
            .await
            .status,
        200
    );
    // With the environment of the server, as in a container, the right listener is asked.
    let health = towers()
        .arg("health")
        .env("TOWERS_LISTEN", format!("127.0.0.1:{}", process.port))
        .env("TOWERS_OPS_LISTEN", &listen)
        .env("TOWERS_TLS_CERT", "/no/such/file")
        .output();
    assert!(health.unwrap().status.success());
}

/// The status of the response to a request with exactly these headers.
async fn status(port: u16, head: &str) -> u16 {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!("{head}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn only_names_of_this_server_are_answered() {
    let data = Data::new();
    let process = Process::start_quick_with(
        &data.path(),
        &["--host", "towers.example", "--host", "other.example"],
    );
    let get = async |host: &str| {
        let head = format!("GET /api/tables HTTP/1.1\r\nHost: {host}");
        status(process.port, &head).await
    };
    for ours in [
        "localhost:80",
        "127.0.0.1",
        "[::1]:8080",
        "towers.example",
        "OTHER.example:1",
    ] {
        assert_eq!(get(ours).await, 200, "{ours}");
    }
    // A page whose name points to this address (DNS rebinding) sends its own name.
    for other in ["evil.example", "localhost.evil.example", ""] {
        assert_eq!(get(other).await, 421, "{other}");
    }
    let plain = Data::new();
    let process = Process::start(&plain.path());
    let head = "GET /api/tables HTTP/1.1\r\nHost: towers.example";
    assert_eq!(
        status(process.port, head).await,
        421,
        "localhost unless told otherwise"
    );
}

#[tokio::test]
async fn a_page_of_the_same_name_over_another_scheme_is_a_foreign_page() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let post = async |origin: String| {
        let body = r#"{"name":"Ann"}"#;
        http(process.port, "POST", "/api/tables", &[&origin], body)
            .await
            .status
    };
    let port = process.port;
    assert_eq!(post(format!("Origin: http://127.0.0.1:{port}")).await, 201);
    assert_eq!(post(format!("Origin: https://127.0.0.1:{port}")).await, 403);
    assert_eq!(
        post(format!("Origin: http://127.0.0.1:{}", port ^ 1)).await,
        403
    );
}

#[tokio::test]
async fn files_are_for_their_owner_alone() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, token) = create(process.port, "Ann", "{}").await;
    let _ann = Client::connect(process.port, &table, Some(&token)).await;
    let copy = data.path().join("copy.db");
    let backup = towers()
        .arg("backup")
        .arg(&copy)
        .arg("--data")
        .arg(data.path())
        .output();
    assert!(backup.unwrap().status.success());
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data.path()), 0o700);
    let mut names = Vec::new();
    for file in std::fs::read_dir(data.path()).unwrap() {
        let path = file.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    assert!(names.iter().any(|n| n == "towers.db-wal"), "{names:?}");
}

#[tokio::test]
async fn the_limit_of_open_files_is_raised_as_far_as_the_system_allows() {
    let data = Data::new();
    let log = tempfile::NamedTempFile::new().unwrap();
    let limits = ["--nofile=256:4096"];
    let process = Process::start_limited(&data.path(), &limits, log.reopen().unwrap());
    assert_eq!(metric(&process, "process_max_fds").await, 4096);
    let said = std::fs::read_to_string(log.path()).unwrap();
    assert!(said.contains("open_files=4096 connections=10000"), "{said}");
}
