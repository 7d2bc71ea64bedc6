//! A client of the protocol that keeps all received messages.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::{timeout, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use towers_table::{
    ClientMessage, Command, GameView, PROTOCOL, Refusal, Seen, ServerMessage, TableView,
};

pub type TableSocket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A connection to a table.
pub struct Client {
    pub socket: TableSocket,
    pub token: String,
    /// The number of the last event (`happened` on the wire).
    pub seen: u64,
    /// The table built from views and updates.
    pub table: Option<Box<TableView>>,
    /// All received messages, as text.
    pub received: Vec<String>,
    /// The answer that came in the same message as its events.
    answer: Option<ServerMessage>,
    next_id: u64,
}

/// Why the connection ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Closed {
    /// With a code and a reason.
    With(u16, String),
    /// Without a close frame.
    Silently,
}

/// The time limit of every wait in a test: far more than a slow machine needs.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub async fn open(port: u16, table: &str) -> Result<TableSocket, String> {
    open_from(port, table, None).await
}

/// Connects; a server behind a proxy takes it for a connection from this address.
pub async fn open_from(
    port: u16,
    table: &str,
    address: Option<&str>,
) -> Result<TableSocket, String> {
    let url = format!("ws://127.0.0.1:{port}/api/tables/{table}/socket");
    let mut request = url.into_client_request().expect("this is an address");
    if let Some(address) = address {
        let value = address.parse().expect("this is a header");
        request.headers_mut().insert("x-forwarded-for", value);
    }
    match timeout(PATIENCE, connect_async(request)).await {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(why)) => Err(why.to_string()),
        Err(_) => Err("nobody answers".into()),
    }
}

impl Client {
    /// Connects and says hello; the response is the first message to be received.
    pub async fn try_connect(
        port: u16,
        table: &str,
        token: Option<&str>,
        seen: Option<u64>,
    ) -> Result<Client, String> {
        Client::try_connect_from(port, table, token, seen, None).await
    }

    async fn try_connect_from(
        port: u16,
        table: &str,
        token: Option<&str>,
        seen: Option<u64>,
        address: Option<&str>,
    ) -> Result<Client, String> {
        let mut client = Client {
            socket: open_from(port, table, address).await?,
            token: token.unwrap_or_default().into(),
            seen: seen.unwrap_or(0),
            table: None,
            received: Vec::new(),
            answer: None,
            next_id: 1,
        };
        let hello = ClientMessage::Hello {
            protocol: Some(PROTOCOL),
            token: token.map(Into::into),
            seen,
        };
        client.say(&hello).await?;
        Ok(client)
    }

    pub async fn connect(port: u16, table: &str, token: Option<&str>) -> Client {
        Client::connect_from(port, table, token, None).await
    }

    /// The same from an address given by a proxy.
    pub async fn connect_from(
        port: u16,
        table: &str,
        token: Option<&str>,
        address: Option<&str>,
    ) -> Client {
        let client = Client::try_connect_from(port, table, token, None, address).await;
        let mut client = client.unwrap();
        match client.next().await.unwrap() {
            ServerMessage::Welcome { token, .. } => {
                if let Some(token) = token {
                    client.token = token;
                }
            }
            other => panic!("{other:?} instead of a welcome"),
        }
        match client.next().await.unwrap() {
            ServerMessage::View { .. } => client,
            other => panic!("{other:?} instead of a view"),
        }
    }

    pub async fn say(&mut self, message: &ClientMessage) -> Result<(), String> {
        self.say_text(&serde_json::to_string(message).unwrap())
            .await
    }

    pub async fn say_text(&mut self, text: &str) -> Result<(), String> {
        let message = Message::text(text);
        self.socket.send(message).await.map_err(|e| e.to_string())
    }

    /// What this client knows of the table, for messages of failed tests.
    fn known(&self) -> String {
        let Some(table) = &self.table else {
            return "no table is known".into();
        };
        let game = table.game.as_deref();
        let waiting = game.map(|g| (g.waiting, g.view.turn.phase, g.legal.len()));
        let (stage, you) = (table.stage, &table.you);
        format!("{stage:?}, {you:?}, {waiting:?}, draw {:?}", table.draw)
    }

    /// The next message of the server. The events of a command come before its answer, even if both were in one
    /// message.
    pub async fn next(&mut self) -> Result<ServerMessage, Closed> {
        if let Some(answer) = self.answer.take() {
            return Ok(answer);
        }
        // Pings do not extend the deadline, so that a stalled game does not hang the test.
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let frame = timeout_at(deadline, self.socket.next()).await;
            let frame = frame.unwrap_or_else(|_| panic!("the server is silent: {}", self.known()));
            match frame {
                None | Some(Err(_)) => return Err(Closed::Silently),
                Some(Ok(Message::Text(text))) => {
                    let message: ServerMessage =
                        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why} in {text}"));
                    self.received.push(text.to_string());
                    return Ok(self.take_in(message));
                }
                Some(Ok(Message::Close(frame))) => {
                    return Err(match frame {
                        Some(frame) => Closed::With(frame.code.into(), frame.reason.to_string()),
                        None => Closed::Silently,
                    });
                }
                Some(Ok(_)) => {}
            }
        }
    }

    fn take_in(&mut self, message: ServerMessage) -> ServerMessage {
        match message {
            ServerMessage::Happened(update) => {
                self.follow(&update.seen);
                ServerMessage::Happened(update)
            }
            ServerMessage::Accepted {
                id,
                number,
                happened: Some(update),
            } => {
                self.answer = Some(ServerMessage::Accepted {
                    id,
                    number,
                    happened: None,
                });
                self.follow(&update.seen);
                ServerMessage::Happened(*update)
            }
            ServerMessage::View { now, view } => {
                self.seen = view.number;
                let told = self.table.take();
                if let Some(told) = told.filter(|told| told.number == view.number) {
                    assert_eq!(told, view, "what is sent adds up to the view");
                }
                self.table = Some(view.clone());
                ServerMessage::View { now, view }
            }
            other => other,
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

    /// Sends a command; returns the id of its answer.
    pub async fn send(&mut self, command: Command) -> Result<u64, String> {
        let id = self.next_id;
        self.next_id += 1;
        self.say(&ClientMessage::Do { id, command }).await?;
        Ok(id)
    }

    /// Sends a command and waits for its answer, ignoring other messages.
    pub async fn ask(&mut self, command: Command) -> Result<u64, Refusal> {
        let asked = self.send(command).await.expect("the connection is open");
        loop {
            match self.next().await.expect("the connection stays open") {
                ServerMessage::Accepted { id, number, .. } if id == asked => {
                    return Ok(number);
                }
                ServerMessage::Rejected { id, why } if id == asked => return Err(why),
                _ => {}
            }
        }
    }

    /// The same for commands that have to succeed.
    pub async fn ok(&mut self, command: Command) -> u64 {
        let text = format!("{command:?}");
        match self.ask(command).await {
            Ok(number) => number,
            Err(why) => panic!("{text} was refused: {why:?}"),
        }
    }

    /// Waits for a message that satisfies a predicate.
    pub async fn until<T>(&mut self, mut answer: impl FnMut(&ServerMessage) -> Option<T>) -> T {
        loop {
            let message = self.next().await.expect("the connection stays open");
            if let Some(answer) = answer(&message) {
                return answer;
            }
        }
    }

    /// The game built from views and updates.
    pub fn game(&self) -> Option<&GameView> {
        self.table.as_ref()?.game.as_deref()
    }

    /// A fresh view.
    pub async fn view(&mut self) -> TableView {
        self.say(&ClientMessage::View).await.unwrap();
        self.until(|message| match message {
            ServerMessage::View { view, .. } => Some((**view).clone()),
            _ => None,
        })
        .await
    }
}

pub fn sit(name: &str) -> Command {
    Command::Sit {
        name: Some(name.into()),
        seat: None,
        colour: None,
        key: String::new(),
        program: false,
    }
}

pub fn bot() -> Command {
    Command::AddBot {
        seat: None,
        level: towers_table::BotLevel::Novice,
    }
}
