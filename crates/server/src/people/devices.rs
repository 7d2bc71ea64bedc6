//! Devices and their sessions.

use towers_table::Digest;

use super::identity::{SESSION, cookie_hash};
use super::{People, PersonRef};
use crate::secrets;
use crate::storage::{Statement, StorageError};

/// A device with a new session.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub person: PersonRef,
    /// The value for the cookie.
    pub cookie: String,
    /// Whether the person was unknown until now.
    pub is_new: bool,
}

impl People {
    /// The device with a public key.
    pub(super) async fn by_key(&self, key: &Digest) -> Result<Option<PersonRef>, StorageError> {
        let query = "SELECT p.id, d.id, p.guarded FROM person_devices AS d \
                     JOIN people AS p ON p.id = d.person_id WHERE d.public_key = $1";
        let rows = self
            .storage
            .query(Statement::new(query).with(key.to_string()))
            .await?;
        let read = |row: &crate::storage::SqlRow| {
            Ok(PersonRef {
                person: row.text(0)?,
                device: row.text(1)?,
                guarded: row.flag(2)?,
            })
        };
        rows.first().map(read).transpose()
    }

    /// Starts a session for a device; makes a person for an unknown one.
    pub async fn sign_in(&self, key: &Digest, label: &str) -> Result<SignedIn, StorageError> {
        if let Some(person) = self.by_key(key).await? {
            return self.begin_session(person).await;
        }
        let person = PersonRef {
            person: secrets::table_id(),
            device: secrets::table_id(),
            guarded: false,
        };
        let now = self.now();
        let insert = "INSERT INTO people (id, name, created, guarded) VALUES ($1, '', $2, FALSE)";
        let statements = vec![
            Statement::new(insert).with(&person.person).with(now),
            self.insert_device(&person, key, label),
        ];
        match self.storage.transact(statements).await {
            Ok(_) => {
                let signed_in = self.begin_session(person).await?;
                Ok(SignedIn {
                    is_new: true,
                    ..signed_in
                })
            }
            // Two windows of one browser at once: the other one was faster.
            Err(why @ StorageError::Refused(_)) => match self.by_key(key).await? {
                Some(person) => self.begin_session(person).await,
                None => Err(why),
            },
            Err(why) => Err(why),
        }
    }

    pub(super) fn insert_device(&self, device: &PersonRef, key: &Digest, label: &str) -> Statement {
        let insert = "INSERT INTO person_devices (id, person_id, public_key, label, created, used) \
                      VALUES ($1, $2, $3, $4, $5, $5)";
        Statement::new(insert)
            .with(&device.device)
            .with(&device.person)
            .with(key.to_string())
            .with(label)
            .with(self.now())
    }

    /// Starts a session. A device keeps its last few: two windows may start one at the same time.
    pub(super) async fn begin_session(&self, person: PersonRef) -> Result<SignedIn, StorageError> {
        let (cookie, now) = (secrets::token(), self.now());
        let insert = "INSERT INTO person_sessions (hash, device_id, expires, used) \
                      VALUES ($1, $2, $3, $4)";
        let trim = "DELETE FROM person_sessions WHERE device_id = $1 AND hash NOT IN \
                    (SELECT hash FROM person_sessions WHERE device_id = $1 \
                     ORDER BY used DESC LIMIT 4)";
        let statements = vec![
            Statement::new(insert)
                .with(cookie_hash(&cookie))
                .with(&person.device)
                .with(now + SESSION)
                .with(now),
            Statement::new(trim).with(&person.device),
        ];
        self.storage.transact(statements).await?;
        Ok(SignedIn {
            person,
            cookie,
            is_new: false,
        })
    }

    /// Ends the session of a cookie.
    pub async fn sign_out(&self, cookie: &str) -> Result<(), StorageError> {
        let delete = Statement::new("DELETE FROM person_sessions WHERE hash = $1");
        let delete = delete.with(cookie_hash(cookie));
        self.storage.transact(vec![delete]).await.map(drop)
    }

    /// Removes a device of a person; returns the marks of connections to close, or `None` if it is not one of theirs. The
    /// last device stays, because nobody could reach the person without it.
    pub async fn remove_device(
        &self,
        person: &str,
        device: &str,
    ) -> Result<Option<Vec<Digest>>, StorageError> {
        let marks = self.marks_of(person, Some(device)).await?;
        let sessions = "DELETE FROM person_sessions WHERE device_id IN \
                        (SELECT id FROM person_devices WHERE id = $1 AND person_id = $2) \
                        AND (SELECT COUNT(*) FROM person_devices WHERE person_id = $2) > 1";
        let delete = "DELETE FROM person_devices WHERE id = $1 AND person_id = $2 \
                      AND (SELECT COUNT(*) FROM person_devices WHERE person_id = $2) > 1";
        let statement = |sql| Statement::new(sql).with(device).with(person);
        let statements = vec![statement(sessions), statement(delete)];
        let results = self.storage.transact(statements).await?;
        if results.last().is_none_or(|deleted| deleted.count == 0) {
            return Ok(None);
        }
        self.end(&marks).await?;
        Ok(Some(marks))
    }
}
