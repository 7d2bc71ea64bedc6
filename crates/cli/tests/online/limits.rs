//! Limits: clear errors, then a close code. And the headers of every response.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use towers_table::{Command, ServerMessage};

use super::client::{Client, Closed, open};
use super::player::gather;
use super::process::{Data, Process, create, http};

#[tokio::test]
async fn too_many_connections_from_one_address_are_refused_and_come_back_later() {
    let data = Data::new();
    let process = Process::start_with(&data.path(), &["--connections-per-address", "20"]);
    let (table, _) = create(process.port, "Ann", "{}").await;
    let mut open_ones = Vec::new();
    let mut refused = 0;
    for _ in 0..1000 {
        match open(process.port, &table).await {
            Ok(socket) => open_ones.push(socket),
            Err(why) => {
                refused += 1;
                assert!(why.contains("429"), "{why}");
            }
        }
    }
    assert_eq!(open_ones.len(), 20);
    assert_eq!(refused, 980);
    drop(open_ones);
    let mut again = false;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        again = open(process.port, &table).await.is_ok();
        if again {
            break;
        }
    }
    assert!(again, "when they are gone, others may come");
}

#[tokio::test]
async fn spectators_cannot_keep_out_those_who_play() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut players) = gather(process.port, r#"{"seats":2}"#, 1).await;
    let token = players.remove(0).token;
    drop(players);
    let mut spectators = Vec::new();
    let end = loop {
        let client = Client::try_connect(process.port, &table, None, None).await;
        let mut client = client.unwrap();
        match client.next().await {
            Ok(_) => spectators.push(client),
            Err(end) => break end,
        }
    };
    assert!(matches!(end, Closed::With(4003, _)), "{end:?}");
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    ann.ok(Command::Start).await;
}

#[tokio::test]
async fn too_many_messages_are_answered_then_closed() {
    let data = Data::new();
    let process = Process::start_with(&data.path(), &["--messages-per-second", "5"]);
    let (table, token) = create(process.port, "Ann", "{}").await;
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    for _ in 0..200 {
        if ann.say_text(r#"{"type":"view"}"#).await.is_err() {
            break;
        }
    }
    let mut warned = false;
    let end = loop {
        match ann.next().await {
            Ok(ServerMessage::Error { why }) => {
                assert_eq!(why.code, "too_fast");
                warned = true;
            }
            Ok(_) => {}
            Err(end) => break end,
        }
    };
    assert!(warned, "first a warning");
    assert!(
        matches!(end, Closed::With(4029, _) | Closed::Silently),
        "{end:?}"
    );
}

#[tokio::test]
async fn too_many_tables_from_one_address_are_refused() {
    let data = Data::new();
    let process = Process::start_with(&data.path(), &["--tables-per-address", "3"]);
    for _ in 0..3 {
        create(process.port, "Ann", "{}").await;
    }
    let body = r#"{"name":"Ann"}"#;
    let answer = http(process.port, "POST", "/api/tables", &[], body).await;
    assert_eq!(answer.status, 429);
    assert!(answer.body.contains("too_many"), "{}", answer.body);
    // Without --trust-proxy a client cannot forge its address.
    let forged = ["X-Forwarded-For: 9.9.9.9"];
    let answer = http(process.port, "POST", "/api/tables", &forged, body).await;
    assert_eq!(answer.status, 429);
}

#[tokio::test]
async fn a_trusted_proxy_says_who_it_is() {
    let data = Data::new();
    let args = ["--tables-per-address", "1", "--trust-proxy"];
    let process = Process::start_with(&data.path(), &args);
    let body = r#"{"name":"Ann"}"#;
    for address in ["1.1.1.1", "2.2.2.2", "3.3.3.3, 4.4.4.4"] {
        let header = format!("X-Forwarded-For: {address}");
        let answer = http(process.port, "POST", "/api/tables", &[&header], body).await;
        assert_eq!(answer.status, 201, "{address}");
    }
    let same = ["X-Forwarded-For: 7.7.7.7, 4.4.4.4"];
    let answer = http(process.port, "POST", "/api/tables", &same, body).await;
    assert_eq!(answer.status, 429);
}

#[tokio::test]
async fn foreign_pages_may_not_act_in_a_visitors_name() {
    let data = Data::new();
    let args = ["--origin", "https://club.example"];
    let process = Process::start_with(&data.path(), &args);
    let body = r#"{"name":"Ann"}"#;
    let own = format!("Origin: http://127.0.0.1:{}", process.port);
    for (origin, status) in [
        ("Origin: https://evil.example", 403),
        ("Origin: null", 403),
        ("Origin: https://club.example", 201),
        (own.as_str(), 201),
    ] {
        let answer = http(process.port, "POST", "/api/tables", &[origin], body).await;
        assert_eq!(answer.status, status, "{origin}");
    }
    let upgrade = [
        "Origin: https://evil.example",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    let path = "/api/tables/00000000000000000000/socket";
    let answer = http(process.port, "GET", path, &upgrade, "").await;
    assert_eq!(answer.status, 403);
}

#[tokio::test]
async fn every_answer_is_guarded_and_pages_have_no_inline_script() {
    let data = Data::new();
    let process = Process::start(&data.path());
    for path in [
        "/",
        "/t/whatever",
        "/health",
        "/metrics",
        "/api/tables",
        "/no/such.file",
    ] {
        let answer = http(process.port, "GET", path, &[], "").await;
        let head = &answer.head;
        assert!(
            head.contains("content-security-policy: default-src 'none'"),
            "{path}: {head}"
        );
        assert!(head.contains("x-content-type-options: nosniff"), "{path}");
        assert!(head.contains("referrer-policy: no-referrer"), "{path}");
        assert!(!head.contains("unsafe-inline"), "{path}");
        assert!(!answer.body.contains("<script>"), "{path}");
    }
    let health = http(process.port, "GET", "/health", &[], "").await;
    assert_eq!((health.status, health.body.as_str()), (200, "ok\n"));
    let metrics = http(process.port, "GET", "/metrics", &[], "").await;
    assert!(metrics.body.contains("towers_connections 0"));
    assert_eq!(
        http(process.port, "GET", "/api/no", &[], "").await.status,
        404
    );
    assert_eq!(
        http(process.port, "GET", "/no/such.file", &[], "")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn reconnecting_gives_no_new_budget_and_every_command_is_answered() {
    let data = Data::new();
    let process = Process::start_with(&data.path(), &["--messages-per-second", "2"]);
    let (table, token) = create(process.port, "Ann", "{}").await;
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    let emote = || Command::Emote {
        emote: towers_table::Emote::Hello,
    };
    let mut asked = Vec::new();
    for _ in 0..30 {
        asked.push(ann.send(emote()).await.unwrap());
    }
    let mut too_fast = 0;
    while !asked.is_empty() {
        match ann.next().await.unwrap() {
            ServerMessage::Accepted { id, .. } => asked.retain(|a| *a != id),
            ServerMessage::Rejected { id, why } => {
                asked.retain(|a| *a != id);
                too_fast += u32::from(why.code == "too_fast");
                // It says when to send again.
                assert_eq!(why.retry_after.is_some(), why.code == "too_fast");
            }
            _ => {}
        }
    }
    assert!(too_fast >= 20, "{too_fast}");
    let mut again = Client::connect(process.port, &table, Some(&token)).await;
    let mut refused = 0;
    for _ in 0..5 {
        let answer = again.ask(emote()).await;
        refused += u32::from(answer.is_err_and(|why| why.code == "too_fast"));
    }
    assert!(refused >= 3, "{refused}");
    // The budget is refilled, and strikes are forgiven.
    let mut accepted = false;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        accepted = again.ask(emote()).await.is_ok();
        if accepted {
            break;
        }
    }
    assert!(accepted);
}

/// A connection without a token is a new person each time, and does not get new strikes each time.
#[tokio::test]
async fn strikes_of_an_address_are_counted_over_its_connections() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--messages-per-second", "20"]);
    let (table, _) = create(process.port, "Ann", "{}").await;
    let mut refused = Vec::new();
    for _ in 0..60 {
        // A connection counts as a message of the address: it is refused as well while that sends too many.
        let Ok(mut client) = Client::try_connect(process.port, &table, None, None).await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        for _ in 0..150 {
            let _ = client.say_text(r#"{"type":"view"}"#).await;
        }
        let mut count = 0;
        let end = loop {
            match client.next().await {
                Ok(ServerMessage::Error { why }) if why.code == "too_fast" => count += 1,
                Ok(_) => {}
                Err(end) => break end,
            }
        };
        refused.push(count);
        if matches!(end, Closed::With(4029, _)) && count < 10 {
            break;
        }
    }
    // Ten persons of fifty strikes each, and those that were forgiven meanwhile.
    println!("{refused:?}");
    assert!(
        refused.last().is_some_and(|count| *count < 10),
        "{refused:?}"
    );
}

#[tokio::test]
async fn pages_that_read_the_database_have_a_budget() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--messages-per-second", "2"]);
    let mut refused = false;
    for _ in 0..200 {
        let answer = http(process.port, "GET", "/ratings", &[], "").await;
        assert!(matches!(answer.status, 200 | 429), "{}", answer.status);
        refused |= answer.status == 429;
    }
    assert!(refused, "there is no limit");
    // Monitoring goes on.
    for _ in 0..200 {
        let answer = http(process.port, "GET", "/health", &[], "").await;
        assert_eq!(answer.status, 200);
    }
}

#[tokio::test]
async fn pages_files_and_monitoring_have_a_budget() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--messages-per-second", "1"]);
    for path in ["/rules", "/favicon.ico", "/metrics"] {
        let mut answered = 0;
        while http(process.port, "GET", path, &[], "").await.status != 429 {
            answered += 1;
            assert!(answered < 5000, "there is no limit: {path}");
        }
    }
}

/// A body is kept in memory until all of it has arrived.
#[tokio::test]
async fn few_large_bodies_are_read_at_once() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let mut streams = Vec::new();
    for path in ["/api/person/links", "/api/daily/results"].repeat(15) {
        let mut stream = TcpStream::connect(("127.0.0.1", process.port))
            .await
            .unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 250000\r\n\r\n",
            process.port
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // Who is refused may not be able to send everything.
        let _ = stream.write_all(" ".repeat(50_000).as_bytes()).await;
        streams.push(stream);
    }
    let mut refused = 0;
    for stream in &mut streams {
        let mut start = [0; 12];
        let answer = stream.read_exact(&mut start);
        if let Ok(Ok(_)) = tokio::time::timeout(Duration::from_millis(500), answer).await {
            assert_eq!(&start, b"HTTP/1.1 429");
            refused += 1;
        }
    }
    assert_eq!(refused, 22);
    drop(streams);
    let mut answer = http(process.port, "POST", "/api/person/links", &[], "{}").await;
    for _ in 0..100 {
        if answer.status != 429 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        answer = http(process.port, "POST", "/api/person/links", &[], "{}").await;
    }
    assert_eq!(answer.status, 401, "when they are gone, others may come");
}
