//! Tables in an `SQLite` file: embedded, nothing to set up.
//!
//! All writing goes through one task that puts whatever has come in meanwhile into one transaction:
//! a commit costs the same for one row and for a hundred.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{Connection, Row};
use table::{Entry, Millis};
use tokio::sync::{mpsc, oneshot};

use crate::tables::now;

use super::{Meta, NewEntry, NewTable, Pending, Storage, StorageError, Stored, entry, signed, sql};

/// How many writes may wait.
const QUEUE: usize = 1024;
/// How many of them go into one transaction at most.
const GROUP: usize = 256;

/// Tables in an `SQLite` file.
pub struct Sqlite {
    readers: SqlitePool,
    jobs: mpsc::Sender<Job>,
    /// Whether the last write failed: a full disk, for instance.
    failing: Arc<AtomicBool>,
}

enum Write {
    Create(NewTable),
    Append(NewEntry),
    Visit(String, Millis),
    Archive(Millis, Millis),
    /// Nothing of interest, to see whether writing works.
    Probe(Millis),
    Close,
}

struct Job {
    write: Write,
    done: oneshot::Sender<Result<u64, StorageError>>,
}

impl Sqlite {
    /// How the file is opened.
    pub fn options(file: &Path) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // NORMAL could lose the last commits in a power failure.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
    }

    /// Opens the file, makes it if there is none, and brings it up to date.
    pub async fn open(file: &Path) -> Result<Sqlite, StorageError> {
        let options = Sqlite::options(file);
        let mut writer = SqliteConnection::connect_with(&options).await?;
        sqlx::migrate!("./migrations")
            .run(&mut writer)
            .await
            .map_err(|why| StorageError::Failed(why.to_string()))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(4)
            .connect_with(options.clone().read_only(true))
            .await?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let failing = Arc::new(AtomicBool::new(false));
        tokio::spawn(write_all(options, writer, queue, Arc::clone(&failing)));
        let sqlite = Sqlite {
            readers,
            jobs,
            failing,
        };
        // A file that can only be read opens without complaint.
        sqlite.write(Write::Probe(now())).await?;
        Ok(sqlite)
    }

    async fn write(&self, write: Write) -> Result<u64, StorageError> {
        let stopped = || StorageError::Failed("it is closed".into());
        let (done, result) = oneshot::channel();
        let job = Job { write, done };
        self.jobs.send(job).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }
}

/// The task that writes.
async fn write_all(
    options: SqliteConnectOptions,
    writer: SqliteConnection,
    mut queue: mpsc::Receiver<Job>,
    failing: Arc<AtomicBool>,
) {
    let mut group = Vec::with_capacity(GROUP);
    let mut writer = Some(writer);
    while queue.recv_many(&mut group, GROUP).await > 0 {
        let closing = group.iter().any(|job| matches!(job.write, Write::Close));
        let written = match &mut writer {
            Some(writer) => write_group(writer, &group).await,
            None => match SqliteConnection::connect_with(&options).await {
                Ok(fresh) => write_group(writer.insert(fresh), &group).await,
                Err(why) => Err(why.into()),
            },
        };
        failing.store(written.is_err(), Ordering::Relaxed);
        match written {
            Ok(results) => {
                for (job, result) in group.drain(..).zip(results) {
                    let _ = job.done.send(result);
                }
            }
            Err(why) => {
                tracing::error!(%why, writes = group.len(), "writing failed");
                // On a full disk, whatever undoes half a transaction fails, too: begin afresh.
                writer = None;
                for job in group.drain(..) {
                    let _ = job.done.send(Err(why.clone()));
                }
            }
        }
        if closing {
            break;
        }
    }
    if let Some(writer) = writer {
        let _ = writer.close().await;
    }
}

/// One transaction. A conflict concerns one job only; everything else fails all of them.
async fn write_group(
    writer: &mut SqliteConnection,
    group: &[Job],
) -> Result<Vec<Result<u64, StorageError>>, StorageError> {
    let mut results = Vec::with_capacity(group.len());
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
    for job in group {
        results.push(match write_one(&mut transaction, &job.write).await {
            Err(StorageError::Conflict) => Err(StorageError::Conflict),
            other => Ok(other?),
        });
    }
    transaction.commit().await?;
    Ok(results)
}

async fn write_one(to: &mut SqliteConnection, write: &Write) -> Result<u64, StorageError> {
    match write {
        Write::Create(new) => create(to, new).await,
        Write::Append(new) => append(to, new).await,
        Write::Visit(table, at) => {
            let query = sqlx::query(sql::VISIT).bind(table).bind(signed(*at));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Archive(before, now) => {
            let query = sqlx::query(sql::ARCHIVE)
                .bind(signed(*before))
                .bind(signed(*now));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Probe(at) => {
            let query = "INSERT INTO nodes (node, seen, since) VALUES ('', $1, $1) \
                         ON CONFLICT (node) DO UPDATE SET seen = $1";
            let query = sqlx::query(query).bind(signed(*at));
            Ok(query.execute(to).await?.rows_affected())
        }
        Write::Close => Ok(0),
    }
}

async fn create(to: &mut SqliteConnection, new: &NewTable) -> Result<u64, StorageError> {
    let NewTable { header, meta } = new;
    let done = sqlx::query(sql::CREATE)
        .bind(&header.table)
        .bind(header.to_line())
        .bind(signed(header.created))
        .bind(meta.stage)
        .bind(meta.listed)
        .bind(&meta.summary)
        .bind(meta.wake.map(signed))
        .execute(to)
        .await?;
    one(done.rows_affected())
}

async fn append(to: &mut SqliteConnection, new: &NewEntry) -> Result<u64, StorageError> {
    let query = "INSERT INTO entries (table_id, number, line) VALUES ($1, $2, $3) \
                 ON CONFLICT DO NOTHING";
    let done = sqlx::query(query)
        .bind(&new.table)
        .bind(signed(new.number))
        .bind(&new.line)
        .execute(&mut *to)
        .await?;
    one(done.rows_affected())?;
    let Meta {
        stage,
        listed,
        summary,
        wake,
    } = &new.meta;
    let query = "UPDATE tables SET stage = $2, listed = $3, summary = $4, wake = $5, \
                 visited = COALESCE($6, visited) WHERE id = $1";
    sqlx::query(query)
        .bind(&new.table)
        .bind(*stage)
        .bind(*listed)
        .bind(summary)
        .bind(wake.map(signed))
        .bind(new.visited.map(signed))
        .execute(to)
        .await?;
    Ok(1)
}

fn one(rows: u64) -> Result<u64, StorageError> {
    if rows == 1 {
        Ok(rows)
    } else {
        Err(StorageError::Conflict)
    }
}

impl Storage for Sqlite {
    fn create(&self, table: NewTable) -> Pending<'_, ()> {
        Box::pin(async { self.write(Write::Create(table)).await.map(drop) })
    }

    fn append(&self, entry: NewEntry) -> Pending<'_, ()> {
        Box::pin(async { self.write(Write::Append(entry)).await.map(drop) })
    }

    fn load<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Stored>> {
        Box::pin(async move {
            // One snapshot: an entry that comes in between is not half there.
            let mut reader = self.readers.begin().await?;
            let query = "SELECT header, archived FROM tables WHERE id = $1";
            let row = sqlx::query(query)
                .bind(table)
                .fetch_optional(&mut *reader)
                .await?;
            let Some(row) = row else { return Ok(None) };
            let mut text: String = row.try_get(0)?;
            let archived: Option<i64> = row.try_get(1)?;
            let query = "SELECT line FROM entries WHERE table_id = $1 ORDER BY number";
            let rows = sqlx::query(query)
                .bind(table)
                .fetch_all(&mut *reader)
                .await?;
            for row in rows {
                text.push('\n');
                text.push_str(row.try_get(0)?);
            }
            drop(reader);
            Stored::read(text, archived.is_some()).await.map(Some)
        })
    }

    fn entries_after<'a>(&'a self, table: &'a str, number: u64) -> Pending<'a, Vec<Entry>> {
        Box::pin(async move {
            let rows = sqlx::query(sql::ENTRIES_AFTER)
                .bind(table)
                .bind(signed(number))
                .fetch_all(&self.readers)
                .await?;
            rows.iter().map(|row| entry(row.try_get(0)?)).collect()
        })
    }

    fn visit<'a>(&'a self, table: &'a str, at: Millis) -> Pending<'a, ()> {
        Box::pin(async move { self.write(Write::Visit(table.into(), at)).await.map(drop) })
    }

    fn listed(&self, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(async move {
            let rows = sqlx::query(sql::LISTED)
                .bind(most)
                .fetch_all(&self.readers)
                .await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    fn summary<'a>(&'a self, table: &'a str) -> Pending<'a, Option<String>> {
        Box::pin(async move {
            let query = sqlx::query(sql::SUMMARY).bind(table);
            let row = query.fetch_optional(&self.readers).await?;
            row.map(|row| Ok(row.try_get(0)?)).transpose()
        })
    }

    fn due(&self, now: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(async move {
            // At random, so that a few tables that are always due cannot hide the others.
            let query = "SELECT id FROM tables WHERE wake <= $1 AND archived IS NULL \
                         ORDER BY random() LIMIT $2";
            let rows = sqlx::query(query)
                .bind(signed(now))
                .bind(most)
                .fetch_all(&self.readers)
                .await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    fn archive(&self, visited_before: Millis, now: Millis) -> Pending<'_, u64> {
        Box::pin(async move { self.write(Write::Archive(visited_before, now)).await })
    }

    fn check(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            sqlx::query(sql::CHECK).execute(&self.readers).await?;
            if self.failing.load(Ordering::Relaxed) {
                self.write(Write::Probe(now())).await?;
            }
            Ok(())
        })
    }

    fn close(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.readers.close().await;
            self.write(Write::Close).await.map(drop)
        })
    }
}
