//! Connections of devices that were removed. Every server closes them: at once where the device was removed, elsewhere
//! as soon as the server reads of it.

use std::collections::HashSet;

use towers_table::{Digest, Millis};

use super::People;
use crate::storage::{Statement, StorageError};

/// How long it is stored that connections ended. Servers read it every second.
const RETENTION: Millis = 10 * 60 * 1000;

/// The mark of a connection: of its device if it has a cookie, else of its key at the table. Only hashes are stored, so
/// that nothing of a deleted person is.
pub fn mark(device_or_key: &str) -> Digest {
    Digest::digest(&[b"connection ", device_or_key.as_bytes()])
}

/// A stored mark, and when it was stored.
pub type EndedMark = (String, i64);

impl People {
    /// The marks of all connections of a person or of one device, and of connections that have a seat of the person
    /// without a cookie.
    pub(super) async fn marks_of(
        &self,
        person: &str,
        device: Option<&str>,
    ) -> Result<Vec<Digest>, StorageError> {
        let query = "SELECT id FROM person_devices WHERE person_id = $1 \
                     UNION ALL SELECT key FROM person_tables WHERE person_id = $1";
        let query = match device {
            None => Statement::new(query).with(person),
            Some(_) => {
                Statement::new("SELECT key FROM person_tables WHERE person_id = $1").with(person)
            }
        };
        let rows = self.storage.query(query).await?;
        let texts = rows.iter().map(|row| row.text(0));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let all = texts.iter().map(String::as_str).chain(device);
        Ok(all.map(mark).collect())
    }

    /// Lets other servers close connections.
    pub(super) async fn end(&self, marks: &[Digest]) -> Result<(), StorageError> {
        if !self.storage.is_shared() {
            return Ok(());
        }
        let insert = "INSERT INTO ended_devices (device, at) VALUES ($1, $2) \
                      ON CONFLICT (device) DO UPDATE SET at = $2";
        let statement = |mark: &Digest| {
            let insert = Statement::new(insert).with(mark.to_string());
            insert.with(self.now())
        };
        let statements = marks.iter().map(statement).collect();
        self.storage.transact(statements).await.map(drop)
    }

    /// The marks that were stored since the last call with the same set.
    pub async fn newly_ended(
        &self,
        known: &mut HashSet<EndedMark>,
    ) -> Result<Vec<Digest>, StorageError> {
        let query = Statement::new("SELECT device, at FROM ended_devices");
        let rows = self.storage.query(query).await?;
        let read = |row: &crate::storage::SqlRow| Ok((row.text(0)?, row.number(1)?));
        let now: HashSet<EndedMark> = rows.iter().map(read).collect::<Result<_, StorageError>>()?;
        let new = now.difference(known);
        let new = new.filter_map(|(mark, _)| mark.parse().ok()).collect();
        *known = now;
        Ok(new)
    }

    pub(super) fn forget_ended(&self) -> Statement {
        let before = self.now().saturating_sub(RETENTION);
        Statement::new("DELETE FROM ended_devices WHERE at < $1").with(before)
    }
}
