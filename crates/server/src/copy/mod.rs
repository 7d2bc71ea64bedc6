//! Copies all data from one database to an empty one of either kind, and checks the copy before it is committed.
//!
//! The schema is read from the databases, so that tables and columns added later are copied, too. Data of running
//! servers is left out.

mod rows;
mod source;
mod target;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection, Executor, Row};

use self::source::Source;
use self::target::Target;
use crate::metrics::Metrics;
use crate::people::KEY_FILE;
use crate::postgres::{Database, MIN_CONNECTIONS};
use crate::private;
use crate::storage::{PostgresStorage, SqliteStorage, Storage, StorageError};

/// Milliseconds after its last heartbeat in which a server counts as running.
const RUNNING: u32 = 5000;

/// The location of a server's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataLocation {
    /// A folder with `towers.db` in it.
    Folder(PathBuf),
    /// The address of a `PostgreSQL` database.
    Database(String),
}

impl DataLocation {
    /// Parses the address of a database or the name of a folder.
    pub fn from_text(text: &str) -> DataLocation {
        let is_url = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| text.starts_with(scheme));
        if is_url {
            DataLocation::Database(text.into())
        } else {
            DataLocation::Folder(text.into())
        }
    }
}

/// The numbers of copied and checked rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The number of rows by database table.
    pub rows: BTreeMap<String, u64>,
    /// The number of game tables replayed from the copy.
    pub replayed: u64,
}

/// Why nothing was copied. The target stays empty.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The databases do not work.
    #[error("{0}")]
    Storage(#[from] StorageError),
    /// There is no data to copy.
    #[error("there is no towers.db in {}", .0.display())]
    NoData(PathBuf),
    /// A running server would write to it during the copy.
    #[error("a server uses {0}: stop it first, so that nothing is left behind")]
    InUse(String),
    /// A copy must not be mixed with other data.
    #[error("the target is not empty: {0} has {1} rows")]
    NotEmpty(String, u64),
    /// The schema has a column of an unsupported type.
    #[error("columns of type {0} cannot be copied")]
    Schema(String),
    /// The copy differs from the original.
    #[error("the copy is not complete: {0}")]
    Differs(String),
}

impl From<sqlx::Error> for CopyError {
    fn from(why: sqlx::Error) -> CopyError {
        CopyError::Storage(why.into())
    }
}

/// Copies all data to an empty location, compares every row, and replays every table from the copy.
pub async fn copy(from: &DataLocation, to: &DataLocation) -> Result<Copied, CopyError> {
    let (mut source, mut target) = (Source::open(from).await?, Target::open(to).await?);
    let relations = source.relations().await?;
    let mut sums = BTreeMap::new();
    target.begin().await?;
    for relation in &relations {
        let count = target.count(&relation.name).await?;
        if count > 0 {
            return Err(CopyError::NotEmpty(relation.name.clone(), count));
        }
        sums.insert(
            relation.name.clone(),
            source.copy_to(relation, &mut target).await?,
        );
    }
    for relation in &relations {
        let copied = target.sum(relation).await?;
        let wanted = sums[&relation.name];
        if copied != wanted {
            return Err(CopyError::Differs(format!(
                "{} has {} rows where {} were read, or other contents",
                relation.name, copied.rows, wanted.rows
            )));
        }
    }
    target.commit().await?;
    source.close().await?;
    target.close().await?;
    carry_key(from, to).await?;
    let replayed = replay(to).await?;
    Ok(Copied {
        rows: sums
            .into_iter()
            .map(|(name, sum)| (name, sum.rows))
            .collect(),
        replayed,
    })
}

/// Copies the key of a folder that encrypts stored secrets. One in a database is copied with its row.
async fn carry_key(from: &DataLocation, to: &DataLocation) -> Result<(), CopyError> {
    let DataLocation::Folder(folder) = from else {
        return Ok(());
    };
    let Ok(key) = std::fs::read_to_string(folder.join(KEY_FILE)) else {
        return Ok(());
    };
    match to {
        DataLocation::Folder(folder) => {
            let file = folder.join(KEY_FILE);
            let write =
                || -> std::io::Result<()> { private::open_file(&file)?.write_all(key.as_bytes()) };
            write().map_err(|why| StorageError::Failed(why.to_string()))?;
        }
        DataLocation::Database(url) => {
            let mut connection = connect_postgres(url).await?;
            let insert = "INSERT INTO server_keys (name, value) VALUES ('secret', $1) \
                          ON CONFLICT DO NOTHING";
            let insert = sqlx::query(insert).bind(key.trim());
            insert.execute(&mut connection).await?;
            connection.close().await?;
        }
    }
    Ok(())
}

/// Replays every stored table: each entry has to follow from those before it.
async fn replay(place: &DataLocation) -> Result<u64, CopyError> {
    let (storage, tables): (Arc<dyn Storage>, Vec<String>) = match place {
        DataLocation::Folder(folder) => {
            let storage = SqliteStorage::open(&folder.join("towers.db")).await?;
            let mut reader = connect_sqlite(folder).await?;
            let rows = reader.fetch_all("SELECT id FROM tables").await?;
            let tables = rows.iter().map(|row| row.try_get(0));
            let tables = tables.collect::<Result<_, _>>()?;
            reader.close().await?;
            (Arc::new(storage), tables)
        }
        DataLocation::Database(url) => {
            let database = Database::open(url, MIN_CONNECTIONS).await?;
            let metrics: Arc<Metrics> = Arc::default();
            let mut reader = connect_postgres(url).await?;
            let rows = reader.fetch_all("SELECT id FROM tables").await?;
            let tables = rows.iter().map(|row| row.try_get(0));
            let storage = PostgresStorage::new(&database, "copy", &metrics);
            (Arc::new(storage), tables.collect::<Result<_, _>>()?)
        }
    };
    for table in &tables {
        let differs = |why: &dyn std::fmt::Display| {
            let table = crate::secrets::short(table);
            CopyError::Differs(format!("the table {table} cannot be replayed: {why}"))
        };
        let stored = storage.load(table).await.map_err(|why| differs(&why))?;
        let stored = stored.ok_or_else(|| differs(&"it is missing"))?;
        stored.rebuild().await.map_err(|why| differs(&why))?;
    }
    storage.close().await?;
    Ok(tables.len() as u64)
}

async fn connect_sqlite(folder: &Path) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnection::connect_with(&SqliteStorage::options(&folder.join("towers.db"))).await
}

async fn connect_postgres(url: &str) -> Result<PgConnection, CopyError> {
    let options = PgConnectOptions::from_str(url)?.application_name("towers copy");
    Ok(PgConnection::connect_with(&options).await?)
}

/// Locks a folder, so that no server uses it.
fn lock(folder: &Path) -> Result<File, CopyError> {
    let failed = |why: &dyn std::fmt::Display| {
        CopyError::Storage(StorageError::Failed(format!("{}: {why}", folder.display())))
    };
    let lock = private::open_file(&folder.join("towers.lock")).map_err(|why| failed(&why))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(CopyError::InUse(folder.display().to_string()))
        }
        Err(std::fs::TryLockError::Error(why)) => Err(failed(&why)),
    }
}

/// Fails if servers are running on a database. A database that never had any has no table of them.
async fn check_unused(connection: &mut PgConnection) -> Result<(), CopyError> {
    let known = "SELECT to_regclass('nodes') IS NOT NULL";
    let known: bool = connection.fetch_one(known).await?.try_get(0)?;
    if !known {
        return Ok(());
    }
    let query = format!(
        "SELECT count(*) FROM nodes \
         WHERE seen > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - {RUNNING}"
    );
    let row = connection.fetch_one(AssertSqlSafe(query)).await?;
    let running: i64 = row.try_get(0)?;
    if running > 0 {
        return Err(CopyError::InUse("this database".into()));
    }
    Ok(())
}
