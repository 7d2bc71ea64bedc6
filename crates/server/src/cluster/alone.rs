//! A single server on its database, which drives every table.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::mpsc;
use towers_table::Millis;

use super::{Cluster, ClusterEvent, Presence};
use crate::storage::{Pending, SqliteStorage, StorageError};
use crate::tables::now;

/// The only server on its database.
pub struct Alone {
    storage: Arc<SqliteStorage>,
    since: Millis,
}

impl Alone {
    pub fn new(storage: Arc<SqliteStorage>) -> Alone {
        Alone {
            storage,
            since: now(),
        }
    }
}

fn done<'a, T: Send + 'a>(value: T) -> Pending<'a, T> {
    Box::pin(std::future::ready(Ok(value)))
}

impl Cluster for Alone {
    fn since(&self) -> Millis {
        self.since
    }

    fn due(&self, now: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(self.storage.due(now, most))
    }

    fn claim<'a>(&'a self, _: &'a str) -> Pending<'a, bool> {
        done(true)
    }

    fn claim_all(&self, tables: Vec<String>) -> Pending<'_, HashSet<String>> {
        done(tables.into_iter().collect())
    }

    fn release<'a>(&'a self, _: &'a str) -> Pending<'a, ()> {
        done(())
    }

    fn announce_presence(&self, _: &str, _: &Presence) {}

    fn request_presence(&self, _: &str) {}

    fn announce_rewrite(&self, _: &str) {}

    fn events(&self) -> Option<mpsc::Receiver<ClusterEvent>> {
        None
    }

    fn tidy(&self) -> Pending<'_, ()> {
        done(())
    }

    fn check(&self) -> Result<(), StorageError> {
        Ok(())
    }

    fn leave(&self) -> Pending<'_, ()> {
        done(())
    }
}
