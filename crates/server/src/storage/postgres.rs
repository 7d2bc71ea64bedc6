//! Storage in `PostgreSQL`, for several servers on one database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::Row;
use sqlx::postgres::PgRow;
use towers_table::{Entry, Millis};

use super::moderation::{self, Moderation, Report, Rewrite, TableRow};
use super::postgres_writers::Writers;
use super::{
    Head, ListedTables, LogPart, NewEntry, NewTable, PageReader, Pending, SqlRow, Statement,
    StatementResult, Storage, StorageError, Stored, StoredDeal, entries, head, interrupted,
    lines_after, signed, sql,
};
use crate::metrics::Metrics;
use crate::postgres::{Connections, Database, Query};

/// Storage in `PostgreSQL`.
pub struct PostgresStorage {
    readers: Connections,
    writers: Writers,
}

impl PostgresStorage {
    /// Storage in a database. Other servers are notified of every appended entry in this server's name.
    pub fn new(database: &Database, node: &str, metrics: &Arc<Metrics>) -> PostgresStorage {
        let connections =
            |max, name| Connections::new(&database.durable, max, name, &database.outage, metrics);
        let shares = database.shares;
        let write = connections(shares.writers, "write");
        PostgresStorage {
            readers: connections(shares.readers, "read"),
            writers: Writers::new(write, shares.writers, node, &metrics.panics),
        }
    }

    /// Executes a write outside a table's log. The server is not ready while the database does not answer it.
    async fn write(&self, query: Query<'_>) -> Result<u64, sqlx::Error> {
        let _write = self.writers.begin();
        self.readers.execute(query).await
    }
}

fn log_part(row: &PgRow) -> Result<LogPart, StorageError> {
    Ok(LogPart::new(
        row.try_get(0)?,
        row.try_get(1)?,
        row.try_get(2)?,
    ))
}

fn table_row(row: &PgRow) -> Result<TableRow, StorageError> {
    Ok(TableRow {
        table: row.try_get(0)?,
        visited: row.try_get(1)?,
        hidden: row.try_get(2)?,
        archived: row.try_get(3)?,
        entries: row.try_get(4)?,
        reports: row.try_get(5)?,
        summary: row.try_get(6)?,
    })
}

fn report(row: &PgRow) -> Result<Report, StorageError> {
    Ok(Report {
        table: row.try_get(0)?,
        at: row.try_get(1)?,
        reason: row.try_get(2)?,
    })
}

fn ban(row: &PgRow) -> Result<(String, Millis), StorageError> {
    let until: i64 = row.try_get(1)?;
    Ok((row.try_get(0)?, until.unsigned_abs()))
}

impl Storage for PostgresStorage {
    fn create(&self, table: NewTable) -> Pending<'_, ()> {
        Box::pin(self.writers.create(table))
    }

    fn append(&self, entry: NewEntry) -> Pending<'_, ()> {
        Box::pin(self.writers.append(entry))
    }

    fn load<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Stored>> {
        Box::pin(async move {
            // One statement sees a consistent snapshot. Each line is a separate row, because the time limit applies to
            // a row.
            let query = "SELECT 0::bigint AS number, header AS line, NULL::bytea AS lines, archived \
                         FROM tables WHERE id = $1 \
                         UNION ALL SELECT number, NULL, lines, NULL \
                         FROM packed_logs WHERE table_id = $1 \
                         UNION ALL SELECT number, line, NULL, NULL \
                         FROM entries WHERE table_id = $1 \
                         ORDER BY number";
            let rows = self.readers.read(|| sqlx::query(query).bind(table)).await?;
            let Some((header, log)) = rows.split_first() else {
                return Ok(None);
            };
            let archived: Option<i64> = header.try_get(3)?;
            let header: String = header.try_get(1)?;
            let log = log.iter().map(log_part).collect::<Result<_, _>>()?;
            Stored::read(header, log, archived.is_some())
                .await
                .map(Some)
        })
    }

    fn entries_after<'a>(&'a self, table: &'a str, number: u64) -> Pending<'a, Vec<Entry>> {
        Box::pin(async move {
            let query = || sqlx::query(sql::LOG_AFTER).bind(table).bind(signed(number));
            let rows = self.readers.read(query).await?;
            let log = rows.iter().map(log_part).collect::<Result<_, _>>()?;
            entries(&lines_after(log, number)?)
        })
    }

    fn head<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Head>> {
        Box::pin(async move {
            let query = || sqlx::query(sql::HEAD).bind(table);
            let rows = self.readers.read(query).await?;
            let row = rows.first();
            row.map(|row| head(row.try_get(0)?, row.try_get(1)?))
                .transpose()
        })
    }

    fn page<'a>(&'a self, table: &'a str, after: u64, most: u32) -> Pending<'a, Vec<String>> {
        Box::pin(async move {
            let mut page = PageReader::new(after, most);
            while let Some(after) = page.next_after() {
                let query = || {
                    sqlx::query(sql::LOG_PAGE)
                        .bind(table)
                        .bind(signed(after))
                        .bind(i64::from(most))
                };
                let rows = self.readers.read(query).await?;
                page.add(rows.iter().map(log_part).collect::<Result<_, _>>()?)?;
            }
            Ok(page.into_lines())
        })
    }

    fn visit<'a>(&'a self, table: &'a str, at: Millis) -> Pending<'a, ()> {
        Box::pin(async move {
            let query = sqlx::query(sql::VISIT).bind(table).bind(signed(at));
            self.write(query).await?;
            Ok(())
        })
    }

    fn set_wake<'a>(
        &'a self,
        table: &'a str,
        number: u64,
        wake: Option<Millis>,
    ) -> Pending<'a, ()> {
        Box::pin(async move {
            let query = sqlx::query(sql::SET_WAKE);
            let query = query.bind(table).bind(signed(number));
            let query = query.bind(wake.map(signed));
            self.write(query).await?;
            Ok(())
        })
    }

    fn listed(
        &self,
        visited_after: Millis,
        most: ListedTables,
    ) -> Pending<'_, Vec<(String, String)>> {
        Box::pin(async move {
            let query = || {
                sqlx::query(sql::LISTED)
                    .bind(signed(visited_after))
                    .bind(i64::from(most.in_all))
                    .bind(i64::from(most.per_opener))
            };
            let rows = self.readers.read(query).await?;
            rows.iter()
                .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
                .collect()
        })
    }

    fn summary<'a>(&'a self, table: &'a str) -> Pending<'a, Option<String>> {
        Box::pin(async move {
            let query = || sqlx::query(sql::SUMMARY).bind(table);
            let rows = self.readers.read(query).await?;
            rows.first().map(|row| Ok(row.try_get(0)?)).transpose()
        })
    }

    fn archive(&self, visited_before: Millis, now: Millis) -> Pending<'_, u64> {
        Box::pin(async move {
            let query = sqlx::query(sql::ARCHIVE)
                .bind(signed(visited_before))
                .bind(signed(now));
            Ok(self.write(query).await?)
        })
    }

    fn expired(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(async move {
            let query = || {
                sqlx::query(sql::EXPIRED)
                    .bind(signed(visited_before))
                    .bind(i64::from(most))
            };
            let rows = self.readers.read(query).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    fn delete<'a>(&'a self, table: &'a str) -> Pending<'a, bool> {
        Box::pin(async move {
            // One statement is one transaction; references are checked at its end.
            let query = "WITH a AS (DELETE FROM leases WHERE table_id = $1), \
                         b AS (DELETE FROM entries WHERE table_id = $1), \
                         c AS (DELETE FROM reports WHERE table_id = $1), \
                         d AS (DELETE FROM packed_logs WHERE table_id = $1), \
                         e AS (DELETE FROM person_tables WHERE table_id = $1), \
                         f AS (DELETE FROM results WHERE table_id = $1), \
                         g AS (DELETE FROM invitations WHERE table_id = $1) \
                         DELETE FROM tables WHERE id = $1";
            let deleted = self.write(sqlx::query(query).bind(table)).await?;
            Ok(deleted > 0)
        })
    }

    fn moderate(&self, change: Moderation) -> Pending<'_, u64> {
        Box::pin(async move {
            let query = sqlx::query(change.sql())
                .bind(change.subject())
                .bind(change.number());
            let query = match change.reason() {
                Some(reason) => query.bind(reason),
                None => query,
            };
            Ok(self.write(query).await?)
        })
    }

    fn tables(&self, most: u32) -> Pending<'_, Vec<TableRow>> {
        Box::pin(async move {
            let query = || sqlx::query(moderation::TABLES).bind(i64::from(most));
            let rows = self.readers.read(query).await?;
            rows.iter().map(table_row).collect()
        })
    }

    fn reports(&self, most: u32) -> Pending<'_, Vec<Report>> {
        Box::pin(async move {
            let query = || sqlx::query(moderation::REPORTS).bind(i64::from(most));
            let rows = self.readers.read(query).await?;
            rows.iter().map(report).collect()
        })
    }

    fn bans(&self, now: Millis) -> Pending<'_, Vec<(String, Millis)>> {
        Box::pin(async move {
            let query = || sqlx::query(moderation::BANS).bind(signed(now));
            let rows = self.readers.read(query).await?;
            rows.iter().map(ban).collect()
        })
    }

    fn rewrite(&self, table: Rewrite) -> Pending<'_, ()> {
        Box::pin(async move {
            let numbers: Vec<i64> = (1_i64..).take(table.lines.len()).collect();
            // One statement is one transaction.
            let query = "WITH a AS (UPDATE tables SET header = $2, summary = $3, packed = FALSE \
                                    WHERE id = $1), \
                         b AS (DELETE FROM packed_logs WHERE table_id = $1) \
                         INSERT INTO entries (table_id, number, line) \
                         SELECT $1, number, line \
                         FROM unnest($4::bigint[], $5::text[]) AS new (number, line) \
                         ON CONFLICT (table_id, number) DO UPDATE SET line = EXCLUDED.line";
            let query = sqlx::query(query)
                .bind(&table.table)
                .bind(&table.header)
                .bind(&table.summary)
                .bind(numbers)
                .bind(&table.lines);
            self.write(query).await?;
            Ok(())
        })
    }

    fn unpacked(&self, visited_before: Millis, most: u32) -> Pending<'_, Vec<(String, u64)>> {
        Box::pin(async move {
            let query = || {
                sqlx::query(sql::UNPACKED)
                    .bind(signed(visited_before))
                    .bind(i64::from(most))
            };
            let rows = self.readers.read(query).await?;
            let read = |row: &PgRow| {
                let last: i64 = row.try_get(1)?;
                Ok((row.try_get(0)?, last.unsigned_abs()))
            };
            rows.iter().map(read).collect()
        })
    }

    fn add_chunk<'a>(
        &'a self,
        table: &'a str,
        number: u64,
        chunk: Vec<u8>,
        now: Millis,
    ) -> Pending<'a, ()> {
        Box::pin(async move {
            let query = sqlx::query(sql::ADD_CHUNK)
                .bind(table)
                .bind(signed(number))
                .bind(chunk)
                .bind(signed(now));
            self.write(query).await?;
            Ok(())
        })
    }

    fn mark_packed<'a>(&'a self, table: &'a str) -> Pending<'a, ()> {
        Box::pin(async move {
            let query = sqlx::query(sql::MARK_PACKED).bind(table);
            self.write(query).await?;
            Ok(())
        })
    }

    fn untrimmed(&self, packed_before: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(async move {
            let query = || {
                sqlx::query(sql::UNTRIMMED)
                    .bind(signed(packed_before))
                    .bind(i64::from(most))
            };
            let rows = self.readers.read(query).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    fn trim<'a>(&'a self, table: &'a str, packed_before: Millis) -> Pending<'a, ()> {
        Box::pin(async move {
            // One statement is one transaction, and both parts see the same rows.
            let query = "WITH a AS (DELETE FROM entries WHERE table_id = $1 AND number <= \
                             (SELECT MAX(number) FROM packed_logs \
                              WHERE table_id = $1 AND packed_at < $2)) \
                         UPDATE packed_logs SET packed_at = NULL \
                         WHERE table_id = $1 AND packed_at < $2";
            let query = sqlx::query(query).bind(table).bind(signed(packed_before));
            self.write(query).await?;
            Ok(())
        })
    }

    fn daily_deal<'a>(
        &'a self,
        day: &'a str,
        fresh: &'a str,
        now: Millis,
    ) -> Pending<'a, StoredDeal> {
        Box::pin(async move {
            let query = sqlx::query(sql::DRAW_DEAL)
                .bind(day)
                .bind(fresh)
                .bind(signed(now));
            self.write(query).await?;
            let rows = self
                .readers
                .read(|| sqlx::query(sql::DEAL).bind(day))
                .await?;
            let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
            Ok(StoredDeal {
                seed: row.try_get(0)?,
                drawn: row.try_get(1)?,
            })
        })
    }

    fn query(&self, statement: Statement) -> Pending<'_, Vec<SqlRow>> {
        Box::pin(async move {
            let rows = self.readers.read(|| statement.for_postgres()).await?;
            let rows = rows.iter().map(SqlRow::from_postgres);
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    fn transact(&self, statements: Vec<Statement>) -> Pending<'_, Vec<StatementResult>> {
        let pool = self.readers.clone();
        let write = self.writers.begin();
        Box::pin(async move {
            // Finished even if the caller is cancelled: a connection with an open transaction must not be reused.
            let transaction = tokio::spawn(async move {
                let _write = write;
                pool.transact(&statements).await
            });
            let done = transaction.await.map_err(|why| interrupted(&why))?;
            Ok(done?)
        })
    }

    fn check(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.writers.check()?;
            self.readers.execute(sqlx::query(sql::CHECK)).await?;
            Ok(())
        })
    }

    fn oldest_write(&self) -> Duration {
        self.writers.oldest()
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn close(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.writers.close();
            self.readers.close();
            Ok(())
        })
    }
}
