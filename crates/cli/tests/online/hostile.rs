//! Bad input of all kinds: the server stays up, answers clearly, and other tables are not affected.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use towers_table::{ClientMessage, CloseCode, Command, PROTOCOL, ServerMessage};

use super::client::{Client, Closed, open, sit};
use super::player::{TestRandom, choose, gather, play_together};
use super::process::{Data, Process, create, http, verified_record};

#[tokio::test]
async fn malformed_messages_are_answered_and_change_nothing() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (_, mut clients) = gather(process.port, r#"{"seats":2}"#, 2).await;
    clients[0].ok(Command::Start).await;
    let before = clients[0].view().await;
    let deep = "[".repeat(2000);
    let bad = [
        "",
        "{",
        "null",
        "[]",
        "42",
        "{}",
        r#"{"type":"fly"}"#,
        r#"{"type":"do"}"#,
        r#"{"type":"do","id":"one","do":{"command":"start"}}"#,
        r#"{"type":"do","id":1,"do":{"command":"act","action":7}}"#,
        r#"{"type":"do","id":1,"do":{"command":"act","action":"w9:w99"}}"#,
        r#"{"type":"do","id":1,"do":{"command":"configure","settings":{"seats":"many"}}}"#,
        r#"{"type":"do","id":1,"do":{"command":"configure","settings":{"seats":1e99}}}"#,
        r#"{"type":"do","id":99999999999999999999999,"do":{"command":"start"}}"#,
        r#"{"type":"do","id":1,"do":{"command":"sit","name":null,"seat":-1}}"#,
        "{\"type\":\"do\",\"id\":1,\"do\":{\"command\":\"chat\",\"text\":\"\\ud800\"}}",
        &deep,
    ];
    for text in bad {
        clients[1].say_text(text).await.unwrap();
        clients[1]
            .until(|m| match m {
                ServerMessage::Error { why } => {
                    assert_eq!(why.code, "bad_message");
                    assert!(!text.contains(r#""id":1,"#), "{text} has a number");
                    Some(())
                }
                // A malformed command is answered by its id.
                ServerMessage::Rejected { id, why } => {
                    assert_eq!((*id, why.code.as_str()), (1, "bad_message"), "{text}");
                    Some(())
                }
                ServerMessage::Accepted { .. } => panic!("{text} was accepted"),
                _ => None,
            })
            .await;
    }
    let binary = Message::binary(vec![0xff, 0xfe, 0x00]);
    clients[1].socket.send(binary).await.unwrap();
    clients[1]
        .until(|m| matches!(m, ServerMessage::Error { .. }).then_some(()))
        .await;
    let after = clients[0].view().await;
    assert_eq!((after.number, after.game), (before.number, before.game));
    assert!(process.is_running());
}

#[tokio::test]
async fn forbidden_commands_are_refused_for_every_sender() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":2,"start":{"seat":0}}"#, 2).await;
    clients[0].ok(Command::Start).await;
    let view = clients[0].view().await;
    let mut dice = TestRandom(1);
    let (decision, action) = choose(&view.game.unwrap(), &mut dice).unwrap();
    let act = |decision| Command::Act { action, decision };
    let code = |answer: Result<u64, towers_table::Refusal>| answer.unwrap_err().code;
    // Out of turn, as the table itself, for others, for nobody.
    assert_eq!(code(clients[1].ask(act(None)).await), "illegal");
    for command in [
        Command::Tick,
        Command::Reopen,
        Command::Away {
            seat: towers_rules::Seat(0),
        },
    ] {
        assert_eq!(code(clients[1].ask(command).await), "not_for_players");
    }
    let mut stranger = Client::connect(process.port, &table, None).await;
    assert_eq!(code(stranger.ask(act(None)).await), "not_seated");
    assert_eq!(code(stranger.ask(Command::Start).await), "not_host");
    assert_eq!(code(stranger.ask(sit("Eve")).await), "game_on");
    // A guessed token makes a new person; one that is too short is refused.
    let guess = "0".repeat(64);
    let mut eve = Client::connect(process.port, &table, Some(&guess)).await;
    assert_eq!(eve.view().await.you.person, None);
    let mut short = Client::try_connect(process.port, &table, Some("abc"), None)
        .await
        .unwrap();
    assert!(matches!(short.next().await, Err(Closed::With(4000, _))));
    // Replayed and reordered commands.
    assert_eq!(code(clients[0].ask(act(Some(decision + 1))).await), "stale");
    clients[0].ok(act(Some(decision))).await;
    assert_eq!(code(clients[0].ask(act(Some(decision))).await), "stale");
    // A key chosen by the client is ignored.
    let key = Command::Sit {
        name: Some("Eve".into()),
        seat: None,
        colour: None,
        key: "mine".into(),
        program: false,
    };
    assert_eq!(code(eve.ask(key).await), "game_on");
}

#[tokio::test]
async fn without_hello_or_with_a_second_table_nothing_happens() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, _) = create(process.port, "Ann", "{}").await;
    let mut socket = open(process.port, &table).await.unwrap();
    socket
        .send(Message::text(
            r#"{"type":"do","id":1,"do":{"command":"start"}}"#,
        ))
        .await
        .unwrap();
    let mut code = None;
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Close(Some(frame)) = message {
            code = Some(u16::from(frame.code));
        }
    }
    assert_eq!(code, Some(4000));
}

/// Pages that were opened before an update of the server.
#[tokio::test]
async fn an_old_client_is_told_to_reload() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, token) = create(process.port, "Ann", "{}").await;
    let outdated = CloseCode::Outdated.number();
    for (protocol, code) in [
        (Some(PROTOCOL - 1), outdated),
        (Some(PROTOCOL + 1), outdated),
        (Some(0), outdated),
        // Before there were versions, clients knew this code.
        (None, CloseCode::NoHello.number()),
    ] {
        let mut socket = open(process.port, &table).await.unwrap();
        let hello = ClientMessage::Hello {
            protocol,
            token: Some(token.clone()),
            seen: None,
        };
        let hello = serde_json::to_string(&hello).unwrap();
        socket.send(Message::text(hello)).await.unwrap();
        let Some(Ok(Message::Close(Some(frame)))) = socket.next().await else {
            panic!("the connection ends at once");
        };
        assert_eq!(u16::from(frame.code), code, "{protocol:?}");
        assert!(frame.reason.contains("reload"), "{}", frame.reason);
    }
    assert_eq!(outdated, 4026);
}

#[tokio::test]
async fn huge_messages_end_the_connection_with_a_reason() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, token) = create(process.port, "Ann", "{}").await;
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    let huge = format!(
        r#"{{"type":"do","id":1,"do":{{"command":"chat","text":"{}"}}}}"#,
        "x".repeat(1 << 20)
    );
    // The server may have closed the connection before everything is sent.
    let _ = ann.say_text(&huge).await;
    let end = loop {
        match ann.next().await {
            Ok(_) => {}
            Err(end) => break end,
        }
    };
    assert!(
        matches!(end, Closed::With(1009, _) | Closed::Silently),
        "{end:?}"
    );
    let body = format!("{{\"name\":\"{}\"}}", "x".repeat(100_000));
    let answer = http(process.port, "POST", "/api/tables", &[], &body).await;
    assert!(
        answer.status == 413 || answer.status == 0,
        "{}",
        answer.status
    );
    let long = http(
        process.port,
        "POST",
        "/api/tables",
        &[],
        r#"{"name":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}"#,
    )
    .await;
    assert_eq!(long.status, 422, "{}", long.body);
    assert!(process.is_running());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_do_not_read_are_disconnected_and_others_unaffected() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, clients) = gather(
        process.port,
        r#"{"seats":2,"options":{"max_rounds":12}}"#,
        2,
    )
    .await;
    let quiet = {
        let (table, mut clients) = gather(process.port, r#"{"options":{"mode":"solo"}}"#, 1).await;
        clients[0].ok(Command::Start).await;
        let begun = Instant::now();
        play_together(clients, 5).await;
        let record = verified_record(process.port, &table).await;
        begun.elapsed() / record.entries.len() as u32
    };
    // They send requests and never read a response.
    let mut deaf = Vec::new();
    for _ in 0..3 {
        let client = Client::try_connect(process.port, &table, None, None).await;
        let mut client = client.unwrap();
        deaf.push(tokio::spawn(async move {
            for _ in 0..20_000 {
                if client.say_text(r#"{"type":"view"}"#).await.is_err() {
                    break;
                }
            }
            client
        }));
    }
    let mut clients = clients;
    clients[0].ok(Command::Start).await;
    let begun = Instant::now();
    let mut clients = play_together(clients, 3).await;
    let record = verified_record(process.port, &table).await;
    let each = begun.elapsed() / record.entries.len() as u32;
    // Other work on this machine makes it slow even without them.
    let limit = Duration::from_millis(200).max(4 * quiet);
    assert!(each < limit, "{each:?} per entry, {quiet:?} without them");
    // Chat continues, too.
    clients[1]
        .ok(Command::Chat {
            text: "good game".into(),
        })
        .await;
    let let_go = || async {
        let metrics = http(process.port, "GET", "/metrics", &[], "").await.body;
        metrics.contains("towers_slow_readers_total 3")
    };
    let begun = Instant::now();
    while !let_go().await {
        assert!(begun.elapsed() < Duration::from_secs(90), "they are let go");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    deaf.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_open_connections_do_not_keep_others_out() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let mut half_open = Vec::new();
    // Fewer than the limit per address, which also applies to this test.
    for i in 0..2000 {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", process.port)).await else {
            break;
        };
        let text: &[u8] = if i % 2 == 0 {
            b"GET / HTTP/1.1\r\nHos"
        } else {
            b""
        };
        let _ = stream.write_all(text).await;
        half_open.push(stream);
    }
    let (table, mut clients) =
        gather(process.port, r#"{"seats":2,"options":{"max_rounds":1}}"#, 2).await;
    clients[0].ok(Command::Start).await;
    play_together(clients, 2).await;
    verified_record(process.port, &table).await;
    assert!(process.is_running());
}
