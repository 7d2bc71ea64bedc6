//! Statements in SQL that both databases understand, with their parameters and rows.

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Column, Row, TypeInfo, ValueRef};

use super::{StorageError, signed};

/// A value of a column. A missing value has a type, too, because `PostgreSQL` has to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SqlValue {
    Text(Option<String>),
    Number(Option<i64>),
    Flag(Option<bool>),
    Bytes(Option<Vec<u8>>),
}

macro_rules! value_from {
    ($($from:ty, $variant:ident, $convert:expr;)*) => {
        $(
            impl From<$from> for SqlValue {
                fn from(value: $from) -> SqlValue {
                    SqlValue::$variant(Some($convert(value)))
                }
            }

            impl From<Option<$from>> for SqlValue {
                fn from(value: Option<$from>) -> SqlValue {
                    SqlValue::$variant(value.map($convert))
                }
            }
        )*
    };
}

value_from! {
    &str, Text, String::from;
    &String, Text, String::clone;
    String, Text, std::convert::identity;
    i64, Number, std::convert::identity;
    u64, Number, signed;
    u32, Number, i64::from;
    bool, Flag, std::convert::identity;
    Vec<u8>, Bytes, std::convert::identity;
}

#[derive(Clone, Debug)]
pub struct Statement {
    sql: &'static str,
    values: Vec<SqlValue>,
}

impl Statement {
    pub fn new(sql: &'static str) -> Statement {
        Statement {
            sql,
            values: Vec::new(),
        }
    }

    /// Adds the next parameter: the first one is `$1`.
    #[must_use]
    pub fn with(mut self, value: impl Into<SqlValue>) -> Statement {
        self.values.push(value.into());
        self
    }

    pub(crate) fn for_sqlite(&self) -> sqlx::query::Query<'_, sqlx::Sqlite, SqliteArguments> {
        let query = sqlx::query(self.sql);
        let bind = |query: sqlx::query::Query<'static, _, _>, value: &SqlValue| match value.clone()
        {
            SqlValue::Text(value) => query.bind(value),
            SqlValue::Number(value) => query.bind(value),
            SqlValue::Flag(value) => query.bind(value),
            SqlValue::Bytes(value) => query.bind(value),
        };
        self.values.iter().fold(query, bind)
    }

    pub(crate) fn for_postgres(&self) -> sqlx::query::Query<'_, sqlx::Postgres, PgArguments> {
        let query = sqlx::query(self.sql);
        let bind = |query: sqlx::query::Query<'static, _, _>, value: &SqlValue| match value.clone()
        {
            SqlValue::Text(value) => query.bind(value),
            SqlValue::Number(value) => query.bind(value),
            SqlValue::Flag(value) => query.bind(value),
            SqlValue::Bytes(value) => query.bind(value),
        };
        self.values.iter().fold(query, bind)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlRow {
    names: Vec<String>,
    values: Vec<SqlValue>,
}

/// The effect of one statement of a transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementResult {
    /// The rows of `RETURNING` or `SELECT`.
    pub rows: Vec<SqlRow>,
    /// The number of changed rows.
    pub count: u64,
}

macro_rules! read_row {
    ($row:expr) => {{
        let row = $row;
        let read = |column: usize| {
            let raw = row.try_get_raw(column)?;
            let name = if raw.is_null() {
                row.column(column).type_info().name().to_string()
            } else {
                raw.type_info().name().to_string()
            };
            Ok(match name.as_str() {
                "BIGINT" | "INTEGER" | "INT" => SqlValue::Number(row.try_get_unchecked(column)?),
                "INT8" => SqlValue::Number(row.try_get(column)?),
                "INT4" => {
                    let number: Option<i32> = row.try_get(column)?;
                    SqlValue::Number(number.map(i64::from))
                }
                "BOOL" | "BOOLEAN" => SqlValue::Flag(row.try_get(column)?),
                "BYTEA" | "BLOB" => SqlValue::Bytes(row.try_get(column)?),
                _ => SqlValue::Text(row.try_get(column)?),
            })
        };
        let values = (0..row.len()).map(read);
        let values = values.collect::<Result<Vec<_>, sqlx::Error>>();
        let names = row.columns().iter().map(|c| c.name().to_string());
        values.map(|values| SqlRow {
            names: names.collect(),
            values,
        })
    }};
}

impl SqlRow {
    pub(crate) fn from_sqlite(row: &SqliteRow) -> Result<SqlRow, sqlx::Error> {
        read_row!(row)
    }

    pub(crate) fn from_postgres(row: &PgRow) -> Result<SqlRow, sqlx::Error> {
        read_row!(row)
    }

    /// The values in order.
    pub fn values(&self) -> &[SqlValue] {
        &self.values
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn optional_text(&self, column: usize) -> Result<Option<String>, StorageError> {
        match self.values.get(column) {
            Some(SqlValue::Text(value)) => Ok(value.clone()),
            Some(value) if value.is_null() => Ok(None),
            _ => Err(unexpected(column)),
        }
    }

    pub fn text(&self, column: usize) -> Result<String, StorageError> {
        self.optional_text(column)?
            .ok_or_else(|| unexpected(column))
    }

    pub fn optional_number(&self, column: usize) -> Result<Option<i64>, StorageError> {
        match self.values.get(column) {
            Some(SqlValue::Number(value)) => Ok(*value),
            Some(value) if value.is_null() => Ok(None),
            _ => Err(unexpected(column)),
        }
    }

    pub fn number(&self, column: usize) -> Result<i64, StorageError> {
        self.optional_number(column)?
            .ok_or_else(|| unexpected(column))
    }

    pub fn flag(&self, column: usize) -> Result<bool, StorageError> {
        match self.values.get(column) {
            Some(SqlValue::Flag(Some(flag))) => Ok(*flag),
            // `SQLite` computes numbers.
            Some(SqlValue::Number(Some(number))) => Ok(*number != 0),
            _ => Err(unexpected(column)),
        }
    }
}

fn unexpected(column: usize) -> StorageError {
    StorageError::Corrupt(format!("column {column} has no value of the expected type"))
}

impl SqlValue {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            SqlValue::Text(Some(text)) => text.as_bytes().to_vec(),
            SqlValue::Number(Some(number)) => number.to_le_bytes().to_vec(),
            SqlValue::Flag(Some(flag)) => vec![u8::from(*flag)],
            SqlValue::Bytes(Some(bytes)) => bytes.clone(),
            _ => Vec::new(),
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(
            self,
            SqlValue::Text(None)
                | SqlValue::Number(None)
                | SqlValue::Flag(None)
                | SqlValue::Bytes(None)
        )
    }
}
