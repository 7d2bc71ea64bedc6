//! A storage with faults, for tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use towers_table::{Entry, Millis};

use crate::daily::StoredDeal;
use crate::storage::{
    Head, ListedTables, Moderation, NewEntry, NewTable, Pending, Report, Rewrite, SqlRow,
    SqliteStorage, Statement, StatementResult, Storage, Stored, TableRow,
};

/// A storage that panics in the task that writes to it, when told to.
pub struct Faulty {
    pub storage: Arc<SqliteStorage>,
    pub is_armed: AtomicBool,
}

impl Storage for Faulty {
    fn create(&self, table: NewTable) -> Pending<'_, ()> {
        self.storage.create(table)
    }

    fn append(&self, entry: NewEntry) -> Pending<'_, ()> {
        let appending = self.storage.append(entry);
        if self.is_armed.swap(false, Ordering::Relaxed) {
            return Box::pin(async {
                appending.await?;
                panic!("a fault on purpose, after the entry was stored");
            });
        }
        appending
    }

    fn load<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Stored>> {
        self.storage.load(table)
    }

    fn entries_after<'a>(&'a self, table: &'a str, number: u64) -> Pending<'a, Vec<Entry>> {
        self.storage.entries_after(table, number)
    }

    fn head<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Head>> {
        self.storage.head(table)
    }

    fn page<'a>(&'a self, table: &'a str, after: u64, most: u32) -> Pending<'a, Vec<String>> {
        self.storage.page(table, after, most)
    }

    fn visit<'a>(&'a self, table: &'a str, at: Millis) -> Pending<'a, ()> {
        self.storage.visit(table, at)
    }

    fn listed(
        &self,
        visited_after: Millis,
        most: ListedTables,
    ) -> Pending<'_, Vec<(String, String)>> {
        self.storage.listed(visited_after, most)
    }

    fn summary<'a>(&'a self, table: &'a str) -> Pending<'a, Option<String>> {
        self.storage.summary(table)
    }

    fn archive(&self, visited_before: Millis, now: Millis) -> Pending<'_, u64> {
        self.storage.archive(visited_before, now)
    }

    fn expired(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<String>> {
        self.storage.expired(visited_before, most)
    }

    fn delete<'a>(&'a self, table: &'a str) -> Pending<'a, bool> {
        self.storage.delete(table)
    }

    fn erase(&self) -> Pending<'_, ()> {
        self.storage.erase()
    }

    fn moderate(&self, change: Moderation) -> Pending<'_, u64> {
        self.storage.moderate(change)
    }

    fn tables(&self, most: u32) -> Pending<'_, Vec<TableRow>> {
        self.storage.tables(most)
    }

    fn reports(&self, most: u32) -> Pending<'_, Vec<Report>> {
        self.storage.reports(most)
    }

    fn bans(&self, now: Millis) -> Pending<'_, Vec<(String, Millis)>> {
        self.storage.bans(now)
    }

    fn rewrite(&self, table: Rewrite) -> Pending<'_, ()> {
        self.storage.rewrite(table)
    }

    fn unpacked(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<(String, u64)>> {
        self.storage.unpacked(visited_before, most)
    }

    fn add_chunk<'a>(
        &'a self,
        table: &'a str,
        number: u64,
        chunk: Vec<u8>,
        now: Millis,
    ) -> Pending<'a, ()> {
        self.storage.add_chunk(table, number, chunk, now)
    }

    fn mark_packed<'a>(&'a self, table: &'a str) -> Pending<'a, ()> {
        self.storage.mark_packed(table)
    }

    fn untrimmed(&self, packed_before: Millis, most: u32) -> Pending<'_, Vec<String>> {
        self.storage.untrimmed(packed_before, most)
    }

    fn trim<'a>(&'a self, table: &'a str, packed_before: Millis) -> Pending<'a, ()> {
        self.storage.trim(table, packed_before)
    }

    fn daily_deal<'a>(
        &'a self,
        day: &'a str,
        fresh: &'a str,
        now: Millis,
    ) -> Pending<'a, StoredDeal> {
        self.storage.daily_deal(day, fresh, now)
    }

    fn set_wake<'a>(
        &'a self,
        table: &'a str,
        number: u64,
        wake: Option<Millis>,
    ) -> Pending<'a, ()> {
        self.storage.set_wake(table, number, wake)
    }

    fn oldest_write(&self) -> Duration {
        self.storage.oldest_write()
    }

    fn query(&self, statement: Statement) -> Pending<'_, Vec<SqlRow>> {
        self.storage.query(statement)
    }

    fn transact(&self, statements: Vec<Statement>) -> Pending<'_, Vec<StatementResult>> {
        self.storage.transact(statements)
    }

    fn check(&self) -> Pending<'_, ()> {
        self.storage.check()
    }

    fn close(&self) -> Pending<'_, ()> {
        self.storage.close()
    }
}
