//! All tables that are in memory, by name.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use table::{Header, Rejection, Settings, Table};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::summary::meta;
use super::task::{TableTask, ToTable};
use super::{Shared, now};
use crate::metrics::count;
use crate::secrets;
use crate::storage::{NewTable, News, StorageError};

/// How many messages may wait for a table.
const MAILBOX: usize = 256;

/// The way to a table's task.
pub type Mailbox = mpsc::Sender<ToTable>;

/// All tables that are in memory.
pub struct Registry {
    shared: Arc<Shared>,
    tables: Mutex<HashMap<String, Mailbox>>,
    tasks: Mutex<JoinSet<()>>,
    /// The servers on the same database, as far as they are known.
    alive: Mutex<HashSet<String>>,
    /// Opening takes a while; two must not open the same table.
    opening: [tokio::sync::Mutex<()>; 16],
}

/// A new table.
pub struct Opened {
    /// Its name in links.
    pub table: String,
    /// The host's secret.
    pub token: String,
}

/// Why a table could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The settings or the name cannot be used.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// The database does not work.
    #[error("{0}")]
    Storage(#[from] StorageError),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that is done under these locks can leave half a change behind.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Never waits: a table that has much to do hears of it later.
fn post(mailbox: &Mailbox, message: ToTable) {
    if let Err(mpsc::error::TrySendError::Full(message)) = mailbox.try_send(message) {
        let mailbox = mailbox.clone();
        tokio::spawn(async move { mailbox.send(message).await });
    }
}

impl Registry {
    pub fn new(shared: Arc<Shared>) -> Arc<Registry> {
        Arc::new(Registry {
            shared,
            tables: Mutex::default(),
            tasks: Mutex::default(),
            alive: Mutex::default(),
            opening: Default::default(),
        })
    }

    /// What all tables share.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Opens a new table; its host gets the token.
    pub async fn create(&self, settings: Settings, host: &str) -> Result<Opened, OpenError> {
        let id = secrets::table_id();
        let token = secrets::token();
        let key = secrets::key(&id, &token);
        let header = Header::new(&id, settings, host, &key, now());
        let table = Table::create(&header)?;
        let meta = meta(&table);
        self.shared
            .storage
            .create(NewTable { header, meta })
            .await?;
        count(&self.shared.metrics.tables_created);
        Ok(Opened { table: id, token })
    }

    /// The way to a table; it is loaded if it is not in memory. None if there is no such table.
    pub async fn open(self: &Arc<Self>, id: &str) -> Result<Option<Mailbox>, StorageError> {
        if !secrets::is_table_id(id) {
            return Ok(None);
        }
        if let Some(mailbox) = self.find(id) {
            return Ok(Some(mailbox));
        }
        let lane = id.bytes().map(usize::from).sum::<usize>() % self.opening.len();
        let _opening = self.opening[lane].lock().await;
        if let Some(mailbox) = self.find(id) {
            return Ok(Some(mailbox));
        }
        let Some(stored) = self.shared.storage.load(id).await? else {
            return Ok(None);
        };
        let archived = stored.archived;
        let table = stored.rebuild().await?;
        let (mailbox, inbox) = mpsc::channel(MAILBOX);
        let task = TableTask::new(
            Arc::clone(self),
            table,
            archived,
            inbox,
            mailbox.downgrade(),
        );
        lock(&self.tables).insert(id.into(), mailbox.clone());
        count(&self.shared.metrics.tables);
        let mut tasks = lock(&self.tasks);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task.run());
        Ok(Some(mailbox))
    }

    fn find(&self, id: &str) -> Option<Mailbox> {
        let tables = lock(&self.tables);
        tables.get(id).filter(|m| !m.is_closed()).cloned()
    }

    /// Passes on what other servers tell to those tables that it concerns.
    pub fn hear(&self, news: News) {
        let all = |news: fn() -> ToTable| {
            let tables: Vec<Mailbox> = lock(&self.tables).values().cloned().collect();
            for table in &tables {
                post(table, news());
            }
        };
        let (table, message) = match news {
            News::Entry { table, number } => (table, ToTable::Written { number }),
            News::Here { table, node, here } => (table, ToTable::Elsewhere { node, here }),
            News::Who { table } => (table, ToTable::Who),
            News::Released { table } => (table, ToTable::Released),
            News::Alive(nodes) => {
                tracing::info!(servers = nodes.len(), "servers on this database");
                *lock(&self.alive) = nodes;
                return all(|| ToTable::NodesChanged);
            }
            News::Missed => return all(|| ToTable::Missed),
        };
        if let Some(mailbox) = self.find(&table) {
            post(&mailbox, message);
        }
    }

    /// Whether another server is alive.
    pub(super) fn is_alive(&self, node: &str) -> bool {
        let alive = lock(&self.alive);
        // Before the first word about it, everybody is.
        alive.is_empty() || alive.contains(node)
    }

    /// Whether a table is in memory.
    pub fn has(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    /// A table's task is about to end.
    pub(super) fn forget(&self, id: &str) {
        lock(&self.tables).remove(id);
    }

    /// Tells all tables to say good bye, and waits until they have.
    pub async fn stop(&self) {
        let mailboxes: Vec<Mailbox> = lock(&self.tables).values().cloned().collect();
        for mailbox in mailboxes {
            let _ = mailbox.send(ToTable::Stop).await;
        }
        let mut tasks = std::mem::take(&mut *lock(&self.tasks));
        while tasks.join_next().await.is_some() {}
    }
}
