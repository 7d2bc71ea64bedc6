//! A real server in this process with random bots, and connections to it.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use towers_rules::{Action, Seat};
use towers_server::{BotQuestion, Config, Mind, Server, Thinker};
use towers_table::{
    BotLevel, ClientMessage, Command, PROTOCOL, PersonId, Seen, ServerMessage, Settings, TableView,
};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Message, WebSocket};

/// The time limit of every operation.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time without reading after which a connection is stale; pings are answered only when it is read.
const STALE: Duration = Duration::from_secs(10);

/// A bot that takes random legal actions, and sometimes makes an offer.
struct RandomBot(u64);

impl Thinker for RandomBot {
    fn mind(&self, _: BotLevel, _: Seat, seed: u64) -> Box<dyn Mind> {
        Box::new(RandomBot(seed))
    }
}

impl Mind for RandomBot {
    fn think(&mut self, question: &BotQuestion, _: Duration) -> Option<Action> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005) | 1;
        let n = (self.0 >> 33) as usize;
        if question.offer && n.is_multiple_of(2) {
            return None;
        }
        question.legal.get(n % question.legal.len().max(1)).copied()
    }
}

/// A connection that ignores interruptions by signals such as the fuzzer's alarm.
struct UninterruptedStream(TcpStream);

impl Read for UninterruptedStream {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

impl Write for UninterruptedStream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// A server. It ends with the process; its data is left to the cleanup of TMPDIR.
pub struct FuzzServer {
    port: u16,
    _data: tempfile::TempDir,
}

impl FuzzServer {
    pub fn start() -> FuzzServer {
        let data = tempfile::tempdir().expect("there is a place for temporary files");
        let mut config = Config {
            listen: "127.0.0.1:0".parse().expect("this is an address"),
            data: data.path().to_path_buf(),
            // A disconnected player is away at once, and an empty table is unloaded at once.
            away_after: Duration::from_millis(1),
            unload_after: Duration::ZERO,
            ..Config::default()
        };
        config.limits.messages_per_second = u32::MAX;
        config.limits.connections_per_address = 1_000_000;
        config.limits.connections = 1_000_000;
        config.limits.tables_per_address = u32::MAX;
        config.limits.entries_per_address = u32::MAX;
        config.limits.entries_per_table = u32::MAX;
        config.min_free_space = 0;
        config.trust_proxy = true;
        config.bots.pause = Duration::ZERO;
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("the system gives a runtime");
            runtime.block_on(async {
                let server = Server::open(config, Arc::new(RandomBot(0))).await;
                let server = server.expect("there is a port");
                let _ = tell.send(server.address().port());
                server.run(std::future::pending()).await;
            });
        });
        FuzzServer {
            port: told.recv().expect("it starts"),
            _data: data,
        }
    }

    fn stream(&self) -> UninterruptedStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let _ = stream.set_nodelay(true);
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("that is a time");
        UninterruptedStream(stream)
    }

    /// Sends a request over plain HTTP; returns the status and the body. Every request has its own address, since
    /// downloads are limited per address.
    pub fn http(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        static REQUESTS: AtomicU32 = AtomicU32::new(0);
        let [_, a, b, c] = REQUESTS.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: localhost\r\nX-Forwarded-For: 10.{a}.{b}.{c}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        let mut stream = self.stream();
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|s| s.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.expect("that is HTTP"), body.into())
    }

    /// Opens a table; returns its id and the host's token.
    pub fn open_table(&self, settings: &Settings) -> (String, String) {
        let body = serde_json::json!({ "name": "Host", "settings": settings });
        let (status, body) = self.http("POST", "/api/tables", &body.to_string());
        assert_eq!(status, 201, "{body}");
        let opened: serde_json::Value = serde_json::from_str(&body).expect("that is JSON");
        let text = |key: &str| opened[key].as_str().expect("it is there").to_string();
        (text("table"), text("token"))
    }

    /// Connects and says hello. The events missed since `last` have to arrive without a gap.
    pub fn connect(
        &self,
        table: &str,
        token: Option<&str>,
        last: Option<LastSeen>,
    ) -> TableConnection {
        // A table that is being unloaded closes the connection; it is loaded again for the next one.
        loop {
            if let Some(link) = self.try_connect(table, token, last) {
                return link;
            }
        }
    }

    fn try_connect(
        &self,
        table: &str,
        token: Option<&str>,
        last: Option<LastSeen>,
    ) -> Option<TableConnection> {
        let address = format!("ws://localhost/api/tables/{table}/socket");
        let (socket, _) =
            tungstenite::client(address, self.stream()).expect("everybody may connect");
        let mut link = TableConnection {
            socket,
            seen: last.map_or(0, |last| last.number),
            person: last.and_then(|last| last.person),
            token: token.unwrap_or_default().into(),
            table: None,
            used: Instant::now(),
        };
        link.say(&ClientMessage::Hello {
            protocol: Some(PROTOCOL),
            token: token.map(Into::into),
            seen: last.map(|last| last.number),
        });
        let first = match link.read() {
            Err(Some(close)) if close.code == CloseCode::Restart => return None,
            first => first.expect("everybody is welcome"),
        };
        let ServerMessage::Welcome {
            token, number, you, ..
        } = first
        else {
            panic!("{first:?} instead of a welcome");
        };
        if let Some(token) = token {
            link.token = token;
        }
        if you.person != link.person {
            // Numbers are counted for each person: a view comes first.
            link.seen = 0;
            link.person = you.person;
        }
        assert!(number >= link.seen, "nothing that was seen is forgotten");
        while link.seen < number {
            link.next();
        }
        Some(link)
    }
}

/// The state of a person when their connection ended.
#[derive(Clone, Copy)]
pub struct LastSeen {
    /// The number of the last event received.
    pub number: u64,
    pub person: Option<PersonId>,
}

pub struct TableConnection {
    socket: WebSocket<UninterruptedStream>,
    pub token: String,
    /// The number of the last event received (`happened` on the wire).
    pub seen: u64,
    /// The identity of the client at this table.
    pub person: Option<PersonId>,
    /// The table built from views and updates.
    table: Option<Box<TableView>>,
    /// The time of the last read.
    used: Instant,
}

impl TableConnection {
    /// Whether the last read is so long ago that the server may have closed the connection.
    pub fn is_stale(&self) -> bool {
        self.used.elapsed() > STALE
    }

    pub fn say(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).expect("messages are plain data");
        self.send(Message::text(text));
    }

    pub fn send(&mut self, message: Message) {
        let sent = self.socket.send(message);
        sent.expect("the connection is open");
    }

    pub fn next(&mut self) -> ServerMessage {
        let read = self.read();
        read.unwrap_or_else(|why| panic!("the server closes: {why:?}"))
    }

    /// The next message, or why there is none. Checks that events have no gaps.
    fn read(&mut self) -> Result<ServerMessage, Option<CloseFrame>> {
        loop {
            let message = self.socket.read();
            let message = message.unwrap_or_else(|why| panic!("the server is gone: {why}"));
            self.used = Instant::now();
            let text = match message {
                Message::Text(text) => text,
                Message::Close(why) => return Err(why),
                _ => continue,
            };
            let message: ServerMessage =
                serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why} in {text}"));
            match &message {
                ServerMessage::Happened(update) => self.follow(&update.seen),
                ServerMessage::Accepted {
                    happened: Some(update),
                    ..
                } => self.follow(&update.seen),
                ServerMessage::View { view, .. } => {
                    let is_same = view.you.person == self.person;
                    assert!(!is_same || view.number >= self.seen, "nothing is forgotten");
                    self.seen = view.number;
                    self.person = view.you.person;
                    let told = self.table.take();
                    if let Some(told) = told.filter(|told| is_same && told.number == view.number) {
                        assert_eq!(told, *view, "what is told is what is seen");
                    }
                    self.table = Some(view.clone());
                }
                _ => {}
            }
            return Ok(message);
        }
    }

    fn follow(&mut self, seen: &Seen) {
        assert_eq!(seen.number, self.seen + 1, "there are no gaps");
        self.seen = seen.number;
        match (&mut self.table, &seen.view) {
            (Some(table), _) => table.apply(seen),
            (table @ None, view) => table.clone_from(view),
        }
    }

    /// A fresh view. Unrequested views may arrive after taking a seat or reconnecting: the requested one is the last
    /// before the answer to a command that is always refused.
    pub fn view(&mut self) -> TableView {
        self.say(&ClientMessage::View);
        self.say(&ClientMessage::Do {
            id: u64::MAX,
            command: Command::Tick,
        });
        let mut last = None;
        loop {
            match self.next() {
                ServerMessage::View { view, .. } => last = Some(view),
                ServerMessage::Rejected { id: u64::MAX, .. } => break,
                _ => {}
            }
        }
        *last.expect("a view was asked for")
    }
}
