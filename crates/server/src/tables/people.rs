//! People at tables: their keys and seats are stored, their connections end with their devices, and their names are
//! removed with their data.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio::sync::oneshot;
use towers_rules::Seat;
use towers_table::{CloseCode, Command, Digest, PersonId, Record, Rejection, Stage, Table, Who};

use super::clients::Outgoing;
use super::moderation::replay_changed;
use super::registry::Registry;
use super::task::{TableMessage, TableTask};
use crate::people::{DELETED, mark};
use crate::secrets;
use crate::storage::StorageError;

impl TableTask {
    /// Stores that the key of a connection belongs to its person.
    pub(super) async fn link_person(&mut self, client: u64) {
        let Some(client) = self.clients.get(client) else {
            return;
        };
        let (Some(owner), Some(person)) = (&client.person, self.table.person_by_key(&client.key))
        else {
            return;
        };
        let known = self.table.people().find(|known| known.0 == person);
        let (name, seat) = known.map_or((None, None), |(_, name, seat)| (Some(name), seat));
        let people = &self.shared.people;
        let linked = people
            .link(&self.id, &client.key, &owner.person, seat)
            .await;
        let learned = match (name, seat) {
            (Some(name), Some(_)) => people.learn_name(&owner.person, name).await,
            _ => Ok(()),
        };
        if let Err(why) = linked.and(learned) {
            why.log(&self.id, "storing whose seat it is");
        }
    }

    /// The keys of the people at the table with their seats.
    pub(super) fn seats_by_key(&self) -> Vec<(String, Option<Seat>)> {
        let people = self.table.people();
        let with_key =
            people.filter_map(|(id, _, seat)| Some((self.table.key_of(id)?.into(), seat)));
        with_key.collect()
    }

    /// Stores where people sit, as far as it has changed.
    pub(super) async fn store_seats(&mut self, before: &[(String, Option<Seat>)]) {
        let now = self.seats_by_key();
        let moved = now.iter().filter(|seat| !before.contains(seat)).cloned();
        let left = before
            .iter()
            .filter(|(key, _)| now.iter().all(|(k, _)| k != key));
        let left = left.map(|(key, _)| (key.clone(), None));
        let changed: Vec<_> = moved.chain(left).collect();
        if changed.is_empty() {
            return;
        }
        if let Err(why) = self.shared.people.set_seats(&self.id, &changed).await {
            why.log(&self.id, "storing who sits where");
        }
    }

    /// Removes people from the table permanently.
    pub(super) async fn depart(&mut self, keys: &[String]) {
        for key in keys {
            let Some(person) = self.table.person_by_key(key) else {
                continue;
            };
            if self.table.stage() != Stage::Over {
                // A refusal means that they have left before.
                let _ = self.submit(Who::Person(person), Command::Leave).await;
            }
        }
    }
}

impl Registry {
    /// Closes the connections with these marks.
    pub async fn end_connections(&self, marks: Vec<Digest>) {
        if marks.is_empty() {
            return;
        }
        let marks: Arc<HashSet<Digest>> = Arc::new(marks.into_iter().collect());
        for mailbox in self.mailboxes() {
            let end = TableMessage::EndConnections(Arc::clone(&marks));
            let _ = mailbox.send(end).await;
        }
    }

    /// Deletes a person whose devices have no access any more: they leave their tables, their names are removed from
    /// records, then their rows are deleted.
    pub async fn delete_person(self: &Arc<Self>, person: &str) -> Result<(), StorageError> {
        let people = &self.shared().people;
        let mut tables: HashMap<String, Vec<String>> = HashMap::new();
        for (table, key) in people.keys_of(person).await? {
            tables.entry(table).or_default().push(key);
        }
        for (table, keys) in tables {
            if let Some(mailbox) = self.open(&table).await? {
                let (done, is_done) = oneshot::channel();
                let keys = keys.clone();
                let depart = TableMessage::Depart { keys, done };
                if mailbox.send(depart).await.is_ok() {
                    let _ = is_done.await;
                }
            }
            self.remove_person(&table, &keys).await?;
        }
        people.delete_rows(person).await?;
        self.erase("").await;
        Ok(())
    }

    /// Removes people from a table's record, with their names, keys and chat messages.
    async fn remove_person(
        self: &Arc<Self>,
        id: &str,
        keys: &[String],
    ) -> Result<(), StorageError> {
        let shared = self.shared();
        let _opening = self.opening_lane(id).lock().await;
        let change = |record: Record| {
            let before = record.clone();
            let changed = without_people(record, keys)?;
            Ok((changed.0 != before).then_some(changed))
        };
        self.rewrite(id, change).await?;
        shared.people.forget_names(id).await
    }
}

/// A record in which people are named "Somebody" and cannot be recognized, and its table.
fn without_people(mut record: Record, keys: &[String]) -> Result<(Record, Table), Rejection> {
    // Each gets a different key, since empty ones would be equal.
    let other = || secrets::key("", &secrets::token());
    let mut removed: Vec<PersonId> = Vec::new();
    if keys.contains(&record.header.key) {
        record.header.host = DELETED.into();
        record.header.key = other();
        removed.push(PersonId(0));
    }
    replay_changed(record, removed, |entry| match &mut entry.command {
        Command::Sit { name, key, .. } if keys.contains(key) => {
            if let Some(name) = name {
                *name = format!("{DELETED} {}", entry.number);
            }
            *key = other();
            true
        }
        _ => false,
    })
}

/// The mark of a connection.
pub(super) fn mark_of(person: Option<&crate::people::PersonRef>, key: &str) -> Digest {
    mark(person.map_or(key, |person| &person.device))
}

/// The reason sent to a connection whose device was removed.
pub(super) fn signed_out() -> Outgoing {
    Outgoing::Close(
        CloseCode::Restart,
        "connect again: this device was signed in or out",
    )
}
