//! Addresses that send much which no budget of requests or messages counts: it is read and answered late.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use towers_table::PROTOCOL;

use super::client::PATIENCE;
use super::frames::{frame, upgraded};
use super::process::{Data, Process, create, http};

const TEXT: u8 = 0x81;
const PING: u8 = 0x89;
const PONG: u8 = 0x8a;

/// Reads frames until the answer to a ping.
async fn read_pong(stream: &mut TcpStream) {
    loop {
        let first = stream.read_u8().await.unwrap();
        let length = match stream.read_u8().await.unwrap() {
            126 => u64::from(stream.read_u16().await.unwrap()),
            127 => stream.read_u64().await.unwrap(),
            short => short.into(),
        };
        let mut payload = vec![0; length as usize];
        stream.read_exact(&mut payload).await.unwrap();
        if first == PONG {
            return;
        }
    }
}

/// A message in empty parts that never ends: no message arrives that could be counted, and each part takes six bytes.
#[tokio::test]
async fn parts_of_a_message_that_never_ends_are_read_slowly() {
    let data = Data::new();
    let process = Process::start_with(&data.path(), &["--messages-per-second", "20"]);
    let (table, _) = create(process.port, "Ann", "{}").await;
    let mut stream = upgraded(process.port, &table).await;
    let hello = format!(r#"{{"type":"hello","protocol":{PROTOCOL}}}"#);
    let hello = frame(TEXT, hello.as_bytes());
    // The first part of a text.
    let begin = [hello, frame(0x01, b"{"), frame(PING, b"")].concat();
    let parts = frame(0x00, b"").repeat(1024 * 1024 / 6);
    stream.write_all(&begin).await.unwrap();
    timeout(PATIENCE, read_pong(&mut stream)).await.unwrap();
    let begun = Instant::now();
    for _ in 0..2 {
        stream.write_all(&parts).await.unwrap();
    }
    stream.write_all(&frame(PING, b"")).await.unwrap();
    timeout(PATIENCE, read_pong(&mut stream)).await.unwrap();
    // A megabyte is read at once, and the other one in four seconds.
    let took = begun.elapsed();
    assert!(took > Duration::from_secs(3), "{took:?}");
    // HTTP is not read slowly, and has budgets of its own.
    let answer = http(process.port, "GET", "/api/tables", &[], "").await;
    assert_eq!(answer.status, 200);
}

/// Requests that are refused whatever the budget, on one connection, without waiting for the answers.
#[tokio::test]
async fn refusals_in_great_number_come_late() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let refused = b"GET / HTTP/1.1\r\nHost: another.example\r\n\r\n";
    let mut stream = TcpStream::connect(("127.0.0.1", process.port))
        .await
        .unwrap();
    let (mut reader, mut writer) = stream.split();
    let many = refused.repeat(100_000);
    let sending = async { while writer.write_all(&many).await.is_ok() {} };
    let reading = async {
        let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
        while bytes < 10_000 {
            bytes += reader.read(&mut buffer).await.unwrap();
        }
        // Until none comes for half a second.
        let half = Duration::from_millis(500);
        while let Ok(read) = timeout(half, reader.read(&mut buffer)).await {
            bytes += read.unwrap();
        }
        bytes
    };
    let reading = timeout(PATIENCE, reading);
    let bytes = tokio::select! {
        bytes = reading => bytes.expect("the answers come late after a while"),
        () = sending => panic!("the connection was closed"),
    };
    // Some hundred bytes each, and a few thousand of them.
    assert!((500_000..5_000_000).contains(&bytes), "{bytes}");
    let answer = http(process.port, "GET", "/api/tables", &[], "").await;
    assert_eq!(answer.status, 200, "what is allowed is answered");
}
