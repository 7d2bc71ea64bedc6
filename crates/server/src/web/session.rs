//! One WebSocket connection: reads messages, keeps to the limits, passes on what its table sends.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use table::{ClientMessage, Refusal, ServerMessage};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::App;
use super::address::{Counted, Peer, origin_of};
use super::api::Problem;
use crate::metrics::{count, uncount};
use crate::secrets;
use crate::tables::{Join, Outgoing, ToTable, close};

/// How long a client may take for its first message, and the network for any of ours.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often we make sure that somebody is still there.
const PING: Duration = Duration::from_secs(25);
/// How many messages too many are answered before the connection is closed.
const STRIKES: u32 = 50;

pub async fn socket(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    Path(table): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let shared = app.registry.shared();
    let address = origin_of(&headers, peer, shared.config.trust_proxy);
    let Some(counted) = app.addresses.connect(address) else {
        count(&shared.metrics.over_limit);
        return Problem::too_many("too many connections from your address").into_response();
    };
    let most = shared.config.limits.message_bytes;
    upgrade
        // The defaults are sized for big messages and cost 134 kB a connection.
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| Session::run(app, table, socket, counted))
}

/// Lets so many messages through per second, and twice as many at once.
struct Meter {
    left: f64,
    per_second: f64,
    since: Instant,
    strikes: u32,
}

impl Meter {
    fn new(per_second: u32) -> Meter {
        let per_second = f64::from(per_second.max(1));
        Meter {
            left: per_second * 2.0,
            per_second,
            since: Instant::now(),
            strikes: 0,
        }
    }

    fn allows(&mut self) -> bool {
        let passed = self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        self.left = (self.left + passed * self.per_second).min(self.per_second * 2.0);
        if self.left >= 1.0 {
            self.left -= 1.0;
            true
        } else {
            self.strikes += 1;
            false
        }
    }
}

struct Session {
    app: Arc<App>,
    client: u64,
    socket: WebSocket,
    meter: Meter,
    /// Whether anything was heard since the last ping.
    heard: bool,
}

/// Why a session ends.
enum End {
    /// The connection is gone.
    Gone,
    /// We close it.
    Close(u16, &'static str),
}

impl Session {
    async fn run(app: Arc<App>, table: String, socket: WebSocket, _counted: Counted) {
        let shared = Arc::clone(app.registry.shared());
        count(&shared.metrics.connections);
        let client = app.next_client.fetch_add(1, Ordering::Relaxed);
        let mut session = Session {
            meter: Meter::new(shared.config.limits.messages_per_second),
            app,
            client,
            socket,
            heard: true,
        };
        if let End::Close(code, reason) = session.play(&table).await {
            session.close(code, reason).await;
        }
        uncount(&shared.metrics.connections);
    }

    async fn play(&mut self, table: &str) -> End {
        let (token, seen) = match timeout(PATIENCE, self.hello()).await {
            Ok(Ok(hello)) => hello,
            Ok(Err(end)) => return end,
            Err(_) => return End::Close(close::NO_HELLO, "say hello first"),
        };
        let mailbox = match self.app.registry.open(table).await {
            Ok(Some(mailbox)) => mailbox,
            Ok(None) => return End::Close(close::NO_TABLE, "there is no such table"),
            Err(why) => {
                tracing::error!(table = secrets::short(table), %why, "opening failed");
                return End::Close(close::BROKEN, "the table cannot be opened now");
            }
        };
        let limits = &self.app.registry.shared().config.limits;
        let (out, mut queue) = mpsc::channel(limits.outgoing);
        let join = Join {
            client: self.client,
            token,
            seen,
            out,
        };
        if mailbox.send(ToTable::Join(join)).await.is_err() {
            // It was just put to rest: the client connects again and wakes it up.
            return End::Close(close::RESTART, "try again");
        }
        let end = self.pass_on(&mailbox, &mut queue).await;
        let client = self.client;
        let _ = mailbox.send(ToTable::Gone { client }).await;
        end
    }

    /// The first message says who is there.
    async fn hello(&mut self) -> Result<(Option<String>, Option<u64>), End> {
        loop {
            let Some(message) = self.read().await? else {
                continue;
            };
            return match message {
                ClientMessage::Hello { token, seen } => match token {
                    Some(token) if !secrets::is_token(&token) => Err(End::Close(
                        close::NO_HELLO,
                        "a token has 32 to 128 characters",
                    )),
                    token => Ok((token, seen)),
                },
                _ => Err(End::Close(close::NO_HELLO, "say hello first")),
            };
        }
    }

    async fn pass_on(
        &mut self,
        mailbox: &mpsc::Sender<ToTable>,
        queue: &mut mpsc::Receiver<Outgoing>,
    ) -> End {
        let mut ping = tokio::time::interval(PING);
        ping.tick().await;
        loop {
            tokio::select! {
                read = self.read() => match read {
                    Ok(Some(message)) => {
                        let client = self.client;
                        if mailbox.send(ToTable::Say { client, message }).await.is_err() {
                            return End::Close(close::RESTART, "try again");
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
                    None => return End::Close(close::TOO_SLOW, "you read too slowly: connect again"),
                },
                _ = ping.tick() => {
                    if !std::mem::take(&mut self.heard) {
                        return End::Gone;
                    }
                    if let Err(end) = self.send(Message::Ping(axum::body::Bytes::new())).await {
                        return end;
                    }
                }
            }
        }
    }

    /// The next message; none if there was one that is of no use, about which the client was told.
    async fn read(&mut self) -> Result<Option<ClientMessage>, End> {
        let message = match self.socket.recv().await {
            None => return Err(End::Gone),
            Some(Err(why)) => {
                let big = why.to_string().contains("too long");
                return Err(if big {
                    End::Close(close::TOO_BIG, "that message is too big")
                } else {
                    End::Gone
                });
            }
            Some(Ok(message)) => message,
        };
        self.heard = true;
        if !self.meter.allows() {
            let metrics = &self.app.registry.shared().metrics;
            count(&metrics.over_limit);
            if self.meter.strikes > STRIKES {
                return Err(End::Close(close::TOO_FAST, "too many messages"));
            }
            // Only now and then, or the answers would be a flood of their own.
            if self.meter.strikes % 10 == 1 {
                self.complain("too_fast", "too many messages: slow down")
                    .await?;
            }
            return Ok(None);
        }
        let read = match &message {
            Message::Text(text) => serde_json::from_str(text),
            Message::Binary(bytes) => serde_json::from_slice(bytes),
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
            Message::Close(_) => return Err(End::Gone),
        };
        match read {
            Ok(message) => Ok(Some(message)),
            Err(why) => {
                count(&self.app.registry.shared().metrics.bad_messages);
                self.complain("bad_message", &why.to_string()).await?;
                Ok(None)
            }
        }
    }

    async fn complain(&mut self, code: &str, message: &str) -> Result<(), End> {
        let why = Refusal {
            code: code.into(),
            message: message.into(),
            clause: None,
        };
        let text = serde_json::to_string(&ServerMessage::Error { why });
        let text = text.expect("messages are plain data");
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                count(&self.app.registry.shared().metrics.slow_readers);
                Err(End::Gone)
            }
        }
    }

    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        if self.send(Message::Close(Some(frame))).await.is_ok() {
            // Until the client has answered, or the reason would be lost with the connection.
            let answer = async { while let Some(Ok(_)) = self.socket.recv().await {} };
            let _ = timeout(Duration::from_secs(2), answer).await;
        }
    }
}
