//! The HTTP API.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Extension;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde_json::value::RawValue;
use towers_table::{DailyDeals, ErrorCode, Listing, OpenTable, OpenedTable, Refusal};

use super::App;
use super::address::ClientAddress;
use super::json::parse;
use crate::readiness::check_ready;
use crate::refusal::refusal;
use crate::secrets;
use crate::storage::{ListedTables, StorageError};
use crate::tables::OpenError;

/// The maximum number of tables in the lobby.
const MAX_LISTED: u32 = 100;
/// The maximum number of tables per address in the lobby.
const MAX_LISTED_PER_ADDRESS: u32 = 5;
/// The maximum time since the last visit of a table in the lobby. Visits are stored every two minutes.
const LISTED_FOR: Duration = Duration::from_secs(5 * 60);

/// An error response, in the form in which sockets report errors.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    why: Refusal,
    /// The delay until a retry is allowed.
    retry_after: Option<Duration>,
}

impl Problem {
    pub fn new(status: StatusCode, code: ErrorCode, message: &str) -> Problem {
        Problem {
            status,
            why: refusal(code, message),
            retry_after: None,
        }
    }

    /// Sets the delay until a retry.
    #[must_use]
    pub fn retry_after(self, after: Duration) -> Problem {
        Problem {
            retry_after: Some(after),
            ..self
        }
    }

    pub fn no_table() -> Problem {
        Problem::new(
            StatusCode::NOT_FOUND,
            ErrorCode::NoTable,
            "there is no such table",
        )
    }

    pub fn too_many(message: &str) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooMany, message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let retry_after = self.retry_after.map(|after| {
            let seconds = after.as_secs().saturating_add(1).min(3600);
            [(RETRY_AFTER, seconds.to_string())]
        });
        let body = Json(self.why);
        match retry_after {
            Some(retry_after) => (self.status, retry_after, body).into_response(),
            None => (self.status, body).into_response(),
        }
    }
}

impl From<StorageError> for Problem {
    fn from(why: StorageError) -> Problem {
        why.log("", "a request");
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::NoStorage,
            "the server cannot reach its data now: try again later",
        )
    }
}

pub async fn create(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    body: Bytes,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let request: OpenTable = parse(&body)?;
    shared.disk.check().map_err(|why| Problem {
        status: StatusCode::SERVICE_UNAVAILABLE,
        why,
        retry_after: Some(Duration::from_secs(60)),
    })?;
    if let Err(after) = shared.budgets.new_tables.take(&address) {
        shared.metrics.over_limit.increment(1);
        let message = "too many tables were opened from your address: wait a while";
        return Err(Problem::too_many(message).retry_after(after));
    }
    let opener = shared.people.opener(address);
    let registry = &app.registry;
    let opened = registry
        .create(request.settings, &request.name, Some(opener))
        .await;
    let opened = opened.map_err(|why| match why {
        OpenError::Rejected(why) => Problem {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            why: why.refusal(),
            retry_after: None,
        },
        OpenError::Storage(why) => why.into(),
    })?;
    tracing::info!(table = secrets::short(&opened.table), "a table was opened");
    let created = OpenedTable {
        path: format!("/t/{}", opened.table),
        table: opened.table,
        token: opened.token,
    };
    let never_kept = [(CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, never_kept, Json(created)).into_response())
}

/// JSON from the database, sent unchanged.
fn raw(text: String) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(text).map_err(|e| StorageError::Corrupt(e.to_string()).into())
}

pub async fn list(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let after = shared
        .clock
        .now()
        .saturating_sub(LISTED_FOR.as_millis() as u64);
    // Nobody can displace the tables of others from the list.
    let most = ListedTables {
        in_all: MAX_LISTED,
        per_opener: MAX_LISTED_PER_ADDRESS,
    };
    let listed = shared.storage.listed(after, most).await?;
    let tables = listed.into_iter().map(|(_, summary)| raw(summary));
    let tables: Vec<Box<RawValue>> = tables.collect::<Result<_, _>>()?;
    let body = Json(Listing { tables });
    Ok(([(CACHE_CONTROL, "no-store")], body).into_response())
}

pub async fn summary(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
) -> Result<Response, Problem> {
    if !towers_table::is_table_id(&table) {
        return Err(Problem::no_table());
    }
    let summary = app.registry.shared().storage.summary(&table).await?;
    let summary = raw(summary.ok_or_else(Problem::no_table)?)?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(summary)).into_response())
}

/// The deal of the day.
pub async fn daily(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let deals = shared.daily.deals(&*shared.storage, shared.clock.now());
    let deals: DailyDeals = deals.await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(deals)).into_response())
}

/// Liveness: the process is running. Does not check the database.
pub async fn live() -> &'static str {
    "ok\n"
}

/// The response to a readiness check.
pub async fn ready(State(app): State<Arc<App>>) -> Result<String, Problem> {
    let shared = app.registry.shared();
    let Err(why) = check_ready(shared).await else {
        // Games continue when space is low, so this is only a warning.
        return Ok(match shared.disk.check() {
            Ok(()) => "ok\n".into(),
            Err(low) => format!("ok, but {}\n", low.message),
        });
    };
    // Requested every few seconds: failures are logged where they occur.
    tracing::debug!(why, "not ready");
    Err(Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::NotReady,
        &why,
    ))
}

/// JSON Schema of messages, events, settings and records.
pub async fn schema() -> Response {
    static TEXT: LazyLock<String> = LazyLock::new(|| towers_table::schema::schemas().to_string());
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, TEXT.as_str()).into_response()
}

pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, app.registry.shared().metrics.text()).into_response()
}

pub async fn nothing() -> Problem {
    not_found()
}

pub fn not_found() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        ErrorCode::Nothing,
        "there is nothing here",
    )
}
