//! Reading the original.

use std::fs::File;

use futures_util::TryStreamExt;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Connection, Executor, Row};

use super::rows::{Checksum, Relation, from_postgres, from_sqlite, in_order};
use super::target::Target;
use super::{CopyError, DataLocation, check_unused, connect_postgres, connect_sqlite, lock};
use crate::postgres::{Database, MIN_CONNECTIONS};
use crate::storage::{SqliteStorage, Storage};

/// The number of rows written with one statement.
const BATCH: usize = 500;

/// The database that is read, in one snapshot.
pub(super) enum Source {
    Folder(SqliteConnection, File),
    Database(PgConnection),
}

impl Source {
    pub(super) async fn open(place: &DataLocation) -> Result<Source, CopyError> {
        match place {
            DataLocation::Folder(folder) => {
                if !folder.join("towers.db").is_file() {
                    return Err(CopyError::NoData(folder.clone()));
                }
                let lock = lock(folder)?;
                // Migrate it.
                SqliteStorage::open(&folder.join("towers.db"))
                    .await?
                    .close()
                    .await?;
                let mut connection = connect_sqlite(folder).await?;
                connection.execute("BEGIN").await?;
                Ok(Source::Folder(connection, lock))
            }
            DataLocation::Database(url) => {
                Database::open(url, MIN_CONNECTIONS).await?;
                let mut connection = connect_postgres(url).await?;
                check_unused(&mut connection).await?;
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                connection.execute(begin).await?;
                Ok(Source::Database(connection))
            }
        }
    }

    pub(super) async fn relations(&mut self) -> Result<Vec<Relation>, CopyError> {
        let columns = match self {
            Source::Folder(connection, _) => {
                let query = "SELECT m.name, c.name, c.type FROM sqlite_schema AS m, \
                             pragma_table_info(m.name) AS c \
                             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY c.cid";
                let rows = connection.fetch_all(query).await?;
                let read =
                    |row: &SqliteRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
                rows.iter()
                    .map(read)
                    .collect::<Result<Vec<_>, sqlx::Error>>()?
            }
            Source::Database(connection) => {
                let query = "SELECT relname::text, attname::text, format_type(atttypid, NULL) \
                             FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid \
                             WHERE relnamespace = current_schema()::regnamespace \
                             AND relkind IN ('r', 'p') AND NOT relispartition \
                             AND attnum > 0 AND NOT attisdropped ORDER BY relname, attnum";
                let rows = connection.fetch_all(query).await?;
                let read = |row: &PgRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
                rows.iter()
                    .map(read)
                    .collect::<Result<Vec<_>, sqlx::Error>>()?
            }
        };
        in_order(columns)
    }

    pub(super) async fn close(self) -> Result<(), CopyError> {
        match self {
            Source::Folder(connection, _lock) => connection.close().await?,
            Source::Database(connection) => connection.close().await?,
        }
        Ok(())
    }

    pub(super) async fn copy_to(
        &mut self,
        relation: &Relation,
        to: &mut Target,
    ) -> Result<Checksum, CopyError> {
        let mut sum = Checksum::default();
        let mut batch = Vec::with_capacity(BATCH);
        match self {
            Source::Folder(connection, _) => {
                let mut rows = connection.fetch(relation.select());
                while let Some(row) = rows.try_next().await? {
                    let row = from_sqlite(&row, relation)?;
                    sum.add(&row);
                    batch.push(row);
                    if batch.len() == BATCH {
                        to.insert(relation, std::mem::take(&mut batch)).await?;
                    }
                }
            }
            Source::Database(connection) => {
                let mut rows = connection.fetch(relation.select());
                while let Some(row) = rows.try_next().await? {
                    let row = from_postgres(&row, relation)?;
                    sum.add(&row);
                    batch.push(row);
                    if batch.len() == BATCH {
                        to.insert(relation, std::mem::take(&mut batch)).await?;
                    }
                }
            }
        }
        to.insert(relation, batch).await?;
        Ok(sum)
    }
}
