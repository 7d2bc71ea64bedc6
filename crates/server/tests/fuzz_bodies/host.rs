//! A real server in this process, with bots that do not think, and connections to it.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rules::{Action, Seat};
use server::{Config, Mind, Question, Server, Thinker};
use table::{BotLevel, ClientMessage, Command, ServerMessage, Settings, TableView};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Message, WebSocket};

/// How long the server may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);
/// After how long without reading a connection is given up; pings are answered when it is read from.
const STALE: Duration = Duration::from_secs(10);

/// A bot that does anything that is legal, and offers something now and then.
struct Hasty(u64);

impl Thinker for Hasty {
    fn mind(&self, _: BotLevel, _: Seat, seed: u64) -> Box<dyn Mind> {
        Box::new(Hasty(seed))
    }
}

impl Mind for Hasty {
    fn think(&mut self, question: &Question, _: Duration) -> Option<Action> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005) | 1;
        let n = (self.0 >> 33) as usize;
        if question.offer && n.is_multiple_of(2) {
            return None;
        }
        question.legal.get(n % question.legal.len().max(1)).copied()
    }
}

/// A connection that a signal, such as the fuzzer's alarm clock, does not disturb.
struct Steady(TcpStream);

impl Read for Steady {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

impl Write for Steady {
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

/// A server. It ends with the process, its data with the folder that TMPDIR names.
pub struct Host {
    port: u16,
    _data: tempfile::TempDir,
}

impl Host {
    pub fn start() -> Host {
        let data = tempfile::tempdir().expect("there is a place for temporary files");
        let mut config = Config {
            listen: "127.0.0.1:0".parse().expect("this is an address"),
            data: data.path().to_path_buf(),
            // Who is not connected is away at once, and a table without anybody leaves the memory.
            away_after: Duration::from_millis(1),
            unload_after: Duration::ZERO,
            ..Config::default()
        };
        config.limits.messages_per_second = u32::MAX;
        config.limits.connections_per_address = 1_000_000;
        config.limits.connections = 1_000_000;
        config.limits.tables_per_address = u32::MAX;
        config.bots.pause = Duration::ZERO;
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("the system gives a runtime");
            runtime.block_on(async {
                let server = Server::open(config, Arc::new(Hasty(0))).await;
                let server = server.expect("there is a port");
                let _ = tell.send(server.address().port());
                server.run(std::future::pending()).await;
            });
        });
        Host {
            port: told.recv().expect("it starts"),
            _data: data,
        }
    }

    fn stream(&self) -> Steady {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let _ = stream.set_nodelay(true);
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("that is a time");
        Steady(stream)
    }

    /// Asks over plain HTTP: the status and the body.
    pub fn http(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut stream = self.stream();
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|s| s.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.expect("that is HTTP"), body.into())
    }

    /// Opens a table: its name, and the host's token.
    pub fn open_table(&self, settings: &Settings) -> (String, String) {
        let body = serde_json::json!({ "name": "Host", "settings": settings });
        let (status, body) = self.http("POST", "/api/tables", &body.to_string());
        assert_eq!(status, 201, "{body}");
        let opened: serde_json::Value = serde_json::from_str(&body).expect("that is JSON");
        let text = |key: &str| opened[key].as_str().expect("it is there").to_string();
        (text("table"), text("token"))
    }

    /// Connects and says hello. What was missed since `seen` has to come without a gap.
    pub fn connect(&self, table: &str, token: Option<&str>, seen: Option<u64>) -> Link {
        // A table that is just being put to rest sends people away; it wakes up for the next one.
        loop {
            if let Some(link) = self.try_connect(table, token, seen) {
                return link;
            }
        }
    }

    fn try_connect(&self, table: &str, token: Option<&str>, seen: Option<u64>) -> Option<Link> {
        let address = format!("ws://localhost/api/tables/{table}/socket");
        let (socket, _) =
            tungstenite::client(address, self.stream()).expect("everybody may connect");
        let mut link = Link {
            socket,
            seen: seen.unwrap_or(0),
            token: token.unwrap_or_default().into(),
            game_told: None,
            used: Instant::now(),
        };
        link.say(&ClientMessage::Hello {
            token: token.map(Into::into),
            seen,
        });
        let first = match link.read() {
            Err(Some(close)) if close.code == CloseCode::Restart => return None,
            first => first.expect("everybody is welcome"),
        };
        let ServerMessage::Welcome { token, number, .. } = first else {
            panic!("{first:?} instead of a welcome");
        };
        if let Some(token) = token {
            link.token = token;
        }
        assert!(number >= link.seen, "nothing that was seen is forgotten");
        while link.seen < number {
            link.next();
        }
        Some(link)
    }
}

/// A connection to a table.
pub struct Link {
    socket: WebSocket<Steady>,
    pub token: String,
    /// The number of the last happening that was told.
    pub seen: u64,
    /// The game as it was last told without being asked for, and the number it was told with.
    game_told: Option<(u64, Option<Box<table::GameView>>)>,
    /// When it was last read from.
    used: Instant,
}

impl Link {
    /// Whether so little was read for so long that the server may think that nobody is there.
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

    /// The next message.
    pub fn next(&mut self) -> ServerMessage {
        let read = self.read();
        read.unwrap_or_else(|why| panic!("the server closes: {why:?}"))
    }

    /// The next message, or why there is none. Happenings follow each other without gaps.
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
                ServerMessage::Happened { seen, .. } => {
                    assert_eq!(seen.number, self.seen + 1, "there are no gaps");
                    self.seen = seen.number;
                    if seen.game.is_some() {
                        self.game_told = Some((seen.number, seen.game.clone()));
                    }
                }
                ServerMessage::View { view, .. } => {
                    assert!(view.number >= self.seen, "nothing is forgotten");
                    self.seen = view.number;
                    if let Some((number, game)) = self.game_told.take()
                        && number == view.number
                    {
                        assert_eq!(game, view.game, "what is told is what is seen");
                    }
                }
                _ => {}
            }
            return Ok(message);
        }
    }

    /// A fresh view. Others may come unasked, to somebody who took a seat or came back: ours is the
    /// last one before the answer to something that is always refused.
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
