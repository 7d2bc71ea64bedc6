//! One WebSocket connection: reads messages, enforces limits, and forwards what its table sends.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Extension;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::timeout;
use towers_table::{ClientMessage, CloseCode, ErrorCode, PROTOCOL, ServerMessage, UnreadCommand};

use super::App;
use super::address::{ClientAddress, ConnectionPermit};
use super::api::Problem;
use super::costly::{CostlyRead, LARGE_LOG};
use super::pace::ReadPace;
use crate::people::{Identity, PersonRef};
use crate::refusal::{refusal, too_fast};
use crate::secrets;
use crate::storage::StorageError;
use crate::tables::{Join, Outgoing, TableMessage};

/// The time limit for the first message of a client, and for writing a message to it.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The interval of pings on an idle connection.
const PING: Duration = Duration::from_secs(25);
/// The time limit for the client's close frame.
const CLOSING: Duration = Duration::from_secs(2);

/// The query of a connection.
#[derive(Deserialize)]
pub struct SocketOptions {
    /// Present if the connection only watches, like a shared screen: it is not the person of the cookie.
    watch: Option<String>,
}

pub async fn socket(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    Extension(pace): Extension<Arc<ReadPace>>,
    Path(table): Path<String>,
    Query(options): Query<SocketOptions>,
    Identity(person): Identity,
    upgrade: WebSocketUpgrade,
) -> Response {
    let person = person.filter(|_| options.watch.is_none());
    let shared = app.registry.shared();
    let Some(permit) = app.connections.connect(address) else {
        shared.metrics.over_limit.increment(1);
        return Problem::too_many("too many connections from your address").into_response();
    };
    pace.count(shared, address);
    let most = shared.config.limits.message_bytes;
    upgrade
        // The defaults are sized for large messages and cost 134 kB per connection.
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| SocketSession::run(app, table, address, person, socket, permit))
}

struct SocketSession {
    app: Arc<App>,
    client: u64,
    address: IpAddr,
    /// The person of the cookie.
    owner: Option<PersonRef>,
    /// The key of the message budget: the person, once identified.
    person: String,
    socket: WebSocket,
    /// Whether anything was received since the last ping.
    is_alive: bool,
}

/// Why a session ends.
enum End {
    /// The connection was lost.
    Gone,
    /// The server closes it.
    Close(CloseCode, &'static str),
}

impl SocketSession {
    async fn run(
        app: Arc<App>,
        table: String,
        address: IpAddr,
        owner: Option<PersonRef>,
        socket: WebSocket,
        _permit: ConnectionPermit,
    ) {
        let shared = Arc::clone(app.registry.shared());
        shared.metrics.connections.increment(1.0);
        let client = app.next_client.fetch_add(1, Ordering::Relaxed);
        let mut session = SocketSession {
            app,
            client,
            address,
            owner,
            person: format!("connection {client}"),
            socket,
            is_alive: true,
        };
        if let End::Close(code, reason) = session.play(&table).await {
            session.close(code, reason).await;
        }
        shared.metrics.connections.decrement(1.0);
    }

    async fn play(&mut self, table: &str) -> End {
        let (token, seen) = match timeout(TIME_LIMIT, self.hello()).await {
            Ok(Ok(hello)) => hello,
            Ok(Err(end)) => return end,
            Err(_) => return End::Close(CloseCode::NoHello, "say hello first"),
        };
        let token_key = token.as_ref().map(|token| secrets::key(table, token));
        if let Some(owner) = &self.owner {
            self.person = format!("person {}", owner.person);
        } else if let Some(key) = &token_key {
            self.person.clone_from(key);
        }
        if !may_open(&self.app, table, self.address).await {
            let reason = "too many large tables are opened from your address";
            return End::Close(CloseCode::TooFast, reason);
        }
        let mailbox = match self.app.registry.open(table).await {
            Ok(Some(mailbox)) => mailbox,
            Ok(None) => return End::Close(CloseCode::NoTable, "there is no such table"),
            Err(_) if self.app.registry.is_stopping() => {
                return End::Close(CloseCode::Restart, "the server restarts");
            }
            Err(StorageError::Earlier(_)) => {
                let reason = "an earlier version of this server stored the table, with other rules";
                return End::Close(CloseCode::Earlier, reason);
            }
            Err(why) => {
                why.log(table, "opening");
                return End::Close(CloseCode::Broken, "the table cannot be opened now");
            }
        };
        let people = &self.app.registry.shared().people;
        let keys = people.seat_keys(table, self.owner.as_ref(), token_key.as_deref());
        let keys = match keys.await {
            Ok(keys) => keys,
            Err(why) => {
                why.log(table, "finding a person's seat");
                return End::Close(CloseCode::Broken, "the table cannot be opened now");
            }
        };
        let limits = &self.app.registry.shared().config.limits;
        let (out, mut queue) = mpsc::channel(limits.outgoing);
        let join = Join {
            client: self.client,
            address: self.address,
            token,
            person: self.owner.clone(),
            keys,
            seen,
            out,
        };
        if mailbox.send(TableMessage::Join(join)).await.is_err() {
            // The table is being unloaded. A new connection loads it again.
            return End::Close(CloseCode::Restart, "try again");
        }
        let end = self.forward(&mailbox, &mut queue).await;
        let client = self.client;
        let _ = mailbox.send(TableMessage::Disconnected { client }).await;
        end
    }

    /// Reads the first message, which identifies the client.
    async fn hello(&mut self) -> Result<(Option<String>, Option<u64>), End> {
        loop {
            let Some(message) = self.read().await? else {
                continue;
            };
            let ClientMessage::Hello {
                protocol,
                token,
                seen,
            } = message
            else {
                return Err(End::Close(CloseCode::NoHello, "say hello first"));
            };
            check_protocol(protocol)?;
            return match token {
                Some(token) if !secrets::is_token(&token) => Err(End::Close(
                    CloseCode::NoHello,
                    "a token has 32 to 128 characters",
                )),
                token => Ok((token, seen)),
            };
        }
    }

    /// Forwards messages in both directions until one side ends.
    async fn forward(
        &mut self,
        mailbox: &mpsc::Sender<TableMessage>,
        queue: &mut mpsc::Receiver<Outgoing>,
    ) -> End {
        let mut ping = tokio::time::interval(PING);
        ping.tick().await;
        loop {
            tokio::select! {
                read = self.read() => match read {
                    Ok(Some(message)) => {
                        let client = self.client;
                        if mailbox.send(TableMessage::Command { client, message }).await.is_err() {
                            return End::Close(CloseCode::Restart, "try again");
                        }
                    }
                    Ok(None) => {}
                    Err(end) => return end,
                },
                message = queue.recv() => match message {
                    Some(Outgoing::Text(text)) => {
                        if let Err(end) = self.send(Message::Text(text)).await {
                            return end;
                        }
                    }
                    Some(Outgoing::Close(code, reason)) => return End::Close(code, reason),
                    None if mailbox.is_closed() => return End::Close(CloseCode::Restart, "try again"),
                    None => {
                        self.app.registry.shared().metrics.slow_readers.increment(1);
                        return End::Close(CloseCode::TooSlow, "you read too slowly: connect again");
                    }
                },
                _ = ping.tick() => {
                    if !std::mem::take(&mut self.is_alive) {
                        return End::Gone;
                    }
                    if let Err(end) = self.send(Message::Ping(axum::body::Bytes::new())).await {
                        return end;
                    }
                }
            }
        }
    }

    /// The next message; `None` if it was handled here.
    async fn read(&mut self) -> Result<Option<ClientMessage>, End> {
        let message = match self.socket.recv().await {
            None => return Err(End::Gone),
            Some(Err(why)) => return Err(malformed(why)),
            Some(Ok(message)) => message,
        };
        self.is_alive = true;
        let metrics = &self.app.registry.shared().metrics;
        metrics.messages_received.increment(1);
        let over_limit = self.take_from_budgets();
        let text = match &message {
            Message::Text(text) => text.as_bytes(),
            Message::Binary(bytes) => bytes,
            Message::Ping(_) | Message::Pong(_) => {
                return self.strike(over_limit).map(|()| None);
            }
            Message::Close(_) => return Err(End::Gone),
        };
        let why = if let Err(after) = over_limit {
            self.strike(over_limit)?;
            too_fast(after)
        } else {
            match serde_json::from_slice(text) {
                Ok(message) => return Ok(Some(message)),
                Err(why) => {
                    metrics.bad_messages.increment(1);
                    refusal(ErrorCode::BadMessage, why.to_string())
                }
            }
        };
        // Answer a malformed command by its id, so that its sender does not wait in vain.
        let answer = match serde_json::from_slice(text) {
            Ok(UnreadCommand { id }) => ServerMessage::Rejected { id, why },
            Err(_) => ServerMessage::Error { why },
        };
        self.send_message(&answer).await?;
        Ok(None)
    }

    /// Takes a message from the budgets of the person and the address.
    fn take_from_budgets(&self) -> Result<(), Duration> {
        let budgets = &self.app.registry.shared().budgets;
        let of_person = budgets.messages_of_person.take(&self.person);
        let of_address = budgets.messages_of_address.take(&self.address);
        of_person.and(of_address)
    }

    /// Counts a message over a limit. Too many of them end the connection.
    fn strike(&self, over_limit: Result<(), Duration>) -> Result<(), End> {
        if over_limit.is_ok() {
            return Ok(());
        }
        let shared = self.app.registry.shared();
        shared.metrics.over_limit.increment(1);
        let of_person = shared.budgets.strikes_of_person.take(&self.person);
        let of_address = shared.budgets.strikes_of_address.take(&self.address);
        let strike = of_person.and(of_address);
        strike.map_err(|_| End::Close(CloseCode::TooFast, "too many messages"))
    }

    async fn send_message(&mut self, message: &ServerMessage) -> Result<(), End> {
        let text = serde_json::to_string(message).expect("messages are plain data");
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        let metrics = &self.app.registry.shared().metrics;
        metrics.messages_sent.increment(1);
        if let Message::Text(text) = &message {
            metrics.bytes_sent.increment(text.len() as u64);
        }
        match timeout(TIME_LIMIT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                self.app.registry.shared().metrics.slow_readers.increment(1);
                Err(End::Gone)
            }
        }
    }

    async fn close(&mut self, code: CloseCode, reason: &'static str) {
        let frame = CloseFrame {
            code: code.number(),
            reason: reason.into(),
        };
        if self.send(Message::Close(Some(frame))).await.is_ok() {
            // Closing before the client has answered could lose the reason.
            let answer = async { while let Some(Ok(_)) = self.socket.recv().await {} };
            let _ = timeout(CLOSING, answer).await;
        }
    }
}

/// Whether an address may open a table. To load one with a long log takes seconds.
async fn may_open(app: &App, table: &str, address: IpAddr) -> bool {
    if !towers_table::is_table_id(table) || app.registry.has(table) {
        return true;
    }
    let shared = app.registry.shared();
    // If the database fails, so does opening the table.
    let head = shared.storage.head(table).await.ok().flatten();
    head.is_none_or(|head| head.number <= LARGE_LOG) || CostlyRead::take(shared, address).is_ok()
}

/// Checks the client's protocol version. Clients from before versioning know [`CloseCode::NoHello`] and give up.
fn check_protocol(spoken: Option<u32>) -> Result<(), End> {
    const RELOAD: &str = "the server speaks another version of the protocol: reload the page";
    match spoken {
        Some(PROTOCOL) => Ok(()),
        Some(_) => Err(End::Close(CloseCode::Outdated, RELOAD)),
        None => Err(End::Close(CloseCode::NoHello, RELOAD)),
    }
}

/// The reaction to a violation of the WebSocket protocol.
fn malformed(why: axum::Error) -> End {
    use tungstenite::Error;
    let why = why.into_inner();
    match why.downcast_ref::<Error>() {
        Some(Error::Capacity(_)) => End::Close(CloseCode::TooBig, "the message is too big"),
        Some(Error::Utf8(_)) => End::Close(CloseCode::NotText, "the text is not UTF-8"),
        Some(Error::Protocol(why)) if is_malformed(why) => {
            End::Close(CloseCode::Malformed, "the frame is malformed")
        }
        _ => End::Gone,
    }
}

/// Whether the client sent something invalid, as opposed to a lost connection.
fn is_malformed(why: &tungstenite::error::ProtocolError) -> bool {
    use tungstenite::error::ProtocolError;
    !matches!(
        why,
        ProtocolError::ResetWithoutClosingHandshake | ProtocolError::SendAfterClosing
    )
}
