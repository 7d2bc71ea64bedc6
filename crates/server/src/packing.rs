//! Compresses the logs of finished games, so that years of them fit on a small disk.
//!
//! A log is packed in two steps, because a server that has not received the last entries yet might append
//! concurrently. First, compressed chunks are added; from then on, entries with their numbers cannot be appended.
//! Some time later, the packed entries are deleted.

use std::time::Duration;

use towers_table::Millis;

use crate::storage::{CHUNK, Storage, StorageError, pack};

/// The maximum number of tables packed in one run.
const MAX_TABLES: u32 = 1000;
/// The maximum delay between the two steps. It is longer than any statement takes.
const MAX_TRIM_AFTER: Duration = Duration::from_secs(600);

/// Packs the logs of finished games that nobody has visited for some time. Returns the number of packed tables.
pub async fn pack_finished(
    storage: &dyn Storage,
    after: Duration,
    now: Millis,
) -> Result<u64, StorageError> {
    let before = |age: Duration| now.saturating_sub(age.as_millis() as Millis);
    let mut packed = 0;
    for (table, last) in storage.unpacked(before(after), MAX_TABLES).await? {
        match pack_log(storage, &table, last, now).await {
            Ok(()) => packed += 1,
            Err(why @ StorageError::Corrupt(_)) => why.log(&table, "packing"),
            Err(why) => return Err(why),
        }
    }
    let trim_before = before(after.min(MAX_TRIM_AFTER)) + 1;
    for table in storage.untrimmed(trim_before, MAX_TABLES).await? {
        storage.trim(&table, trim_before).await?;
    }
    Ok(packed)
}

/// Packs the entries of a table after a number.
async fn pack_log(
    storage: &dyn Storage,
    table: &str,
    last: u64,
    now: Millis,
) -> Result<(), StorageError> {
    let mut number = last;
    loop {
        let lines = storage.page(table, number, CHUNK).await?;
        if lines.is_empty() {
            return storage.mark_packed(table).await;
        }
        number += lines.len() as u64;
        let packing = tokio::task::spawn_blocking(move || pack(&lines));
        let chunk = packing
            .await
            .map_err(|why| StorageError::Failed(why.to_string()))??;
        storage.add_chunk(table, number, chunk, now).await?;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use towers_table::{Entry, Record};

    use super::*;
    use crate::storage::tests::{append, meta, postgres, record, sqlite};
    use crate::storage::{Meta, NewTable, Rewrite};

    const HOUR: Duration = Duration::from_secs(3600);
    /// Two hours after the last visit.
    const LATER: Millis = 2 * 3600 * 1000;

    async fn store(storage: &dyn Storage, record: &Record, stage: &'static str) {
        for i in 0..record.entries.len() {
            let mut entry = append(record, i);
            entry.meta = Some(Meta {
                stage,
                ..meta(false, None)
            });
            storage.append(entry).await.unwrap();
        }
    }

    async fn open(storage: &dyn Storage, id: &str, entries: u64, stage: &'static str) -> Record {
        let record = record(id, entries);
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(false, None),
            opener: None,
        };
        storage.create(new).await.unwrap();
        store(storage, &record, stage).await;
        record
    }

    /// Checks that all ways to read a log return the same as before packing.
    async fn check(storage: &dyn Storage, whole: &Record) {
        let id = &whole.header.table;
        let stored = storage.load(id).await.unwrap().unwrap();
        assert_eq!(stored.record, *whole);
        let lines: Vec<String> = whole.entries.iter().map(Entry::to_line).collect();
        let number = lines.len() as u64;
        assert_eq!(storage.head(id).await.unwrap().unwrap().number, number);
        for after in [0, 1, 3, number - 1, number] {
            let rest = &whole.entries[after as usize..];
            assert_eq!(storage.entries_after(id, after).await.unwrap(), rest);
            for most in [1, 2, 50] {
                let page = storage.page(id, after, most).await.unwrap();
                let end = (after + u64::from(most)).min(number) as usize;
                assert_eq!(page, lines[after as usize..end]);
            }
        }
    }

    async fn packs(storage: Arc<dyn Storage>) {
        let storage = &*storage;
        let over = open(storage, "over", 5, "over").await;
        let long = open(storage, "long", u64::from(CHUNK) + 7, "over").await;
        let playing = open(storage, "playing", 5, "playing").await;
        let packed = pack_finished(storage, HOUR, HOUR.as_millis() as Millis).await;
        assert_eq!(packed.unwrap(), 0, "visited less than an hour ago");
        assert_eq!(pack_finished(storage, HOUR, LATER).await.unwrap(), 2);
        // The second step comes later; in between, chunks and entries overlap.
        for (now, again) in [(LATER, 0), (LATER + 700_000, 0), (LATER + 1_400_000, 0)] {
            assert_eq!(pack_finished(storage, HOUR, now).await.unwrap(), again);
            for record in [&over, &long, &playing] {
                check(storage, record).await;
                // Packed entries cannot be appended again.
                for i in [0, record.entries.len() - 1] {
                    let again = storage.append(append(record, i)).await;
                    assert!(matches!(again, Err(StorageError::Conflict)), "{again:?}");
                }
            }
        }
        assert!(storage.untrimmed(Millis::MAX, 9).await.unwrap().is_empty());
        // The table continues, and is packed again.
        let more = record("over", 8);
        for i in 5..8 {
            let mut entry = append(&more, i);
            entry.meta = Some(Meta {
                stage: "over",
                ..meta(false, None)
            });
            storage.append(entry).await.unwrap();
        }
        check(storage, &more).await;
        let rows = storage.tables(9).await.unwrap();
        let row = rows.iter().find(|row| row.table == "over").unwrap();
        assert_eq!(row.entries, 8);
        for now in [2 * LATER, 3 * LATER] {
            pack_finished(storage, HOUR, now).await.unwrap();
            check(storage, &more).await;
        }
        // A rewritten log stays unpacked until the next run.
        let rewrite = Rewrite {
            table: "over".into(),
            header: more.header.to_line(),
            lines: more.entries.iter().map(Entry::to_line).collect(),
            summary: "{}".into(),
        };
        storage.rewrite(rewrite).await.unwrap();
        check(storage, &more).await;
        assert_eq!(pack_finished(storage, HOUR, 4 * LATER).await.unwrap(), 1);
        check(storage, &more).await;
        assert!(storage.delete("over").await.unwrap());
        assert!(storage.load("over").await.unwrap().is_none());
        assert!(storage.page("over", 0, 9).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn logs_of_finished_games_are_packed_in_sqlite() {
        let folder = tempfile::tempdir().unwrap();
        packs(sqlite(folder.path()).await).await;
    }

    #[tokio::test]
    async fn logs_of_finished_games_are_packed_in_postgresql() {
        let server = towers_test_support::Postgres::start().unwrap();
        packs(postgres(&server.url()).await).await;
        let partitions = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'entries'::regclass";
        assert_eq!(server.query(partitions).unwrap(), "8");
    }
}
