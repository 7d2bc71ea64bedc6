//! All tables in memory, by id.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::timeout;
use towers_table::{
    BotLevel, CloseCode, Command, Entry, Header, Millis, NAME_CHARS, PersonId, Rejection, Settings,
    Table, Who,
};

use super::Shared;
use super::calling::KnownPerson;
use super::summary::meta;
use super::task::{TableMessage, TableTask};
use crate::cluster::ClusterEvent;
use crate::history;
use crate::secrets;
use crate::storage::{NewEntry, NewTable, StorageError};

/// The maximum number of queued messages for a table.
const MAX_QUEUED: usize = 256;

/// The time limit for a table to answer which person a key belongs to.
const IDENTIFY_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of expired tables processed per query.
const PRUNE_BATCH: u32 = 100;

/// The sender of a table task's queue.
pub type Mailbox = mpsc::Sender<TableMessage>;

/// All tables in memory.
pub struct Registry {
    shared: Arc<Shared>,
    tables: Mutex<HashMap<String, Mailbox>>,
    tasks: Mutex<JoinSet<()>>,
    /// The known live servers on the same database.
    alive: Mutex<HashSet<String>>,
    /// Locks against loading a table twice concurrently; a table uses one of them by its id.
    opening: [tokio::sync::Mutex<()>; 16],
    /// Whether the server is stopping and loads no more tables.
    is_stopping: AtomicBool,
}

pub struct CreatedTable {
    /// The id, as in links.
    pub table: String,
    pub token: String,
}

/// Whether the seats without a person stay open at a new table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherSeats {
    Open,
    Bots,
}

/// Why a table could not be created.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The settings or the name cannot be used.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// The database failed.
    #[error("{0}")]
    Storage(#[from] StorageError),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No critical section of these locks can leave an inconsistent state behind.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends without blocking. If the queue is full, the message is delivered later.
fn post(mailbox: &Mailbox, message: TableMessage) {
    if let Err(mpsc::error::TrySendError::Full(message)) = mailbox.try_send(message) {
        let mailbox = mailbox.clone();
        tokio::spawn(async move { mailbox.send(message).await });
    }
}

/// Runs a table's task. If it panics, its clients are disconnected, and the table is loaded again from storage when
/// it is needed.
async fn run(registry: Arc<Registry>, id: String, task: TableTask) {
    if AssertUnwindSafe(task.run()).catch_unwind().await.is_ok() {
        return;
    }
    let metrics = &registry.shared.metrics;
    metrics.panics.increment(1);
    metrics.tables.decrement(1.0);
    tracing::error!(table = secrets::short(&id), "a table's task panicked");
    registry.forget(&id);
    if let Err(why) = registry.shared.cluster.release(&id).await {
        why.log(&id, "releasing");
    }
}

/// Seats a person. If the name is taken by another one, it gets a number.
fn sit_down(
    table: &mut Table,
    now: Millis,
    by: Who,
    name: &str,
    key: &str,
) -> Result<Entry, Rejection> {
    let numbered = |i: u32| {
        let short: String = name.chars().take(NAME_CHARS - 2).collect();
        format!("{short} {i}")
    };
    let names = std::iter::once(name.to_string()).chain((2..=9).map(numbered));
    let mut result = Err(Rejection::NameTaken);
    for name in names {
        let sit = Command::Sit {
            name: Some(name),
            seat: None,
            colour: None,
            key: key.into(),
            program: false,
        };
        result = table.submit(now, by, sit, &secrets::seed());
        if !matches!(result, Err(Rejection::NameTaken)) {
            break;
        }
    }
    result
}

impl Registry {
    pub fn new(shared: Arc<Shared>) -> Arc<Registry> {
        Arc::new(Registry {
            shared,
            tables: Mutex::default(),
            tasks: Mutex::default(),
            alive: Mutex::default(),
            opening: Default::default(),
            is_stopping: AtomicBool::new(false),
        })
    }

    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Creates a table and returns the host's token. `opener` is a code for the address.
    pub async fn create(
        &self,
        settings: Settings,
        host: &str,
        opener: Option<String>,
    ) -> Result<CreatedTable, OpenError> {
        let id = secrets::table_id();
        let token = secrets::token();
        let key = secrets::key(&id, &token);
        let header = Header::new(&id, settings, host, &key, self.shared.clock.now())
            .with_secret(secrets::seed());
        let table = Table::create(&header)?;
        let meta = meta(&table, 0);
        let new = NewTable {
            header,
            meta,
            opener,
        };
        self.shared.storage.create(new).await?;
        self.shared.metrics.tables_created.increment(1);
        Ok(CreatedTable { table: id, token })
    }

    /// Creates a table at which people have a seat. The other seats are open, or for bots. The first person is host.
    /// Returns its id and the keys of the people.
    pub async fn create_seated(
        &self,
        settings: Settings,
        names: &[&str],
        others: OtherSeats,
        opener: Option<String>,
    ) -> Result<(String, Vec<String>), OpenError> {
        let id = secrets::table_id();
        let keys: Vec<String> = names
            .iter()
            .map(|_| secrets::key(&id, &secrets::token()))
            .collect();
        let now = self.shared.clock.now();
        let header = Header::new(&id, settings, names[0], &keys[0], now);
        let header = header.with_secret(secrets::seed());
        let mut table = Table::create(&header)?;
        let new = NewTable {
            header,
            meta: meta(&table, 0),
            opener,
        };
        let host = Who::Person(PersonId(0));
        let mut entries = Vec::new();
        for (i, (name, key)) in names.iter().zip(&keys).enumerate() {
            let by = if i == 0 { host } else { Who::Stranger };
            entries.push(sit_down(&mut table, now, by, name, key)?);
        }
        let seats = match others {
            OtherSeats::Open => names.len(),
            OtherSeats::Bots => usize::from(table.settings().seats),
        };
        for _ in names.len()..seats {
            let (seat, level) = (None, BotLevel::Adept);
            let add = Command::AddBot { seat, level };
            entries.push(table.submit(now, host, add, &secrets::seed())?);
        }
        self.shared.storage.create(new).await?;
        for entry in entries {
            let entry = NewEntry {
                table: id.clone(),
                number: entry.number,
                line: entry.to_line(),
                visited: None,
                meta: Some(meta(&table, 0)),
            };
            self.shared.storage.append(entry).await?;
        }
        self.shared.metrics.tables_created.increment(1);
        Ok((id, keys))
    }

    /// The queue of a table's task. Loads the table if it is not in memory; `None` if there is no such table.
    pub async fn open(self: &Arc<Self>, id: &str) -> Result<Option<Mailbox>, StorageError> {
        if !towers_table::is_table_id(id) {
            return Ok(None);
        }
        if let Some(mailbox) = self.find(id) {
            return Ok(Some(mailbox));
        }
        let _opening = self.opening_lane(id).lock().await;
        if let Some(mailbox) = self.find(id) {
            return Ok(Some(mailbox));
        }
        let Some(stored) = self.shared.storage.load(id).await? else {
            return Ok(None);
        };
        let archived = stored.archived;
        let table = stored.rebuild().await?;
        self.store_missing_results(&table).await;
        let (mailbox, inbox) = mpsc::channel(MAX_QUEUED);
        let task = TableTask::new(
            Arc::clone(self),
            table,
            archived,
            inbox,
            mailbox.downgrade(),
        );
        let mut tasks = lock(&self.tasks);
        if self.is_stopping() {
            // Nothing would stop its task.
            return Err(StorageError::Failed("the server stops".into()));
        }
        lock(&self.tables).insert(id.into(), mailbox.clone());
        self.shared.metrics.tables.increment(1.0);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(run(Arc::clone(self), id.to_string(), task));
        Ok(Some(mailbox))
    }

    /// Stores results that are missing because a server died between the last entry and the result.
    async fn store_missing_results(&self, table: &Table) {
        let (storage, people) = (&*self.shared.storage, &self.shared.people);
        let storing = async {
            if history::has_missing(storage, table).await? {
                history::store_missing(storage, people, table.id()).await?;
            }
            Ok::<(), StorageError>(())
        };
        // The table is usable even if this fails.
        if let Err(why) = storing.await {
            why.log(table.id(), "storing its results");
        }
    }

    /// The lock under which a table is loaded or changed in storage.
    pub(super) fn opening_lane(&self, id: &str) -> &tokio::sync::Mutex<()> {
        let lane = id.bytes().map(usize::from).sum::<usize>() % self.opening.len();
        &self.opening[lane]
    }

    /// All tables in memory.
    pub(super) fn mailboxes(&self) -> Vec<Mailbox> {
        lock(&self.tables).values().cloned().collect()
    }

    pub(super) fn find(&self, id: &str) -> Option<Mailbox> {
        let tables = lock(&self.tables);
        tables.get(id).filter(|m| !m.is_closed()).cloned()
    }

    /// The person that a key belongs to at a table; `None` if the table is not in memory or does not answer in time.
    pub async fn known_person(&self, id: &str, key: &str) -> Option<KnownPerson> {
        let mailbox = self.find(id)?;
        let (tell, told) = oneshot::channel();
        let key = key.to_string();
        let asking = async {
            let message = TableMessage::Identify { key, tell };
            mailbox.send(message).await.ok()?;
            told.await.ok()
        };
        timeout(IDENTIFY_TIMEOUT, asking).await.ok().flatten()
    }

    /// Forwards an event of the cluster to the tables that it concerns.
    pub fn receive(&self, event: ClusterEvent) {
        let all = |message: fn() -> TableMessage| {
            for table in &self.mailboxes() {
                post(table, message());
            }
        };
        let (table, message) = match event {
            ClusterEvent::EntryWritten {
                table,
                number,
                line,
            } => (table, TableMessage::EntryWritten { number, line }),
            ClusterEvent::Presence {
                table,
                node,
                presence,
            } => (table, TableMessage::RemotePresence { node, presence }),
            ClusterEvent::PresenceRequested { table } => (table, TableMessage::PresenceRequested),
            ClusterEvent::LeaseReleased { table } => (table, TableMessage::LeaseReleased),
            ClusterEvent::LogRewritten { table } => {
                self.forget_records();
                let (code, reason) = (CloseCode::Restart, "try again");
                (table, TableMessage::Unload { code, reason })
            }
            ClusterEvent::NodesAlive(nodes) => {
                tracing::info!(servers = nodes.len(), "servers on this database");
                self.shared.metrics.nodes.set(nodes.len() as f64);
                *lock(&self.alive) = nodes;
                return all(|| TableMessage::NodesChanged);
            }
            ClusterEvent::LaggedBehind => {
                self.forget_records();
                return all(|| TableMessage::LaggedBehind);
            }
        };
        if let Some(mailbox) = self.find(&table) {
            post(&mailbox, message);
        }
    }

    /// Whether another server is alive.
    pub(super) fn is_alive(&self, node: &str) -> bool {
        let alive = lock(&self.alive);
        // Before the first report, all servers count as alive.
        alive.is_empty() || alive.contains(node)
    }

    /// Whether a table is in memory.
    pub fn has(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    /// Deletes tables without a visit for this long. Returns the number of deleted tables.
    pub async fn prune(&self, age: Duration) -> Result<u64, StorageError> {
        let before = self
            .shared
            .clock
            .now()
            .saturating_sub(age.as_millis() as u64);
        let storage = &self.shared.storage;
        let mut count = 0;
        loop {
            let mut expired = storage.expired(before, PRUNE_BATCH).await?;
            // A table in memory was visited recently, or is about to be unloaded.
            expired.retain(|id| !self.has(id));
            if expired.is_empty() {
                break;
            }
            for id in &expired {
                count += u64::from(storage.delete(id).await?);
            }
        }
        if count > 0 {
            tracing::info!(count, "old tables were deleted");
        }
        Ok(count)
    }

    /// Removes a table whose task is about to end.
    pub(super) fn forget(&self, id: &str) {
        lock(&self.tables).remove(id);
    }

    /// Whether the server is stopping, so that clients have to reconnect later.
    pub fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }

    /// Stops all table tasks, and waits until they have informed their clients.
    pub async fn stop(&self) {
        {
            // This lock ensures that a table is either loaded before, and found below, or not at all.
            let _tasks = lock(&self.tasks);
            self.is_stopping.store(true, Ordering::SeqCst);
        }
        for mailbox in self.mailboxes() {
            let _ = mailbox.send(TableMessage::Stop).await;
        }
        let mut tasks = std::mem::take(&mut *lock(&self.tasks));
        while tasks.join_next().await.is_some() {}
    }
}
