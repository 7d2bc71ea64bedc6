//! People with a cookie, who send requests and play at tables.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::people::tests::TestDevice;

/// The time limit of every wait.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends a request and reads the whole answer: its status, its cookie and its body.
fn request(port: u16, method: &str, path: &str, cookie: &str, body: &str) -> (u16, String, String) {
    let mut stream = begin_request(port, method, path, cookie, body);
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
    let cookie = head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.and_then(|cookie| cookie.split(';').next());
    (status, cookie.unwrap_or_default().into(), body.into())
}

/// Sends a request, and leaves the answer to be read.
fn begin_request(port: u16, method: &str, path: &str, cookie: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Cookie: {cookie}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// A person at a server.
#[derive(Clone, Debug)]
pub struct TestPerson {
    pub port: u16,
    pub name: &'static str,
    cookie: String,
}

impl TestPerson {
    /// A new person, signed in.
    pub fn new(port: u16, name: &'static str) -> TestPerson {
        let mut person = TestPerson {
            port,
            name,
            cookie: String::new(),
        };
        let challenge = person.post("/api/person/challenge", &Value::Null);
        let challenge = challenge["challenge"].as_str().unwrap();
        let proof = TestDevice::new().prove("session", challenge);
        let proof = json!({
            "challenge": proof.challenge,
            "public_key": proof.public_key,
            "signature": proof.signature,
        });
        let proof = proof.to_string();
        let (status, cookie, body) = request(port, "POST", "/api/person/session", "", &proof);
        assert_eq!(status, 200, "{body}");
        person.cookie = cookie;
        person
    }

    /// The status and the body of an answer.
    pub fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let (status, _, body) = request(self.port, method, path, &self.cookie, &body);
        (status, serde_json::from_str(&body).unwrap_or_default())
    }

    pub fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, &Value::Null);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, body);
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }

    /// Posts in another thread.
    pub fn post_later(&self, path: &'static str, body: Value) -> JoinHandle<Value> {
        let person = self.clone();
        std::thread::spawn(move || person.post(path, &body))
    }

    /// Posts, and drops the connection before the answer.
    pub fn post_and_go(&self, path: &str, body: &Value, stay: impl FnOnce()) {
        let stream = begin_request(self.port, "POST", path, &self.cookie, &body.to_string());
        stay();
        drop(stream);
    }

    pub fn join(&self, table: &str) -> TestSocket {
        self.join_with(table, None)
    }

    pub fn join_with(&self, table: &str, token: Option<&str>) -> TestSocket {
        let url = format!("ws://127.0.0.1:{}/api/tables/{table}/socket", self.port);
        let mut request = url.into_client_request().unwrap();
        let cookie = self.cookie.parse().unwrap();
        request.headers_mut().insert("cookie", cookie);
        let (socket, _) = tungstenite::connect(request).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let mut socket = TestSocket(socket);
        let protocol = towers_table::PROTOCOL;
        socket.send(&json!({ "type": "hello", "protocol": protocol, "token": token }));
        socket.next("view");
        socket
    }
}

/// A connection to a table.
pub struct TestSocket(WebSocket<MaybeTlsStream<TcpStream>>);

impl TestSocket {
    fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    fn read(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// The next message of a type.
    pub fn next(&mut self, kind: &str) -> Value {
        loop {
            let message = self.read();
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Carries out a command.
    pub fn command(&mut self, command: &Value) {
        self.send(&json!({ "type": "do", "id": 1, "do": command }));
        loop {
            let answer = self.read();
            if answer["type"] == "accepted" {
                return;
            }
            assert_ne!(answer["type"], "rejected", "{command}: {answer}");
        }
    }

    /// The table as it is now.
    pub fn view(&mut self) -> Value {
        self.send(&json!({ "type": "view" }));
        self.next("view")
    }

    /// Plays until the game with this number is over.
    pub fn play(mut self, game: u64) -> JoinHandle<TestSocket> {
        std::thread::spawn(move || {
            let mut view = self.view();
            // Another server may not have heard of the new game yet.
            let is_over = |view: &Value| view["stage"] == "over" && view["games"] == game;
            while !is_over(&view) {
                let legal = view["game"]["legal"].as_array();
                let legal = legal.cloned().unwrap_or_default();
                if legal.is_empty() {
                    self.next("happened");
                } else {
                    let decision = view["game"]["waiting"]["decision"].as_u64().unwrap();
                    let action = &legal[decision as usize * 7 % legal.len()];
                    self.command(
                        &json!({ "command": "act", "action": action, "decision": decision }),
                    );
                }
                view = self.view();
            }
            self
        })
    }
}
