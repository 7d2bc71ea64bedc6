//! Storage in an `SQLite` file.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteRow, SqliteSynchronous,
};
use sqlx::{Connection, Row};
use tokio::sync::{mpsc, oneshot};
use towers_table::{Entry, Millis};

use crate::outage::Outage;
use crate::private;
use crate::tables::now;

use super::moderation::{self, Moderation, Report, Rewrite, TableRow};
use super::sqlite_log::BUSY_TIMEOUT;
use super::sqlite_writer::{QueuedWrite, Transaction, Write, write_all};
use super::unanswered::Unanswered;
use super::{
    Head, ListedTables, LogPart, NewEntry, NewTable, PageReader, Pending, SqlRow, Statement,
    StatementResult, Storage, StorageError, Stored, StoredDeal, entries, head, lines_after, signed,
    sql,
};

/// The maximum number of waiting writes.
const QUEUE: usize = 1024;

/// Due tables in random order, so that a few tables that are always due cannot starve the others.
pub const DUE: &str = "\
    SELECT id FROM tables WHERE wake <= $1 AND archived IS NULL ORDER BY random() LIMIT $2";

/// Kilobytes of pages that the writer keeps in memory.
const CACHE_KB: u32 = 16 * 1024;
/// The number of pages in the write-ahead log, of 4 KiB each, at which they are moved into the file. A page that was
/// written several times is moved once; all writes wait meanwhile.
const CHECKPOINT_PAGES: u32 = 8 * 1024;

/// How long readers may keep deleted rows in the write-ahead log, and how often it is tried to remove them.
const ERASING: Duration = Duration::from_secs(5);
const ERASE_AGAIN: Duration = Duration::from_millis(100);

/// Storage in an `SQLite` file.
pub struct SqliteStorage {
    readers: SqlitePool,
    jobs: mpsc::Sender<QueuedWrite>,
    /// Whether the last read failed.
    reading: Outage,
    /// Whether the last write failed: a full disk, for instance.
    outage: Arc<Outage>,
    unanswered: Unanswered,
}

impl SqliteStorage {
    /// The options for opening the file.
    pub fn options(file: &Path) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // NORMAL could lose the last commits in a power failure.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // Overwrites what is deleted.
            .pragma("secure_delete", "ON")
            .busy_timeout(BUSY_TIMEOUT)
    }

    pub fn writing(file: &Path) -> SqliteConnectOptions {
        SqliteStorage::options(file)
            // Every table that is played at has pages of its own, and they are written again and again.
            .pragma("cache_size", format!("-{CACHE_KB}"))
            // A statement that may fail after some rows keeps the pages it changes; otherwise in a file of its own.
            .pragma("temp_store", "MEMORY")
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES.to_string())
    }

    /// Opens or creates the file, for its owner alone, and migrates it.
    pub async fn open(file: &Path) -> Result<SqliteStorage, StorageError> {
        if !file.exists() {
            // SQLite fills an empty file, and gives the files beside it the same permissions.
            private::open_file(file).map_err(|why| StorageError::Failed(why.to_string()))?;
        }
        let options = SqliteStorage::writing(file);
        let mut writer = SqliteConnection::connect_with(&options).await?;
        super::migrations()
            .run(&mut writer)
            .await
            .map_err(|why| StorageError::Failed(why.to_string()))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(4)
            .connect_with(SqliteStorage::options(file).read_only(true))
            .await?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let outage = Arc::new(Outage::new("writing to the database"));
        tokio::spawn(write_all(options, writer, queue, Arc::clone(&outage)));
        let sqlite = SqliteStorage {
            readers,
            jobs,
            reading: Outage::new("reading from the database"),
            outage,
            unanswered: Unanswered::default(),
        };
        // A read-only file can be opened without an error.
        sqlite.write(Write::Probe(now())).await?;
        Ok(sqlite)
    }

    /// Tables whose clock runs out or whose bot is to move.
    pub async fn due(&self, now: Millis, most: u32) -> Result<Vec<String>, StorageError> {
        let reading = async {
            let rows = sqlx::query(DUE)
                .bind(signed(now))
                .bind(most)
                .fetch_all(&self.readers)
                .await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        };
        self.read(reading).await
    }

    /// Reads, and logs a failure.
    async fn read<T>(
        &self,
        reading: impl Future<Output = Result<T, StorageError>>,
    ) -> Result<T, StorageError> {
        let begun = Instant::now();
        let result = reading.await;
        match &result {
            Err(why @ StorageError::Failed(_)) => {
                self.reading.failed(begun, why);
            }
            _ => self.reading.succeeded(),
        }
        result
    }

    async fn write(&self, write: Write) -> Result<u64, StorageError> {
        let _write = self.unanswered.begin();
        let stopped = || StorageError::Failed("it is closed".into());
        let (done, result) = oneshot::channel();
        let job = QueuedWrite { write, done };
        self.jobs.send(job).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }
}

fn log_part(row: &SqliteRow) -> Result<LogPart, StorageError> {
    Ok(LogPart::new(
        row.try_get(0)?,
        row.try_get(1)?,
        row.try_get(2)?,
    ))
}

fn table_row(row: &SqliteRow) -> Result<TableRow, StorageError> {
    Ok(TableRow {
        table: row.try_get(0)?,
        visited: row.try_get(1)?,
        hidden: row.try_get(2)?,
        archived: row.try_get(3)?,
        entries: row.try_get(4)?,
        reports: row.try_get(5)?,
        summary: row.try_get(6)?,
    })
}

fn report(row: &SqliteRow) -> Result<Report, StorageError> {
    Ok(Report {
        table: row.try_get(0)?,
        at: row.try_get(1)?,
        reason: row.try_get(2)?,
    })
}

fn ban(row: &SqliteRow) -> Result<(String, Millis), StorageError> {
    let until: i64 = row.try_get(1)?;
    Ok((row.try_get(0)?, until.unsigned_abs()))
}

impl Storage for SqliteStorage {
    fn create(&self, table: NewTable) -> Pending<'_, ()> {
        Box::pin(async { self.write(Write::Create(Box::new(table))).await.map(drop) })
    }

    fn append(&self, entry: NewEntry) -> Pending<'_, ()> {
        Box::pin(async { self.write(Write::Append(entry)).await.map(drop) })
    }

    fn load<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Stored>> {
        Box::pin(self.read(async move {
            // One consistent snapshot.
            let mut reader = self.readers.begin().await?;
            let query = "SELECT header, archived FROM tables WHERE id = $1";
            let row = sqlx::query(query)
                .bind(table)
                .fetch_optional(&mut *reader)
                .await?;
            let Some(row) = row else { return Ok(None) };
            let header: String = row.try_get(0)?;
            let archived: Option<i64> = row.try_get(1)?;
            let rows = sqlx::query(sql::LOG_AFTER)
                .bind(table)
                .bind(0)
                .fetch_all(&mut *reader)
                .await?;
            drop(reader);
            let log = rows.iter().map(log_part).collect::<Result<_, _>>()?;
            Stored::read(header, log, archived.is_some())
                .await
                .map(Some)
        }))
    }

    fn entries_after<'a>(&'a self, table: &'a str, number: u64) -> Pending<'a, Vec<Entry>> {
        Box::pin(self.read(async move {
            let rows = sqlx::query(sql::LOG_AFTER)
                .bind(table)
                .bind(signed(number))
                .fetch_all(&self.readers)
                .await?;
            let log = rows.iter().map(log_part).collect::<Result<_, _>>()?;
            entries(&lines_after(log, number)?)
        }))
    }

    fn head<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Head>> {
        Box::pin(self.read(async move {
            let query = sqlx::query(sql::HEAD).bind(table);
            let row = query.fetch_optional(&self.readers).await?;
            row.map(|row| head(row.try_get(0)?, row.try_get(1)?))
                .transpose()
        }))
    }

    fn page<'a>(&'a self, table: &'a str, after: u64, most: u32) -> Pending<'a, Vec<String>> {
        Box::pin(self.read(async move {
            let mut page = PageReader::new(after, most);
            while let Some(after) = page.next_after() {
                let rows = sqlx::query(sql::LOG_PAGE)
                    .bind(table)
                    .bind(signed(after))
                    .bind(most)
                    .fetch_all(&self.readers)
                    .await?;
                page.add(rows.iter().map(log_part).collect::<Result<_, _>>()?)?;
            }
            Ok(page.into_lines())
        }))
    }

    fn visit<'a>(&'a self, table: &'a str, at: Millis) -> Pending<'a, ()> {
        Box::pin(async move { self.write(Write::Visit(table.into(), at)).await.map(drop) })
    }

    fn set_wake<'a>(
        &'a self,
        table: &'a str,
        number: u64,
        wake: Option<Millis>,
    ) -> Pending<'a, ()> {
        let write = Write::Wake(table.into(), number, wake);
        Box::pin(async move { self.write(write).await.map(drop) })
    }

    fn listed(
        &self,
        visited_after: Millis,
        most: ListedTables,
    ) -> Pending<'_, Vec<(String, String)>> {
        Box::pin(self.read(async move {
            let rows = sqlx::query(sql::LISTED)
                .bind(signed(visited_after))
                .bind(most.in_all)
                .bind(most.per_opener)
                .fetch_all(&self.readers)
                .await?;
            rows.iter()
                .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
                .collect()
        }))
    }

    fn summary<'a>(&'a self, table: &'a str) -> Pending<'a, Option<String>> {
        Box::pin(self.read(async move {
            let query = sqlx::query(sql::SUMMARY).bind(table);
            let row = query.fetch_optional(&self.readers).await?;
            row.map(|row| Ok(row.try_get(0)?)).transpose()
        }))
    }

    fn archive(&self, visited_before: Millis, now: Millis) -> Pending<'_, u64> {
        Box::pin(async move { self.write(Write::Archive(visited_before, now)).await })
    }

    fn expired(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(self.read(async move {
            let rows = sqlx::query(sql::EXPIRED)
                .bind(signed(visited_before))
                .bind(most)
                .fetch_all(&self.readers)
                .await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        }))
    }

    fn delete<'a>(&'a self, table: &'a str) -> Pending<'a, bool> {
        Box::pin(async move { Ok(self.write(Write::Delete(table.into())).await? > 0) })
    }

    fn erase(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            let begun = Instant::now();
            while self.write(Write::EndLog).await? == 0 {
                if begun.elapsed() > ERASING {
                    let why = "another program reads it, so deleted rows are still in its log";
                    return Err(StorageError::Failed(why.into()));
                }
                tokio::time::sleep(ERASE_AGAIN).await;
            }
            Ok(())
        })
    }

    fn moderate(&self, change: Moderation) -> Pending<'_, u64> {
        Box::pin(self.write(Write::Moderate(change)))
    }

    fn tables(&self, most: u32) -> Pending<'_, Vec<TableRow>> {
        Box::pin(self.read(async move {
            let query = sqlx::query(moderation::TABLES).bind(most);
            let rows = query.fetch_all(&self.readers).await?;
            rows.iter().map(table_row).collect()
        }))
    }

    fn reports(&self, most: u32) -> Pending<'_, Vec<Report>> {
        Box::pin(self.read(async move {
            let query = sqlx::query(moderation::REPORTS).bind(most);
            let rows = query.fetch_all(&self.readers).await?;
            rows.iter().map(report).collect()
        }))
    }

    fn bans(&self, now: Millis) -> Pending<'_, Vec<(String, Millis)>> {
        Box::pin(self.read(async move {
            let query = sqlx::query(moderation::BANS).bind(signed(now));
            let rows = query.fetch_all(&self.readers).await?;
            rows.iter().map(ban).collect()
        }))
    }

    fn rewrite(&self, table: Rewrite) -> Pending<'_, ()> {
        Box::pin(async move { self.write(Write::Rewrite(table)).await.map(drop) })
    }

    fn unpacked(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<(String, u64)>> {
        Box::pin(self.read(async move {
            let rows = sqlx::query(sql::UNPACKED)
                .bind(signed(visited_before))
                .bind(most)
                .fetch_all(&self.readers)
                .await?;
            let read = |row: &SqliteRow| {
                let last: i64 = row.try_get(1)?;
                Ok((row.try_get(0)?, last.unsigned_abs()))
            };
            rows.iter().map(read).collect()
        }))
    }

    fn add_chunk<'a>(
        &'a self,
        table: &'a str,
        number: u64,
        chunk: Vec<u8>,
        now: Millis,
    ) -> Pending<'a, ()> {
        let write = Write::AddChunk(table.into(), number, chunk, now);
        Box::pin(async move { self.write(write).await.map(drop) })
    }

    fn mark_packed<'a>(&'a self, table: &'a str) -> Pending<'a, ()> {
        Box::pin(async move { self.write(Write::MarkPacked(table.into())).await.map(drop) })
    }

    fn untrimmed(&self, packed_before: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(self.read(async move {
            let rows = sqlx::query(sql::UNTRIMMED)
                .bind(signed(packed_before))
                .bind(most)
                .fetch_all(&self.readers)
                .await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        }))
    }

    fn trim<'a>(&'a self, table: &'a str, packed_before: Millis) -> Pending<'a, ()> {
        let write = Write::Trim(table.into(), packed_before);
        Box::pin(async move { self.write(write).await.map(drop) })
    }

    fn daily_deal<'a>(
        &'a self,
        day: &'a str,
        fresh: &'a str,
        now: Millis,
    ) -> Pending<'a, StoredDeal> {
        Box::pin(async move {
            let write = Write::DrawDeal(day.into(), fresh.into(), now);
            self.write(write).await?;
            self.read(async move {
                let query = sqlx::query(sql::DEAL).bind(day);
                let row = query.fetch_one(&self.readers).await?;
                Ok(StoredDeal {
                    seed: row.try_get(0)?,
                    drawn: row.try_get(1)?,
                })
            })
            .await
        })
    }

    fn query(&self, statement: Statement) -> Pending<'_, Vec<SqlRow>> {
        Box::pin(self.read(async move {
            let rows = statement.for_sqlite().fetch_all(&self.readers).await?;
            let rows = rows.iter().map(SqlRow::from_sqlite);
            Ok(rows.collect::<Result<_, _>>()?)
        }))
    }

    fn transact(&self, statements: Vec<Statement>) -> Pending<'_, Vec<StatementResult>> {
        Box::pin(async move {
            let results = Arc::new(Mutex::default());
            let transaction = Transaction {
                statements,
                results: Arc::clone(&results),
            };
            self.write(Write::Transact(transaction)).await?;
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(std::mem::take(&mut *results))
        })
    }

    fn check(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            sqlx::query(sql::CHECK).execute(&self.readers).await?;
            self.unanswered.check()?;
            if self.outage.is_on() {
                self.write(Write::Probe(now())).await?;
            }
            Ok(())
        })
    }

    fn oldest_write(&self) -> Duration {
        self.unanswered.age()
    }

    fn close(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.readers.close().await;
            self.write(Write::Close).await.map(drop)
        })
    }
}
