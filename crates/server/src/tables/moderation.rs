//! Operators' actions on tables: list connected people, delete a table, remove a name from its record.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::oneshot;
use towers_table::{CloseCode, Command, Entry, PersonId, Record, Rejection, Table, Who};

use super::registry::Registry;
use super::summary::meta;
use super::task::{TableMessage, TableTask};
use crate::history;
use crate::storage::{Rewrite, StorageError};

/// How long other servers may need to unload a table.
const UNLOADING: Duration = Duration::from_millis(200);
/// How often a record is changed again, because another server still wrote to it.
const ATTEMPTS: usize = 5;

/// A client connected to a table.
#[derive(Clone, Debug, Serialize)]
pub struct ConnectedPerson {
    pub table: String,
    /// The person's name; `None` for a spectator.
    pub name: Option<String>,
    pub address: IpAddr,
}

impl TableTask {
    /// The clients connected to this table here.
    pub(super) fn connected_people(&self) -> Vec<ConnectedPerson> {
        let name = |person: Option<PersonId>| {
            let (_, name, _) = self.table.people().find(|p| Some(p.0) == person)?;
            Some(name.to_string())
        };
        let people = self.clients.connected();
        people
            .map(|(person, address)| ConnectedPerson {
                table: self.table.id().into(),
                name: name(person),
                address,
            })
            .collect()
    }
}

impl Registry {
    /// All clients connected to this server.
    pub async fn connected_people(&self) -> Vec<ConnectedPerson> {
        let mut people = Vec::new();
        for mailbox in self.mailboxes() {
            let (tell, told) = oneshot::channel();
            if mailbox.send(TableMessage::ListPeople(tell)).await.is_ok() {
                people.extend(told.await.unwrap_or_default());
            }
        }
        people
    }

    pub async fn disconnect(&self, address: IpAddr) {
        for mailbox in self.mailboxes() {
            let _ = mailbox.send(TableMessage::Disconnect(address)).await;
        }
    }

    /// Unloads a table and closes its connections with this code and reason.
    pub(super) async fn unload(&self, id: &str, code: CloseCode, reason: &'static str) {
        if let Some(mailbox) = self.find(id) {
            let _ = mailbox.send(TableMessage::Unload { code, reason }).await;
            mailbox.closed().await;
        }
    }

    /// Makes cached pages of records obsolete, because a record was changed.
    pub(super) fn forget_records(&self) {
        self.shared().rewrites.fetch_add(1, Ordering::Relaxed);
    }

    /// Lets all servers unload a table, and waits until others have had time for it.
    pub(super) async fn unload_everywhere(&self, id: &str, code: CloseCode, reason: &'static str) {
        let shared = self.shared();
        self.unload(id, code, reason).await;
        shared.cluster.announce_rewrite(id);
        if shared.storage.is_shared() {
            tokio::time::sleep(UNLOADING).await;
        }
    }

    /// Lets all servers forget what they have read of a table before it was changed.
    pub(super) fn announce_change(&self, id: &str) {
        self.forget_records();
        self.shared().cluster.announce_rewrite(id);
    }

    /// Removes what deleted rows have left in the database's files. If another program prevents it now, it is tried again
    /// when the server tidies up.
    pub async fn erase(&self, id: &str) {
        if let Err(why) = self.shared().storage.erase().await {
            why.log(id, "erasing deleted rows");
            tracing::warn!(%why, "deleted rows are not erased yet");
        }
    }

    /// Deletes a table with all its data. Returns whether it existed.
    pub async fn delete(&self, id: &str) -> Result<bool, StorageError> {
        let _opening = self.opening_lane(id).lock().await;
        self.unload_everywhere(id, CloseCode::NoTable, "the table was deleted")
            .await;
        let deleted = self.shared().storage.delete(id).await?;
        self.announce_change(id);
        self.erase(id).await;
        Ok(deleted)
    }

    /// Removes a name from a table's record, with the chat messages of people who had it. Checksums are recomputed,
    /// so that the record stays valid; copies downloaded before differ from it. Returns whether the name was found.
    pub async fn remove_name(self: &Arc<Self>, id: &str, name: &str) -> Result<bool, StorageError> {
        let _opening = self.opening_lane(id).lock().await;
        let storage = &self.shared().storage;
        let is_found = self
            .rewrite(id, |record| without_name(record, name))
            .await?;
        if is_found {
            history::remove_name(&**storage, id, name).await?;
            self.erase(id).await;
        }
        Ok(is_found)
    }

    /// Replaces a table's log by a changed one, at all servers; the caller holds the table's lane. Returns whether there
    /// was anything to change.
    pub(super) async fn rewrite(
        &self,
        id: &str,
        change: impl Fn(Record) -> Result<Option<(Record, Table)>, Rejection>,
    ) -> Result<bool, StorageError> {
        let storage = &self.shared().storage;
        let mut is_changed = false;
        for _ in 0..ATTEMPTS {
            self.unload_everywhere(id, CloseCode::Restart, "try again")
                .await;
            let Some(stored) = storage.load(id).await? else {
                break;
            };
            let changed = change(stored.record);
            let changed = changed.map_err(|why| StorageError::Corrupt(why.to_string()))?;
            let Some((record, table)) = changed else {
                break;
            };
            is_changed = true;
            let rewrite = Rewrite {
                table: id.into(),
                header: record.header.to_line(),
                lines: record.entries.iter().map(Entry::to_line).collect(),
                summary: meta(&table, 0).summary,
            };
            storage.rewrite(rewrite).await?;
            if !storage.is_shared() {
                break;
            }
            // Another server may still have written to it: look again.
        }
        self.announce_change(id);
        Ok(is_changed)
    }
}

/// A record without a name, and its table; `None` if the name does not occur.
fn without_name(mut record: Record, name: &str) -> Result<Option<(Record, Table)>, Rejection> {
    let mut is_found = false;
    // The ids of people with that name, because chat entries only contain ids.
    let mut bearers: Vec<PersonId> = Vec::new();
    if record.header.host == name {
        record.header.host = "Guest".into();
        is_found = true;
        bearers.push(PersonId(0));
    }
    let changed = replay_changed(record, bearers, |entry| match &mut entry.command {
        Command::Sit {
            name: Some(said), ..
        } if said == name => {
            *said = format!("Guest {}", entry.number);
            is_found = true;
            true
        }
        _ => false,
    })?;
    Ok(is_found.then_some(changed))
}

/// A record with changed entries, and its table. Checksums are computed again. `change` says whether it has removed a
/// name; chat messages of the people who had it are removed, too, also those of `removed`.
pub(super) fn replay_changed(
    mut record: Record,
    mut removed: Vec<PersonId>,
    mut change: impl FnMut(&mut Entry) -> bool,
) -> Result<(Record, Table), Rejection> {
    let mut table = Table::create(&record.header)?;
    let mut entries = Vec::with_capacity(record.entries.len());
    for mut entry in record.entries {
        let is_removed = matches!(entry.by, Who::Person(person) if removed.contains(&person));
        let removes = change(&mut entry);
        if let Command::Chat { text } = &mut entry.command
            && is_removed
        {
            text.clear();
        }
        let before: Vec<PersonId> = table.people().map(|p| p.0).collect();
        entries.push(table.replay(&entry)?);
        if removes {
            match entry.by {
                Who::Person(person) => removed.push(person),
                _ => removed.extend(table.people().map(|p| p.0).filter(|p| !before.contains(p))),
            }
        }
    }
    record.entries = entries;
    Ok((record, table))
}
