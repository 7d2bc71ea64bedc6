//! The contract of every storage.

use std::sync::Arc;

use towers_table::{Command, Header, Hex, PersonId, Record, Settings, Table, Who};

use crate::postgres::Database;

use super::{
    ListedTables, Meta, Moderation, NewEntry, NewTable, PostgresStorage, Rewrite, SqliteStorage,
    Storage, StorageError,
};

/// Makes two tests of a function that takes a storage, one for each database.
macro_rules! on_both_databases {
    ($test:ident, $sqlite:ident, $postgres:ident) => {
        #[tokio::test]
        async fn $sqlite() {
            let folder = tempfile::tempdir().unwrap();
            $test($crate::storage::tests::sqlite(folder.path()).await).await;
        }

        #[tokio::test]
        async fn $postgres() {
            let server = towers_test_support::Postgres::start().unwrap();
            $test($crate::storage::tests::postgres(&server.url()).await).await;
        }
    };
}
pub(crate) use on_both_databases;

/// Limits of a list that no test reaches.
const MANY: ListedTables = ListedTables {
    in_all: 100,
    per_opener: 100,
};

pub fn meta(listed: bool, wake: Option<u64>) -> Meta {
    Meta {
        stage: "lobby",
        listed,
        summary: format!("{{\"listed\":{listed}}}"),
        wake,
    }
}

fn header(id: &str) -> Header {
    Header::new(id, Settings::default(), "Ann", "", 5)
}

/// The entries of a short table.
pub fn record(id: &str, entries: u64) -> Record {
    let mut record = Record::new(header(id));
    let mut table = Table::create(&record.header).unwrap();
    let ann = Who::Person(PersonId(0));
    let sit = Command::Sit {
        name: None,
        seat: None,
        colour: None,
        key: String::new(),
        program: false,
    };
    for number in 0..entries {
        let entry = table.submit(number, ann, sit.clone(), &Hex([0; 32]));
        record.entries.push(entry.unwrap());
    }
    record
}

pub fn append(record: &Record, i: usize) -> NewEntry {
    NewEntry {
        table: record.header.table.clone(),
        number: record.entries[i].number,
        line: record.entries[i].to_line(),
        visited: Some(10 + i as u64),
        meta: Some(meta(true, Some(100))),
    }
}

async fn behaves(storage: Arc<dyn Storage>) {
    assert!(storage.load("a").await.unwrap().is_none());
    let record = record("a", 3);
    let new = NewTable {
        header: record.header.clone(),
        meta: meta(false, None),
        opener: None,
    };
    storage.create(new.clone()).await.unwrap();
    assert!(matches!(
        storage.create(new).await,
        Err(StorageError::Conflict)
    ));
    assert!(storage.listed(0, MANY).await.unwrap().is_empty());
    storage.append(append(&record, 0)).await.unwrap();
    storage.append(append(&record, 1)).await.unwrap();
    // Of many who append the same number, one succeeds, and the others get a conflict.
    let tries = (0..20).map(|_| storage.append(append(&record, 2)));
    let results = futures_util::future::join_all(tries).await;
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    let lost = |r: &&Result<(), _>| matches!(r, Err(StorageError::Conflict));
    assert_eq!(results.iter().filter(lost).count(), 19);
    let stored = storage.load("a").await.unwrap().unwrap();
    assert_eq!((stored.record, stored.archived), (record.clone(), false));
    let last = storage.entries_after("a", 2).await.unwrap();
    assert_eq!(last, record.entries[2..]);
    assert_eq!(storage.listed(0, MANY).await.unwrap().len(), 1);
    assert_eq!(
        storage.summary("a").await.unwrap().as_deref(),
        Some("{\"listed\":true}")
    );
    assert_eq!(storage.archive(12, 200).await.unwrap(), 0);
    assert_eq!(storage.archive(200, 201).await.unwrap(), 1);
    assert!(storage.listed(0, MANY).await.unwrap().is_empty());
    assert!(storage.load("a").await.unwrap().unwrap().archived);
    storage.visit("a", 300).await.unwrap();
    assert!(!storage.load("a").await.unwrap().unwrap().archived);
    storage.check().await.unwrap();
    storage.close().await.unwrap();
    assert!(storage.check().await.is_err());
}

/// A log is read page by page, and deleted with everything that refers to it.
async fn pages_and_deletes(storage: Arc<dyn Storage>) {
    let record = record("p", 5);
    let new = NewTable {
        header: record.header.clone(),
        meta: meta(false, None),
        opener: None,
    };
    storage.create(new).await.unwrap();
    let head = storage.head("p").await.unwrap().unwrap();
    assert_eq!((head.header, head.number), (record.header.to_line(), 0));
    for i in 0..5 {
        storage.append(append(&record, i)).await.unwrap();
    }
    assert_eq!(storage.head("p").await.unwrap().unwrap().number, 5);
    let lines: Vec<String> = record
        .entries
        .iter()
        .map(towers_table::Entry::to_line)
        .collect();
    assert_eq!(storage.page("p", 0, 2).await.unwrap(), lines[..2]);
    assert_eq!(storage.page("p", 2, 9).await.unwrap(), lines[2..]);
    assert!(storage.page("p", 5, 9).await.unwrap().is_empty());
    // Its clock runs out at 100, and the last visit was at 14.
    assert!(storage.expired(14, 9).await.unwrap().is_empty());
    assert!(storage.expired(50, 9).await.unwrap().is_empty());
    assert_eq!(storage.expired(101, 9).await.unwrap(), ["p"]);
    assert!(storage.delete("p").await.unwrap());
    assert!(!storage.delete("p").await.unwrap());
    assert!(storage.head("p").await.unwrap().is_none());
    assert!(storage.page("p", 0, 9).await.unwrap().is_empty());
    assert!(storage.load("p").await.unwrap().is_none());
}

/// Entries of many tables that are written together: each table gets its own searchable data, a conflict changes
/// nothing, and an entry without searchable data leaves it as it is.
async fn writes_groups(storage: Arc<dyn Storage>) {
    let records: Vec<Record> = (0..30).map(|i| record(&format!("g{i}"), 3)).collect();
    for record in &records {
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(false, None),
            opener: None,
        };
        storage.create(new).await.unwrap();
    }
    let entry = |i: usize, number: usize| {
        let mut entry = append(&records[i], number);
        entry.meta = i.is_multiple_of(3).then(|| Meta {
            summary: format!("{{\"table\":{i},\"number\":{number}}}"),
            ..meta(true, Some(7))
        });
        entry.visited = i.is_multiple_of(2).then_some(50 + i as u64);
        entry
    };
    for number in 0..2 {
        let writes = (0..30).map(|i| storage.append(entry(i, number)));
        for result in futures_util::future::join_all(writes).await {
            result.unwrap();
        }
    }
    // The same numbers again: conflicts, whose searchable data is not written.
    let again = (0..30).map(|i| {
        let mut entry = entry(i, 1);
        entry.line.push(' ');
        entry.visited = Some(9000);
        entry.meta = Some(Meta {
            summary: "lost".into(),
            ..meta(true, None)
        });
        storage.append(entry)
    });
    for result in futures_util::future::join_all(again).await {
        assert!(matches!(result, Err(StorageError::Conflict)), "{result:?}");
    }
    let rows = storage.tables(100).await.unwrap();
    for (i, record) in records.iter().enumerate() {
        let id = &record.header.table;
        let row = rows.iter().find(|row| row.table == *id).unwrap();
        let visited = if i.is_multiple_of(2) {
            50 + i as u64
        } else {
            5
        };
        let row = (row.entries, row.visited.unsigned_abs());
        assert_eq!(row, (2, visited), "{id}");
        let summary = match i % 3 {
            0 => format!("{{\"table\":{i},\"number\":1}}"),
            _ => "{\"listed\":false}".into(),
        };
        assert_eq!(storage.summary(id).await.unwrap(), Some(summary));
        let stored = storage.load(id).await.unwrap().unwrap();
        assert_eq!(stored.record.entries, record.entries[..2]);
    }
    assert_eq!(storage.listed(0, MANY).await.unwrap().len(), 10);
    // New entries and conflicts in one group: each gets its own result.
    let mixed = (0..30).map(|i| {
        let mut entry = entry(i, 2 - i % 2);
        entry.line.push(' ');
        storage.append(entry)
    });
    let results = futures_util::future::join_all(mixed).await;
    for (i, result) in results.into_iter().enumerate() {
        match result {
            Ok(()) => assert!(i.is_multiple_of(2), "{i} is a conflict"),
            Err(StorageError::Conflict) => assert!(!i.is_multiple_of(2), "{i} is new"),
            Err(why) => panic!("{i}: {why}"),
        }
    }
}

#[tokio::test]
async fn sqlite_writes_groups_of_entries() {
    let folder = tempfile::tempdir().unwrap();
    writes_groups(sqlite(folder.path()).await).await;
}

#[tokio::test]
async fn postgresql_writes_groups_of_entries() {
    let server = towers_test_support::Postgres::start().unwrap();
    writes_groups(postgres(&server.url()).await).await;
}

#[tokio::test]
async fn sqlite_reads_logs_by_pages_and_deletes_tables() {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    pages_and_deletes(Arc::new(storage)).await;
}

#[tokio::test]
async fn postgresql_reads_logs_by_pages_and_deletes_tables() {
    let server = towers_test_support::Postgres::start().unwrap();
    pages_and_deletes(postgres(&server.url()).await).await;
}

/// Operators' changes.
async fn moderates(storage: Arc<dyn Storage>) {
    let record = record("m", 2);
    let meta = Meta {
        stage: "playing",
        ..meta(true, None)
    };
    let header = record.header.clone();
    storage
        .create(NewTable {
            header,
            meta,
            opener: None,
        })
        .await
        .unwrap();
    for i in 0..2 {
        storage.append(append(&record, i)).await.unwrap();
    }
    let table = || "m".to_string();
    let moderate = async |change: Moderation| storage.moderate(change).await.unwrap();
    let listed = async || storage.listed(0, MANY).await.unwrap().len();
    assert_eq!(listed().await, 1);
    for (hidden, shown) in [(true, 0), (false, 1)] {
        let table = table();
        assert_eq!(moderate(Moderation::Hide { table, hidden }).await, 1);
        assert_eq!(listed().await, shown);
    }
    for at in 0..30 {
        let (table, reason) = (table(), format!("reason {at}"));
        moderate(Moderation::Report { table, at, reason }).await;
    }
    let reports = storage.reports(100).await.unwrap();
    assert_eq!((reports.len(), reports[0].at), (20, 19), "bounded");
    let row = storage.tables(9).await.unwrap().remove(0);
    assert_eq!((row.table.as_str(), row.entries, row.reports), ("m", 2, 20));
    assert!(!row.hidden && !row.archived);
    let dismissed = moderate(Moderation::DismissReports { table: table() }).await;
    assert_eq!(dismissed, 20);
    let ban = |network: &str, until| Moderation::Ban {
        network: network.into(),
        until,
    };
    moderate(ban("10.0.0.1", 50)).await;
    moderate(ban("10.0.0.2", 60)).await;
    moderate(ban("10.0.0.2", 70)).await;
    assert_eq!(storage.bans(49).await.unwrap().len(), 2);
    assert_eq!(moderate(Moderation::ExpireBans { now: 50 }).await, 1);
    let bans = storage.bans(0).await.unwrap();
    assert_eq!(bans, [("10.0.0.2".to_string(), 70)]);
    let network = "10.0.0.2".into();
    assert_eq!(moderate(Moderation::Unban { network }).await, 1);
    let rewrite = Rewrite {
        table: table(),
        header: record.header.to_line(),
        lines: vec!["one".into(), "two".into()],
        summary: "new".into(),
    };
    storage.rewrite(rewrite).await.unwrap();
    assert_eq!(storage.page("m", 0, 9).await.unwrap(), ["one", "two"]);
    assert_eq!(storage.summary("m").await.unwrap().as_deref(), Some("new"));
    assert!(storage.delete("m").await.unwrap());
}

#[tokio::test]
async fn operators_moderate_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    moderates(Arc::new(storage)).await;
}

#[tokio::test]
async fn operators_moderate_in_postgresql() {
    let server = towers_test_support::Postgres::start().unwrap();
    moderates(postgres(&server.url()).await).await;
}

/// A write that cannot be stored does not fail the others in its transaction.
async fn splits(storage: Arc<dyn Storage>, bad: impl Fn(&mut NewEntry)) {
    let records: Vec<Record> = (0..40).map(|i| record(&format!("split{i}"), 1)).collect();
    for record in &records {
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(true, None),
            opener: None,
        };
        storage.create(new).await.unwrap();
    }
    // One in ten is invalid; the others are stored.
    let writes = records.iter().enumerate().map(|(i, record)| {
        let mut entry = append(record, 0);
        if i % 10 == 7 {
            bad(&mut entry);
        }
        storage.append(entry)
    });
    let results = futures_util::future::join_all(writes).await;
    for (i, (result, record)) in results.iter().zip(&records).enumerate() {
        let refused = matches!(result, Err(StorageError::Refused(_)));
        assert_eq!(refused, i % 10 == 7, "{i}: {result:?}");
        assert!(refused || result.is_ok(), "{i}: {result:?}");
        let stored = storage.load(&record.header.table).await.unwrap().unwrap();
        assert_eq!(stored.record.entries.len(), usize::from(!refused), "{i}");
    }
    storage.check().await.unwrap();
}

fn ghost(entry: &mut NewEntry) {
    entry.table = format!("no-{}", entry.table);
}

#[tokio::test]
async fn one_bad_write_does_not_fail_its_neighbours_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    splits(Arc::new(storage), ghost).await;
}

#[tokio::test]
async fn one_bad_write_does_not_fail_its_neighbours_in_postgresql() {
    let server = towers_test_support::Postgres::start().unwrap();
    splits(postgres(&server.url()).await, ghost).await;
    // PostgreSQL's text has no zero bytes.
    let server = towers_test_support::Postgres::start().unwrap();
    let zero = |entry: &mut NewEntry| entry.line.push('\0');
    splits(postgres(&server.url()).await, zero).await;
}

#[tokio::test]
async fn a_closed_sqlite_file_is_complete_without_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.db");
    let storage = SqliteStorage::open(&file).await.unwrap();
    let record = record("a", 1);
    let new = NewTable {
        header: record.header.clone(),
        meta: meta(true, None),
        opener: None,
    };
    storage.create(new).await.unwrap();
    storage.append(append(&record, 0)).await.unwrap();
    storage.close().await.unwrap();
    for left in ["t.db-wal", "t.db-shm"] {
        assert!(!folder.path().join(left).exists(), "{left}");
    }
    let copy = folder.path().join("copy.db");
    std::fs::copy(&file, &copy).unwrap();
    let storage = SqliteStorage::open(&copy).await.unwrap();
    let stored = storage.load("a").await.unwrap().unwrap();
    assert_eq!(stored.record, record);
}

#[tokio::test]
async fn sqlite_behaves() {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    behaves(Arc::new(storage)).await;
}

/// Every write that returned `Ok` is there after reopening, twice.
async fn lasts(mut open: impl AsyncFnMut() -> Arc<dyn Storage>) {
    let record = record("b", 2);
    {
        let storage = open().await;
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(true, None),
            opener: None,
        };
        storage.create(new).await.unwrap();
        storage.append(append(&record, 0)).await.unwrap();
        // Not closed: as if the process had died.
    }
    let storage = open().await;
    let stored = storage.load("b").await.unwrap().unwrap();
    assert_eq!(stored.record.entries, record.entries[..1]);
    storage.append(append(&record, 1)).await.unwrap();
}

#[tokio::test]
async fn sqlite_is_durable_and_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.db");
    lasts(async || Arc::new(SqliteStorage::open(&file).await.unwrap()) as Arc<dyn Storage>).await;
}

pub async fn sqlite(folder: &std::path::Path) -> Arc<dyn Storage> {
    Arc::new(SqliteStorage::open(&folder.join("t.db")).await.unwrap())
}

pub async fn postgres(url: &str) -> Arc<dyn Storage> {
    let database = Database::open(url, 8).await.unwrap();
    Arc::new(PostgresStorage::new(&database, "node", &Arc::default()))
}

#[tokio::test]
async fn postgres_behaves_and_lasts() {
    let server = towers_test_support::Postgres::start().unwrap();
    let url = server.url();
    behaves(postgres(&url).await).await;
    lasts(async || postgres(&url).await).await;
}

/// A writer that panics is started again. Nobody was told that the entry before the panic is stored.
#[tokio::test]
async fn a_writer_that_panics_goes_on_and_loses_nothing() {
    let server = towers_test_support::Postgres::start().unwrap();
    let database = Database::open(&server.url(), 8).await.unwrap();
    let metrics = Arc::new(crate::metrics::Metrics::default());
    let storage = PostgresStorage::new(&database, "a", &metrics);
    // Ids with the same characters have the same writer.
    let records = [record("ab", 3), record("ba", 3)];
    for record in &records {
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(false, None),
            opener: None,
        };
        storage.create(new).await.unwrap();
    }
    for round in 0..3 {
        storage.append(append(&records[0], round)).await.unwrap();
        let mut fault = append(&records[1], round);
        fault.line = super::postgres_writers::FAULT.into();
        let failed = storage.append(fault).await;
        assert!(matches!(failed, Err(StorageError::Failed(_))), "{failed:?}");
    }
    let stored = storage.load("ab").await.unwrap().unwrap();
    assert_eq!(stored.record, records[0]);
    let text = metrics.handle().render();
    assert!(text.contains("\ntowers_panics_total 3\n"), "{text}");
}
