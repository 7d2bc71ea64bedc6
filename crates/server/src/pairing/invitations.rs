//! Invitations of former opponents to a table.

use towers_table::{Millis, ReceivedInvitation};

use crate::history::{name_of_person, reference};
use crate::storage::{Statement, Storage, StorageError};

/// How long an invitation is shown.
const VALID: Millis = 7 * 24 * 3600 * 1000;
/// The maximum number of invitations that a person sees.
const MAX_SHOWN: u32 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub table: String,
    pub inviter: String,
    pub name: String,
    pub at: i64,
}

/// Invites a person to a table at which the inviter is known. Returns whether the inviter is.
pub async fn invite(
    storage: &dyn Storage,
    inviter: &str,
    invited: &str,
    table: &str,
    now: Millis,
) -> Result<bool, StorageError> {
    let name = name_of_person(storage, inviter).await?;
    let invite = "INSERT INTO invitations (table_id, person_id, inviter, name, at) \
                  SELECT DISTINCT t.table_id, p.id, t.person_id, $4, $5 \
                  FROM person_tables AS t, people AS p \
                  WHERE t.table_id = $1 AND t.person_id = $2 AND p.id = $3 \
                  ON CONFLICT (table_id, person_id, inviter) DO UPDATE SET name = $4, at = $5";
    let invite = Statement::new(invite)
        .with(table)
        .with(inviter)
        .with(invited)
        .with(name)
        .with(now);
    let old = "DELETE FROM invitations WHERE at < $1";
    let old = Statement::new(old).with(now.saturating_sub(VALID));
    let done = storage.transact(vec![old, invite]).await?;
    Ok(done.last().is_some_and(|done| done.count > 0))
}

/// The invitations of a person to tables that are not archived, latest first. One is answered by sitting down.
pub async fn invitations_of(
    storage: &dyn Storage,
    person: &str,
) -> Result<Vec<Invitation>, StorageError> {
    let query = "SELECT i.table_id, i.inviter, i.name, i.at FROM invitations AS i \
                 JOIN tables AS t ON t.id = i.table_id \
                 WHERE i.person_id = $1 AND t.archived IS NULL AND NOT EXISTS \
                 (SELECT 1 FROM person_tables AS p WHERE p.table_id = i.table_id \
                  AND p.person_id = $1 AND p.seat IS NOT NULL AND p.since >= i.at) ORDER BY i.at DESC LIMIT $2";
    let query = Statement::new(query).with(person).with(MAX_SHOWN);
    let rows = storage.query(query).await?;
    let read = |row: &crate::storage::SqlRow| {
        Ok(Invitation {
            table: row.text(0)?,
            inviter: row.text(1)?,
            name: row.text(2)?,
            at: row.number(3)?,
        })
    };
    rows.iter().map(read).collect()
}

/// The invitations of a person, as they are shown to them.
pub async fn shown_invitations(
    storage: &dyn Storage,
    person: &str,
) -> Result<Vec<ReceivedInvitation>, StorageError> {
    let list = invitations_of(storage, person).await?;
    let shown = list.into_iter().map(|invitation| ReceivedInvitation {
        at: invitation.at,
        name: invitation.name,
        path: format!("/t/{}", invitation.table),
        person: reference(person, &invitation.inviter),
        table: invitation.table,
    });
    Ok(shown.collect())
}

/// Removes a person's invitations to a table.
pub async fn dismiss(storage: &dyn Storage, person: &str, table: &str) -> Result<(), StorageError> {
    let dismiss = "DELETE FROM invitations WHERE person_id = $1 AND table_id = $2";
    let dismiss = Statement::new(dismiss).with(person).with(table);
    storage.transact(vec![dismiss]).await.map(drop)
}
