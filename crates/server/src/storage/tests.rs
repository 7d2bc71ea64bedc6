//! What every storage has to do.

use std::sync::Arc;

use table::{Command, Header, Hex, PersonId, Record, Settings, Table, Who};

use super::{Meta, NewEntry, NewTable, Sqlite, Storage, StorageError};

fn meta(listed: bool, wake: Option<u64>) -> Meta {
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
fn record(id: &str, entries: u64) -> Record {
    let mut record = Record::new(header(id));
    let mut table = Table::create(&record.header).unwrap();
    let ann = Who::Person(PersonId(0));
    let sit = Command::Sit {
        name: None,
        seat: None,
        colour: None,
        key: String::new(),
    };
    for number in 0..entries {
        let entry = table.submit(number, ann, sit.clone(), &Hex([0; 32]));
        record.entries.push(entry.unwrap());
    }
    record
}

fn append(record: &Record, i: usize) -> NewEntry {
    NewEntry {
        table: record.header.table.clone(),
        number: record.entries[i].number,
        line: record.entries[i].to_line(),
        visited: Some(10 + i as u64),
        meta: meta(true, Some(100)),
    }
}

async fn behaves(storage: Arc<dyn Storage>) {
    assert!(storage.load("a").await.unwrap().is_none());
    let record = record("a", 3);
    let new = NewTable {
        header: record.header.clone(),
        meta: meta(false, None),
    };
    storage.create(new.clone()).await.unwrap();
    assert!(matches!(
        storage.create(new).await,
        Err(StorageError::Conflict)
    ));
    assert!(storage.listed(9).await.unwrap().is_empty());
    storage.append(append(&record, 0)).await.unwrap();
    storage.append(append(&record, 1)).await.unwrap();
    // Of many who want the same number, one gets it, and the others hear of it.
    let tries = (0..20).map(|_| storage.append(append(&record, 2)));
    let results = futures_util::future::join_all(tries).await;
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    let lost = |r: &&Result<(), _>| matches!(r, Err(StorageError::Conflict));
    assert_eq!(results.iter().filter(lost).count(), 19);
    let stored = storage.load("a").await.unwrap().unwrap();
    assert_eq!((stored.record, stored.archived), (record.clone(), false));
    let last = storage.entries_after("a", 2).await.unwrap();
    assert_eq!(last, record.entries[2..]);
    assert_eq!(storage.listed(9).await.unwrap().len(), 1);
    assert_eq!(
        storage.summary("a").await.unwrap().as_deref(),
        Some("{\"listed\":true}")
    );
    assert_eq!(storage.due(99, 9).await.unwrap(), Vec::<String>::new());
    assert_eq!(storage.due(100, 9).await.unwrap(), ["a"]);
    assert_eq!(storage.archive(12, 200).await.unwrap(), 0);
    assert_eq!(storage.archive(200, 201).await.unwrap(), 1);
    assert!(storage.listed(9).await.unwrap().is_empty());
    assert!(storage.load("a").await.unwrap().unwrap().archived);
    storage.visit("a", 300).await.unwrap();
    assert!(!storage.load("a").await.unwrap().unwrap().archived);
    storage.check().await.unwrap();
    storage.close().await.unwrap();
    assert!(storage.check().await.is_err());
}

#[tokio::test]
async fn sqlite_behaves() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Sqlite::open(&folder.path().join("t.db")).await.unwrap();
    behaves(Arc::new(storage)).await;
}

#[tokio::test]
async fn sqlite_is_durable_and_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.db");
    let record = record("b", 2);
    {
        let storage = Sqlite::open(&file).await.unwrap();
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(true, None),
        };
        storage.create(new).await.unwrap();
        storage.append(append(&record, 0)).await.unwrap();
        // Not closed: as if the process had died.
    }
    let storage = Sqlite::open(&file).await.unwrap();
    let stored = storage.load("b").await.unwrap().unwrap();
    assert_eq!(stored.record.entries, record.entries[..1]);
    storage.append(append(&record, 1)).await.unwrap();
}
