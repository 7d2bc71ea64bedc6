//! Scripted players at many tables: whoever is to act does anything that is legal, and the time
//! counts until everybody at the table has been told.

use std::time::{Duration, Instant};

use futures_util::future::{join_all, try_join_all};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How long anything may take before it is an error.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is read of a message; the rest is skipped.
#[derive(Deserialize)]
struct Said {
    #[serde(rename = "type")]
    kind: Kind,
    number: Option<u64>,
    code: Option<String>,
    game: Option<Game>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Welcome,
    View,
    Happened,
    Accepted,
    Rejected,
    Presence,
    Error,
    Goodbye,
}

#[derive(Deserialize)]
struct Game {
    waiting: Option<Waiting>,
    #[serde(default)]
    legal: Vec<String>,
}

#[derive(Deserialize)]
struct Waiting {
    decision: u64,
}

/// A connection.
pub struct Player {
    socket: Socket,
    /// What it may do, and for which decision, as last told.
    open: Option<(u64, Vec<String>)>,
    over: bool,
    number: u64,
}

/// Connects with small buffers: what is measured is the other side.
pub async fn connect(port: u16, path: &str) -> Result<Socket, String> {
    let small = WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(0);
    let url = format!("ws://127.0.0.1:{port}{path}");
    let connecting = connect_async_with_config(url, Some(small), true);
    match tokio::time::timeout(PATIENCE, connecting).await {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(why)) => Err(why.to_string()),
        Err(_) => Err("nobody answers".into()),
    }
}

/// Opens a table: its name and the host's token.
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

impl Player {
    async fn join(port: u16, table: &str, token: Option<&str>) -> Result<Player, String> {
        let mut player = Player {
            socket: connect(port, &format!("/api/tables/{table}/socket")).await?,
            open: None,
            over: false,
            number: 0,
        };
        let hello = token.map_or(r#"{"type":"hello"}"#.into(), |token| {
            format!(r#"{{"type":"hello","token":"{token}"}}"#)
        });
        player.say(hello).await?;
        player.until(|said| said.kind == Kind::View).await?;
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

    async fn next(&mut self) -> Result<Said, String> {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match frame.map_err(|_| "the server says nothing")? {
                Some(Ok(Message::Text(text))) => {
                    let said: Said = serde_json::from_str(&text).map_err(|e| e.to_string())?;
                    if matches!(said.kind, Kind::Happened | Kind::View) {
                        self.number = said.number.unwrap_or(self.number);
                    }
                    if let Some(game) = &said.game {
                        self.over = game.waiting.is_none();
                        let decision = game.waiting.as_ref().map(|w| w.decision);
                        self.open = decision
                            .filter(|_| !game.legal.is_empty())
                            .map(|decision| (decision, game.legal.clone()));
                    }
                    return Ok(said);
                }
                Some(Ok(Message::Close(frame))) => return Err(format!("closed: {frame:?}")),
                Some(Ok(_)) => {}
                Some(Err(why)) => return Err(why.to_string()),
                None => return Err("the connection is gone".into()),
            }
        }
    }

    async fn until(&mut self, is_it: impl Fn(&Said) -> bool) -> Result<(), String> {
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
        self.until(|said| said.kind == Kind::Accepted).await
    }

    /// Waits until it has been told of a happening.
    async fn has_seen(&mut self, number: u64) -> Result<(), String> {
        while self.number < number {
            self.until(|_| true).await?;
        }
        Ok(())
    }
}

/// A table whose people are all here.
pub struct Table {
    players: Vec<Player>,
    dice: u64,
}

impl Table {
    /// Opens a table, seats people and bots of a level at it, and starts.
    pub async fn open(
        port: u16,
        people: usize,
        bots: Option<(usize, &str)>,
        seed: u64,
    ) -> Result<Table, String> {
        let seats = people + bots.map_or(0, |(count, _)| count);
        let (table, token) = create(port, &format!(r#"{{"seats":{seats}}}"#)).await?;
        let mut host = Player::join(port, &table, Some(&token)).await?;
        host.ok(r#"{"command":"sit","name":"Host"}"#).await?;
        let mut players = vec![host];
        for i in 1..people {
            let mut guest = Player::join(port, &table, None).await?;
            let sit = format!(r#"{{"command":"sit","name":"Guest {i}"}}"#);
            guest.ok(&sit).await?;
            players.push(guest);
        }
        for _ in 0..bots.map_or(0, |(count, _)| count) {
            let level = bots.map_or("", |(_, level)| level);
            let add = format!(r#"{{"command":"add_bot","level":"{level}"}}"#);
            players[0].ok(&add).await?;
        }
        let mut table = Table {
            players,
            dice: seed,
        };
        table.start().await?;
        Ok(table)
    }

    /// The number of the table's last happening.
    pub fn number(&self) -> u64 {
        self.players.iter().map(|p| p.number).max().unwrap_or(0)
    }

    async fn start(&mut self) -> Result<(), String> {
        self.players[0].ok(r#"{"command":"start"}"#).await?;
        self.all_see(self.players[0].number).await
    }

    async fn all_see(&mut self, number: u64) -> Result<(), String> {
        let seeing = self.players.iter_mut().map(|p| p.has_seen(number));
        try_join_all(seeing).await.map(drop)
    }

    /// Whoever is to act acts; says how long it took until everybody at the table was told.
    pub async fn act(&mut self) -> Result<Duration, String> {
        if self.players.iter().all(|p| p.over) {
            self.start().await?;
        }
        let actor = loop {
            let open = self.players.iter().position(|p| p.open.is_some());
            if let Some(actor) = open {
                break actor;
            }
            // A bot thinks.
            let before = self.number();
            self.all_see(before + 1).await?;
            if self.players.iter().all(|p| p.over) {
                self.start().await?;
            }
        };
        let (decision, legal) = self.players[actor].open.take().unwrap_or_default();
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

    /// Acts for a while, with a pause between two actions; says how long each took.
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
            times.push(self.act().await?);
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
) -> Result<Vec<Table>, String> {
    let mut tables = Vec::with_capacity(count);
    let all: Vec<u64> = (0..count as u64).collect();
    for some in all.chunks(32) {
        let opening = some
            .iter()
            .map(|&seed| Table::open(port, people, bots, seed * 977 + 1));
        for table in join_all(opening).await {
            tables.push(table?);
        }
    }
    Ok(tables)
}

/// A table at which nothing happens.
pub async fn new_table(port: u16) -> Result<String, String> {
    create(port, "{}").await.map(|(table, _)| table)
}

/// People who only watch a table.
pub async fn watch(port: u16, table: &str, count: usize) -> Result<Vec<Player>, String> {
    let mut watching = Vec::with_capacity(count);
    for _ in 0..count {
        watching.push(Player::join(port, table, None).await?);
    }
    Ok(watching)
}

/// What came of playing at many tables.
pub struct Played {
    pub tables: Vec<Table>,
    /// How long each action took, sorted.
    pub times: Vec<Duration>,
    pub errors: Vec<String>,
    pub seconds: f64,
}

/// Everybody plays: so many actions a second in all, or as fast as they can.
pub async fn play_all(tables: Vec<Table>, rate: Option<f64>, time: Duration) -> Played {
    let begun = Instant::now();
    let until = begun + time;
    let pause = rate.map_or(Duration::ZERO, |rate| {
        Duration::from_secs_f64(tables.len() as f64 / rate)
    });
    let count = tables.len();
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
    let mut played = Played {
        tables: Vec::new(),
        times: Vec::new(),
        errors: Vec::new(),
        seconds: 0.0,
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
    played.seconds = begun.elapsed().as_secs_f64();
    played.times.sort();
    played
}

impl Played {
    /// Actions a second.
    pub fn rate(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }

    /// What so many of a hundred actions took at most, in milliseconds.
    pub fn percentile(&self, percent: usize) -> f64 {
        let last = self.times.len().saturating_sub(1);
        let time = self.times.get(last * percent / 100);
        time.map_or(f64::NAN, |t| t.as_secs_f64() * 1000.0)
    }
}

/// So many connections say something and wait for the echo, as fast as they can; says how many
/// echoes a second came.
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
                        return Err("the echo is gone".to_string());
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
