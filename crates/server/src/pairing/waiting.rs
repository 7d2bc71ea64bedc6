//! Those who wait, in the database, so that people at different servers find each other.
//!
//! Pairing and removing people write the lock of this subject first (a row of the database table `turns`), which makes
//! transactions wait for each other: a group is paired as a whole or not at all.

use std::sync::Arc;

use towers_table::Millis;

use super::matching::{PairedGroup, PairingWish, WaitingPerson, find_group};
use crate::secrets;
use crate::storage::{Statement, Storage, StorageError};
use crate::tables::{OpenError, OtherSeats, Registry};

/// How long a person stays in the list without a connection. A lost connection removes them at once; this is for a
/// server that died, and for the moment between two requests.
const WAITING_TIMEOUT: Millis = 8000;
/// How long a person who was paired can ask for the table.
const PAIRED_TIMEOUT: Millis = 60_000;
/// The maximum number of people who are compared.
const MAX_WAITING: u32 = 500;
const SUBJECT: &str = "pairing";

/// What a person waits for, by one request.
#[derive(Clone, Debug)]
pub struct WaitingRequest {
    pub person: String,
    pub name: String,
    pub wish: PairingWish,
    pub bots: bool,
    /// Drawn for every request; the latest one of a person counts.
    pub request: String,
}

/// The state of a person's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingState {
    /// There is no row.
    Nothing,
    /// Another request of the person waits.
    Elsewhere,
    Since(Millis),
    Paired(String),
}

fn number(value: i64) -> Millis {
    value.unsigned_abs()
}

/// Takes the lock for this transaction.
fn take_lock() -> Statement {
    let take = "INSERT INTO turns (subject, holder) VALUES ($1, $2) \
                ON CONFLICT (subject) DO UPDATE SET holder = $2";
    Statement::new(take).with(SUBJECT).with(secrets::token())
}

/// Adds a person, or continues to wait. Waiting starts again if the wish has changed. Returns whether it starts.
pub async fn begin(
    storage: &dyn Storage,
    request: &WaitingRequest,
    now: Millis,
) -> Result<bool, StorageError> {
    let wish = serde_json::to_string(&request.wish).unwrap_or_default();
    let begin = "INSERT INTO waiting_people \
                 (person_id, name, wish, bots, since, seen, request, table_id) \
                 SELECT id, $2, $3, $4, $5, $5, $6, NULL FROM people WHERE id = $1 \
                 ON CONFLICT (person_id) DO UPDATE SET name = $2, wish = $3, bots = $4, \
                 since = CASE WHEN waiting_people.wish = $3 AND waiting_people.seen > $7 \
                 THEN waiting_people.since ELSE $5 END, \
                 table_id = CASE WHEN waiting_people.wish = $3 AND waiting_people.seen > $8 \
                 THEN waiting_people.table_id END, \
                 seen = $5, request = $6 RETURNING since, table_id";
    let begin = Statement::new(begin)
        .with(&request.person)
        .with(&request.name)
        .with(wish)
        .with(request.bots)
        .with(now)
        .with(&request.request)
        .with(now.saturating_sub(WAITING_TIMEOUT))
        .with(now.saturating_sub(PAIRED_TIMEOUT));
    // Those who were left behind by a server that died.
    let stale = "DELETE FROM waiting_people WHERE seen < $1";
    let stale = Statement::new(stale).with(now.saturating_sub(PAIRED_TIMEOUT));
    let done = storage.transact(vec![take_lock(), stale, begin]).await?;
    let row = done.last().and_then(|done| done.rows.first());
    let Some(row) = row else { return Ok(false) };
    Ok(number(row.number(0)?) == now && row.optional_text(1)?.is_none())
}

/// The state of a request's person.
pub async fn state(
    storage: &dyn Storage,
    request: &WaitingRequest,
) -> Result<PairingState, StorageError> {
    let query = "SELECT request, since, table_id FROM waiting_people WHERE person_id = $1";
    let query = Statement::new(query).with(&request.person);
    let rows = storage.query(query).await?;
    let Some(row) = rows.first() else {
        return Ok(PairingState::Nothing);
    };
    if row.text(0)? != request.request {
        return Ok(PairingState::Elsewhere);
    }
    Ok(match row.optional_text(2)? {
        Some(table) => PairingState::Paired(table),
        None => PairingState::Since(number(row.number(1)?)),
    })
}

/// Notes that the connection of a request is still there.
pub async fn keep(
    storage: &dyn Storage,
    request: &WaitingRequest,
    now: Millis,
) -> Result<(), StorageError> {
    let keep = "UPDATE waiting_people SET seen = $3 WHERE person_id = $1 AND request = $2";
    let keep = Statement::new(keep)
        .with(&request.person)
        .with(&request.request)
        .with(now);
    storage.transact(vec![keep]).await.map(drop)
}

/// Removes a person whose request ended, unless they were paired; those who know their table are removed, too.
pub async fn end(
    storage: &dyn Storage,
    person: &str,
    request: &str,
    knows_table: bool,
) -> Result<(), StorageError> {
    let end = "DELETE FROM waiting_people WHERE person_id = $1 AND request = $2 \
               AND (table_id IS NULL OR $3)";
    let end = Statement::new(end)
        .with(person)
        .with(request)
        .with(knows_table);
    storage.transact(vec![take_lock(), end]).await.map(drop)
}

/// Pairs people who wait for the same, if there are any, and opens their table.
pub async fn pair(registry: &Arc<Registry>, now: Millis) -> Result<bool, OpenError> {
    let shared = registry.shared();
    let storage = &*shared.storage;
    let query = Statement::new("SELECT holder FROM turns WHERE subject = $1").with(SUBJECT);
    let rows = storage.query(query).await?;
    let Some(holder) = rows.first().map(|row| row.text(0)).transpose()? else {
        return Ok(false);
    };
    // One request compares for all that wait at this server, and the same list only once.
    let Ok(mut compared) = shared.compared.try_lock() else {
        return Ok(false);
    };
    if *compared == holder {
        return Ok(false);
    }
    let waiting = list(storage, now).await?;
    let Some(group) = find_group(&waiting) else {
        *compared = holder;
        return Ok(false);
    };
    let (table, persons) = open(registry, &waiting, &group).await?;
    let token = secrets::token();
    let take = "UPDATE turns SET holder = $3 WHERE subject = $1 AND holder = $2";
    let take = Statement::new(take).with(SUBJECT).with(holder).with(&token);
    let set = "UPDATE waiting_people SET table_id = $1 WHERE person_id = $2 \
               AND EXISTS (SELECT 1 FROM turns WHERE subject = $3 AND holder = $4)";
    let set = |person: &String| {
        Statement::new(set)
            .with(&table)
            .with(person)
            .with(SUBJECT)
            .with(&token)
    };
    let mut statements = vec![take];
    statements.extend(persons.iter().map(set));
    let done = storage.transact(statements).await;
    let is_paired = matches!(&done, Ok(done) if done.first().is_some_and(|d| d.count > 0));
    if !is_paired {
        // Somebody was paired in the meantime, or has stopped waiting.
        storage.delete(&table).await?;
    }
    done?;
    Ok(is_paired)
}

/// Those who wait now, in the order in which they came.
async fn list(storage: &dyn Storage, now: Millis) -> Result<Vec<WaitingPerson>, StorageError> {
    let query = "SELECT person_id, name, wish, bots FROM waiting_people \
                 WHERE table_id IS NULL AND seen > $1 ORDER BY since, person_id LIMIT $2";
    let query = Statement::new(query)
        .with(now.saturating_sub(WAITING_TIMEOUT))
        .with(MAX_WAITING);
    let rows = storage.query(query).await?;
    let read = |row: &crate::storage::SqlRow| {
        Ok(WaitingPerson {
            person: row.text(0)?,
            name: row.text(1)?,
            wish: serde_json::from_str(&row.text(2)?)
                .map_err(|why| StorageError::Corrupt(why.to_string()))?,
            bots: row.flag(3)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Opens a table with everybody seated. Returns its id and the people.
async fn open(
    registry: &Arc<Registry>,
    waiting: &[WaitingPerson],
    group: &PairedGroup,
) -> Result<(String, Vec<String>), OpenError> {
    let people: Vec<&WaitingPerson> = group.people.iter().map(|&i| &waiting[i]).collect();
    let settings = people[0].wish.settings(group.game);
    let names: Vec<&str> = people.iter().map(|p| p.name.as_str()).collect();
    let (table, keys) = registry
        .create_seated(settings, &names, OtherSeats::Bots, None)
        .await?;
    for (seat, (person, key)) in people.iter().zip(&keys).enumerate() {
        let seat = Some(towers_rules::Seat(seat as u8));
        let people = &registry.shared().people;
        people.link(&table, key, &person.person, seat).await?;
        people.learn_name(&person.person, &person.name).await?;
    }
    Ok((table, people.iter().map(|p| p.person.clone()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tests::{postgres, sqlite};

    const NOW: Millis = 1_794_744_000_000;

    /// Only the first of the requests by which a person waits begins to wait.
    async fn waiting_begins_once(storage: Arc<dyn Storage>) {
        let person = "INSERT INTO people (id, name, created, guarded) VALUES ('ann', '', 1, FALSE)";
        storage
            .transact(vec![Statement::new(person)])
            .await
            .unwrap();
        let wait = async |players: &str, number: u32, now: Millis| {
            let request = WaitingRequest {
                person: "ann".into(),
                name: "Ann".into(),
                wish: serde_json::from_str(&format!(r#"{{"players":[{players}]}}"#)).unwrap(),
                bots: false,
                request: number.to_string(),
            };
            begin(&*storage, &request, now).await.unwrap()
        };
        assert!(wait("2", 1, NOW).await);
        assert!(!wait("2", 2, NOW + WAITING_TIMEOUT - 1).await);
        assert!(!wait("2", 3, NOW + 2 * WAITING_TIMEOUT - 2).await);
        assert!(
            wait("3", 4, NOW + 2 * WAITING_TIMEOUT).await,
            "another game"
        );
        assert!(
            wait("3", 5, NOW + 3 * WAITING_TIMEOUT).await,
            "after a pause"
        );
    }

    #[tokio::test]
    async fn waiting_begins_once_with_sqlite() {
        let folder = tempfile::tempdir().unwrap();
        waiting_begins_once(sqlite(folder.path()).await).await;
    }

    #[tokio::test]
    async fn waiting_begins_once_with_postgresql() {
        let server = towers_test_support::Postgres::start().unwrap();
        waiting_begins_once(postgres(&server.url()).await).await;
    }
}
