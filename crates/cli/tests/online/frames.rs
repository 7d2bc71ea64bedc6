//! Frames that violate the WebSocket protocol: a close code and a reason, and the server continues.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::PATIENCE;
use super::process::{Data, Process, create};

/// A socket after the handshake.
pub async fn upgraded(port: u16, table: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!(
        "GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n\
         Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.unwrap());
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"));
    stream
}

/// Sends bytes after the handshake; returns the code and the reason of the close frame.
async fn close_after(port: u16, table: &str, bytes: &[u8]) -> (u16, String) {
    let mut stream = upgraded(port, table).await;
    stream.write_all(bytes).await.unwrap();
    let mut received = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut received)).await;
    // A close frame of a server: 0x88, its length, the code, the reason.
    let at = received.iter().position(|&byte| byte == 0x88);
    let frame = &received[at.unwrap_or_else(|| panic!("no close frame in {received:?}"))..];
    let code = u16::from_be_bytes([frame[2], frame[3]]);
    let reason = &frame[4..2 + usize::from(frame[1])];
    (code, String::from_utf8_lossy(reason).into_owned())
}

/// A frame of a client, masked with zeros.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first, 0x80 | payload.len() as u8, 0, 0, 0, 0];
    bytes.extend_from_slice(payload);
    bytes
}

#[tokio::test]
async fn malformed_frames_get_a_close_code_and_a_reason() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, _) = create(process.port, "Ann", "{}").await;
    let unmasked = [0x81, 0x02, b'{', b'}'];
    let fragmented_ping = frame(0x09, b"");
    let mut continued = frame(0x80, b"nothing before");
    continued.truncate(6 + 14);
    let huge = [0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4];
    for (bytes, code, what) in [
        (&unmasked[..], 1002, "not masked"),
        (&frame(0xf1, b"{}"), 1002, "reserved bits"),
        (&frame(0x83, b"{}"), 1002, "an unknown opcode"),
        (&fragmented_ping, 1002, "a control frame in parts"),
        (&continued, 1002, "a continuation of nothing"),
        (&frame(0x81, &[0xff, 0xfe]), 1007, "not UTF-8"),
        (&huge, 1009, "too big"),
    ] {
        let (closed, reason) = close_after(process.port, &table, bytes).await;
        assert_eq!(closed, code, "{what}: {reason}");
        assert!(!reason.is_empty(), "{what}");
    }
    assert!(process.is_running());
}
