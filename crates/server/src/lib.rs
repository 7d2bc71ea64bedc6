//! Wandering Towers for many tables: a lobby, a socket per player, storage, the client's files.
//!
//! A request comes in through [`listen`], is checked in [`web`], and reaches the task of its table
//! in [`tables`], which decides with the `table` crate, stores with [`storage`], and only then tells
//! everybody.

#![forbid(unsafe_code)]

mod backup;
pub mod bare;
mod bots;
mod config;
mod failure;
mod listen;
mod metrics;
mod secrets;
mod storage;
mod tables;
mod tls;
mod web;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub use backup::backup;
pub use bots::{Mind, Question, Thinker, thinker};
pub use config::{Bots, Config, Limits};
pub use failure::ServeError;
pub use storage::StorageError;

use metrics::Metrics;
use storage::{Postgres, Sqlite, Storage};
use tables::{Registry, Shared, now};
use tokio::net::TcpListener;
use web::{Addresses, App};

/// How often the server looks for tables that need somebody.
const SWEEP: Duration = Duration::from_millis(500);
/// How often it puts away tables that nobody visits.
const TIDY: Duration = Duration::from_secs(600);
/// How long good byes may take to get through.
const FAREWELL: Duration = Duration::from_secs(3);
/// How many tables are woken up at once.
const WAKE: u32 = 500;

/// A server that is ready, but does not answer yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
    door: listen::Door,
    /// As long as it is held, no other server uses the same folder.
    _lock: Option<std::fs::File>,
}

impl Server {
    /// Opens the data and the port.
    pub async fn open(config: Config, thinker: Arc<dyn Thinker>) -> Result<Server, ServeError> {
        let tls = match &config.tls {
            Some((certificate, key)) => Some(tls::acceptor(certificate, key)?),
            None => None,
        };
        // The port first: a second server on the same data would not get further than this.
        let listener = listen::bind(config.listen).await?;
        let address = listener.local_addr().unwrap_or(config.listen);
        let (storage, lock) = open_storage(&config).await?;
        let metrics = Arc::new(Metrics::default());
        let limits = config.limits.clone();
        let addresses = || {
            Addresses::new(
                limits.connections_per_address,
                limits.connections,
                limits.tables_per_address,
            )
        };
        let silent = (!config.trust_proxy).then(|| {
            // Requests that only fetch a file need a connection, too.
            let most = limits.connections_per_address * 2 + 50;
            Addresses::new(most, limits.connections * 2 + 50, 0)
        });
        let shared = Shared {
            bots: bots::Pool::new(thinker, config.bots.clone(), Arc::clone(&metrics)),
            boot: storage.since(),
            storage,
            metrics,
            config,
        };
        let app = Arc::new(App {
            registry: Registry::new(Arc::new(shared)),
            addresses: addresses(),
            next_client: AtomicU64::new(1),
            encrypted: tls.is_some(),
        });
        let door = listen::Door {
            router: web::router(Arc::clone(&app)),
            tls,
            addresses: silent,
        };
        Ok(Server {
            app,
            listener,
            address,
            door,
            _lock: lock,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until told to stop; then finishes what was begun.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let registry = Arc::clone(&self.app.registry);
        let sweeper = tokio::spawn(sweep(Arc::clone(&registry)));
        let reporter = tokio::spawn(pass_on_news(Arc::clone(&registry)));
        let stopping = async {
            stop.await;
            tracing::info!("stopping: tables say good bye");
            registry.stop().await;
        };
        listen::serve(self.listener, self.door, stopping).await;
        sweeper.abort();
        reporter.abort();
        // Whoever came in meanwhile.
        registry.stop().await;
        let open = || {
            registry
                .shared()
                .metrics
                .connections
                .load(Ordering::Relaxed)
        };
        let begun = std::time::Instant::now();
        while open() > 0 && begun.elapsed() < FAREWELL {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if let Err(why) = registry.shared().storage.close().await {
            tracing::error!(%why, "the database was not closed well");
        }
    }
}

type Opened = (Arc<dyn Storage>, Option<std::fs::File>);

async fn open_storage(config: &Config) -> Result<Opened, ServeError> {
    if let Some(url) = &config.database {
        let opened = Postgres::open(url).await;
        let storage = opened.map_err(ServeError::DatabaseServer)?;
        return Ok((Arc::new(storage), None));
    }
    let folder = config.data.clone();
    let unusable = |why: std::io::Error| ServeError::Data {
        folder: folder.clone(),
        why: why.to_string(),
    };
    std::fs::create_dir_all(&config.data).map_err(unusable)?;
    // SQLite's own words for a folder that cannot be written to are hard to understand; and two
    // servers on one file would not tell each other's players what happens.
    let lock = std::fs::File::create(config.data.join("towers.lock")).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Err(ServeError::InUse(folder)),
        Err(std::fs::TryLockError::Error(why)) => return Err(unusable(why)),
    }
    let file = config.data.join("towers.db");
    let opened = Sqlite::open(&file).await;
    let storage = opened.map_err(|why| ServeError::Database { file, why })?;
    Ok((Arc::new(storage), Some(lock)))
}

/// Tells tables what other servers have told.
async fn pass_on_news(registry: Arc<Registry>) {
    if let Some(mut news) = registry.shared().storage.news() {
        while let Some(news) = news.recv().await {
            registry.hear(news);
        }
    }
}

/// Wakes up tables whose clock runs out or whose bot is to move, and puts old ones away.
async fn sweep(registry: Arc<Registry>) {
    let shared = Arc::clone(registry.shared());
    let mut tick = tokio::time::interval(SWEEP);
    let mut tidied: Option<std::time::Instant> = None;
    loop {
        tick.tick().await;
        match shared.storage.due(now(), WAKE).await {
            Ok(due) => {
                for id in due.iter().filter(|id| !registry.has(id)) {
                    // Whoever is to look after it opens it; the others need not.
                    let opened = match shared.storage.claim(id).await {
                        Ok(true) => registry.open(id).await.map(drop),
                        Ok(false) => Ok(()),
                        Err(why) => Err(why),
                    };
                    if let Err(why) = opened {
                        tracing::error!(table = secrets::short(id), %why, "waking up failed");
                        let _ = shared.storage.release(id).await;
                    }
                }
            }
            Err(why) => tracing::error!(%why, "looking for due tables failed"),
        }
        if tidied.is_none_or(|then| then.elapsed() > TIDY) {
            tidied = Some(std::time::Instant::now());
            let age = shared.config.archive_after.as_millis() as u64;
            match shared
                .storage
                .archive(now().saturating_sub(age), now())
                .await
            {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "tables were put away"),
                Err(why) => tracing::error!(%why, "putting tables away failed"),
            }
        }
    }
}
