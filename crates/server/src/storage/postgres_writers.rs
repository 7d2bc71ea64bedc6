//! Writing to `PostgreSQL`: a few tasks, each of which batches all waiting writes into one statement, and retries
//! while the database restarts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use metrics::Counter;
use sqlx::Row;
use tokio::sync::{Mutex, mpsc, oneshot};

use super::unanswered::{PendingWrite, Unanswered};
use super::{NewEntry, NewTable, StorageError, signed, sql};
use crate::postgres::{CHANNEL, Connections, Retry};
use crate::supervise::supervise;

/// The maximum number of waiting writes for each task.
const QUEUE: usize = 512;
/// The maximum number of writes in one statement.
const GROUP: usize = 128;
/// An entry after which a writer panics.
#[cfg(test)]
pub const FAULT: &str = "a fault";

struct QueuedEntry {
    entry: NewEntry,
    done: oneshot::Sender<Result<(), StorageError>>,
}

/// The writing tasks.
pub struct Writers {
    pool: Connections,
    queues: Vec<mpsc::Sender<QueuedEntry>>,
    unanswered: Unanswered,
}

impl Writers {
    /// This many tasks, each with its own queue.
    pub fn new(pool: Connections, tasks: usize, me: &str, panics: &Counter) -> Writers {
        let queues = (0..tasks)
            .map(|_| {
                let (queue, jobs) = mpsc::channel(QUEUE);
                let (pool, me) = (pool.clone(), me.to_string());
                let jobs = Arc::new(Mutex::new(jobs));
                let writing = supervise("a writer", panics.clone(), move || {
                    write_all(pool.clone(), me.clone(), Arc::clone(&jobs))
                });
                tokio::spawn(writing);
                queue
            })
            .collect();
        Writers {
            pool,
            queues,
            unanswered: Unanswered::default(),
        }
    }

    /// Registers a write on another connection.
    pub fn begin(&self) -> PendingWrite {
        self.unanswered.begin()
    }

    /// An error if the database has not answered a write for too long.
    pub fn check(&self) -> Result<(), StorageError> {
        self.unanswered.check()
    }

    /// The age of the oldest write.
    pub fn oldest(&self) -> Duration {
        self.unanswered.age()
    }

    pub async fn append(&self, entry: NewEntry) -> Result<(), StorageError> {
        let _write = self.unanswered.begin();
        let stopped = || StorageError::Failed("the writer has stopped".into());
        let lane = entry.table.bytes().map(usize::from).sum::<usize>() % self.queues.len();
        let (done, result) = oneshot::channel();
        let job = QueuedEntry { entry, done };
        self.queues[lane].send(job).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }

    pub async fn create(&self, table: NewTable) -> Result<(), StorageError> {
        let _write = self.unanswered.begin();
        let line = table.header.to_line();
        let mut retry = Retry::new();
        loop {
            match create(&self.pool, &table, &line, retry.is_retry).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(StorageError::Conflict),
                Err(why) => retry.wait_or_fail(why).await?,
            }
        }
    }

    /// Stops writing.
    pub fn close(&self) {
        self.pool.close();
    }
}

async fn create(
    pool: &Connections,
    table: &NewTable,
    line: &str,
    again: bool,
) -> Result<bool, sqlx::Error> {
    let NewTable {
        header,
        meta,
        opener,
    } = table;
    let query = sqlx::query(sql::CREATE)
        .bind(&header.table)
        .bind(line)
        .bind(signed(header.created))
        .bind(meta.stage)
        .bind(meta.listed)
        .bind(&meta.summary)
        .bind(meta.wake.map(signed))
        .bind(opener);
    let created = pool.execute(query).await? == 1;
    if created || !again {
        return Ok(created);
    }
    let query = sqlx::query("SELECT header FROM tables WHERE id = $1").bind(&header.table);
    let rows = pool.rows(query).await?;
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    let there: String = row.try_get(0)?;
    Ok(there == line)
}

/// One of the tasks. If it panics, nobody is told that the entries of its group are stored, and it goes on with the
/// queue.
async fn write_all(pool: Connections, me: String, jobs: Arc<Mutex<mpsc::Receiver<QueuedEntry>>>) {
    let mut jobs = jobs.lock().await;
    let mut group: Vec<QueuedEntry> = Vec::with_capacity(GROUP);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        // Two writes of one table in a statement compete, and the first one wins.
        let mut tables = HashSet::new();
        let (first, second): (Vec<_>, Vec<_>) = group
            .drain(..)
            .partition(|job| tables.insert(job.entry.table.clone()));
        for job in second {
            let _ = job.done.send(Err(StorageError::Conflict));
        }
        // A refused write fails the whole statement: halves are tried until it is alone, so that only its own table
        // gets the error.
        let mut parts = vec![first];
        while let Some(mut part) = parts.pop() {
            match store(&pool, &me, &part).await {
                Ok(stored) => {
                    for job in part {
                        let won = stored.contains(&job.entry.table);
                        let _ = job
                            .done
                            .send(won.then_some(()).ok_or(StorageError::Conflict));
                    }
                }
                Err(StorageError::Refused(_)) if part.len() > 1 => {
                    parts.push(part.split_off(part.len() / 2));
                    parts.push(part);
                }
                Err(why) => {
                    for job in part {
                        let _ = job.done.send(Err(why.clone()));
                    }
                }
            }
        }
    }
}

/// Appends entries, and retries while the database restarts.
async fn store(
    pool: &Connections,
    me: &str,
    jobs: &[QueuedEntry],
) -> Result<HashSet<String>, StorageError> {
    let entries: Vec<&NewEntry> = jobs.iter().map(|job| &job.entry).collect();
    let mut retry = Retry::new();
    loop {
        match append(pool, me, &entries, retry.is_retry).await {
            #[cfg(test)]
            Ok(_) if entries.iter().any(|entry| entry.line == FAULT) => {
                panic!("a fault on purpose, after the entries were stored")
            }
            Ok(stored) => return Ok(stored),
            Err(why) => retry.wait_or_fail(why).await?,
        }
    }
}

/// Writes all entries with one statement, ordered by table, so that two servers never deadlock. Returns the tables
/// whose entry was stored. The commit notifies other servers, with the entry if it fits into a notification (8000
/// bytes). Searchable data is written only if it has changed; `LEAST` ignores NULL, so that `wake` only becomes earlier
/// during a game ([`Meta::wake`](super::Meta)).
const APPEND: &str = "
    WITH new AS (
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bool[],
                             $6::text[], $7::bigint[], $8::bigint[])
            AS new (id, number, line, stage, listed, summary, wake, visited)
    ), done AS (
        INSERT INTO entries (table_id, number, line)
        SELECT id, number, line FROM new
        WHERE NOT EXISTS (SELECT 1 FROM packed_logs
                          WHERE table_id = new.id AND packed_logs.number >= new.number)
        ORDER BY id
        ON CONFLICT DO NOTHING RETURNING table_id, number
    ), noted AS (
        UPDATE tables SET stage = COALESCE(new.stage, tables.stage),
                          listed = COALESCE(new.listed, tables.listed),
                          summary = COALESCE(new.summary, tables.summary),
                          wake = CASE WHEN new.stage <> 'playing' THEN new.wake
                                      ELSE LEAST(new.wake, tables.wake) END,
                          packed = tables.packed AND new.stage IS NULL,
                          visited = COALESCE(new.visited, tables.visited)
        FROM new JOIN done ON done.table_id = new.id
        WHERE tables.id = done.table_id AND (new.stage IS NOT NULL OR new.visited IS NOT NULL)
    )
    SELECT table_id, pg_notify($9, concat_ws(' ', 'entry', table_id, $10::text, done.number,
                                             CASE WHEN octet_length(line) < 7000 THEN line END))
    FROM done JOIN new ON new.id = done.table_id";

async fn append(
    pool: &Connections,
    me: &str,
    entries: &[&NewEntry],
    again: bool,
) -> Result<HashSet<String>, sqlx::Error> {
    let column =
        |pick: fn(&NewEntry) -> String| entries.iter().map(|e| pick(e)).collect::<Vec<_>>();
    let numbers: Vec<i64> = entries.iter().map(|e| signed(e.number)).collect();
    let meta = || entries.iter().map(|e| e.meta.as_ref());
    let stages: Vec<Option<&str>> = meta().map(|m| Some(m?.stage)).collect();
    let listed: Vec<Option<bool>> = meta().map(|m| Some(m?.listed)).collect();
    let summaries: Vec<Option<&str>> = meta().map(|m| Some(m?.summary.as_str())).collect();
    let wakes: Vec<Option<i64>> = meta().map(|m| m?.wake.map(signed)).collect();
    let visits: Vec<Option<i64>> = entries.iter().map(|e| e.visited.map(signed)).collect();
    let query = sqlx::query(APPEND)
        .bind(column(|e| e.table.clone()))
        .bind(&numbers)
        .bind(column(|e| e.line.clone()))
        .bind(stages)
        .bind(listed)
        .bind(summaries)
        .bind(wakes)
        .bind(visits)
        .bind(CHANNEL)
        .bind(me);
    let rows = pool.rows(query).await?;
    let mut stored: HashSet<String> = rows
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    if again {
        // The response to an earlier attempt may have been lost: an identical entry is this server's.
        let query = "SELECT table_id, line FROM entries JOIN \
                     unnest($1::text[], $2::bigint[]) AS new (id, number) \
                     ON table_id = new.id AND entries.number = new.number";
        let query = sqlx::query(query)
            .bind(column(|e| e.table.clone()))
            .bind(&numbers);
        let rows = pool.rows(query).await?;
        let mut there: HashMap<String, String> = HashMap::new();
        for row in rows {
            there.insert(row.try_get(0)?, row.try_get(1)?);
        }
        let ours = entries
            .iter()
            .filter(|e| there.get(&e.table) == Some(&e.line));
        stored.extend(ours.map(|e| e.table.clone()));
    }
    Ok(stored)
}
