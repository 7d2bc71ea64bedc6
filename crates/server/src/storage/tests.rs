//! What every storage has to do.

use std::sync::Arc;

use table::{Command, Header, Hex, PersonId, Record, Settings, Table, Who};

use crate::tables::now;

use super::{Here, Meta, NewEntry, NewTable, News, Postgres, Sqlite, Storage, StorageError};

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

/// Everything that was answered with `Ok` is there when somebody opens it again; and so again.
async fn lasts(mut open: impl AsyncFnMut() -> Arc<dyn Storage>) {
    let record = record("b", 2);
    {
        let storage = open().await;
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(true, None),
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
    lasts(async || Arc::new(Sqlite::open(&file).await.unwrap()) as Arc<dyn Storage>).await;
}

async fn postgres(url: &str) -> Arc<dyn Storage> {
    Arc::new(Postgres::open(url).await.unwrap())
}

#[tokio::test]
async fn postgres_behaves_lasts_and_is_shared() {
    let server = throwaway::Postgres::start().unwrap();
    let url = server.url();
    behaves(postgres(&url).await).await;
    lasts(async || postgres(&url).await).await;
    shared(&url).await;
}

/// What two servers on one database see of each other.
async fn shared(url: &str) {
    let (a, b) = (postgres(url).await, postgres(url).await);
    let (mut a_news, mut b_news) = (a.news().unwrap(), b.news().unwrap());
    assert!(a.news().is_none(), "only for whoever asks first");
    let alive = async |news: &mut tokio::sync::mpsc::Receiver<News>, count| loop {
        match news.recv().await.unwrap() {
            News::Alive(nodes) if nodes.len() == count => break,
            _ => {}
        }
    };
    alive(&mut a_news, 2).await;
    alive(&mut b_news, 2).await;
    let record = record("c", 2);
    let new = NewTable {
        header: record.header.clone(),
        meta: meta(true, Some(7)),
    };
    a.create(new).await.unwrap();
    assert_eq!(b.due(7, 9).await.unwrap(), ["c"]);
    // One of them looks after the table, and both know who.
    assert!(a.claim("c").await.unwrap());
    assert!(a.claim("c").await.unwrap());
    assert!(!b.claim("c").await.unwrap());
    assert_eq!(b.due(7, 9).await.unwrap(), Vec::<String>::new());
    // The other one hears what was written, once; and of who is there.
    a.append(append(&record, 0)).await.unwrap();
    let lost = b.append(append(&record, 0)).await;
    assert!(matches!(lost, Err(StorageError::Conflict)));
    let here = Here {
        number: 1,
        people: vec![PersonId(0)],
        watching: 3,
    };
    a.announce("c", &here);
    a.ask_who("c");
    a.release("c").await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < 4 {
        heard.push(b_news.recv().await.unwrap());
    }
    let has = |what: fn(&News) -> bool| heard.iter().any(what);
    assert!(
        has(|n| matches!(n, News::Entry { table, number: 1 } if table == "c")),
        "{heard:?}"
    );
    assert!(
        has(|n| matches!(n, News::Here { here, .. } if here.watching == 3)),
        "{heard:?}"
    );
    assert!(has(|n| matches!(n, News::Who { .. })), "{heard:?}");
    assert!(has(|n| matches!(n, News::Released { .. })), "{heard:?}");
    // When whoever looks after it dies, the other one takes over; not before.
    assert!(b.claim("c").await.unwrap());
    assert!(!a.claim("c").await.unwrap());
    drop((b, b_news));
    alive(&mut a_news, 1).await;
    assert!(a.claim("c").await.unwrap());
    assert!(a.since() < now(), "there has been a server all the time");
}
