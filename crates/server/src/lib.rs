//! The game server: a lobby, a socket per player, storage, the client's files.
//!
//! A request comes in through [`listen`], is checked in [`web`], and reaches the task of its table in [`tables`]. The
//! task decides with the `table` crate, stores with [`storage`], and only then informs everybody.

#![forbid(unsafe_code)]

mod backup;
mod bans;
pub mod baseline;
mod bots;
mod calls;
mod clock;
mod cluster;
mod config;
mod copy;
mod daily;
mod disk;
mod failure;
mod fair_queue;
mod history;
mod limits;
mod listen;
mod metrics;
#[cfg(test)]
mod online_tests;
mod outage;
mod packing;
mod pages;
mod pairing;
mod people;
mod postgres;
mod previews;
mod private;
mod prune;
mod readiness;
mod refusal;
mod scratch;
mod secrets;
mod storage;
mod supervise;
mod sweeping;
mod tables;
mod texts;
mod tls;
mod web;

use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

pub use backup::{BackupError, backup};
pub use bots::{BotQuestion, Mind, Thinker, thinker};
pub use config::{BotSettings, Config, Limits};
pub use copy::{Copied, CopyError, DataLocation, copy};
pub use failure::ServeError;
pub use prune::prune;
pub use scratch::Scratch;
pub use storage::StorageError;
pub use web::has_client;

use bans::Bans;
use calls::{CallEvent, CallTiming, Calls};
use cluster::{Alone, Cluster, ClusterEvent, Nodes};
use daily::Daily;
use disk::Disk;
use limits::Budgets;
use metrics::Metrics;
use people::{People, ServerKeys};
use postgres::Database;
use previews::Previews;
use storage::{PostgresStorage, SqliteStorage, Storage};
use supervise::supervise;
use tables::{Registry, Shared, now};
use tls::Tls;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use towers_table::Digest;
use web::{App, CompressedPages, ConnectionCounter, LargeBody, Records};

/// How often readiness is checked for the metrics.
const READINESS_INTERVAL: Duration = Duration::from_secs(1);
/// The total time for stopping; container runtimes kill after ten seconds.
const STOP_TIMEOUT: Duration = Duration::from_secs(8);
/// The part of it in which tables finish their writes.
const TABLES_STOP_TIMEOUT: Duration = Duration::from_secs(4);
/// The time for clients to receive the last messages.
const GOODBYE_TIMEOUT: Duration = Duration::from_secs(3);
/// The minimum time for closing the database.
const MIN_CLOSE_TIME: Duration = Duration::from_secs(1);

/// A server that has opened its data and ports, but does not accept connections yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
    context: listen::ConnectionContext,
    ops: Option<(TcpListener, listen::ConnectionContext)>,
    /// Decisions of people who are not connected.
    call_events: mpsc::Receiver<CallEvent>,
    call_timing: CallTiming,
    /// Reloads renewed certificates.
    renewal: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// A lock that keeps other servers away from the folder.
    _lock: Option<std::fs::File>,
}

impl Server {
    /// Opens the data and the port.
    pub async fn open(config: Config, thinker: Arc<dyn Thinker>) -> Result<Server, ServeError> {
        let tls = match &config.tls {
            Some((certificate, key)) => Some(Arc::new(Tls::open(certificate, key)?)),
            None => None,
        };
        // Bind the port first: a second server on the same data fails here.
        let listener = listen::bind(config.listen)?;
        let address = listener.local_addr().unwrap_or(config.listen);
        let ops_listener = config.ops_listen.map(listen::bind).transpose()?;
        let metrics = Arc::new(Metrics::default());
        let OpenData {
            storage,
            cluster,
            lock,
        } = open_data(&config, &metrics).await?;
        let (weak, oldest) = (Arc::downgrade(&storage), metrics.oldest_write.clone());
        metrics.sample(move || {
            let age = weak.upgrade().map(|storage| storage.oldest_write());
            oldest.set(age.unwrap_or_default().as_secs_f64());
        });
        metrics.nodes.set(1);
        let folder = config.database.is_none().then(|| config.data.clone());
        let disk = Disk::new(folder, config.min_free_space);
        disk.measure(&metrics);
        let limits = config.limits.clone();
        let connections = (!config.trust_proxy).then(|| {
            // Requests for files need a connection, too.
            let most = limits.connections_per_address * 2 + 50;
            ConnectionCounter::new(most, limits.connections * 2 + 50)
        });
        let keys = ServerKeys::open(&*storage, &config).await?;
        let people = People::new(Arc::clone(&storage), clock::clock(), keys);
        let calls = Calls::open(&*storage, people.vault(), &config).await;
        let (calls, call_events) = calls.map_err(ServeError::Keys)?;
        let shared = Shared {
            bots: bots::Pool::new(thinker, config.bots.clone(), Arc::clone(&metrics)),
            rewrites: AtomicU64::new(0),
            boot: cluster.since(),
            phase: now() % 60_000,
            budgets: Budgets::new(&limits),
            disk,
            clock: clock::clock(),
            bans: Bans::default(),
            daily: Daily::default(),
            people,
            calls,
            compared: tokio::sync::Mutex::default(),
            boards: history::Boards::default(),
            readiness: readiness::Readiness::default(),
            storage,
            cluster,
            metrics,
            config,
        };
        let reload = shared.bans.reload(&*shared.storage, now());
        reload.await.map_err(ServeError::Admin)?;
        let admin_secret = admin_secret(&shared.config)?;
        let app = Arc::new(App {
            registry: Registry::new(Arc::new(shared)),
            connections: ConnectionCounter::new(limits.connections_per_address, limits.connections),
            records: Records::default(),
            previews: Previews::default(),
            pages: CompressedPages::default(),
            large_bodies: LargeBody::counter(),
            picture_requests: web::picture_counter(),
            late_refusals: web::refusal_counter(),
            admin_secret,
            next_client: AtomicU64::new(1),
            encrypted: tls.is_some(),
        });
        let renewal = Box::pin(tls::renew(tls.clone()));
        let ops = ops_listener.map(|listener| {
            let context = listen::ConnectionContext {
                router: web::ops_router(Arc::clone(&app)),
                tls: None,
                connections: None,
                open_connections: ::metrics::Gauge::noop(),
            };
            (listener, context)
        });
        let context = listen::ConnectionContext {
            router: web::router(Arc::clone(&app)),
            tls,
            connections,
            open_connections: app.registry.shared().metrics.sockets.clone(),
        };
        Ok(Server {
            app,
            listener,
            address,
            context,
            ops,
            call_events,
            call_timing: CallTiming::default(),
            renewal,
            _lock: lock,
        })
    }

    /// The address for operators, if it is a separate one.
    pub fn ops_address(&self) -> Option<SocketAddr> {
        let (listener, _) = self.ops.as_ref()?;
        listener.local_addr().ok()
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until told to stop; then finishes pending work, as far as possible within eight seconds.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let registry = Arc::clone(&self.app.registry);
        let panics = registry.shared().metrics.panics.clone();
        let events = registry.shared().cluster.events();
        let events = Arc::new(tokio::sync::Mutex::new(events));
        let reporter = {
            let registry = Arc::clone(&registry);
            supervise("events of the cluster", panics.clone(), move || {
                pass_on_events(Arc::clone(&registry), Arc::clone(&events))
            })
        };
        let reporter = tokio::spawn(reporter);
        let sweeper = {
            let registry = Arc::clone(&registry);
            supervise("the sweep", panics.clone(), move || {
                sweeping::sweep(Arc::clone(&registry))
            })
        };
        let sweeper = tokio::spawn(sweeper);
        let (stop_calling, calls_stop) = tokio::sync::watch::channel(false);
        let calling = calls::call_people(
            Arc::clone(&registry),
            self.call_events,
            self.call_timing,
            calls_stop,
        );
        let mut calling = tokio::spawn(calling);
        let (tls, mut first) = (self.context.tls.clone(), Some(self.renewal));
        let renewal = supervise("the certificate", panics.clone(), move || {
            let renew = || Box::pin(tls::renew(tls.clone())) as _;
            first.take().unwrap_or_else(renew)
        });
        let renewal = tokio::spawn(renewal);
        let readiness = {
            let registry = Arc::clone(&registry);
            supervise("readiness", panics.clone(), move || {
                watch_readiness(Arc::clone(&registry))
            })
        };
        let readiness = tokio::spawn(readiness);
        let handle = registry.shared().metrics.handle();
        let upkeep = supervise("metrics", panics, move || Metrics::keep_up(handle.clone()));
        let upkeep = tokio::spawn(upkeep);
        let ops = self.ops.map(|(listener, context)| {
            tokio::spawn(listen::serve(listener, context, std::future::pending()))
        });
        let told = OnceLock::new();
        let stopping = async {
            stop.await;
            let _ = told.set(Instant::now());
            tracing::info!("stopping: clients are told to reconnect");
            if timeout(TABLES_STOP_TIMEOUT, registry.stop()).await.is_err() {
                tracing::error!("some tables still wait for the database; stopping without them");
            }
        };
        listen::serve(self.listener, self.context, stopping).await;
        let told = told.get().copied().unwrap_or_else(Instant::now);
        let left = || STOP_TIMEOUT.saturating_sub(told.elapsed());
        sweeper.abort();
        reporter.abort();
        upkeep.abort();
        // What is not delivered in this time is called again by another server, or by this one when it is back.
        let _ = stop_calling.send(true);
        let _ = timeout(left().min(GOODBYE_TIMEOUT), &mut calling).await;
        calling.abort();
        renewal.abort();
        readiness.abort();
        if let Some(ops) = ops {
            ops.abort();
        }
        // Also disconnect clients that connected in the meantime.
        let _ = timeout(left().min(GOODBYE_TIMEOUT), registry.stop()).await;
        let open = || self.app.connections.connections();
        let begun = Instant::now();
        while open() > 0 && begun.elapsed() < left().min(GOODBYE_TIMEOUT) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let shared = registry.shared();
        let closing = async {
            let left = shared.cluster.leave().await;
            shared.storage.close().await.and(left)
        };
        match timeout(left().max(MIN_CLOSE_TIME), closing).await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => tracing::error!(%why, "closing the database failed"),
            Err(_) => tracing::error!("the database was not closed in time"),
        }
    }
}

async fn watch_readiness(registry: Arc<Registry>) {
    let shared = Arc::clone(registry.shared());
    let mut tick = tokio::time::interval(READINESS_INTERVAL);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let ready = readiness::check_ready(&shared).await.is_ok();
        shared.metrics.ready.set(f64::from(u8::from(ready)));
    }
}

/// The hash of the operator's secret, which is created when it is first needed.
fn admin_secret(config: &Config) -> Result<Option<Digest>, ServeError> {
    let in_folder = || config.data.join("admin-secret");
    let default = config.database.is_none().then(in_folder);
    let Some(file) = config.admin_secret_file.clone().or(default) else {
        return Ok(None);
    };
    let read = || -> std::io::Result<String> {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if secrets::is_token(text.trim()) {
            return Ok(text.trim().into());
        }
        let secret = secrets::token();
        let mut new = private::open_file(&file)?;
        new.set_len(0)?;
        writeln!(new, "{secret}")?;
        Ok(secret)
    };
    let secret = read().map_err(|why| ServeError::Data {
        folder: file.clone(),
        why: why.to_string(),
    })?;
    Ok(Some(Digest::digest(&[secret.as_bytes()])))
}

/// The storage and the cluster.
struct OpenData {
    storage: Arc<dyn Storage>,
    cluster: Arc<dyn Cluster>,
    lock: Option<std::fs::File>,
}

async fn open_data(config: &Config, metrics: &Arc<Metrics>) -> Result<OpenData, ServeError> {
    if let Some(url) = &config.database {
        let node = secrets::table_id();
        let opening = async {
            let database = Database::open(url, config.database_connections).await?;
            let cluster = Nodes::join(&database, &node, metrics).await?;
            let storage = PostgresStorage::new(&database, &node, metrics);
            Ok((Arc::new(storage), Arc::new(cluster)))
        };
        let (storage, cluster) = opening.await.map_err(ServeError::DatabaseServer)?;
        return Ok(OpenData {
            storage,
            cluster,
            lock: None,
        });
    }
    let folder = config.data.clone();
    let unusable = |why: std::io::Error| ServeError::Data {
        folder: folder.clone(),
        why: why.to_string(),
    };
    private::create_folder(&config.data).map_err(unusable)?;
    // SQLite's error for a folder that is not writable is hard to understand; and two servers on one file would not
    // notify each other's players.
    let lock = private::open_file(&config.data.join("towers.lock")).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Err(ServeError::InUse(folder)),
        Err(std::fs::TryLockError::Error(why)) => return Err(unusable(why)),
    }
    let file = config.data.join("towers.db");
    let opened = SqliteStorage::open(&file).await;
    let storage = Arc::new(opened.map_err(|why| ServeError::Database { file, why })?);
    Ok(OpenData {
        cluster: Arc::new(Alone::new(Arc::clone(&storage))),
        storage,
        lock: Some(lock),
    })
}

/// Forwards events of the cluster to tables.
async fn pass_on_events(
    registry: Arc<Registry>,
    events: Arc<tokio::sync::Mutex<Option<mpsc::Receiver<ClusterEvent>>>>,
) {
    if let Some(events) = &mut *events.lock().await {
        while let Some(event) = events.recv().await {
            registry.receive(event);
        }
    }
}
