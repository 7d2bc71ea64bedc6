//! Servers that share a `PostgreSQL` database.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Queue, mpsc};
use towers_table::Millis;

use super::leases::Leases;
use super::notifications::{self, EchoMonitor, Listener};
use super::{Cluster, ClusterEvent, Presence};
use crate::metrics::Metrics;
use crate::postgres::{Connections, Database};
use crate::storage::{Pending, StorageError};
use crate::supervise::supervise;
use crate::tables::now;

/// The maximum number of queued events.
const MAX_EVENTS: usize = 4096;

/// This server among those that share its database. Its writes need not survive a power failure, so its commits do not
/// wait for the disk.
pub struct Nodes {
    pool: Connections,
    leases: Arc<Leases>,
    echo: Arc<EchoMonitor>,
    outgoing: mpsc::UnboundedSender<String>,
    events: Mutex<Option<mpsc::Receiver<ClusterEvent>>>,
    since: Millis,
    tasks: Vec<tokio::task::AbortHandle>,
}

impl Nodes {
    /// Joins the servers on a database under a name.
    pub async fn join(
        database: &Database,
        node: &str,
        metrics: &Arc<Metrics>,
    ) -> Result<Nodes, StorageError> {
        let pool = Connections::new(
            &database.light,
            database.shares.cluster,
            "cluster",
            &database.outage,
            metrics,
        );
        let (tell, events) = mpsc::channel(MAX_EVENTS);
        let (requests, claims) = mpsc::unbounded_channel();
        let leases = Leases::new(node.into(), pool.clone(), tell.clone(), requests);
        let leases = Arc::new(leases);
        let since = leases.register().await?;
        let (outgoing, queue) = mpsc::unbounded_channel();
        let echo = Arc::new(EchoMonitor::new());
        let (age, heard) = (metrics.notification_age.clone(), Arc::clone(&echo));
        metrics.sample(move || age.set(heard.age().as_secs_f64()));
        let listener = Listener {
            options: database.light.clone(),
            pool: pool.clone(),
            me: node.into(),
            echo: Arc::clone(&echo),
            outage: Arc::clone(&database.outage),
            tell: tell.clone(),
            lag: metrics.notification_lag.clone(),
        };
        let panics = &metrics.panics;
        let listening = listener.start(panics.clone()).await?;
        let heartbeats = {
            let leases = Arc::clone(&leases);
            supervise("heartbeats", panics.clone(), move || {
                Arc::clone(&leases).send_heartbeats()
            })
        };
        let claims = {
            let (leases, claims) = (Arc::clone(&leases), Arc::new(Queue::new(claims)));
            supervise("claims", panics.clone(), move || {
                Arc::clone(&leases).claim_batches(Arc::clone(&claims))
            })
        };
        let sending = {
            let (pool, queue) = (pool.clone(), Arc::new(Queue::new(queue)));
            supervise("notifications", panics.clone(), move || {
                notifications::send_all(pool.clone(), Arc::clone(&queue), tell.clone())
            })
        };
        let tasks = [
            listening,
            tokio::spawn(heartbeats),
            tokio::spawn(claims),
            tokio::spawn(sending),
        ];
        Ok(Nodes {
            pool,
            leases,
            echo,
            outgoing,
            events: Mutex::new(Some(events)),
            since,
            tasks: tasks
                .iter()
                .map(tokio::task::JoinHandle::abort_handle)
                .collect(),
        })
    }

    fn stop(&self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Cluster for Nodes {
    fn since(&self) -> Millis {
        self.since.min(now())
    }

    fn due(&self, now: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(self.leases.due(now, most))
    }

    fn claim<'a>(&'a self, table: &'a str) -> Pending<'a, bool> {
        Box::pin(self.leases.claim(table))
    }

    fn claim_all(&self, tables: Vec<String>) -> Pending<'_, HashSet<String>> {
        Box::pin(self.leases.claim_all(tables))
    }

    fn release<'a>(&'a self, table: &'a str) -> Pending<'a, ()> {
        Box::pin(async move {
            if self.leases.release(table).await? {
                let _ = self
                    .outgoing
                    .send(notifications::released(table, self.leases.me()));
            }
            Ok(())
        })
    }

    fn announce_presence(&self, table: &str, presence: &Presence) {
        let me = self.leases.me();
        let _ = self
            .outgoing
            .send(notifications::presence(table, me, presence));
    }

    fn request_presence(&self, table: &str) {
        let _ = self
            .outgoing
            .send(notifications::presence_request(table, self.leases.me()));
    }

    fn announce_rewrite(&self, table: &str) {
        let rewritten = notifications::rewritten(table, self.leases.me());
        let _ = self.outgoing.send(rewritten);
    }

    fn events(&self) -> Option<mpsc::Receiver<ClusterEvent>> {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.take()
    }

    fn tidy(&self) -> Pending<'_, ()> {
        Box::pin(self.leases.tidy())
    }

    fn check(&self) -> Result<(), StorageError> {
        if !self.leases.is_current() {
            let why = "heartbeats fail";
            return Err(StorageError::Failed(why.into()));
        }
        self.echo.check()
    }

    fn leave(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.stop();
            let left = self.leases.leave().await;
            self.pool.close();
            left
        })
    }
}
