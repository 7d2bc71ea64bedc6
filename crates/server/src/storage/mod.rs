//! Storage of tables: appending to their logs and reading them, with one interface for both databases.

#[cfg(test)]
mod migration_tests;
mod migrations;
mod moderation;
mod packed;
mod postgres;
mod postgres_writers;
mod sql;
mod sqlite;
mod sqlite_log;
mod sqlite_writer;
mod statements;
#[cfg(test)]
pub(crate) mod tests;
mod unanswered;

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use towers_table::{Entry, Header, Millis, NotARecord, NotRebuilt, Record, Table};

pub use migrations::{migrations, postgres_migrations};
pub use moderation::{Moderation, Report, Rewrite, TableRow};
pub use packed::{CHUNK, pack};
pub use postgres::PostgresStorage;
#[cfg(test)]
pub use sql::{ARCHIVE, EXPIRED};
#[cfg(test)]
pub use sqlite::DUE;
pub use sqlite::SqliteStorage;
pub use statements::{SqlRow, SqlValue, Statement, StatementResult};

use crate::daily::StoredDeal;
use crate::outage::Outage;
use packed::{LogPart, PageReader, lines_after};

pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, StorageError>> + Send + 'a>>;

/// A database of tables. Every operation that returned `Ok` survives a power failure.
pub trait Storage: Send + Sync + 'static {
    fn create(&self, table: NewTable) -> Pending<'_, ()>;

    /// Appends the next entry to a table's log. If its number exists already, another server was faster:
    /// [`StorageError::Conflict`], and nothing is changed.
    fn append(&self, entry: NewEntry) -> Pending<'_, ()>;

    /// A table with all its entries.
    fn load<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Stored>>;

    fn entries_after<'a>(&'a self, table: &'a str, number: u64) -> Pending<'a, Vec<Entry>>;

    /// A table's header and the number of its last entry.
    fn head<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Head>>;

    /// At most `most` of a table's entries after a number, as lines, to read a long log page by page without holding a
    /// connection in between.
    fn page<'a>(&'a self, table: &'a str, after: u64, most: u32) -> Pending<'a, Vec<String>>;

    /// Records a visit and restores the table if it was archived.
    fn visit<'a>(&'a self, table: &'a str, at: Millis) -> Pending<'a, ()>;

    /// Sets the time at which a server has to load a table that is being unloaded here. Nothing changes if there are
    /// entries after `number`: the server that wrote them sets the time.
    fn set_wake<'a>(&'a self, table: &'a str, number: u64, wake: Option<Millis>)
    -> Pending<'a, ()>;

    /// Public tables visited after a time that are not over, with their summaries; most recently visited first, and at
    /// most some of each opener.
    fn listed(
        &self,
        visited_after: Millis,
        most: ListedTables,
    ) -> Pending<'_, Vec<(String, String)>>;

    fn summary<'a>(&'a self, table: &'a str) -> Pending<'a, Option<String>>;

    /// Archives tables without a visit since then; returns the number of tables.
    fn archive(&self, visited_before: Millis, now: Millis) -> Pending<'_, u64>;

    /// Tables without a visit since then and without a running clock, at most `most`.
    fn expired(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<String>>;

    /// Deletes a table and all its data. Returns whether it existed.
    fn delete<'a>(&'a self, table: &'a str) -> Pending<'a, bool>;

    /// Removes what deleted rows have left in the database's own files. An error if another program prevents it.
    fn erase(&self) -> Pending<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Applies an operator's change. Returns the number of changed rows.
    fn moderate(&self, change: Moderation) -> Pending<'_, u64>;

    /// The tables visited last.
    fn tables(&self, most: u32) -> Pending<'_, Vec<TableRow>>;

    fn reports(&self, most: u32) -> Pending<'_, Vec<Report>>;

    /// Banned networks, and the end of each ban.
    fn bans(&self, now: Millis) -> Pending<'_, Vec<(String, Millis)>>;

    /// Replaces a table's log.
    fn rewrite(&self, table: Rewrite) -> Pending<'_, ()>;

    /// Tables with a finished game whose log is not packed, without a visit since then, each with the number of the last
    /// packed entry.
    fn unpacked(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<(String, u64)>>;

    /// Adds a compressed chunk of a table's log that ends with a number. From then on, entries up to that number cannot be
    /// appended.
    fn add_chunk<'a>(
        &'a self,
        table: &'a str,
        number: u64,
        chunk: Vec<u8>,
        now: Millis,
    ) -> Pending<'a, ()>;

    /// Records that all of a finished table's log is packed.
    fn mark_packed<'a>(&'a self, table: &'a str) -> Pending<'a, ()>;

    /// Tables with chunks that were added before a time and whose entries are not yet deleted.
    fn untrimmed(&self, packed_before: Millis, most: u32) -> Pending<'_, Vec<String>>;

    /// Deletes the entries that are in chunks added before a time.
    fn trim<'a>(&'a self, table: &'a str, packed_before: Millis) -> Pending<'a, ()>;

    /// The seed of the deal of a day. If there is none, stores and returns `fresh`.
    fn daily_deal<'a>(
        &'a self,
        day: &'a str,
        fresh: &'a str,
        now: Millis,
    ) -> Pending<'a, StoredDeal>;

    fn query(&self, statement: Statement) -> Pending<'_, Vec<SqlRow>>;

    /// Executes statements in one transaction; returns the result of each.
    fn transact(&self, statements: Vec<Statement>) -> Pending<'_, Vec<StatementResult>>;

    /// Checks that the database responds.
    fn check(&self) -> Pending<'_, ()>;

    /// The age of the oldest write without a response.
    fn oldest_write(&self) -> Duration;

    /// Whether other servers write to the same tables, so that the state in memory may be outdated.
    fn is_shared(&self) -> bool {
        false
    }

    /// Finishes all writes.
    fn close(&self) -> Pending<'_, ()>;
}

/// Databases only have signed numbers; no time and no count exceeds them.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn head(header: String, number: i64) -> Result<Head, StorageError> {
    let number = u64::try_from(number).map_err(|why| StorageError::Corrupt(why.to_string()))?;
    Ok(Head { header, number })
}

/// Data of a table that is stored outside the log, to be searched for. Most entries do not change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    pub stage: &'static str,
    /// Whether the lobby lists it.
    pub listed: bool,
    /// What the lobby shows, as JSON.
    pub summary: String,
    /// The time at which a server has to load the table.
    ///
    /// With `PostgreSQL` the column may be earlier while a server drives the table: it is indexed, so that writing it
    /// with every entry would prevent HOT updates. It is corrected when the table is unloaded ([`Storage::set_wake`]).
    pub wake: Option<Millis>,
}

#[derive(Clone, Debug)]
pub struct NewTable {
    pub header: Header,
    pub meta: Meta,
    /// A code for the address that opens it.
    pub opener: Option<String>,
}

/// The limits of a list of tables.
#[derive(Clone, Copy, Debug)]
pub struct ListedTables {
    pub in_all: u32,
    pub per_opener: u32,
}

#[derive(Clone, Debug)]
pub struct NewEntry {
    pub table: String,
    pub number: u64,
    /// The entry as a line.
    pub line: String,
    /// The time of a visit, if it has to be recorded.
    pub visited: Option<Millis>,
    /// The searchable data, if it has changed.
    pub meta: Option<Meta>,
}

/// The beginning and the end of a table's log.
#[derive(Clone, Debug)]
pub struct Head {
    /// The header as a line.
    pub header: String,
    /// The number of the last entry; 0 if there is none.
    pub number: u64,
}

#[derive(Clone, Debug)]
pub struct Stored {
    pub record: Record,
    pub archived: bool,
}

impl Stored {
    /// Parses a record on a blocking thread, since a long one takes some time.
    async fn read(
        header: String,
        log: Vec<LogPart>,
        archived: bool,
    ) -> Result<Stored, StorageError> {
        let reading = tokio::task::spawn_blocking(move || {
            let mut text = header;
            for line in lines_after(log, 0)? {
                text.push('\n');
                text.push_str(&line);
            }
            Ok::<Record, StorageError>(Record::from_text(&text)?)
        });
        let record = reading.await.map_err(|why| interrupted(&why))??;
        Ok(Stored { record, archived })
    }

    /// The table after its last entry, rebuilt on a blocking thread.
    pub async fn rebuild(self) -> Result<Table, StorageError> {
        let rebuilding = tokio::task::spawn_blocking(move || self.record.rebuild());
        let rebuilt = rebuilding.await.map_err(|why| interrupted(&why))?;
        Ok(rebuilt?)
    }
}

fn interrupted(why: &tokio::task::JoinError) -> StorageError {
    StorageError::Failed(why.to_string())
}

/// Parses stored entries.
fn entries(lines: &[String]) -> Result<Vec<Entry>, StorageError> {
    let read = |line: &String| serde_json::from_str(line);
    let entries = lines.iter().map(read).collect::<Result<_, _>>();
    entries.map_err(|why| StorageError::Corrupt(why.to_string()))
}

/// Why a storage operation failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StorageError {
    /// Another server has written this number.
    #[error("another server has written this entry")]
    Conflict,
    /// The stored data is malformed.
    #[error("malformed data in the database: {0}")]
    Corrupt(String),
    /// The stored table does not follow the rules of this version, since an earlier one wrote it.
    #[error("the table cannot be opened: {0}")]
    Earlier(NotRebuilt),
    /// The database refuses this write permanently.
    #[error("the database refuses this: {0}")]
    Refused(String),
    /// The database does not work now.
    #[error("the database does not answer: {0}")]
    Failed(String),
}

impl StorageError {
    /// Logs the error. Failures of the database itself are logged once by the storage; here it would be a line for
    /// every table.
    pub fn log(&self, table: &str, work: &str) {
        static TABLE: Outage = Outage::new("a table");
        let table = crate::secrets::short(table);
        match self {
            StorageError::Corrupt(_) | StorageError::Earlier(_) | StorageError::Refused(_) => {
                TABLE.failed(Instant::now(), &format!("{work} of {table}: {self}"));
            }
            StorageError::Conflict | StorageError::Failed(_) => {
                tracing::debug!(table, why = %self, "{work} failed");
            }
        }
    }
}

impl From<NotARecord> for StorageError {
    fn from(why: NotARecord) -> StorageError {
        StorageError::Corrupt(why.to_string())
    }
}

impl From<NotRebuilt> for StorageError {
    fn from(why: NotRebuilt) -> StorageError {
        if why.earlier {
            StorageError::Earlier(why)
        } else {
            StorageError::Corrupt(why.to_string())
        }
    }
}

impl From<sqlx::Error> for StorageError {
    fn from(why: sqlx::Error) -> StorageError {
        if is_refusal(&why) {
            StorageError::Refused(why.to_string())
        } else {
            StorageError::Failed(why.to_string())
        }
    }
}

/// Whether an error is caused by the data to be written, not by the database.
fn is_refusal(why: &sqlx::Error) -> bool {
    let sqlx::Error::Database(why) = why else {
        return false;
    };
    let code = why.code().unwrap_or_default();
    match code.parse::<u32>() {
        // SQLite: too big, a constraint, a type mismatch.
        Ok(number) if code.len() < 5 => [18, 19, 20].contains(&(number & 0xff)),
        // PostgreSQL: invalid data, a constraint, a program limit.
        _ => ["22", "23", "54"]
            .iter()
            .any(|class| code.starts_with(class)),
    }
}
