//! Notifications between servers on one database, by `LISTEN` and `NOTIFY`. A payload is a few words: the kind, the
//! table, the sending server, then the fields of the kind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use metrics::{Counter, Histogram};
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::mpsc;
use tokio::time::timeout;
use towers_table::PersonId;

use super::{ClusterEvent, Presence};
use crate::outage::Outage;
use crate::postgres::{CHANNEL, CONNECT_TIMEOUT, Connections};
use crate::storage::StorageError;
use crate::supervise::supervise;

/// The maximum number of notifications in one statement.
const GROUP: usize = 64;
/// Delay before the listener reconnects.
const RECONNECT_DELAY: Duration = Duration::from_millis(100);
/// The interval at which a server notifies itself.
const ECHO_INTERVAL: Duration = Duration::from_secs(1);
/// Without an echo for this long, the connection counts as broken.
const ECHO_TIMEOUT: Duration = Duration::from_millis(2500);
/// Without an echo for this long, the server is not ready: a new connection does not help either.
const MAX_ECHO_AGE: Duration = Duration::from_secs(4);
/// Its name in the log.
const LISTENER: &str = "listener";

/// The payload that announces the connections here.
pub fn presence(table: &str, me: &str, presence: &Presence) -> String {
    let people: Vec<String> = presence.people.iter().map(|p| p.0.to_string()).collect();
    let (number, watching) = (presence.number, presence.watching);
    format!("here {table} {me} {number} {watching} {}", people.join(","))
}

/// The payload that asks for the connections elsewhere.
pub fn presence_request(table: &str, me: &str) -> String {
    format!("who {table} {me}")
}

/// The payload that announces a released lease.
pub fn released(table: &str, me: &str) -> String {
    format!("released {table} {me}")
}

/// The payload that announces a changed log.
pub fn rewritten(table: &str, me: &str) -> String {
    format!("rewritten {table} {me}")
}

/// Parses a payload. `None` if this server sent it, or it is malformed. Entries are also reported to the server that
/// wrote them, because a write that timed out may have succeeded.
fn parse(text: &str, me: &str) -> Option<ClusterEvent> {
    // The line of an entry comes last and may contain spaces.
    let parts = if text.starts_with("entry ") {
        5
    } else {
        usize::MAX
    };
    let mut words = text.splitn(parts, ' ');
    let (what, table, node) = (words.next()?, words.next()?.into(), words.next()?);
    if node == me && what != "entry" {
        return None;
    }
    match what {
        #[cfg(test)]
        "fault" => panic!("a fault on purpose"),
        "entry" => Some(ClusterEvent::EntryWritten {
            table,
            number: words.next()?.parse().ok()?,
            line: words.next().map(Into::into),
        }),
        "here" => Some(ClusterEvent::Presence {
            table,
            node: node.into(),
            presence: Presence {
                number: words.next()?.parse().ok()?,
                watching: words.next()?.parse().ok()?,
                people: words
                    .next()?
                    .split(',')
                    .filter(|id| !id.is_empty())
                    .map(|id| id.parse().ok().map(PersonId))
                    .collect::<Option<_>>()?,
            },
        }),
        "who" => Some(ClusterEvent::PresenceRequested { table }),
        "released" => Some(ClusterEvent::LeaseReleased { table }),
        "rewritten" => Some(ClusterEvent::LogRewritten { table }),
        _ => None,
    }
}

/// The channel on which a server notifies itself.
fn echo_channel(me: &str) -> String {
    format!("{CHANNEL}_{me}")
}

/// When this server last received its own notification.
pub struct EchoMonitor(Mutex<Instant>);

impl EchoMonitor {
    pub fn new() -> EchoMonitor {
        EchoMonitor(Mutex::new(Instant::now()))
    }

    fn last(&self) -> MutexGuard<'_, Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time since the last echo.
    pub fn age(&self) -> Duration {
        self.last().elapsed()
    }

    /// An error if the last echo is too old.
    pub fn check(&self) -> Result<(), StorageError> {
        if self.age() <= MAX_ECHO_AGE {
            return Ok(());
        }
        let why = "notifications of other servers do not arrive";
        Err(StorageError::Failed(why.into()))
    }
}

pub struct Listener {
    pub options: PgConnectOptions,
    pub pool: Connections,
    pub me: String,
    pub echo: Arc<EchoMonitor>,
    /// Shared by all uses of the database.
    pub outage: Arc<Outage>,
    pub tell: mpsc::Sender<ClusterEvent>,
    /// The time from sending an echo to receiving it.
    pub lag: Histogram,
}

impl Listener {
    /// Starts listening on a separate connection.
    async fn connect(&self) -> Result<PgListener, sqlx::Error> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .max_lifetime(None)
            .idle_timeout(None)
            .acquire_timeout(CONNECT_TIMEOUT)
            .connect_lazy_with(self.options.clone());
        let connecting = async {
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.eager_reconnect(false);
            listener
                .listen_all([CHANNEL, &echo_channel(&self.me)])
                .await?;
            Ok(listener)
        };
        let connected = timeout(CONNECT_TIMEOUT, connecting).await;
        connected.unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    /// Forwards notifications; never returns. After a broken connection or a panic, some may have been missed.
    async fn run(self: Arc<Self>, first: Option<PgListener>) {
        let mut connected = first.ok_or_else(|| {
            let why = "the task that listens was started again";
            std::io::Error::new(std::io::ErrorKind::ConnectionReset, why).into()
        });
        loop {
            let begun = Instant::now();
            let failed = match connected {
                Ok(listener) => self.receive(listener).await,
                Err(why) => why,
            };
            if matches!(failed, sqlx::Error::PoolClosed) {
                return;
            }
            self.outage.part_failed(LISTENER, begun, &failed);
            tokio::time::sleep(RECONNECT_DELAY).await;
            connected = self.connect().await;
            if connected.is_ok() {
                self.outage.part_succeeded(LISTENER);
                let _ = self.tell.send(ClusterEvent::LaggedBehind).await;
            }
        }
    }

    /// Receives until the connection breaks or goes silent. A listening connection sends nothing, so it would not
    /// notice a network that drops packets. Therefore it has to receive the echoes that this server sends on another
    /// connection.
    async fn receive(&self, mut listener: PgListener) -> sqlx::Error {
        let echo = echo_channel(&self.me);
        let (begun, mut received_at) = (Instant::now(), Instant::now());
        let mut tick = tokio::time::interval(ECHO_INTERVAL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            // Both are cancel-safe.
            let received = tokio::select! {
                received = listener.try_recv() => received,
                _ = tick.tick() => {
                    if received_at.elapsed() > ECHO_TIMEOUT {
                        let why = "the connection for notifications is silent";
                        return std::io::Error::new(std::io::ErrorKind::TimedOut, why).into();
                    }
                    let (pool, echo) = (self.pool.clone(), echo.clone());
                    // The payload is the time of sending, in microseconds since the connection was opened.
                    let sent = begun.elapsed().as_micros().to_string();
                    tokio::spawn(async move {
                        let query = sqlx::query("SELECT pg_notify($1, $2)").bind(echo).bind(sent);
                        let _ = pool.execute(query).await;
                    });
                    continue;
                }
            };
            match received {
                Ok(Some(notification)) if notification.channel() == echo => {
                    received_at = Instant::now();
                    *self.echo.last() = received_at;
                    if let Ok(sent) = notification.payload().parse::<u64>() {
                        let lag = begun.elapsed().saturating_sub(Duration::from_micros(sent));
                        self.lag.record(lag);
                    }
                }
                Ok(Some(notification)) => {
                    if let Some(event) = parse(notification.payload(), &self.me) {
                        let _ = self.tell.send(event).await;
                    }
                }
                Ok(None) => {
                    let why = "the connection for notifications is gone";
                    return std::io::Error::new(std::io::ErrorKind::ConnectionReset, why).into();
                }
                Err(why) => return why,
            }
        }
    }

    pub async fn start(self, panics: Counter) -> Result<tokio::task::JoinHandle<()>, StorageError> {
        let mut first = Some(Box::pin(self.connect()).await?);
        let listener = Arc::new(self);
        let listening = supervise("the listener", panics, move || {
            Arc::clone(&listener).run(first.take())
        });
        Ok(tokio::spawn(listening))
    }
}

/// Sends notifications; never returns. If some were lost, all tables here repeat their announcements as soon as the
/// database responds again.
pub async fn send_all(
    pool: Connections,
    queue: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<String>>>,
    tell: mpsc::Sender<ClusterEvent>,
) {
    let mut queue = queue.lock().await;
    let mut group = Vec::new();
    let mut lost = false;
    while queue.recv_many(&mut group, GROUP).await > 0 {
        let query = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload";
        let query = sqlx::query(query).bind(CHANNEL).bind(&group);
        match pool.execute(query).await {
            Ok(_) if lost => {
                lost = false;
                let _ = tell.send(ClusterEvent::LaggedBehind).await;
            }
            Ok(_) => {}
            Err(why) => {
                tracing::debug!(%why, "notifications were not sent");
                lost = true;
            }
        }
        group.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_parsed_and_nonsense_is_not() {
        let some = Presence {
            number: 7,
            people: vec![PersonId(0), PersonId(3)],
            watching: 2,
        };
        let nobody = Presence {
            number: 8,
            people: Vec::new(),
            watching: 0,
        };
        for given in [some, nobody] {
            match parse(&presence("t", "a", &given), "b") {
                Some(ClusterEvent::Presence {
                    table,
                    node,
                    presence,
                }) => {
                    let heard = (table.as_str(), node.as_str(), presence);
                    assert_eq!(heard, ("t", "a", given));
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(
            parse("entry t a 12", "b"),
            Some(ClusterEvent::EntryWritten {
                number: 12,
                line: None,
                ..
            })
        ));
        match parse(r#"entry t a 12 {"a": "b c"}"#, "b") {
            Some(ClusterEvent::EntryWritten { line, .. }) => {
                assert_eq!(line.as_deref(), Some(r#"{"a": "b c"}"#));
            }
            other => panic!("{other:?}"),
        }
        assert!(parse("who t b", "b").is_none(), "our own request");
        assert!(parse("entry t b 12", "b").is_some(), "our own entry");
        for nonsense in ["", "entry", "entry t a x", "here t a 1 1 x", "fly t a"] {
            assert!(parse(nonsense, "b").is_none(), "{nonsense}");
        }
    }
}
