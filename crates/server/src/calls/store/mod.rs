//! Stored data about calls, in SQL that both databases understand.

mod missed;
mod settings;
mod subscriptions;
mod webhooks;

pub use missed::missed_tables;
pub use settings::CallSettings;
pub use webhooks::StoredWebhook;

use towers_table::Millis;

use crate::calls::notice::CallSubject;
use crate::calls::plan::CallPlan;
use crate::calls::queue::{AbsentDecision, DecisionNumber};
use crate::calls::vapid::Vapid;
use crate::people::Vault;
use crate::storage::{SqlRow, Statement, Storage, StorageError};
use crate::tables::Shared;

/// The number of due notifications that are read at once.
const DUE: u32 = 200;

/// A person at a table, for notifying them.
#[derive(Clone, Debug)]
pub struct CalledPerson {
    pub person: String,
    pub settings: CallSettings,
    /// Whether the person does not want notifications about this table.
    pub is_muted: bool,
}

/// An open decision as stored.
#[derive(Clone, Debug)]
pub struct StoredCall {
    pub key: String,
    pub number: DecisionNumber,
    pub since: Millis,
    pub deadline: Option<Millis>,
    pub subject: CallSubject,
}

#[derive(Clone, Debug)]
pub struct DueCall {
    pub table: String,
    pub key: String,
    pub due: Millis,
}

#[derive(Clone, Copy)]
pub struct CallStore<'a> {
    pub storage: &'a dyn Storage,
    pub vault: &'a Vault,
}

fn time(row: &SqlRow, column: usize) -> Result<Option<Millis>, StorageError> {
    Ok(row.optional_number(column)?.map(i64::unsigned_abs))
}

/// The columns of [`stored_call`].
macro_rules! call_columns {
    () => {
        "open_calls.table_id, open_calls.key, game, decision, open_calls.since, deadline, title, others"
    };
}

fn stored_call(row: &SqlRow) -> Result<StoredCall, StorageError> {
    let others: String = row.text(7)?;
    Ok(StoredCall {
        key: row.text(1)?,
        number: DecisionNumber {
            game: u32::try_from(row.number(2)?).unwrap_or_default(),
            decision: row.number(3)?.unsigned_abs(),
        },
        since: row.number(4)?.unsigned_abs(),
        deadline: time(row, 5)?,
        subject: CallSubject {
            table: row.text(0)?,
            title: row.text(6)?,
            others: serde_json::from_str(&others).unwrap_or_default(),
        },
    })
}

impl From<&AbsentDecision> for StoredCall {
    fn from(opened: &AbsentDecision) -> StoredCall {
        StoredCall {
            key: opened.key.clone(),
            number: opened.number,
            since: opened.since,
            deadline: opened.deadline,
            subject: CallSubject {
                table: opened.table.clone(),
                title: opened.title.clone(),
                others: opened.others.clone(),
            },
        }
    }
}

impl<'a> CallStore<'a> {
    pub fn of(shared: &'a Shared) -> CallStore<'a> {
        CallStore {
            storage: &*shared.storage,
            vault: shared.people.vault(),
        }
    }
}

impl CallStore<'_> {
    async fn query(&self, statement: Statement) -> Result<Vec<SqlRow>, StorageError> {
        self.storage.query(statement).await
    }

    /// Executes one statement; returns its rows.
    async fn change(&self, statement: Statement) -> Result<Vec<SqlRow>, StorageError> {
        let results = self.storage.transact(vec![statement]).await?;
        Ok(results.into_iter().flat_map(|done| done.rows).collect())
    }

    /// The key pair of all servers on this database, made at the first start.
    pub async fn vapid(&self, contact: &str) -> Result<Vapid, StorageError> {
        let read = || Statement::new("SELECT value FROM server_keys WHERE name = 'vapid'");
        let mut rows = self.query(read()).await?;
        if rows.is_empty() {
            let insert = "INSERT INTO server_keys (name, value) VALUES ('vapid', $1) \
                          ON CONFLICT DO NOTHING";
            let sealed = self.vault.seal("vapid", &Vapid::new_key());
            self.change(Statement::new(insert).with(sealed)).await?;
            rows = self.query(read()).await?;
        }
        let sealed = rows.first().map(|row| row.text(0)).transpose()?;
        let key = sealed.and_then(|sealed| self.vault.open("vapid", &sealed));
        let vapid = key.and_then(|key| Vapid::new(&key, contact));
        vapid.ok_or_else(|| StorageError::Corrupt("the key for push messages".into()))
    }

    /// The person whom a table knows by a key.
    pub async fn person(
        &self,
        table: &str,
        key: &str,
    ) -> Result<Option<CalledPerson>, StorageError> {
        let query = "SELECT t.person_id, s.language, s.quiet_from, s.quiet_to, s.time_zone, \
                            (SELECT COUNT(*) FROM muted_tables AS m \
                             WHERE m.table_id = t.table_id AND m.key = t.key) \
                     FROM person_tables AS t \
                     LEFT JOIN call_settings AS s ON s.person_id = t.person_id \
                     WHERE t.table_id = $1 AND t.key = $2";
        let rows = self.query(Statement::new(query).with(table).with(key));
        let read = |row: &SqlRow| {
            Ok(CalledPerson {
                person: row.text(0)?,
                settings: CallSettings::read(row, 1)?,
                is_muted: row.number(5)? > 0,
            })
        };
        rows.await?.first().map(read).transpose()
    }

    /// Stores an open decision with its plan. Returns whether it is new, and the people who may still see a
    /// notification of an earlier one, by their keys.
    pub async fn opened(
        &self,
        opened: &AbsentDecision,
        plan: CallPlan,
        called: bool,
    ) -> Result<(bool, Vec<String>), StorageError> {
        let others = serde_json::to_string(&opened.others).unwrap_or_default();
        let insert = "INSERT INTO open_calls (table_id, key, game, decision, since, deadline, \
                                              title, others, call_at, remind_at, called) \
                      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
                      ON CONFLICT DO NOTHING RETURNING key";
        let insert = Statement::new(insert)
            .with(&opened.table)
            .with(&opened.key)
            .with(opened.number.game)
            .with(opened.number.decision)
            .with(opened.since)
            .with(opened.deadline)
            .with(&opened.title)
            .with(others)
            .with(plan.call_at)
            .with(plan.remind_at)
            .with(called);
        let statements = vec![close(&opened.table, opened.number), insert];
        let results = self.storage.transact(statements).await?;
        let [closed, inserted] = results.as_slice() else {
            return Ok((false, Vec::new()));
        };
        Ok((!inserted.rows.is_empty(), called_keys(&closed.rows)?))
    }

    /// Deletes decisions that were taken. Returns the people who may still see a notification, by their keys.
    pub async fn closed(
        &self,
        table: &str,
        before: DecisionNumber,
    ) -> Result<Vec<String>, StorageError> {
        called_keys(&self.change(close(table, before)).await?)
    }

    /// Whether a decision is still open.
    pub async fn is_open(&self, table: &str, number: DecisionNumber) -> Result<bool, StorageError> {
        let query = "SELECT key FROM open_calls \
                     WHERE table_id = $1 AND game = $2 AND decision = $3";
        let query = Statement::new(query).with(table);
        let query = query.with(number.game).with(number.decision);
        Ok(!self.query(query).await?.is_empty())
    }

    /// Notifications and reminders that are due.
    pub async fn due(&self, now: Millis) -> Result<Vec<DueCall>, StorageError> {
        let query = "SELECT table_id, key, call_at FROM open_calls WHERE call_at <= $1 \
                     UNION ALL SELECT table_id, key, remind_at FROM open_calls \
                     WHERE remind_at <= $1 ORDER BY 3 LIMIT $2";
        let rows = self
            .query(Statement::new(query).with(now).with(DUE))
            .await?;
        let read = |row: &SqlRow| {
            Ok(DueCall {
                table: row.text(0)?,
                key: row.text(1)?,
                due: time(row, 2)?.unwrap_or_default(),
            })
        };
        rows.iter().map(read).collect()
    }

    /// Takes a due notification, so that no other server sends it, unless it is not settled until `again`. Returns whether
    /// it is a reminder, and the decision.
    pub async fn take(
        &self,
        due: &DueCall,
        now: Millis,
        again: Millis,
    ) -> Result<Option<(bool, StoredCall)>, StorageError> {
        // A reminder that became due together with the call is dropped.
        let call = concat!(
            "UPDATE open_calls SET call_at = $3, called = TRUE, \
             remind_at = CASE WHEN remind_at <= $2 THEN NULL ELSE remind_at END \
             WHERE table_id = $1 AND call_at <= $2 RETURNING ",
            call_columns!()
        );
        let remind = concat!(
            "UPDATE open_calls SET remind_at = $3, called = TRUE \
             WHERE table_id = $1 AND remind_at <= $2 RETURNING ",
            call_columns!()
        );
        for (is_reminder, sql) in [(false, call), (true, remind)] {
            let update = Statement::new(sql).with(&due.table).with(now).with(again);
            if let Some(row) = self.change(update).await?.first() {
                return Ok(Some((is_reminder, stored_call(row)?)));
            }
        }
        Ok(None)
    }

    /// Stores that a call was made which would be due `again`.
    pub async fn settle(
        &self,
        table: &str,
        number: DecisionNumber,
        again: Millis,
    ) -> Result<(), StorageError> {
        let update = "UPDATE open_calls SET \
                      call_at = CASE WHEN call_at = $4 THEN NULL ELSE call_at END, \
                      remind_at = CASE WHEN remind_at = $4 THEN NULL ELSE remind_at END \
                      WHERE table_id = $1 AND game = $2 AND decision = $3";
        let update = Statement::new(update).with(table).with(number.game);
        let update = update.with(number.decision).with(again);
        self.change(update).await.map(drop)
    }

    /// All open decisions of a person, except at archived tables.
    pub async fn waiting(&self, person: &str) -> Result<Vec<StoredCall>, StorageError> {
        let query = concat!(
            "SELECT ",
            call_columns!(),
            " FROM open_calls \
             JOIN person_tables AS p ON p.table_id = open_calls.table_id AND p.key = open_calls.key \
             JOIN tables AS t ON t.id = open_calls.table_id \
             WHERE p.person_id = $1 AND t.archived IS NULL ORDER BY open_calls.since"
        );
        let rows = self.query(Statement::new(query).with(person)).await?;
        rows.iter().map(stored_call).collect()
    }
}

/// Deletes decisions before a number.
fn close(table: &str, before: DecisionNumber) -> Statement {
    let delete = "DELETE FROM open_calls WHERE table_id = $1 \
                  AND (game < $2 OR (game = $2 AND decision < $3)) RETURNING key, called";
    let delete = Statement::new(delete).with(table);
    delete.with(before.game).with(before.decision)
}

/// The keys of rows whose person was notified.
fn called_keys(rows: &[SqlRow]) -> Result<Vec<String>, StorageError> {
    let mut keys = Vec::new();
    for row in rows {
        if row.flag(1)? {
            keys.push(row.text(0)?);
        }
    }
    Ok(keys)
}
