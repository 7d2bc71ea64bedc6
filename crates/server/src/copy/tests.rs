//! Every relation of the schema is copied both ways, with missing values and bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::TryStreamExt;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Executor, Row};

use super::rows::{ColumnType, Relation, SqlValue, from_postgres, from_sqlite};
use super::source::Source;
use super::{DataLocation, connect_sqlite, copy};
use crate::storage::tests::{append, meta, record};
use crate::storage::{NewTable, SqliteStorage, Storage, pack};

/// Two game tables. Generated rows have their ids as texts everywhere, so that every reference leads somewhere.
const IDS: [&str; 2] = ["0000000000000000000a", "ä 'quoted' \"id\" \\ %s"];

/// The relations with contents of their own, which are replayed.
const LOGS: [&str; 3] = ["tables", "entries", "packed_logs"];

/// Two tables: one with entries, one whose log is packed.
async fn add_logs(storage: Arc<dyn Storage>) {
    for id in IDS {
        let record = record(id, 5);
        let header = record.header.clone();
        let meta = meta(false, None);
        storage
            .create(NewTable {
                header,
                meta,
                opener: None,
            })
            .await
            .unwrap();
        for i in 0..5 {
            storage.append(append(&record, i)).await.unwrap();
        }
    }
    let lines: Vec<String> = record(IDS[1], 5)
        .entries
        .iter()
        .map(towers_table::Entry::to_line)
        .collect();
    let chunk = pack(&lines).unwrap();
    storage.add_chunk(IDS[1], 5, chunk, 7).await.unwrap();
    storage.trim(IDS[1], 8).await.unwrap();
}

/// The columns of a relation that must have a value.
async fn required(db: &mut SqliteConnection, relation: &str) -> BTreeSet<String> {
    let query = "SELECT name FROM pragma_table_info($1) WHERE \"notnull\" OR pk";
    let rows = sqlx::query(query).bind(relation).fetch_all(db).await;
    rows.unwrap().iter().map(|row| row.get(0)).collect()
}

/// Inserts two rows: one with extreme values, one without any that may be missing.
async fn fill(db: &mut SqliteConnection, relation: &Relation) {
    let required = required(db, &relation.name).await;
    for (i, id) in IDS.iter().enumerate() {
        let value = |(name, kind): &(String, ColumnType)| match kind {
            _ if i == 1 && !required.contains(name) => "NULL".to_string(),
            ColumnType::Text => format!("'{}'", id.replace('\'', "''")),
            ColumnType::Number => [i64::MAX, i64::MIN][i].to_string(),
            ColumnType::Flag => ["TRUE", "FALSE"][i].to_string(),
            ColumnType::Bytes => "x'00ff27'".to_string(),
        };
        let values: Vec<String> = relation.columns.iter().map(value).collect();
        let (name, columns) = (&relation.name, relation.column_list());
        let insert = format!(
            "INSERT INTO \"{name}\" ({columns}) VALUES ({})",
            values.join(", ")
        );
        db.execute(AssertSqlSafe(insert.clone()))
            .await
            .unwrap_or_else(|why| panic!("{insert}: {why}"));
    }
}

/// All rows of all relations, sorted.
async fn contents(place: &DataLocation) -> BTreeMap<String, Vec<String>> {
    let mut source = Source::open(place).await.unwrap();
    let mut all = BTreeMap::new();
    for relation in source.relations().await.unwrap() {
        let rows: Vec<Vec<SqlValue>> = match &mut source {
            Source::Folder(db, _) => {
                let rows: Vec<_> = db.fetch(relation.select()).try_collect().await.unwrap();
                let rows = rows.iter().map(|row| from_sqlite(row, &relation));
                rows.collect::<Result<_, _>>().unwrap()
            }
            Source::Database(db) => {
                let rows: Vec<_> = db.fetch(relation.select()).try_collect().await.unwrap();
                let rows = rows.iter().map(|row| from_postgres(row, &relation));
                rows.collect::<Result<_, _>>().unwrap()
            }
        };
        // The two databases may have the columns in another order.
        let named = |row: &Vec<SqlValue>| {
            let names = relation.columns.iter().map(|(name, _)| name);
            format!("{:?}", names.zip(row).collect::<BTreeMap<_, _>>())
        };
        let mut rows: Vec<String> = rows.iter().map(named).collect();
        rows.sort();
        all.insert(relation.name, rows);
    }
    source.close().await.unwrap();
    all
}

#[tokio::test]
async fn every_relation_is_copied_both_ways_with_missing_values() {
    let (first, back) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let [from, back] = [&first, &back].map(|folder| DataLocation::Folder(folder.path().into()));
    let file = first.path().join("towers.db");
    let storage = Arc::new(SqliteStorage::open(&file).await.unwrap());
    add_logs(storage.clone()).await;
    storage.close().await.unwrap();
    let mut source = Source::open(&from).await.unwrap();
    let relations = source.relations().await.unwrap();
    source.close().await.unwrap();
    let mut db = connect_sqlite(first.path()).await.unwrap();
    for relation in relations.iter().filter(|r| !LOGS.contains(&&*r.name)) {
        fill(&mut db, relation).await;
    }
    drop(db);
    let original = contents(&from).await;
    for (relation, rows) in &original {
        assert!(rows.len() >= 2 || relation == "packed_logs", "{relation}");
    }
    let kinds = format!("{original:?}");
    for kind in [
        "Text(None)",
        "Number(None)",
        "Bytes(Some",
        "Flag(Some(false))",
    ] {
        assert!(kinds.contains(kind), "nothing has {kind}");
    }
    let server = towers_test_support::Postgres::start().unwrap();
    let database = DataLocation::Database(server.url());
    let copied = copy(&from, &database).await.unwrap();
    assert_eq!(copied.replayed, 2);
    assert_eq!(contents(&database).await, original);
    copy(&database, &back).await.unwrap();
    assert_eq!(contents(&back).await, original);
}
