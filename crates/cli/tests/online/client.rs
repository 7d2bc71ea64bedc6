//! A client that speaks the protocol, with everything it was sent.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use table::{ClientMessage, Command, Refusal, ServerMessage};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A connection to a table.
pub struct Client {
    pub socket: Socket,
    pub token: String,
    /// The number of the last happening.
    pub seen: u64,
    /// Everything that was received, as text.
    pub received: Vec<String>,
    next_id: u64,
}

/// Why nothing more comes.
#[derive(Debug, PartialEq, Eq)]
pub enum Closed {
    /// With a code and a reason.
    With(u16, String),
    /// Without a word.
    Silently,
}

/// How long a test waits for anything.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub async fn open(port: u16, table: &str) -> Result<Socket, String> {
    let address = format!("ws://127.0.0.1:{port}/api/tables/{table}/socket");
    match timeout(PATIENCE, connect_async(address)).await {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(why)) => Err(why.to_string()),
        Err(_) => Err("nobody answers".into()),
    }
}

impl Client {
    /// Connects and says hello; the answer is the first message to be received.
    pub async fn try_connect(
        port: u16,
        table: &str,
        token: Option<&str>,
        seen: Option<u64>,
    ) -> Result<Client, String> {
        let mut client = Client {
            socket: open(port, table).await?,
            token: token.unwrap_or_default().into(),
            seen: seen.unwrap_or(0),
            received: Vec::new(),
            next_id: 1,
        };
        let hello = ClientMessage::Hello {
            token: token.map(Into::into),
            seen,
        };
        client.say(&hello).await?;
        Ok(client)
    }

    pub async fn connect(port: u16, table: &str, token: Option<&str>) -> Client {
        let mut client = Client::try_connect(port, table, token, None).await.unwrap();
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

    /// The next message of the server.
    pub async fn next(&mut self) -> Result<ServerMessage, Closed> {
        loop {
            let frame = timeout(PATIENCE, self.socket.next())
                .await
                .expect("the server says something in time");
            match frame {
                None | Some(Err(_)) => return Err(Closed::Silently),
                Some(Ok(Message::Text(text))) => {
                    let message: ServerMessage =
                        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why} in {text}"));
                    match &message {
                        ServerMessage::Happened { seen, .. } => {
                            assert_eq!(seen.number, self.seen + 1, "there are no gaps");
                            self.seen = seen.number;
                        }
                        ServerMessage::View { view, .. } => self.seen = view.number,
                        _ => {}
                    }
                    self.received.push(text.to_string());
                    return Ok(message);
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

    /// Sends a command; the answer comes with this number.
    pub async fn send(&mut self, command: Command) -> Result<u64, String> {
        let id = self.next_id;
        self.next_id += 1;
        self.say(&ClientMessage::Do { id, command }).await?;
        Ok(id)
    }

    /// Sends a command and waits for the answer, whatever else comes meanwhile.
    pub async fn ask(&mut self, command: Command) -> Result<u64, Refusal> {
        let asked = self.send(command).await.expect("the connection is open");
        loop {
            match self.next().await.expect("the connection stays open") {
                ServerMessage::Accepted { id, number } if id == asked => return Ok(number),
                ServerMessage::Rejected { id, why } if id == asked => return Err(why),
                _ => {}
            }
        }
    }

    /// The same, for commands that have to succeed.
    pub async fn ok(&mut self, command: Command) -> u64 {
        let text = format!("{command:?}");
        match self.ask(command).await {
            Ok(number) => number,
            Err(why) => panic!("{text} was refused: {why:?}"),
        }
    }

    /// Waits for a message that answers a question.
    pub async fn until<T>(&mut self, mut answer: impl FnMut(&ServerMessage) -> Option<T>) -> T {
        loop {
            let message = self.next().await.expect("the connection stays open");
            if let Some(answer) = answer(&message) {
                return answer;
            }
        }
    }

    /// A fresh view.
    pub async fn view(&mut self) -> table::TableView {
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
    }
}

pub fn bot() -> Command {
    Command::AddBot {
        seat: None,
        level: table::BotLevel::Novice,
    }
}
