//! A server with real sockets, and browsers that use it, for tests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use towers_table::{ClientMessage, Command, ErrorCode, PROTOCOL, ServerMessage, You};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::tests::TestDevice;
use crate::{Config, Server, thinker};

/// The time limit for anything that has to happen.
const LIMIT: Duration = Duration::from_secs(10);

pub struct TestServer {
    pub address: SocketAddr,
    _runtime: Runtime,
    _stop: oneshot::Sender<()>,
}

impl TestServer {
    pub fn start(data: &Path, database: Option<String>) -> TestServer {
        let runtime = Runtime::new().unwrap();
        let config = Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: data.into(),
            database,
            ..Config::default()
        };
        let server = runtime.block_on(Server::open(config, thinker())).unwrap();
        let (stop, stopped) = oneshot::channel();
        let address = server.address();
        runtime.spawn(server.run(async {
            let _ = stopped.await;
        }));
        TestServer {
            address,
            _runtime: runtime,
            _stop: stop,
        }
    }
}

/// A response to a request.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: String,
    pub body: Value,
}

/// A browser with a key pair and a cookie.
pub struct TestBrowser {
    pub server: SocketAddr,
    pub device: Arc<TestDevice>,
    pub cookie: Option<String>,
    /// The server's name and port, as the browser knows them.
    pub host: String,
    /// Browsers have different addresses: limits are not shared.
    pub address: String,
}

impl TestBrowser {
    /// A browser without a person.
    pub fn new(server: &TestServer) -> TestBrowser {
        TestBrowser {
            server: server.address,
            device: Arc::new(TestDevice::new()),
            cookie: None,
            host: server.address.to_string(),
            address: String::new(),
        }
    }

    /// A browser whose person has a session.
    pub fn signed_in(server: &TestServer) -> TestBrowser {
        let mut browser = TestBrowser::new(server);
        assert_eq!(browser.sign_in().status, 200);
        browser
    }

    /// The same browser at another server.
    pub fn at(&self, server: &TestServer) -> TestBrowser {
        TestBrowser {
            server: server.address,
            device: Arc::clone(&self.device),
            cookie: self.cookie.clone(),
            host: server.address.to_string(),
            address: self.address.clone(),
        }
    }

    pub fn get(&mut self, path: &str) -> Reply {
        self.request("GET", path, "", &[])
    }

    pub fn post(&mut self, path: &str, body: &Value) -> Reply {
        let body = body.to_string();
        self.request("POST", path, &body, &[])
    }

    pub fn request(&mut self, method: &str, path: &str, body: &str, more: &[&str]) -> Reply {
        let mut stream = TcpStream::connect(self.server).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.host);
        head += "Connection: close\r\nUser-Agent: Mozilla/5.0 (X11; Linux) Firefox/140.0\r\n";
        let length = format!("Content-Length: {}", body.len());
        let cookie = self.cookie.as_ref();
        let cookie = cookie.map(|cookie| format!("Cookie: other=1; towers_person={cookie}"));
        let own = [Some(length), cookie].into_iter().flatten();
        for line in own.chain(more.iter().map(ToString::to_string)) {
            head.extend([&line, "\r\n"]);
        }
        write!(stream, "{head}\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (headers, body) = text.split_once("\r\n\r\n").unwrap();
        let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
        let set = headers.split("towers_person=").nth(1);
        if let Some(value) = set.and_then(|rest| rest.split(';').next()) {
            self.cookie = Some(value.to_string()).filter(|value| !value.is_empty());
        }
        Reply {
            status,
            body: serde_json::from_str(body).unwrap_or(Value::Null),
            headers: headers.to_string(),
        }
    }

    /// A fresh proof for a purpose.
    pub fn proof(&mut self, purpose: &str) -> Value {
        let challenge = self.post("/api/person/challenge", &Value::Null).body;
        let proof = self
            .device
            .prove(purpose, challenge["challenge"].as_str().unwrap());
        json!({
            "challenge": proof.challenge,
            "public_key": proof.public_key,
            "signature": proof.signature,
        })
    }

    /// A request with a proof, as claims and recoveries are.
    pub fn post_proved(&mut self, path: &str, purpose: &str, name: &str, value: &str) -> Reply {
        let mut body = self.proof(purpose);
        body[name] = json!(value);
        self.post(path, &body)
    }

    pub fn sign_in(&mut self) -> Reply {
        let proof = self.proof("session");
        self.post("/api/person/session", &proof)
    }

    pub fn me(&mut self) -> Value {
        let reply = self.get("/api/person");
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.body
    }

    /// Waits until the person's list has this many tables: it is stored just after a seat is confirmed.
    pub fn wait_for_tables(&mut self, count: usize) {
        let begun = Instant::now();
        while self.me()["tables"].as_array().unwrap().len() != count {
            assert!(begun.elapsed() < LIMIT, "{}", self.me());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a table; returns its id and the host's token.
    pub fn create_table(&mut self, name: &str) -> (String, String) {
        let settings = json!({ "name": name, "settings": { "seats": 2, "start": { "seat": 0 } } });
        let created = self.post("/api/tables", &settings);
        assert_eq!(created.status, 201, "{created:?}");
        let text = |field: &str| created.body[field].as_str().unwrap().to_string();
        (text("table"), text("token"))
    }

    /// Connects to a table.
    pub fn join(&self, table: &str, token: Option<&str>) -> Seated {
        self.connect(&format!("{table}/socket"), token)
    }

    /// Connects to a table as a board does, which never has a seat.
    pub fn watch(&self, table: &str) -> Seated {
        self.connect(&format!("{table}/socket?watch"), None)
    }

    fn connect(&self, path: &str, token: Option<&str>) -> Seated {
        let url = format!("ws://{}/api/tables/{path}", self.server);
        let mut request = url.into_client_request().unwrap();
        if let Some(cookie) = &self.cookie {
            let cookie = format!("towers_person={cookie}").parse().unwrap();
            request.headers_mut().insert("cookie", cookie);
        }
        let stream = TcpStream::connect(self.server).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        let mut seated = Seated {
            socket,
            token: None,
            you: None,
        };
        seated.send(&ClientMessage::Hello {
            protocol: Some(PROTOCOL),
            token: token.map(String::from),
            seen: None,
        });
        while seated.you.is_none() {
            seated.receive();
        }
        seated
    }
}

/// A connection to a table.
pub struct Seated {
    socket: WebSocket<TcpStream>,
    /// The token that the server gave.
    pub token: Option<String>,
    pub you: Option<You>,
}

impl Seated {
    fn send(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).unwrap();
        self.socket.send(Message::Text(text.into())).unwrap();
    }

    fn receive(&mut self) -> ServerMessage {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                let message = serde_json::from_str(&text).unwrap();
                match &message {
                    ServerMessage::Welcome { token, you, .. } => {
                        self.token.clone_from(token);
                        self.you = Some(*you);
                    }
                    ServerMessage::View { view, .. } => self.you = Some(view.you),
                    _ => {}
                }
                return message;
            }
        }
    }

    /// Whether the server knows the client as a person at the table.
    pub fn is_known(&self) -> bool {
        self.you.as_ref().is_some_and(|you| you.person.is_some())
    }

    pub fn has_seat(&self) -> bool {
        self.you.as_ref().is_some_and(|you| you.seat.is_some())
    }

    pub fn ask(&mut self, command: Command) -> Result<(), ErrorCode> {
        self.send(&ClientMessage::Do { id: 7, command });
        loop {
            match self.receive() {
                ServerMessage::Accepted { .. } => return Ok(()),
                ServerMessage::Rejected { why, .. } => return Err(why.code),
                _ => {}
            }
        }
    }

    pub fn sit(&mut self, name: &str) -> Result<(), ErrorCode> {
        self.ask(Command::Sit {
            name: Some(name.into()),
            seat: None,
            colour: None,
            key: String::new(),
            program: false,
        })
    }

    pub fn chat(&mut self, text: &str) -> Result<(), ErrorCode> {
        self.ask(Command::Chat { text: text.into() })
    }

    /// Waits until the server closes the connection; returns the code.
    pub fn wait_for_close(&mut self) -> u16 {
        loop {
            match self.socket.read() {
                Ok(Message::Close(frame)) => return frame.map_or(0, |frame| frame.code.into()),
                Ok(_) => {}
                Err(why) => panic!("the connection is not closed: {why}"),
            }
        }
    }
}
