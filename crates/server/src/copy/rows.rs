//! Rows of either database, and their checksum.

use std::collections::BTreeMap;

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row};
use towers_table::Digest;

use super::CopyError;
pub(super) use crate::storage::SqlValue;

/// Tables of running servers, and the one that migrations write themselves.
const LEFT_OUT: [&str; 4] = ["nodes", "leases", "waiting_people", "_sqlx_migrations"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Text,
    Number,
    Flag,
    Bytes,
}

impl ColumnType {
    pub(super) fn of(declared: &str) -> Result<ColumnType, CopyError> {
        match declared.to_ascii_lowercase().as_str() {
            "text" => Ok(ColumnType::Text),
            "bigint" => Ok(ColumnType::Number),
            "boolean" => Ok(ColumnType::Flag),
            "blob" | "bytea" => Ok(ColumnType::Bytes),
            other => Err(CopyError::Schema(other.into())),
        }
    }
}

/// A table of the database with its columns.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    pub(super) columns: Vec<(String, ColumnType)>,
}

impl Relation {
    pub(super) fn column_list(&self) -> String {
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|(n, _)| format!("\"{n}\""))
            .collect();
        names.join(", ")
    }

    pub(super) fn select(&self) -> AssertSqlSafe<String> {
        // Names come from the schema, not from outside.
        AssertSqlSafe(format!(
            "SELECT {} FROM \"{}\"",
            self.column_list(),
            self.name
        ))
    }
}

/// The number of rows, and a checksum of their contents that does not depend on their order, since the two
/// databases sort text differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checksum {
    pub(super) rows: u64,
    contents: u128,
}

impl Checksum {
    pub(super) fn add(&mut self, row: &[SqlValue]) {
        let mut text = Vec::new();
        for value in row {
            let bytes = value.bytes();
            text.push(u8::from(value.is_null()));
            text.extend((bytes.len() as u64).to_le_bytes());
            text.extend(bytes);
        }
        let digest = Digest::digest(&[&text]).0;
        let mut first = [0; 16];
        first.copy_from_slice(&digest[..16]);
        self.rows += 1;
        self.contents = self.contents.wrapping_add(u128::from_le_bytes(first));
    }
}

/// Groups columns by table. Tables that others refer to come first.
pub(super) fn in_order(columns: Vec<(String, String, String)>) -> Result<Vec<Relation>, CopyError> {
    let mut relations: BTreeMap<String, Vec<(String, ColumnType)>> = BTreeMap::new();
    for (table, column, declared) in columns {
        if !LEFT_OUT.contains(&table.as_str()) {
            let columns = relations.entry(table).or_default();
            columns.push((column, ColumnType::of(&declared)?));
        }
    }
    let first = ["tables", "people", "person_devices", "person_tables"]
        .map(|name| relations.remove_entry(name));
    let all = first.into_iter().flatten().chain(relations);
    Ok(all
        .map(|(name, columns)| Relation { name, columns })
        .collect())
}

pub(super) fn from_sqlite(
    row: &SqliteRow,
    relation: &Relation,
) -> Result<Vec<SqlValue>, sqlx::Error> {
    let read = |(i, (_, kind)): (usize, &(String, ColumnType))| {
        Ok(match kind {
            ColumnType::Text => SqlValue::Text(row.try_get(i)?),
            ColumnType::Number => SqlValue::Number(row.try_get(i)?),
            ColumnType::Flag => SqlValue::Flag(row.try_get(i)?),
            ColumnType::Bytes => SqlValue::Bytes(row.try_get(i)?),
        })
    };
    relation.columns.iter().enumerate().map(read).collect()
}

pub(super) fn from_postgres(
    row: &PgRow,
    relation: &Relation,
) -> Result<Vec<SqlValue>, sqlx::Error> {
    let read = |(i, (_, kind)): (usize, &(String, ColumnType))| {
        Ok(match kind {
            ColumnType::Text => SqlValue::Text(row.try_get(i)?),
            ColumnType::Number => SqlValue::Number(row.try_get(i)?),
            ColumnType::Flag => SqlValue::Flag(row.try_get(i)?),
            ColumnType::Bytes => SqlValue::Bytes(row.try_get(i)?),
        })
    };
    relation.columns.iter().enumerate().map(read).collect()
}
