//! Writing to an `SQLite` file: one task that batches all waiting writes into one transaction, because a commit costs
//! the same for one row and for a hundred.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures_util::{FutureExt, TryStreamExt};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, Either, Executor, Row};
use tokio::sync::{mpsc, oneshot};
use towers_table::Millis;

use super::moderation::{self, Moderation, Rewrite};
use super::sqlite_log::{close, try_end_log};
use super::{NewEntry, NewTable, SqlRow, Statement, StatementResult, StorageError, signed, sql};
use crate::outage::Outage;

/// The maximum number of writes in one transaction.
const GROUP: usize = 256;

pub enum Write {
    Create(Box<NewTable>),
    Append(NewEntry),
    Visit(String, Millis),
    Wake(String, u64, Option<Millis>),
    Archive(Millis, Millis),
    Delete(String),
    Moderate(Moderation),
    Rewrite(Rewrite),
    AddChunk(String, u64, Vec<u8>, Millis),
    MarkPacked(String),
    Trim(String, Millis),
    DrawDeal(String, String, Millis),
    Transact(Transaction),
    /// A test that writing works.
    Probe(Millis),
    /// Moves the write-ahead log into the file and empties it, so that nothing deleted is left in it. The result is 0 if
    /// a reader prevents it.
    EndLog,
    Close,
}

/// Statements that are executed together.
pub struct Transaction {
    pub statements: Vec<Statement>,
    /// The results of the last attempt.
    pub results: Arc<Mutex<Vec<StatementResult>>>,
}

/// A write with the channel for its result.
pub struct QueuedWrite {
    pub write: Write,
    pub done: oneshot::Sender<Result<u64, StorageError>>,
}

/// The writing task.
pub async fn write_all(
    options: SqliteConnectOptions,
    writer: SqliteConnection,
    mut queue: mpsc::Receiver<QueuedWrite>,
    outage: Arc<Outage>,
) {
    let mut group: Vec<QueuedWrite> = Vec::with_capacity(GROUP);
    let mut writer = Some(writer);
    let mut closing = Vec::new();
    let mut ending: Vec<QueuedWrite> = Vec::new();
    while closing.is_empty() && queue.recv_many(&mut group, GROUP).await > 0 {
        let is_close = |job: &mut QueuedWrite| matches!(job.write, Write::Close);
        closing.extend(group.extract_if(.., is_close));
        let is_end = |job: &mut QueuedWrite| matches!(job.write, Write::EndLog);
        ending.extend(group.extract_if(.., is_end));
        let begun = Instant::now();
        let writing = async {
            match &mut writer {
                Some(writer) => write_group(writer, &group).await,
                None => match SqliteConnection::connect_with(&options).await {
                    Ok(fresh) => write_group(writer.insert(fresh), &group).await,
                    Err(why) => Err(why.into()),
                },
            }
        };
        // A panic fails these writes, not all later ones.
        let written = AssertUnwindSafe(writing).catch_unwind().await;
        let panicked = |_| Err(StorageError::Failed("writing panicked".into()));
        let written = written.unwrap_or_else(panicked);
        match written {
            Ok(results) => {
                outage.succeeded();
                for (job, result) in group.drain(..).zip(results) {
                    let _ = job.done.send(result);
                }
            }
            Err(why) => {
                outage.failed(begun, &why);
                // On a full disk, a rollback fails, too: reconnect.
                writer = None;
                for job in group.drain(..) {
                    let _ = job.done.send(Err(why.clone()));
                }
            }
        }
        for job in ending.drain(..) {
            let ended = match &mut writer {
                Some(writer) => try_end_log(writer).await.map(u64::from),
                None => Err(StorageError::Failed("the last write failed".into())),
            };
            let _ = job.done.send(ended);
        }
    }
    // Answer last, because the process ends then.
    let closed = match writer {
        Some(writer) => close(writer).await,
        None => Err(StorageError::Failed("the last write failed".into())),
    };
    for job in closing {
        let _ = job.done.send(closed.clone().map(|()| 0));
    }
}

/// The results of a group, one for each job.
type Results = Vec<Result<u64, StorageError>>;

/// Executes one transaction. A conflict concerns one job only, and a refused job is left out of another attempt; any
/// other error fails all of them.
async fn write_group(
    writer: &mut SqliteConnection,
    group: &[QueuedWrite],
) -> Result<Results, StorageError> {
    if let Some(entries) = only_appends(group) {
        match append_at_once(writer, &entries).await {
            Err(StorageError::Refused(_)) => {
                // One of them is invalid or was stored before: find out which.
                sqlx::query("ROLLBACK").execute(&mut *writer).await?;
            }
            Ok(()) => return Ok(vec![Ok(1); entries.len()]),
            Err(why) => return Err(why),
        }
    }
    write_one_by_one(writer, group).await
}

/// The entries of a group that does nothing but append to different tables, as nearly all groups do during games.
fn only_appends(group: &[QueuedWrite]) -> Option<Vec<&NewEntry>> {
    let mut tables = HashSet::new();
    let entry = |job| match job {
        &QueuedWrite {
            write: Write::Append(ref entry),
            ..
        } => tables.insert(entry.table.as_str()).then_some(entry),
        _ => None,
    };
    group.iter().map(entry).collect()
}

/// Appends entries and writes changed searchable data with one call, since every call waits for `SQLite`'s thread. If it
/// fails, the transaction is still open.
///
/// All entries are stored or none: one whose number exists already violates the key, and one that belongs into a packed
/// log has no line. So nothing has to be returned for each entry.
///
/// Columns of the first parameter, all entries: table, number, line. Columns of the second one, those with changed data
/// or a visit: table, stage, listed, summary, wake, visited.
const APPEND_AT_ONCE: &str = "\
    BEGIN IMMEDIATE; \
    INSERT INTO entries (table_id, number, line) \
    SELECT value ->> 0, value ->> 1, \
           CASE WHEN NOT EXISTS (SELECT 1 FROM packed_logs \
                                 WHERE table_id = value ->> 0 AND number >= value ->> 1) \
                THEN value ->> 2 END \
    FROM json_each($1); \
    UPDATE tables SET stage = COALESCE(new.stage, tables.stage), \
                      listed = COALESCE(new.listed, tables.listed), \
                      summary = COALESCE(new.summary, tables.summary), \
                      wake = CASE WHEN new.stage IS NULL THEN tables.wake ELSE new.wake END, \
                      packed = tables.packed AND new.stage IS NULL, \
                      visited = COALESCE(new.visited, tables.visited) \
    FROM (SELECT value ->> 0 AS id, value ->> 1 AS stage, value ->> 2 AS listed, \
                 value ->> 3 AS summary, value ->> 4 AS wake, value ->> 5 AS visited \
          FROM json_each($2)) AS new \
    WHERE tables.id = new.id; \
    COMMIT";

async fn append_at_once(
    writer: &mut SqliteConnection,
    entries: &[&NewEntry],
) -> Result<(), StorageError> {
    // Columns as in the statement.
    let rows: Vec<_> = entries
        .iter()
        .map(|entry| (&entry.table, entry.number, &entry.line))
        .collect();
    let changed: Vec<_> = entries
        .iter()
        .filter(|entry| entry.meta.is_some() || entry.visited.is_some())
        .map(|entry| {
            let meta = entry.meta.as_ref();
            (
                &entry.table,
                meta.map(|meta| meta.stage),
                meta.map(|meta| meta.listed),
                meta.map(|meta| &meta.summary),
                meta.and_then(|meta| meta.wake),
                entry.visited,
            )
        })
        .collect();
    let refused = |why: serde_json::Error| StorageError::Refused(why.to_string());
    let rows = serde_json::to_string(&rows).map_err(refused)?;
    let changed = serde_json::to_string(&changed).map_err(refused)?;
    let query = sqlx::query(APPEND_AT_ONCE).bind(rows).bind(changed);
    query.execute(&mut *writer).await?;
    Ok(())
}

/// Executes the jobs of a group with several statements, and finds out which of them is refused.
async fn write_one_by_one(
    writer: &mut SqliteConnection,
    group: &[QueuedWrite],
) -> Result<Results, StorageError> {
    let mut refused: HashMap<usize, StorageError> = HashMap::new();
    let mut together = true;
    'attempt: loop {
        let mut results: Vec<Option<Result<u64, StorageError>>> = vec![None; group.len()];
        let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
        // Tables before their entries.
        let is_append = |i: &usize| matches!(group[*i].write, Write::Append(_));
        let (appends, others): (Vec<usize>, Vec<usize>) = (0..group.len())
            .filter(|i| !refused.contains_key(i))
            .partition(is_append);
        for i in others {
            match write_one(&mut transaction, &group[i].write).await {
                Err(why @ StorageError::Failed(_)) => return Err(why),
                Err(why @ StorageError::Refused(_)) => {
                    transaction.rollback().await?;
                    refused.insert(i, why);
                    continue 'attempt;
                }
                result => results[i] = Some(result),
            }
        }
        let entry = |i: usize| match &group[i].write {
            Write::Append(entry) => Some(entry),
            _ => None,
        };
        // All entries with one statement; one by one only to find out which of them is refused.
        let size = if together { appends.len().max(1) } else { 1 };
        for some in appends.chunks(size) {
            let entries: Vec<&NewEntry> = some.iter().filter_map(|&i| entry(i)).collect();
            match append(&mut transaction, &entries).await {
                Ok(stored) => {
                    for (&i, stored) in some.iter().zip(stored) {
                        let result = stored.then_some(1).ok_or(StorageError::Conflict);
                        results[i] = Some(result);
                    }
                }
                Err(why @ StorageError::Refused(_)) => {
                    transaction.rollback().await?;
                    match some {
                        [alone] => drop(refused.insert(*alone, why)),
                        _ => together = false,
                    }
                    continue 'attempt;
                }
                Err(why) => return Err(why),
            }
        }
        transaction.commit().await?;
        let done = results.into_iter().enumerate().map(|(i, result)| {
            let left_out = || refused.get(&i).cloned().unwrap_or(StorageError::Conflict);
            result.unwrap_or_else(|| Err(left_out()))
        });
        return Ok(done.collect());
    }
}

async fn write_one(to: &mut SqliteConnection, write: &Write) -> Result<u64, StorageError> {
    match write {
        Write::Create(new) => create(to, new).await,
        Write::Append(new) => one(u64::from(append(to, &[new]).await? == [true])),
        Write::Visit(table, at) => {
            let query = sqlx::query(sql::VISIT).bind(table).bind(signed(*at));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Wake(table, number, wake) => {
            let query = sqlx::query(sql::SET_WAKE);
            let query = query.bind(table).bind(signed(*number));
            let query = query.bind(wake.map(signed));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Archive(before, now) => {
            let query = sqlx::query(sql::ARCHIVE)
                .bind(signed(*before))
                .bind(signed(*now));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Delete(table) => {
            let mut deleted = 0;
            for statement in sql::DELETE {
                let query = sqlx::query(statement).bind(table);
                deleted = query.execute(&mut *to).await?.rows_affected();
            }
            Ok(deleted)
        }
        Write::Moderate(change) => {
            let query = sqlx::query(change.sql())
                .bind(change.subject())
                .bind(change.number());
            let query = match change.reason() {
                Some(reason) => query.bind(reason),
                None => query,
            };
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Rewrite(new) => {
            let query = sqlx::query("DELETE FROM packed_logs WHERE table_id = $1");
            query.bind(&new.table).execute(&mut *to).await?;
            for (number, line) in (1_i64..).zip(&new.lines) {
                let query = "INSERT INTO entries (table_id, number, line) VALUES ($1, $2, $3) \
                             ON CONFLICT (table_id, number) DO UPDATE SET line = $3";
                let query = sqlx::query(query).bind(&new.table).bind(number).bind(line);
                query.execute(&mut *to).await?;
            }
            let query = sqlx::query(moderation::REWRITE_TABLE)
                .bind(&new.table)
                .bind(&new.header)
                .bind(&new.summary);
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::AddChunk(table, number, chunk, at) => {
            let query = sqlx::query(sql::ADD_CHUNK)
                .bind(table)
                .bind(signed(*number))
                .bind(chunk)
                .bind(signed(*at));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::MarkPacked(table) => {
            let query = sqlx::query(sql::MARK_PACKED).bind(table);
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Trim(table, before) => {
            let mut trimmed = 0;
            for statement in [
                "DELETE FROM entries WHERE table_id = $1 AND number <= \
                 (SELECT MAX(number) FROM packed_logs WHERE table_id = $1 AND packed_at < $2)",
                "UPDATE packed_logs SET packed_at = NULL WHERE table_id = $1 AND packed_at < $2",
            ] {
                let query = sqlx::query(statement).bind(table).bind(signed(*before));
                trimmed = query.execute(&mut *to).await?.rows_affected();
            }
            Ok(trimmed)
        }
        Write::DrawDeal(day, seed, at) => {
            let query = sqlx::query(sql::DRAW_DEAL)
                .bind(day)
                .bind(seed)
                .bind(signed(*at));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Transact(transaction) => transact(to, transaction).await,
        Write::Probe(at) => {
            let query = "INSERT INTO nodes (node, seen, since) VALUES ('', $1, $1) \
                         ON CONFLICT (node) DO UPDATE SET seen = $1";
            let query = sqlx::query(query).bind(signed(*at));
            Ok(query.execute(to).await?.rows_affected())
        }
        // Both are taken out of the group before.
        Write::EndLog | Write::Close => Ok(0),
    }
}

async fn transact(
    to: &mut SqliteConnection,
    transaction: &Transaction,
) -> Result<u64, StorageError> {
    let mut results = Vec::with_capacity(transaction.statements.len());
    for statement in &transaction.statements {
        let mut result = StatementResult::default();
        let mut parts = to.fetch_many(statement.for_sqlite());
        while let Some(part) = parts.try_next().await? {
            match part {
                Either::Left(done) => result.count += done.rows_affected(),
                Either::Right(row) => result.rows.push(SqlRow::from_sqlite(&row)?),
            }
        }
        results.push(result);
    }
    let count = results.len() as u64;
    *transaction
        .results
        .lock()
        .unwrap_or_else(PoisonError::into_inner) = results;
    Ok(count)
}

async fn create(to: &mut SqliteConnection, new: &NewTable) -> Result<u64, StorageError> {
    let NewTable {
        header,
        meta,
        opener,
    } = new;
    let done = sqlx::query(sql::CREATE)
        .bind(&header.table)
        .bind(header.to_line())
        .bind(signed(header.created))
        .bind(meta.stage)
        .bind(meta.listed)
        .bind(&meta.summary)
        .bind(meta.wake.map(signed))
        .bind(opener)
        .execute(to)
        .await?;
    one(done.rows_affected())
}

/// Appends entries with one statement, together with changed searchable data. Returns which of them were stored; the
/// numbers of the others existed already.
async fn append(
    to: &mut SqliteConnection,
    entries: &[&NewEntry],
) -> Result<Vec<bool>, StorageError> {
    let rows: Vec<(&str, u64, &str)> = entries
        .iter()
        .map(|e| (e.table.as_str(), e.number, e.line.as_str()))
        .collect();
    let rows =
        serde_json::to_string(&rows).map_err(|why| StorageError::Refused(why.to_string()))?;
    let query = "INSERT INTO entries (table_id, number, line) \
                 SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($1) \
                 WHERE NOT EXISTS (SELECT 1 FROM packed_logs \
                                   WHERE table_id = value ->> 0 AND number >= value ->> 1) \
                 ON CONFLICT DO NOTHING RETURNING table_id, number";
    let stored = sqlx::query(query).bind(rows).fetch_all(&mut *to).await?;
    let mut stored: HashSet<(String, i64)> = stored
        .iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect::<Result<_, sqlx::Error>>()?;
    let mut results = Vec::with_capacity(entries.len());
    for entry in entries {
        // Of two entries with the same number, the first one was stored.
        let is_stored = stored.remove(&(entry.table.clone(), signed(entry.number)));
        if is_stored {
            note(to, entry).await?;
        }
        results.push(is_stored);
    }
    Ok(results)
}

/// Writes the searchable data, if it has changed.
async fn note(to: &mut SqliteConnection, new: &NewEntry) -> Result<(), StorageError> {
    let visited = new.visited.map(signed);
    if let Some(meta) = &new.meta {
        let query = "UPDATE tables SET stage = $2, listed = $3, summary = $4, wake = $5, \
                     packed = FALSE, visited = COALESCE($6, visited) WHERE id = $1";
        let query = sqlx::query(query)
            .bind(&new.table)
            .bind(meta.stage)
            .bind(meta.listed)
            .bind(&meta.summary)
            .bind(meta.wake.map(signed))
            .bind(visited);
        query.execute(to).await?;
    } else if visited.is_some() {
        let query = sqlx::query("UPDATE tables SET visited = $2 WHERE id = $1");
        query.bind(&new.table).bind(visited).execute(to).await?;
    }
    Ok(())
}

fn one(rows: u64) -> Result<u64, StorageError> {
    if rows == 1 {
        Ok(rows)
    } else {
        Err(StorageError::Conflict)
    }
}
