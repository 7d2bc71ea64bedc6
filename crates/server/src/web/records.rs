//! Downloads of records, streamed from storage page by page at the speed of the client.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use towers_table::{Entry, ErrorCode, Header};

use super::App;
use super::address::{ClientAddress, ConnectionCounter, ConnectionPermit};
use super::api::Problem;
use crate::secrets;
use crate::storage::{Storage, StorageError};

/// The number of entries in a page.
const PAGE: u32 = 128;
/// The maximum number of concurrent downloads per address.
const PER_ADDRESS: usize = 8;
/// The maximum number of concurrent downloads. Each holds at most one page in memory.
const IN_ALL: usize = 256;
/// The maximum size of cached pages, in bytes.
const CACHE_BYTES: u64 = 16 * 1024 * 1024;
/// The maximum number of tables in the cache of publishable ends.
const CACHE_ENDS: usize = 4096;
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// The key of a cached page: the entries after `after` of a record published up to `end`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PageKey {
    /// The number of rewrites of logs that this server knew of when the download began.
    rewrites: u64,
    table: String,
    end: u64,
    after: u64,
}

#[derive(Clone)]
struct Bytesize;

impl Weighter<PageKey, Bytes> for Bytesize {
    fn weight(&self, _: &PageKey, page: &Bytes) -> u64 {
        page.len() as u64 + 256
    }
}

/// Caches and running downloads.
pub struct Records {
    /// The last publishable entry, by the number of rewrites, the table and the number of its last entry.
    ends: Cache<(u64, String, u64), Option<u64>>,
    pages: Cache<PageKey, Bytes, Bytesize>,
    downloads: ConnectionCounter,
}

impl Default for Records {
    fn default() -> Records {
        Records {
            ends: Cache::new(CACHE_ENDS),
            pages: Cache::with_weighter(1024, CACHE_BYTES, Bytesize),
            downloads: ConnectionCounter::new(PER_ADDRESS, IN_ALL),
        }
    }
}

impl Records {
    /// The number of the last entry that may be published; `None` if no game is over yet. The result for a given log
    /// length changes only with a rewrite, and concurrent requests share one search.
    async fn end(
        &self,
        storage: &dyn Storage,
        rewrites: u64,
        table: &str,
        number: u64,
    ) -> Result<Option<u64>, StorageError> {
        let key = (rewrites, table.to_string(), number);
        let search = find_end(storage, table, number);
        self.ends.get_or_insert_async(&key, search).await
    }

    /// A page of published entries as text.
    async fn page(&self, storage: &dyn Storage, key: &PageKey) -> Result<Bytes, StorageError> {
        let read = async {
            let most = u64::from(PAGE).min(key.end.saturating_sub(key.after));
            let lines = storage.page(&key.table, key.after, most as u32).await?;
            if lines.is_empty() {
                return Err(StorageError::Corrupt("entries are missing".into()));
            }
            let mut text = String::new();
            for line in &lines {
                text.push_str(&parse(line)?.published().to_line());
                text.push('\n');
            }
            Ok(Bytes::from(text))
        };
        self.pages.get_or_insert_async(key, read).await
    }
}

fn parse(line: &str) -> Result<Entry, StorageError> {
    serde_json::from_str(line).map_err(|why| StorageError::Corrupt(why.to_string()))
}

/// Finds the last entry before a running game, up to which a record may be published, like `Record::published`.
async fn find_end(
    storage: &dyn Storage,
    table: &str,
    number: u64,
) -> Result<Option<u64>, StorageError> {
    let (mut end, mut after, mut is_over) = (None, 0, false);
    while after < number {
        let lines = storage.page(table, after, PAGE).await?;
        let Some(most) = lines.len().checked_sub(1) else {
            break;
        };
        for (i, line) in lines.iter().enumerate() {
            let entry = parse(line)?;
            is_over = (is_over && !entry.begins_game()) || entry.ends_game();
            if is_over && entry.number <= number {
                end = Some(entry.number);
            }
            if i == most {
                after = entry.number;
            }
        }
    }
    Ok(end)
}

struct Download {
    app: Arc<App>,
    address: IpAddr,
    begun: Instant,
    next: Option<RecordPart>,
    key: PageKey,
    _permit: ConnectionPermit,
}

enum RecordPart {
    Header(Bytes),
    Page,
}

impl Download {
    /// The next part of the response. An error closes the connection, so that a partial record is not mistaken for a
    /// complete one.
    async fn step(mut self) -> Result<Option<(Bytes, Download)>, std::io::Error> {
        let Some(step) = self.next.take() else {
            return Ok(None);
        };
        if self.begun.elapsed() > TIME_LIMIT {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        let shared = self.app.registry.shared();
        let part = match step {
            RecordPart::Header(header) => header,
            RecordPart::Page => {
                let page = self.app.records.page(&*shared.storage, &self.key).await;
                let page = page.map_err(|why| {
                    why.log(&self.key.table, "a download");
                    std::io::Error::other(why)
                })?;
                self.key.after += u64::from(PAGE);
                page
            }
        };
        self.next = (self.key.after < self.key.end).then_some(RecordPart::Page);
        shared.budgets.send_record(&self.address, part.len()).await;
        Ok(Some((part, self)))
    }
}

pub async fn record(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    Path(table): Path<String>,
) -> Result<Response, Problem> {
    if !towers_table::is_table_id(&table) {
        return Err(Problem::no_table());
    }
    let shared = app.registry.shared();
    let too_many = |after| {
        shared.metrics.over_limit.increment(1);
        Problem::too_many("too many records are downloaded from your address: wait a while")
            .retry_after(after)
    };
    let permit = app.records.downloads.connect(address);
    let permit = permit.ok_or_else(|| too_many(Duration::from_secs(10)))?;
    shared.budgets.records.take(&address).map_err(too_many)?;
    let rewrites = shared.rewrites.load(Ordering::Relaxed);
    let head = shared.storage.head(&table).await?;
    let head = head.ok_or_else(Problem::no_table)?;
    let end = app
        .records
        .end(&*shared.storage, rewrites, &table, head.number)
        .await?;
    let end = end.ok_or_else(|| {
        Problem::new(
            StatusCode::CONFLICT,
            ErrorCode::NotOver,
            "the record shows everything, so it can be had when the game is over",
        )
    })?;
    let header: Header =
        serde_json::from_str(&head.header).map_err(|why| StorageError::Corrupt(why.to_string()))?;
    let header = Bytes::from(header.published().to_line() + "\n");
    let name = format!(
        "attachment; filename=\"wandering-towers-{}.jsonl\"",
        secrets::short(&table)
    );
    let headers = [
        (CONTENT_TYPE, "application/jsonl; charset=utf-8".into()),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, "no-store".to_string()),
    ];
    let download = Download {
        app: Arc::clone(&app),
        address,
        begun: Instant::now(),
        next: Some(RecordPart::Header(header)),
        key: PageKey {
            rewrites,
            table,
            end,
            after: 0,
        },
        _permit: permit,
    };
    let body = Body::from_stream(stream::try_unfold(download, Download::step));
    Ok((headers, body).into_response())
}
