//! The data stored about a person: overview, export, deletion, retention.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use towers_client::Language;
use towers_table::{Digest, Millis};

use super::{OWNED, PasskeyView, People, PersonRef, PersonTable};
use crate::storage::{SqlRow, SqlValue, Statement, StorageError};
use crate::texts;

/// How long a person without tables is kept without a visit, unless the host has set another time.
const UNUSED_AFTER: Millis = 365 * 24 * 3600 * 1000;
/// After this time another server finishes a deletion, because the one that began it has stopped.
const DELETION_TIMEOUT: Millis = 10 * 60 * 1000;
/// The maximum number of people deleted at once.
const BATCH: u32 = 100;

/// A person's overview of themselves.
#[derive(Debug, Serialize)]
pub struct Overview {
    /// Empty if the person has not chosen one.
    pub name: String,
    pub has_recovery_code: bool,
    pub devices: Vec<DeviceView>,
    pub passkeys: Vec<PasskeyView>,
    pub tables: Vec<PersonTable>,
}

/// A device in a person's list.
#[derive(Debug, Serialize)]
pub struct DeviceView {
    pub id: String,
    pub label: String,
    pub created: i64,
    /// When it was last used, to the day.
    pub used: i64,
    /// Whether the request comes from it.
    pub is_this: bool,
}

impl People {
    pub async fn overview(&self, me: &PersonRef) -> Result<Overview, StorageError> {
        let query = "SELECT name, recovery IS NOT NULL FROM people WHERE id = $1";
        let rows = self
            .storage
            .query(Statement::new(query).with(&me.person))
            .await?;
        let row = rows.first().ok_or_else(gone)?;
        let query = "SELECT id, label, created, used FROM person_devices \
                     WHERE person_id = $1 ORDER BY created, id";
        let devices = self
            .storage
            .query(Statement::new(query).with(&me.person))
            .await?;
        let device = |row: &SqlRow| {
            let id = row.text(0)?;
            Ok(DeviceView {
                is_this: id == me.device,
                id,
                label: row.text(1)?,
                created: row.number(2)?,
                used: row.number(3)?,
            })
        };
        Ok(Overview {
            name: row.text(0)?,
            has_recovery_code: row.flag(1)?,
            devices: devices
                .iter()
                .map(device)
                .collect::<Result<_, StorageError>>()?,
            passkeys: self.passkeys_of(&me.person).await?,
            tables: self.tables_of(&me.person).await?,
        })
    }

    pub async fn rename(&self, person: &str, name: &str) -> Result<(), StorageError> {
        let update = Statement::new("UPDATE people SET name = $2 WHERE id = $1");
        let update = update.with(person).with(name);
        self.storage.transact(vec![update]).await.map(drop)
    }

    /// Takes a name from a table, if the person has not chosen one. What guests are called is no name.
    pub async fn learn_name(&self, person: &str, name: &str) -> Result<(), StorageError> {
        if is_guest(name) {
            return Ok(());
        }
        let update = "UPDATE people SET name = $2 WHERE id = $1 AND name = '' AND deleted IS NULL";
        let update = Statement::new(update).with(person).with(name);
        self.storage.transact(vec![update]).await.map(drop)
    }

    /// The rows of a person, without secrets.
    pub async fn export(&self, person: &str) -> Result<Value, StorageError> {
        let mut all = Map::new();
        all.insert("exported".into(), json!(self.now()));
        for owned in OWNED {
            let rows = self
                .storage
                .query(Statement::new(owned.export).with(person))
                .await?;
            let rows = rows.iter().map(object).collect();
            all.insert(owned.name.into(), Value::Array(rows));
        }
        Ok(Value::Object(all))
    }

    /// Begins a deletion: all devices lose their access. Returns the marks of their connections.
    pub async fn begin_deletion(&self, person: &str) -> Result<Vec<Digest>, StorageError> {
        let marks = self.marks_of(person, None).await?;
        let note = "UPDATE people SET deleted = $2, recovery = NULL WHERE id = $1";
        let access = ["links", "passkeys", "sessions", "devices"];
        let access = OWNED.iter().filter(|owned| access.contains(&owned.name));
        let access = access.map(|owned| Statement::new(owned.delete).with(person));
        let note = Statement::new(note).with(person).with(self.now());
        let statements = std::iter::once(note).chain(access).collect();
        self.storage.transact(statements).await?;
        self.end(&marks).await?;
        Ok(marks)
    }

    /// The tables of a person with their keys there.
    pub async fn keys_of(&self, person: &str) -> Result<Vec<(String, String)>, StorageError> {
        let query = "SELECT table_id, key FROM person_tables WHERE person_id = $1";
        let rows = self
            .storage
            .query(Statement::new(query).with(person))
            .await?;
        rows.iter()
            .map(|row| Ok((row.text(0)?, row.text(1)?)))
            .collect()
    }

    /// Removes names from the notifications that others at a table receive on their turn.
    pub async fn forget_names(&self, table: &str) -> Result<(), StorageError> {
        let update = "UPDATE open_calls SET others = '[]' WHERE table_id = $1";
        let update = Statement::new(update).with(table);
        self.storage.transact(vec![update]).await.map(drop)
    }

    pub async fn delete_rows(&self, person: &str) -> Result<(), StorageError> {
        let deletes = OWNED.iter().map(|o| Statement::new(o.delete).with(person));
        self.storage.transact(deletes.collect()).await.map(drop)
    }

    /// Deletes what is no longer needed. Returns people whose deletion has begun and is not finished: by a server that has
    /// stopped, or now, because they did not come back for a time that the host has set.
    pub async fn tidy(&self, forget_after: Option<Duration>) -> Result<Vec<String>, StorageError> {
        let now = self.now();
        let links = Statement::new("DELETE FROM person_links WHERE expires <= $1").with(now);
        let sessions = Statement::new("DELETE FROM person_sessions WHERE expires <= $1").with(now);
        let statements = vec![
            links,
            sessions,
            self.forget_ended(),
            self.forget_challenges(),
        ];
        self.storage.transact(statements).await?;
        let begun = "SELECT id FROM people WHERE deleted < $1 LIMIT $2";
        let before = now.saturating_sub(DELETION_TIMEOUT);
        let mut begun = self
            .ids(Statement::new(begun).with(before).with(BATCH))
            .await?;
        match forget_after {
            None => self.delete_unused(now.saturating_sub(UNUSED_AFTER)).await?,
            Some(age) => {
                let before = now.saturating_sub(age.as_millis() as Millis);
                begun.extend(self.begin_deletions(before).await?);
            }
        }
        Ok(begun)
    }

    /// Deletes people without tables who have not come back since then.
    async fn delete_unused(&self, before: Millis) -> Result<(), StorageError> {
        let unused = "SELECT id FROM people AS p WHERE created < $1 AND deleted IS NULL \
                      AND NOT EXISTS (SELECT 1 FROM person_tables WHERE person_id = p.id) \
                      AND NOT EXISTS (SELECT 1 FROM person_devices \
                                      WHERE person_id = p.id AND used >= $1) LIMIT $2";
        let unused = Statement::new(unused).with(before).with(BATCH);
        for person in self.ids(unused).await? {
            self.delete_rows(&person).await?;
        }
        Ok(())
    }

    /// Begins to delete people who have not come back since then, wherever they sit.
    async fn begin_deletions(&self, before: Millis) -> Result<Vec<String>, StorageError> {
        let unused = "SELECT id FROM people AS p WHERE created < $1 AND deleted IS NULL \
                      AND NOT EXISTS (SELECT 1 FROM person_devices \
                                      WHERE person_id = p.id AND used >= $1) LIMIT $2";
        let unused = Statement::new(unused).with(before).with(BATCH);
        let unused = self.ids(unused).await?;
        for person in &unused {
            self.begin_deletion(person).await?;
        }
        Ok(unused)
    }

    async fn ids(&self, query: Statement) -> Result<Vec<String>, StorageError> {
        let rows = self.storage.query(query).await?;
        rows.iter().map(|row| row.text(0)).collect()
    }
}

/// Whether this is what the client calls people without a name, in any language.
fn is_guest(name: &str) -> bool {
    let mut languages = Language::ALL.into_iter();
    languages.any(|language| texts::game_words(language).get("name.guest") == name)
}

fn gone() -> StorageError {
    StorageError::Failed("the person was deleted just now".into())
}

/// A row as JSON.
fn object(row: &SqlRow) -> Value {
    let value = |value: &SqlValue| match value {
        SqlValue::Text(text) => json!(text),
        SqlValue::Number(number) => json!(number),
        SqlValue::Flag(flag) => json!(flag),
        // Bytes are never exported: they are encrypted.
        SqlValue::Bytes(_) => Value::Null,
    };
    let fields = row.names().iter().zip(row.values());
    fields.map(|(name, v)| (name.clone(), value(v))).collect()
}
