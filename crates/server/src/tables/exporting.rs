//! What a person said and did at their tables, for the export of their data.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use towers_table::{Command, Millis, PersonId, Record, Rejection, Table, Who};

use super::registry::Registry;
use crate::storage::StorageError;

/// The part of a table's record that comes from one person.
#[derive(Debug, Serialize)]
struct OwnPart {
    table: String,
    /// The names used there.
    names: Vec<String>,
    entries: Vec<OwnEntry>,
}

/// A command of the person. Seeds of games are left out: they tell what the person must not know during a game.
#[derive(Debug, Serialize)]
struct OwnEntry {
    number: u64,
    at: Millis,
    /// A move, a chat message, or another command.
    #[serde(rename = "do")]
    command: Command,
}

impl Registry {
    /// Everything that is stored of a person, without secrets: their rows, and what they said and did at tables.
    pub async fn export_person(&self, person: &str) -> Result<Value, StorageError> {
        let shared = self.shared();
        let mut keys_by_table: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, key) in shared.people.keys_of(person).await? {
            keys_by_table.entry(table).or_default().push(key);
        }
        let mut parts = Vec::new();
        for (table, keys) in keys_by_table {
            if let Some(stored) = shared.storage.load(&table).await? {
                let part = own_part(&stored.record, table, &keys);
                parts.push(part.map_err(|why| StorageError::Corrupt(why.to_string()))?);
            }
        }
        let mut all = shared.people.export(person).await?;
        all["at_tables"] = json!(parts);
        Ok(all)
    }
}

/// What the person with these keys said and did.
fn own_part(record: &Record, id: String, keys: &[String]) -> Result<OwnPart, Rejection> {
    let mut table = Table::create(&record.header)?;
    let mut names = Vec::new();
    if keys.contains(&record.header.key) {
        names.push(record.header.host.clone());
    }
    let mut own = known(&table, keys);
    let mut entries = Vec::new();
    for entry in &record.entries {
        table.replay(entry)?;
        let mut is_own = matches!(entry.by, Who::Person(person) if own.contains(&person));
        let mut command = entry.command.clone();
        if let Command::Sit { name, key, .. } = &mut command {
            if keys.contains(key) {
                own = known(&table, keys);
                is_own = true;
            }
            key.clear();
            let name = name.iter().filter(|name| is_own && !names.contains(name));
            let name: Vec<String> = name.cloned().collect();
            names.extend(name);
        }
        if is_own {
            entries.push(OwnEntry {
                number: entry.number,
                at: entry.at,
                command,
            });
        }
    }
    Ok(OwnPart {
        table: id,
        names,
        entries,
    })
}

/// The people with these keys.
fn known(table: &Table, keys: &[String]) -> Vec<PersonId> {
    let people = keys.iter().filter_map(|key| table.person_by_key(key));
    people.collect()
}
