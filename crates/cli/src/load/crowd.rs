//! Scripted players at many tables. The player to act takes a random legal action; the latency is the time until
//! everybody at the table has received it.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use towers_table::PROTOCOL;

use super::messages::{MessageKind, ServerFields};

type ClientSocket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The time limit for connecting, for opening a table, and for an action. Not for each message: a timer would cost the
/// processor more than some of the work that is measured.
const PATIENCE: Duration = Duration::from_secs(60);

/// The connection of a simulated player.
pub struct SimulatedPlayer {
    socket: ClientSocket,
    /// The open decision, and the message with its legal actions.
    open: Option<(u64, Utf8Bytes)>,
    over: bool,
    number: u64,
    /// Bytes of the messages that were received.
    bytes: u64,
}

async fn within_patience<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let done = tokio::time::timeout(PATIENCE, work).await;
    done.unwrap_or_else(|_| Err("the server does not respond".into()))
}

/// Connects with small buffers, since the other side is measured.
pub async fn connect(port: u16, path: &str) -> Result<ClientSocket, String> {
    let small = WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(0);
    let url = format!("ws://127.0.0.1:{port}{path}");
    let connecting = connect_async_with_config(url, Some(small), true);
    let connecting = async { connecting.await.map_err(|why| why.to_string()) };
    within_patience(connecting).await.map(|(socket, _)| socket)
}

/// Opens a table; returns its id and the host's token.
async fn create(port: u16, settings: &str) -> Result<(String, String), String> {
    #[derive(Deserialize)]
    struct Created {
        table: String,
        token: String,
    }
    let body = format!(r#"{{"name":"Host","settings":{settings}}}"#);
    let request = format!(
        "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let failed = |why: std::io::Error| why.to_string();
    let stream = TcpStream::connect(("127.0.0.1", port)).await;
    let mut stream = stream.map_err(failed)?;
    stream.write_all(request.as_bytes()).await.map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.map_err(failed)?;
    let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
    let created: Created = serde_json::from_str(body).map_err(|_| answer.clone())?;
    Ok((created.table, created.token))
}

impl SimulatedPlayer {
    async fn join(port: u16, table: &str, token: Option<&str>) -> Result<SimulatedPlayer, String> {
        let mut player = SimulatedPlayer {
            socket: connect(port, &format!("/api/tables/{table}/socket")).await?,
            open: None,
            over: false,
            number: 0,
            bytes: 0,
        };
        let token = token.map_or(String::new(), |token| format!(r#","token":"{token}""#));
        let hello = format!(r#"{{"type":"hello","protocol":{PROTOCOL}{token}}}"#);
        player.say(hello).await?;
        player.until(|said| said.kind == MessageKind::View).await?;
        Ok(player)
    }

    async fn say(&mut self, text: String) -> Result<(), String> {
        let message = Message::text(text);
        self.socket.send(message).await.map_err(|e| e.to_string())
    }

    async fn command(&mut self, command: &str) -> Result<(), String> {
        self.say(format!(r#"{{"type":"do","id":1,"do":{command}}}"#))
            .await
    }

    async fn next(&mut self) -> Result<ServerFields, String> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    self.bytes += text.len() as u64;
                    let said: ServerFields =
                        serde_json::from_str(&text).map_err(|e| e.to_string())?;
                    self.number = said.happened().unwrap_or(self.number);
                    if let Some(game) = said.game()
                        && let Some(waiting) = &game.waiting
                    {
                        self.over = waiting.is_none();
                        let decision = waiting.as_ref().map(|w| w.decision);
                        self.open = decision
                            .filter(|_| game.legal.0)
                            .map(|decision| (decision, text.clone()));
                    }
                    return Ok(said);
                }
                Some(Ok(Message::Close(frame))) => return Err(format!("closed: {frame:?}")),
                Some(Ok(_)) => {}
                Some(Err(why)) => return Err(why.to_string()),
                None => return Err("the connection was closed".into()),
            }
        }
    }

    async fn until(&mut self, is_it: impl Fn(&ServerFields) -> bool) -> Result<(), String> {
        loop {
            let said = self.next().await?;
            if let Some(code) = &said.code {
                return Err(format!("refused: {code}"));
            }
            if is_it(&said) {
                return Ok(());
            }
        }
    }

    /// Sends a command and waits until it is accepted.
    async fn ok(&mut self, command: &str) -> Result<(), String> {
        self.command(command).await?;
        self.until(|said| said.kind == MessageKind::Accepted).await
    }

    /// Waits until it has received the event with this number (the wire calls events "happened").
    async fn has_seen(&mut self, number: u64) -> Result<(), String> {
        while self.number < number {
            self.until(|_| true).await?;
        }
        Ok(())
    }
}

/// A table whose players are all simulated here.
pub struct SimulatedTable {
    players: Vec<SimulatedPlayer>,
    dice: u64,
}

impl SimulatedTable {
    /// Opens a table, seats players and bots of a level at it, and starts the game.
    pub async fn open(
        port: u16,
        people: usize,
        bots: Option<(usize, &str)>,
        seed: u64,
    ) -> Result<SimulatedTable, String> {
        let seats = people + bots.map_or(0, |(count, _)| count);
        let (table, token) = create(port, &format!(r#"{{"seats":{seats}}}"#)).await?;
        let mut host = SimulatedPlayer::join(port, &table, Some(&token)).await?;
        host.ok(r#"{"command":"sit","name":"Host"}"#).await?;
        let mut players = vec![host];
        for i in 1..people {
            let mut guest = SimulatedPlayer::join(port, &table, None).await?;
            let sit = format!(r#"{{"command":"sit","name":"Guest {i}"}}"#);
            guest.ok(&sit).await?;
            players.push(guest);
        }
        for _ in 0..bots.map_or(0, |(count, _)| count) {
            let level = bots.map_or("", |(_, level)| level);
            let add = format!(r#"{{"command":"add_bot","level":"{level}"}}"#);
            players[0].ok(&add).await?;
        }
        let mut table = SimulatedTable {
            players,
            dice: seed,
        };
        table.start().await?;
        Ok(table)
    }

    /// The bytes that its players have received.
    fn bytes(&self) -> u64 {
        self.players.iter().map(|p| p.bytes).sum()
    }

    /// The number of the table's last event.
    pub fn number(&self) -> u64 {
        self.players.iter().map(|p| p.number).max().unwrap_or(0)
    }

    async fn start(&mut self) -> Result<(), String> {
        self.players[0].ok(r#"{"command":"start"}"#).await?;
        self.all_see(self.players[0].number).await
    }

    /// Waits until every player has received the event with this number. One after the other takes as long as all at
    /// the same time, with fewer wake-ups.
    async fn all_see(&mut self, number: u64) -> Result<(), String> {
        for player in &mut self.players {
            player.has_seen(number).await?;
        }
        Ok(())
    }

    /// Lets the player to act take an action; returns the time until everybody at the table received it.
    pub async fn act(&mut self) -> Result<Duration, String> {
        if self.players.iter().all(|p| p.over) {
            self.start().await?;
        }
        let actor = loop {
            let open = self.players.iter().position(|p| p.open.is_some());
            if let Some(actor) = open {
                break actor;
            }
            // A bot is to act.
            let before = self.number();
            self.all_see(before + 1).await?;
            if self.players.iter().all(|p| p.over) {
                self.start().await?;
            }
        };
        let (decision, message) = self.players[actor].open.take().unwrap_or_default();
        let said: ServerFields<Vec<&str>> =
            serde_json::from_str(&message).map_err(|e| e.to_string())?;
        let legal = said.game().map_or(&[][..], |game| &game.legal);
        if legal.is_empty() {
            return Err("a decision without legal actions".into());
        }
        self.dice = self
            .dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let action = &legal[(self.dice >> 33) as usize % legal.len()];
        let act = format!(r#"{{"command":"act","action":"{action}","decision":{decision}}}"#);
        let begun = Instant::now();
        let number = self.players[actor].number + 1;
        self.players[actor].ok(&act).await?;
        self.all_see(number).await?;
        Ok(begun.elapsed())
    }

    /// Plays for some time, with a pause between two actions; returns the latency of each action.
    pub async fn play(
        &mut self,
        first: Instant,
        pause: Duration,
        until: Instant,
    ) -> Result<Vec<Duration>, String> {
        let mut times = Vec::new();
        let mut next = first;
        while next < until && Instant::now() < until {
            if !pause.is_zero() {
                tokio::time::sleep_until(next.into()).await;
            }
            times.push(within_patience(self.act()).await?);
            next += pause;
            if pause.is_zero() {
                next = Instant::now();
            }
        }
        Ok(times)
    }
}

/// Opens many tables, a few at a time.
pub async fn open_all(
    port: u16,
    count: usize,
    people: usize,
    bots: Option<(usize, &str)>,
) -> Result<Vec<SimulatedTable>, String> {
    let mut tables = Vec::with_capacity(count);
    let all: Vec<u64> = (0..count as u64).collect();
    for some in all.chunks(32) {
        let opening = some
            .iter()
            .map(|&seed| within_patience(SimulatedTable::open(port, people, bots, seed * 977 + 1)));
        for table in join_all(opening).await {
            tables.push(table?);
        }
    }
    Ok(tables)
}

/// An idle table.
pub async fn new_table(port: u16) -> Result<String, String> {
    create(port, "{}").await.map(|(table, _)| table)
}

/// Spectators of a table.
pub async fn watch(port: u16, table: &str, count: usize) -> Result<Vec<SimulatedPlayer>, String> {
    let mut watching = Vec::with_capacity(count);
    for _ in 0..count {
        watching.push(within_patience(Box::pin(SimulatedPlayer::join(port, table, None))).await?);
    }
    Ok(watching)
}

/// The results of playing at many tables.
pub struct PlayResult {
    pub tables: Vec<SimulatedTable>,
    /// The latencies, sorted.
    pub times: Vec<Duration>,
    pub errors: Vec<String>,
    pub seconds: f64,
    /// Bytes of messages that all players received.
    pub bytes: u64,
    pub players: usize,
}

/// Plays at all tables: at this total number of actions per second, or as fast as possible.
pub async fn play_all(
    tables: Vec<SimulatedTable>,
    rate: Option<f64>,
    time: Duration,
) -> PlayResult {
    let begun = Instant::now();
    let until = begun + time;
    let pause = rate.map_or(Duration::ZERO, |rate| {
        Duration::from_secs_f64(tables.len() as f64 / rate)
    });
    let count = tables.len();
    let players = tables.iter().map(|t| t.players.len()).sum();
    let bytes_before: u64 = tables.iter().map(SimulatedTable::bytes).sum();
    let playing: Vec<_> = tables
        .into_iter()
        .enumerate()
        .map(|(i, mut table)| {
            let first = begun + pause.mul_f64(i as f64 / count as f64);
            tokio::spawn(async move {
                let times = table.play(first, pause, until).await;
                (table, times)
            })
        })
        .collect();
    let mut played = PlayResult {
        tables: Vec::new(),
        times: Vec::new(),
        errors: Vec::new(),
        seconds: 0.0,
        bytes: 0,
        players,
    };
    for task in playing {
        match task.await {
            Ok((table, Ok(times))) => {
                played.times.extend(times);
                played.tables.push(table);
            }
            Ok((_, Err(why))) => played.errors.push(why),
            Err(why) => played.errors.push(why.to_string()),
        }
    }
    let bytes_after: u64 = played.tables.iter().map(SimulatedTable::bytes).sum();
    played.bytes = bytes_after.saturating_sub(bytes_before);
    played.seconds = begun.elapsed().as_secs_f64();
    played.times.sort();
    played
}

impl PlayResult {
    /// Actions per second.
    pub fn rate(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }

    /// The bytes sent to a player per action at the player's table.
    pub fn bytes_per_action(&self) -> f64 {
        let seats = self.players as f64 / self.tables.len().max(1) as f64;
        self.bytes as f64 / (self.times.len() as f64 * seats)
    }

    /// A percentile of the latencies, in milliseconds.
    pub fn percentile(&self, percent: usize) -> f64 {
        let last = self.times.len().saturating_sub(1);
        let time = self.times.get(last * percent / 100);
        time.map_or(f64::NAN, |t| t.as_secs_f64() * 1000.0)
    }
}

/// Sends echoes on this many connections as fast as possible; returns the number of echoes per second.
pub async fn echo_all(port: u16, connections: usize, time: Duration) -> Result<f64, String> {
    let mut sockets = Vec::new();
    for _ in 0..connections {
        sockets.push(connect(port, "/").await?);
    }
    let begun = Instant::now();
    let word = "x".repeat(200);
    let echoing: Vec<_> = sockets
        .into_iter()
        .map(|mut socket| {
            let word = word.clone();
            tokio::spawn(async move {
                let mut count = 0_u32;
                while begun.elapsed() < time {
                    let sent = socket.send(Message::text(word.clone())).await;
                    let answer = socket.next().await;
                    if sent.is_err() || !matches!(answer, Some(Ok(_))) {
                        return Err("the echo server closed the connection".to_string());
                    }
                    count += 1;
                }
                Ok(count)
            })
        })
        .collect();
    let mut total = 0.0;
    for task in echoing {
        total += f64::from(task.await.map_err(|e| e.to_string())??);
    }
    Ok(total / begun.elapsed().as_secs_f64())
}
