//! Calls from the table to the receiver, with a server in this process, real sockets and both databases.

mod called;
mod documented;
mod lost;
mod migrated;
mod receivers;
mod requests;
mod stored;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, HeaderName};
use axum::http::{Method, Request, StatusCode};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, block_in_place};
use towers_table::{ClientMessage, Command, PROTOCOL, Refusal, ServerMessage, TableView};
use tungstenite::Message;

use towers_test_support::push::{Received, Subscriber};

use super::CallTiming;
use super::push::PushSubscription;
use super::store::CallStore;
use crate::config::Config;
use crate::people::SignedIn;
use crate::secrets;
use crate::storage::{SqlRow, Statement};
use crate::tables::{Registry, Shared};
use crate::{Server, thinker};

/// The time within which something has to happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// The subscription of a browser, as the server reads it.
pub fn subscription(browser: &Subscriber, endpoint: &str) -> PushSubscription {
    serde_json::from_value(browser.subscription(endpoint)).unwrap()
}

/// A running server.
pub struct Site {
    pub address: SocketAddr,
    pub registry: Arc<Registry>,
    pub shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
    folder: tempfile::TempDir,
}

impl Site {
    pub async fn start(database: Option<String>) -> Site {
        Site::start_with(database, |_| {}).await
    }

    pub async fn start_with(database: Option<String>, change: fn(&mut Config)) -> Site {
        Site::start_in(tempfile::tempdir().unwrap(), database, change).await
    }

    async fn start_in(
        folder: tempfile::TempDir,
        database: Option<String>,
        change: fn(&mut Config),
    ) -> Site {
        let mut config = Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: folder.path().into(),
            database,
            allow_private_webhooks: true,
            ..Config::default()
        };
        change(&mut config);
        let mut server = Server::open(config, thinker()).await.unwrap();
        server.call_timing = CallTiming {
            sweep: Duration::from_millis(50),
            first_retry: Duration::from_millis(20),
            elsewhere: 500,
            again: 5000,
        };
        let (stop, stopped) = oneshot::channel();
        let registry = Arc::clone(&server.app.registry);
        let (address, shared) = (server.address(), Arc::clone(registry.shared()));
        let stopping = async {
            let _ = stopped.await;
        };
        Site {
            address,
            registry,
            shared,
            stop: Some(stop),
            running: tokio::spawn(server.run(stopping)),
            folder,
        }
    }

    pub async fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.running.await.unwrap();
    }

    /// Stops, and starts another server on the same data.
    pub async fn restart(mut self) -> Site {
        let database = self.shared.config.database.clone();
        let _ = self.stop.take().unwrap().send(());
        self.running.await.unwrap();
        Site::start_in(self.folder, database, |_| {}).await
    }

    pub fn store(&self) -> CallStore<'_> {
        CallStore::of(&self.shared)
    }

    /// Sends a request, with a cookie or a token.
    pub async fn request(
        &self,
        method: Method,
        path: &str,
        by: By,
        body: Option<Value>,
    ) -> (StatusCode, String) {
        let socket = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(HOST, self.address.to_string());
        if let Some((name, value)) = by {
            request = request.header(name, value);
        }
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = request.body(Body::from(body)).unwrap();
        let response = sender.send_request(request).await.unwrap();
        let status = response.status();
        let body = to_bytes(Body::new(response.into_body()), 1 << 20).await;
        (status, String::from_utf8(body.unwrap().to_vec()).unwrap())
    }

    /// Opens a table. Returns its id and the host's token.
    pub async fn open_table(&self, settings: Value) -> (String, String) {
        let body = json!({ "name": "Ann", "settings": settings });
        let (status, body) = self
            .request(Method::POST, "/api/tables", None, Some(body))
            .await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        let created: Value = serde_json::from_str(&body).unwrap();
        let text = |name: &str| created[name].as_str().unwrap().to_string();
        (text("table"), text("token"))
    }

    /// A person with a device.
    pub async fn person(&self) -> SignedIn {
        let key = towers_table::Digest::digest(&[&secrets::random::<16>()]);
        self.shared.people.sign_in(&key, "").await.unwrap()
    }

    /// Lets a token at a table belong to a person.
    pub async fn link(&self, table: &str, token: &str, person: &SignedIn) {
        let key = secrets::key(table, token);
        let person = &person.person.person;
        let linking = self.shared.people.link(table, &key, person, None);
        linking.await.unwrap();
    }

    pub async fn subscribe(&self, person: &SignedIn, browser: &Subscriber, endpoint: &str) {
        let body = browser.subscription(endpoint);
        let path = "/api/person/push";
        let (status, body) = self
            .request(Method::POST, path, cookie(person), Some(body))
            .await;
        assert_eq!(status, StatusCode::NO_CONTENT, "{body}");
    }

    pub async fn query(&self, sql: &'static str) -> Vec<SqlRow> {
        let query = Statement::new(sql);
        self.shared.storage.query(query).await.unwrap()
    }

    pub async fn execute(&self, statement: Statement) {
        let done = self.shared.storage.transact(vec![statement]).await;
        done.unwrap();
    }

    /// Waits until a query has this many rows.
    pub async fn wait_for_rows(&self, sql: &'static str, rows: usize) {
        let begun = Instant::now();
        while self.query(sql).await.len() != rows {
            assert!(begun.elapsed() < PATIENCE, "{sql}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub fn read(&self, browser: &Subscriber, received: &Received) -> Value {
        browser.read(received, self.shared.calls.pusher.vapid.public())
    }
}

/// The proof of a request's sender.
pub type By = Option<(HeaderName, String)>;

#[expect(clippy::unnecessary_wraps, reason = "requests may have none")]
pub fn cookie(person: &SignedIn) -> By {
    Some((COOKIE, format!("towers_person={}", person.cookie)))
}

#[expect(clippy::unnecessary_wraps, reason = "requests may have none")]
pub fn token(token: &str) -> By {
    Some((AUTHORIZATION, format!("Bearer {token}")))
}

/// A player with a socket.
pub struct Player {
    socket: tungstenite::WebSocket<std::net::TcpStream>,
}

impl Player {
    pub fn connect(site: &Site, table: &str, token: &str) -> Player {
        block_in_place(|| {
            let stream = std::net::TcpStream::connect(site.address).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            let url = format!("ws://{}/api/tables/{table}/socket", site.address);
            let (socket, _) = tungstenite::client(url, stream).unwrap();
            let mut player = Player { socket };
            player.send(&ClientMessage::Hello {
                protocol: Some(PROTOCOL),
                token: Some(token.into()),
                seen: None,
            });
            while !matches!(player.receive(), ServerMessage::Welcome { .. }) {}
            player
        })
    }

    fn send(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).unwrap();
        self.socket.send(Message::text(text)).unwrap();
    }

    fn receive(&mut self) -> ServerMessage {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    pub fn ask(&mut self, command: Command) -> Result<u64, Refusal> {
        block_in_place(|| {
            self.send(&ClientMessage::Do { id: 7, command });
            loop {
                match self.receive() {
                    ServerMessage::Accepted { number, .. } => return Ok(number),
                    ServerMessage::Rejected { why, .. } => return Err(why),
                    _ => {}
                }
            }
        })
    }

    pub fn view(&mut self) -> TableView {
        block_in_place(|| {
            self.send(&ClientMessage::View);
            loop {
                if let ServerMessage::View { view, .. } = self.receive() {
                    return *view;
                }
            }
        })
    }

    /// Acts until the decision is somebody else's.
    pub fn finish_turn(&mut self) {
        while let Some(&action) = self.view().game.unwrap().legal.first() {
            let decision = None;
            self.ask(Command::Act { action, decision }).unwrap();
        }
    }

    /// Disconnects. The table has noticed when this returns.
    pub async fn leave(mut self, site: &Site, table: &str, token: &str) {
        block_in_place(|| {
            let _ = self.socket.close(None);
            while self.socket.read().is_ok() {}
        });
        let key = secrets::key(table, token);
        let begun = Instant::now();
        loop {
            let known = site.registry.known_person(table, &key).await;
            if known.is_none_or(|known| !known.is_connected) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "the table notices");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
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

/// Ann's table at which Ben begins, whose page is closed.
pub struct Evening {
    pub table: String,
    pub ann: Player,
    pub ann_token: String,
    pub ben_token: String,
    pub ben: SignedIn,
}

impl Evening {
    /// Seats both; the game has not started.
    pub async fn new(site: &Site, clock: Value) -> Evening {
        let settings = json!({
            "seats": 2, "start": { "seat": 1 }, "title": "Evening", "clock": clock,
        });
        let (table, ann_token) = site.open_table(settings).await;
        let mut ann = Player::connect(site, &table, &ann_token);
        ann.ask(sit("Ann")).unwrap();
        let ben_token = secrets::token();
        let mut socket = Player::connect(site, &table, &ben_token);
        socket.ask(sit("Ben")).unwrap();
        let ben = site.person().await;
        site.link(&table, &ben_token, &ben).await;
        socket.leave(site, &table, &ben_token).await;
        Evening {
            table,
            ann,
            ann_token,
            ben_token,
            ben,
        }
    }

    pub fn start(&mut self) {
        self.ann.ask(Command::Start).unwrap();
    }

    /// Ben comes and plays.
    pub fn ben_plays(&self, site: &Site) -> Player {
        let mut ben = Player::connect(site, &self.table, &self.ben_token);
        ben.finish_turn();
        ben
    }
}

/// Runs a test with a server on each database.
macro_rules! on_both {
    ($test:ident, $sqlite:ident, $postgres:ident) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $sqlite() {
            $test(crate::calls::tests::Site::start(None).await).await;
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $postgres() {
            let server = towers_test_support::Postgres::start().unwrap();
            $test(crate::calls::tests::Site::start(Some(server.url())).await).await;
        }
    };
}
pub(crate) use on_both;
