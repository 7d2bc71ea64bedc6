//! Where tables are kept. One small interface, so that the database can be another one.

mod postgres;
mod sql;
mod sqlite;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;

use table::{Entry, Header, Millis, NotARecord, PersonId, Record, Table};
use tokio::sync::mpsc;

pub use postgres::Postgres;
pub use sqlite::Sqlite;

/// A future without a name.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, StorageError>> + Send + 'a>>;

/// A database with tables in it. Everything that was answered with `Ok` survives a power failure.
pub trait Storage: Send + Sync + 'static {
    /// A new table.
    fn create(&self, table: NewTable) -> Pending<'_, ()>;

    /// Adds the next entry to a table's log. If there is one with this number already, somebody
    /// else was faster: [`StorageError::Conflict`], and nothing is changed.
    fn append(&self, entry: NewEntry) -> Pending<'_, ()>;

    /// A table with all its entries.
    fn load<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Stored>>;

    /// A table's entries after a number.
    fn entries_after<'a>(&'a self, table: &'a str, number: u64) -> Pending<'a, Vec<Entry>>;

    /// A person was at the table; if it was put away, it is back.
    fn visit<'a>(&'a self, table: &'a str, at: Millis) -> Pending<'a, ()>;

    /// What the lobby shows, the most recently visited first.
    fn listed(&self, most: u32) -> Pending<'_, Vec<String>>;

    /// The summary of one table.
    fn summary<'a>(&'a self, table: &'a str) -> Pending<'a, Option<String>>;

    /// Tables that somebody has to look after by now.
    fn due(&self, now: Millis, most: u32) -> Pending<'_, Vec<String>>;

    /// Puts tables away that nobody has visited since; says how many.
    fn archive(&self, visited_before: Millis, now: Millis) -> Pending<'_, u64>;

    /// Whether the database answers.
    fn check(&self) -> Pending<'_, ()>;

    /// Finishes all writes.
    fn close(&self) -> Pending<'_, ()>;

    // ---- for several servers on one database; where there is only one, it is always the one ----

    /// Since when there has always been a server.
    fn since(&self) -> Millis {
        crate::tables::now()
    }

    /// Whether this server is the one that looks after a table's clocks and bots. If nobody is, it
    /// is from now on.
    fn claim<'a>(&'a self, table: &'a str) -> Pending<'a, bool> {
        let _ = table;
        Box::pin(std::future::ready(Ok(true)))
    }

    /// Somebody else may look after the table.
    fn release<'a>(&'a self, table: &'a str) -> Pending<'a, ()> {
        let _ = table;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Tells the others who is connected here.
    fn announce(&self, table: &str, here: &Here) {
        let _ = (table, here);
    }

    /// Asks the others who is connected there.
    fn ask_who(&self, table: &str) {
        let _ = table;
    }

    /// What the others tell; only for whoever asks first.
    fn news(&self) -> Option<mpsc::Receiver<News>> {
        None
    }
}

/// Who is connected to a table at one server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Here {
    /// How far the server knows the table.
    pub number: u64,
    /// Who plays.
    pub people: Vec<PersonId>,
    /// How many others watch.
    pub watching: u32,
}

/// What other servers on the same database tell.
#[derive(Clone, Debug)]
pub enum News {
    /// They have written an entry.
    Entry {
        /// To which table.
        table: String,
        /// Which.
        number: u64,
    },
    /// Who is connected there.
    Here {
        /// To which table.
        table: String,
        /// At which server.
        node: String,
        /// Who.
        here: Here,
    },
    /// They want to know who is connected here.
    Who {
        /// To which table.
        table: String,
    },
    /// They do not look after a table any more.
    Released {
        /// Which.
        table: String,
    },
    /// These servers are alive, this one included.
    Alive(HashSet<String>),
    /// Something may have been missed.
    Missed,
}

/// Databases have signed numbers only; no moment and no count is that large.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What is repeated outside the log to be searched for.
#[derive(Clone, Debug)]
pub struct Meta {
    /// Where the table stands.
    pub stage: &'static str,
    /// Whether the lobby lists it.
    pub listed: bool,
    /// What the lobby shows, as JSON.
    pub summary: String,
    /// When somebody has to look after it.
    pub wake: Option<Millis>,
}

/// A table to be created.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// How it was opened.
    pub header: Header,
    /// What is repeated.
    pub meta: Meta,
}

/// An entry to be appended.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// Of which table.
    pub table: String,
    /// The entry.
    pub number: u64,
    /// The entry as a line.
    pub line: String,
    /// When a person did it; none: nobody did.
    pub visited: Option<Millis>,
    /// What is repeated.
    pub meta: Meta,
}

/// A table as it was stored.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its record.
    pub record: Record,
    /// Whether it was put away.
    pub archived: bool,
}

impl Stored {
    /// Reads the text of a record. A long one takes a while, in which other tables go on.
    async fn read(text: String, archived: bool) -> Result<Stored, StorageError> {
        let reading = tokio::task::spawn_blocking(move || Record::from_text(&text));
        let record = reading.await.map_err(|why| interrupted(&why))??;
        Ok(Stored { record, archived })
    }

    /// The table as it was after the last entry; in peace, too.
    pub async fn rebuild(self) -> Result<Table, StorageError> {
        let rebuilding = tokio::task::spawn_blocking(move || self.record.rebuild());
        let rebuilt = rebuilding.await.map_err(|why| interrupted(&why))?;
        rebuilt.map_err(|why| StorageError::Corrupt(why.to_string()))
    }
}

fn interrupted(why: &tokio::task::JoinError) -> StorageError {
    StorageError::Failed(why.to_string())
}

/// An entry as it was stored.
fn entry(line: &str) -> Result<Entry, StorageError> {
    serde_json::from_str(line).map_err(|why| StorageError::Corrupt(why.to_string()))
}

/// Why the database did not do it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StorageError {
    /// Somebody else has written this number.
    #[error("somebody else was faster")]
    Conflict,
    /// The database has something that cannot be understood.
    #[error("what is stored cannot be read: {0}")]
    Corrupt(String),
    /// The database does not work now.
    #[error("the database does not answer: {0}")]
    Failed(String),
}

impl From<NotARecord> for StorageError {
    fn from(why: NotARecord) -> StorageError {
        StorageError::Corrupt(why.to_string())
    }
}

impl From<sqlx::Error> for StorageError {
    fn from(why: sqlx::Error) -> StorageError {
        StorageError::Failed(why.to_string())
    }
}
