//! Abuse: floods, slow sending, guessing, forged headers. Other users of the server are not affected.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use towers_table::{Command, Taken};

use super::client::{Client, Closed, open, sit};
use super::player::gather;
use super::process::{Data, Process, create, http};

#[tokio::test]
async fn floods_of_pings_end_like_floods_of_messages() {
    let data = Data::new();
    let process = Process::start_with(&data.path(), &[]);
    let (table, token) = create(process.port, "Ann", "{}").await;
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    for _ in 0..5000 {
        let ping = Message::Ping(vec![0; 100].into());
        if ann.socket.send(ping).await.is_err() {
            break;
        }
    }
    let end = loop {
        match ann.next().await {
            Ok(_) => {}
            Err(end) => break end,
        }
    };
    assert!(
        matches!(end, Closed::With(4029, _) | Closed::Silently),
        "{end:?}"
    );
    // The connection is closed soon after, and the reason is counted.
    loop {
        let metrics = http(process.port, "GET", "/metrics", &[], "").await.body;
        assert!(!metrics.contains("towers_over_limit_total 0\n"));
        if metrics.contains("towers_connections 0\n") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Sends bytes one by one until the other side closes the connection.
async fn drip(port: u16, start: &str, byte: &[u8]) -> Duration {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(start.as_bytes()).await.unwrap();
    let mut rest = [0; 512];
    while begun.elapsed() < Duration::from_secs(60) {
        let wait = tokio::time::timeout(Duration::from_millis(200), stream.read(&mut rest));
        // Closed, reset, or refused for taking too long.
        if wait.await.is_ok() || stream.write_all(byte).await.is_err() {
            break;
        }
    }
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_send_byte_by_byte_are_disconnected() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let port = process.port;
    let (table, _) = create(port, "Ann", "{}").await;
    let body = "POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n{";
    let silent = async {
        let begun = Instant::now();
        let mut socket = open(port, &table).await.unwrap();
        while let Some(Ok(_)) = socket.next().await {}
        begun.elapsed()
    };
    let (headers, bodies, silence, idle) = tokio::join!(
        drip(port, "GET / HTTP/1.1\r\nX-", b"a"),
        drip(port, body, b" "),
        silent,
        drip(port, "", b""),
    );
    for time in [headers, bodies, silence, idle] {
        assert!(
            time < Duration::from_secs(50),
            "{headers:?} {bodies:?} {silence:?} {idle:?}"
        );
    }
}

#[tokio::test]
async fn guessed_tables_and_tokens_reveal_nothing() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, _) = create(process.port, "Ann", "{}").await;
    let path = |guess: &str| format!("/api/tables/{guess}");
    let missing = http(process.port, "GET", &path(&"0".repeat(20)), &[], "").await;
    let mut near = table.clone();
    near.replace_range(19.., if table.ends_with('0') { "1" } else { "0" });
    for guess in [
        near.as_str(),
        &table[..19],
        &table.to_uppercase(),
        "%00",
        "..",
        "%2e%2e%2f",
        "' OR 1=1 --",
        "\u{1F5FC}",
    ] {
        let guess = guess.replace(' ', "%20");
        for rest in ["", "/record"] {
            let answer = http(process.port, "GET", &(path(&guess) + rest), &[], "").await;
            assert!(
                matches!(answer.status, 400 | 404),
                "{guess}: {}",
                answer.status
            );
            if answer.status == 404 && answer.body.contains("no_table") {
                assert_eq!(answer.body, missing.body, "the same for every guess");
            }
        }
    }
    let mut eve = Client::connect(process.port, &table, Some(&"f".repeat(64))).await;
    assert_eq!(eve.view().await.you.person, None);
    let metrics = http(process.port, "GET", "/metrics", &[], "").await.body;
    assert!(
        metrics.contains("towers_tables_in_memory 1\n"),
        "only the real one was opened"
    );
}

#[tokio::test]
async fn lies_in_headers_do_not_help() {
    let data = Data::new();
    let args = ["--tables-per-address", "1", "--trust-proxy"];
    let process = Process::start_with(&data.path(), &args);
    let body = r#"{"name":"Ann"}"#;
    let post = async |headers: &[&str]| {
        http(process.port, "POST", "/api/tables", headers, body)
            .await
            .status
    };
    // The proxy's address comes last, in the same line or in a separate one.
    assert_eq!(post(&["X-Forwarded-For: 9.9.9.9"]).await, 201);
    for lie in [
        &["X-Forwarded-For: 1.1.1.1, 9.9.9.9"][..],
        &["X-Forwarded-For: 1.1.1.1", "X-Forwarded-For: 9.9.9.9"],
        &["X-Forwarded-For: 1.1.1.1,,9.9.9.9"],
        &["X-Forwarded-For: ::ffff:9.9.9.9"],
        &[
            "Forwarded: for=1.1.1.1",
            "X-Real-IP: 1.1.1.1",
            "X-Forwarded-For: 9.9.9.9",
        ],
    ] {
        assert_eq!(post(lie).await, 429, "{lie:?}");
    }
    // Ports do not make a new address, and a customer's IPv6 addresses count as one.
    for same in ["9.9.9.9:5", "9.9.9.9:6"] {
        let header = format!("X-Forwarded-For: {same}");
        assert_eq!(post(&[&header]).await, 429, "{same}");
    }
    assert_eq!(post(&["X-Forwarded-For: [2001:db8::1]:80"]).await, 201);
    for same in ["2001:db8::1", "[2001:db8::2]", "[2001:db8::ffff:3]:443"] {
        let header = format!("X-Forwarded-For: {same}");
        assert_eq!(post(&[&header]).await, 429, "{same}");
    }
    // An invalid address is refused and uses no budget.
    for nonsense in ["", "nonsense", "<script>", "256.1.1.1", "1.2.3.4:x"] {
        let header = format!("X-Forwarded-For: {nonsense}");
        assert_eq!(post(&[&header]).await, 400, "{nonsense}");
    }
    // Two lengths, or a length and chunks, are used to smuggle requests past a proxy.
    let smuggled = post(&["Content-Length: 3"]).await;
    assert_ne!(smuggled, 201);
    let origin = [
        "X-Forwarded-Host: evil.example",
        "Origin: https://evil.example",
    ];
    assert_eq!(post(&origin).await, 403);
}

#[tokio::test]
async fn markup_is_only_text_and_control_characters_are_refused() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":3,"public":true,"title":"<img src=x onerror=a()>"}"#;
    let (table, mut clients) = gather(process.port, settings, 1).await;
    clients[0]
        .ok(Command::Remove {
            seat: towers_rules::Seat(1),
        })
        .await;
    let name = "<b onclick=a()>&amp;\"'";
    let mut eve = Client::connect(process.port, &table, None).await;
    eve.ok(sit(name)).await;
    let text = "</script><script>alert(1)</script>";
    eve.ok(Command::Chat { text: text.into() }).await;
    let view = clients[0].view().await;
    assert_eq!(view.chat.last().unwrap().text, text);
    let is_eve = |t: &Taken| matches!(t, Taken::Person { name: n, .. } if n == name);
    assert!(view.seats.iter().any(|s| is_eve(&s.taken)));
    let list = http(process.port, "GET", "/api/tables", &[], "").await;
    assert!(
        list.head.contains("content-type: application/json"),
        "{}",
        list.head
    );
    assert!(list.head.contains("x-content-type-options: nosniff"));
    for bad in [
        "\u{0}",
        "a\u{8}b",
        "\u{1b}[2J",
        "a\u{202e}b",
        "\u{200b}",
        "a\u{feff}b",
        "\u{e0041}",
    ] {
        let said = eve.ask(Command::Chat { text: bad.into() }).await;
        assert_eq!(said.unwrap_err().code, "bad_text", "{bad:?}");
        let called = eve.ask(sit(bad)).await;
        assert_eq!(called.unwrap_err().code, "bad_text", "{bad:?}");
    }
}

/// The documentation promises a code and a message for every refusal.
#[tokio::test]
async fn every_refusal_has_a_code() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let large = "x".repeat(20_000);
    for (method, path, body, status, code) in [
        ("POST", "/api/tables", &*large, 413, "bad_message"),
        ("PUT", "/api/tables", "", 405, "nothing"),
        ("GET", "/api/tables/%ff", "", 400, "bad_message"),
        ("GET", "/api/tables/1/socket", "", 400, "bad_message"),
        ("GET", "/api/daily/board?day", "", 400, "bad_message"),
        ("GET", "/api/nowhere", "", 404, "nothing"),
    ] {
        let answer = http(process.port, method, path, &[], body).await;
        assert_eq!(answer.status, status, "{path}");
        let why: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(why["code"], code, "{path}");
    }
}
