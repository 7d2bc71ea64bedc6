//! Writing the copy.

use std::fs::File;

use futures_util::TryStreamExt;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection, Executor, Row};

use super::rows::{Checksum, ColumnType, Relation, SqlValue, from_postgres, from_sqlite};
use super::{CopyError, DataLocation, check_unused, connect_postgres, connect_sqlite, lock};
use crate::postgres::{Database, MIN_CONNECTIONS};
use crate::private;
use crate::storage::{SqliteStorage, Storage, StorageError};

/// The database that is written, in one transaction.
pub(super) enum Target {
    Folder(SqliteConnection, File),
    Database(PgConnection),
}

impl Target {
    pub(super) async fn open(place: &DataLocation) -> Result<Target, CopyError> {
        match place {
            DataLocation::Folder(folder) => {
                private::create_folder(folder)
                    .map_err(|why| StorageError::Failed(format!("{}: {why}", folder.display())))?;
                let lock = lock(folder)?;
                SqliteStorage::open(&folder.join("towers.db"))
                    .await?
                    .close()
                    .await?;
                Ok(Target::Folder(connect_sqlite(folder).await?, lock))
            }
            DataLocation::Database(url) => {
                Database::open(url, MIN_CONNECTIONS).await?;
                let mut connection = connect_postgres(url).await?;
                check_unused(&mut connection).await?;
                Ok(Target::Database(connection))
            }
        }
    }

    async fn execute(&mut self, statement: &'static str) -> Result<(), CopyError> {
        match self {
            Target::Folder(connection, _) => connection.execute(statement).await.map(drop)?,
            Target::Database(connection) => connection.execute(statement).await.map(drop)?,
        }
        Ok(())
    }

    pub(super) async fn begin(&mut self) -> Result<(), CopyError> {
        self.execute("BEGIN").await
    }

    pub(super) async fn commit(&mut self) -> Result<(), CopyError> {
        self.execute("COMMIT").await
    }

    pub(super) async fn close(self) -> Result<(), CopyError> {
        match self {
            Target::Folder(connection, _lock) => connection.close().await?,
            Target::Database(connection) => connection.close().await?,
        }
        Ok(())
    }

    pub(super) async fn count(&mut self, table: &str) -> Result<u64, CopyError> {
        let query = AssertSqlSafe(format!("SELECT count(*) FROM \"{table}\""));
        let count: i64 = match self {
            Target::Folder(connection, _) => connection.fetch_one(query).await?.try_get(0)?,
            Target::Database(connection) => connection.fetch_one(query).await?.try_get(0)?,
        };
        Ok(count.try_into().unwrap_or(0))
    }

    pub(super) async fn insert(
        &mut self,
        relation: &Relation,
        rows: Vec<Vec<SqlValue>>,
    ) -> Result<(), CopyError> {
        if rows.is_empty() {
            return Ok(());
        }
        match self {
            Target::Folder(connection, _) => {
                let places: Vec<String> = (1..=relation.columns.len())
                    .map(|i| format!("${i}"))
                    .collect();
                let statement = format!(
                    "INSERT INTO \"{}\" ({}) VALUES ({})",
                    relation.name,
                    relation.column_list(),
                    places.join(", ")
                );
                for row in rows {
                    let mut query = sqlx::query(AssertSqlSafe(statement.clone()));
                    for value in row {
                        query = match value {
                            SqlValue::Text(value) => query.bind(value),
                            SqlValue::Number(value) => query.bind(value),
                            SqlValue::Flag(value) => query.bind(value),
                            SqlValue::Bytes(value) => query.bind(value),
                        };
                    }
                    query.execute(&mut *connection).await?;
                }
            }
            Target::Database(connection) => {
                let places: Vec<String> = relation
                    .columns
                    .iter()
                    .enumerate()
                    .map(|(i, (_, kind))| {
                        let array = match kind {
                            ColumnType::Text => "text",
                            ColumnType::Number => "bigint",
                            ColumnType::Flag => "boolean",
                            ColumnType::Bytes => "bytea",
                        };
                        format!("${}::{array}[]", i + 1)
                    })
                    .collect();
                let statement = format!(
                    "INSERT INTO \"{}\" ({}) SELECT * FROM unnest({})",
                    relation.name,
                    relation.column_list(),
                    places.join(", ")
                );
                let mut query = sqlx::query(AssertSqlSafe(statement));
                let mut columns: Vec<Vec<SqlValue>> = vec![Vec::new(); relation.columns.len()];
                for row in rows {
                    for (column, value) in columns.iter_mut().zip(row) {
                        column.push(value);
                    }
                }
                for ((_, kind), column) in relation.columns.iter().zip(columns) {
                    let column = column.into_iter();
                    query = match kind {
                        ColumnType::Text => query.bind(texts(column)),
                        ColumnType::Number => query.bind(numbers(column)),
                        ColumnType::Flag => query.bind(flags(column)),
                        ColumnType::Bytes => query.bind(byte_strings(column)),
                    };
                }
                query.execute(&mut *connection).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn sum(&mut self, relation: &Relation) -> Result<Checksum, CopyError> {
        let mut sum = Checksum::default();
        match self {
            Target::Folder(connection, _) => {
                let mut rows = connection.fetch(relation.select());
                while let Some(row) = rows.try_next().await? {
                    sum.add(&from_sqlite(&row, relation)?);
                }
            }
            Target::Database(connection) => {
                let mut rows = connection.fetch(relation.select());
                while let Some(row) = rows.try_next().await? {
                    sum.add(&from_postgres(&row, relation)?);
                }
            }
        }
        Ok(sum)
    }
}

macro_rules! column {
    ($name:ident, $variant:ident, $type:ty) => {
        fn $name(values: impl Iterator<Item = SqlValue>) -> Vec<Option<$type>> {
            values
                .map(|value| match value {
                    SqlValue::$variant(value) => value,
                    _ => None,
                })
                .collect()
        }
    };
}

column!(texts, Text, String);
column!(numbers, Number, i64);
column!(flags, Flag, bool);
column!(byte_strings, Bytes, Vec<u8>);
