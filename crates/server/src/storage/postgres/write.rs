//! Writing to `PostgreSQL`: a few tasks, each of which puts whatever has come in meanwhile into one
//! statement, and waits for a database that is being restarted.

use std::collections::{HashMap, HashSet};

use sqlx::Row;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use tokio::sync::{mpsc, oneshot};

use super::TRY;
use super::patience::Patience;
use crate::storage::{NewEntry, NewTable, StorageError, signed, sql};

/// How many statements are on their way at once.
const WRITERS: usize = 4;
/// How many writes may wait for each.
const QUEUE: usize = 512;
/// How many go into one statement at most.
const GROUP: usize = 128;
struct Job {
    entry: NewEntry,
    done: oneshot::Sender<Result<(), StorageError>>,
}

/// The tasks that write.
pub struct Writers {
    pool: PgPool,
    queues: Vec<mpsc::Sender<Job>>,
}

impl Writers {
    pub fn new(options: &PgConnectOptions, me: &str) -> Writers {
        let pool = PgPoolOptions::new()
            .max_connections(WRITERS as u32 + 1)
            .acquire_timeout(TRY)
            // A broken connection is noticed soon enough: everything is tried again.
            .test_before_acquire(false)
            .connect_lazy_with(options.clone());
        let queues = (0..WRITERS)
            .map(|_| {
                let (queue, jobs) = mpsc::channel(QUEUE);
                tokio::spawn(write_all(pool.clone(), me.to_string(), jobs));
                queue
            })
            .collect();
        Writers { pool, queues }
    }

    pub async fn append(&self, entry: NewEntry) -> Result<(), StorageError> {
        let stopped = || StorageError::Failed("it is closed".into());
        let lane = entry.table.bytes().map(usize::from).sum::<usize>() % self.queues.len();
        let (done, result) = oneshot::channel();
        let job = Job { entry, done };
        self.queues[lane].send(job).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }

    pub async fn create(&self, table: NewTable) -> Result<(), StorageError> {
        let line = table.header.to_line();
        let mut patience = Patience::new();
        loop {
            match create(&self.pool, &table, &line, patience.again).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(StorageError::Conflict),
                Err(why) => patience.bear(why).await?,
            }
        }
    }

    /// Writes nothing more.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

async fn create(
    pool: &PgPool,
    table: &NewTable,
    line: &str,
    again: bool,
) -> Result<bool, sqlx::Error> {
    let NewTable { header, meta } = table;
    let done = sqlx::query(sql::CREATE)
        .bind(&header.table)
        .bind(line)
        .bind(signed(header.created))
        .bind(meta.stage)
        .bind(meta.listed)
        .bind(&meta.summary)
        .bind(meta.wake.map(signed))
        .execute(pool)
        .await?;
    if done.rows_affected() == 1 || !again {
        return Ok(done.rows_affected() == 1);
    }
    let query = sqlx::query("SELECT header FROM tables WHERE id = $1").bind(&header.table);
    let there: String = query.fetch_one(pool).await?.try_get(0)?;
    Ok(there == line)
}

/// One of the tasks.
async fn write_all(pool: PgPool, me: String, mut jobs: mpsc::Receiver<Job>) {
    let mut group: Vec<Job> = Vec::with_capacity(GROUP);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        // A table that comes twice has two writers here, and the first one wins.
        let mut tables = HashSet::new();
        let (first, second): (Vec<_>, Vec<_>) = group
            .drain(..)
            .partition(|job| tables.insert(job.entry.table.clone()));
        for job in second {
            let _ = job.done.send(Err(StorageError::Conflict));
        }
        let entries: Vec<&NewEntry> = first.iter().map(|job| &job.entry).collect();
        let mut patience = Patience::new();
        let stored = loop {
            match append(&pool, &me, &entries, patience.again).await {
                Ok(stored) => break Ok(stored),
                Err(why) => {
                    if let Err(why) = patience.bear(why).await {
                        break Err(why);
                    }
                }
            }
        };
        match stored {
            Ok(stored) => {
                for job in first {
                    let won = stored.contains(&job.entry.table);
                    let _ = job
                        .done
                        .send(won.then_some(()).ok_or(StorageError::Conflict));
                }
            }
            Err(why) => {
                tracing::error!(%why, writes = first.len(), "writing failed");
                for job in first {
                    let _ = job.done.send(Err(why.clone()));
                }
            }
        }
    }
}

/// One statement for all of them, in the order of the tables, so that two servers never wait for
/// each other. Says for which tables it was in time. The others hear of it with the commit.
const APPEND: &str = "
    WITH new AS (
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bool[],
                             $6::text[], $7::bigint[], $8::bigint[])
            AS new (id, number, line, stage, listed, summary, wake, visited)
    ), done AS (
        INSERT INTO entries (table_id, number, line)
        SELECT id, number, line FROM new ORDER BY id
        ON CONFLICT DO NOTHING RETURNING table_id, number
    ), noted AS (
        UPDATE tables SET stage = new.stage, listed = new.listed, summary = new.summary,
                          wake = new.wake, visited = COALESCE(new.visited, tables.visited)
        FROM new JOIN done ON done.table_id = new.id WHERE tables.id = done.table_id
    )
    SELECT table_id, pg_notify($9, concat_ws(' ', 'entry', table_id, $10::text, number)) FROM done";

async fn append(
    pool: &PgPool,
    me: &str,
    entries: &[&NewEntry],
    again: bool,
) -> Result<HashSet<String>, sqlx::Error> {
    let column =
        |pick: fn(&NewEntry) -> String| entries.iter().map(|e| pick(e)).collect::<Vec<_>>();
    let numbers: Vec<i64> = entries.iter().map(|e| signed(e.number)).collect();
    let listed: Vec<bool> = entries.iter().map(|e| e.meta.listed).collect();
    let wakes: Vec<Option<i64>> = entries.iter().map(|e| e.meta.wake.map(signed)).collect();
    let visits: Vec<Option<i64>> = entries.iter().map(|e| e.visited.map(signed)).collect();
    let rows = sqlx::query(APPEND)
        .bind(column(|e| e.table.clone()))
        .bind(&numbers)
        .bind(column(|e| e.line.clone()))
        .bind(column(|e| e.meta.stage.into()))
        .bind(listed)
        .bind(column(|e| e.meta.summary.clone()))
        .bind(wakes)
        .bind(visits)
        .bind(super::news::CHANNEL)
        .bind(me)
        .fetch_all(pool)
        .await?;
    let mut stored: HashSet<String> = rows
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    if again {
        // The answer to an earlier attempt may have been lost: what is there word for word is ours.
        let query = "SELECT table_id, line FROM entries JOIN \
                     unnest($1::text[], $2::bigint[]) AS new (id, number) \
                     ON table_id = new.id AND entries.number = new.number";
        let rows = sqlx::query(query)
            .bind(column(|e| e.table.clone()))
            .bind(&numbers)
            .fetch_all(pool)
            .await?;
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
