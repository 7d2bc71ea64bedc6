//! What can be asked over plain HTTP.

use std::sync::Arc;

use axum::Extension;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use table::{Refusal, Settings};

use super::App;
use super::address::{Peer, origin_of};
use crate::metrics::count;
use crate::secrets;
use crate::storage::StorageError;
use crate::tables::OpenError;

/// How many tables the lobby shows.
const LISTED: u32 = 100;

/// An answer that says what is wrong, in the same form as a socket does.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    why: Refusal,
}

impl Problem {
    pub fn new(status: StatusCode, code: &str, message: &str) -> Problem {
        Problem {
            status,
            why: Refusal {
                code: code.into(),
                message: message.into(),
                clause: None,
            },
        }
    }

    pub fn no_table() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "no_table", "there is no such table")
    }

    pub fn too_many(message: &str) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(self.why)).into_response()
    }
}

impl From<StorageError> for Problem {
    fn from(why: StorageError) -> Problem {
        tracing::error!(%why, "a request failed");
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "no_storage",
            "the server cannot reach its data now: try again later",
        )
    }
}

/// A wish for a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CreateTable {
    /// What the host is called.
    name: String,
    /// The settings; what is missing is as usual.
    #[serde(default)]
    settings: Settings,
}

/// A table that was opened.
#[derive(Debug, Serialize)]
struct TableCreated {
    table: String,
    token: String,
    path: String,
}

pub async fn create(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let wish: CreateTable = serde_json::from_slice(&body)
        .map_err(|e| Problem::new(StatusCode::BAD_REQUEST, "bad_message", &e.to_string()))?;
    let address = origin_of(&headers, peer, shared.config.trust_proxy);
    if !app.addresses.open_table(address) {
        count(&shared.metrics.over_limit);
        return Err(Problem::too_many(
            "too many tables were opened from your address: wait a while",
        ));
    }
    let opened = app.registry.create(wish.settings, &wish.name).await;
    let opened = opened.map_err(|why| match why {
        OpenError::Rejected(why) => Problem {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            why: why.refusal(),
        },
        OpenError::Storage(why) => why.into(),
    })?;
    tracing::info!(table = secrets::short(&opened.table), "a table was opened");
    let created = TableCreated {
        path: format!("/t/{}", opened.table),
        table: opened.table,
        token: opened.token,
    };
    let never_kept = [(CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, never_kept, Json(created)).into_response())
}

/// Lines of JSON from the database go out as they are.
fn raw(text: String) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(text).map_err(|e| StorageError::Corrupt(e.to_string()).into())
}

pub async fn list(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let listed = app.registry.shared().storage.listed(LISTED).await?;
    let tables: Vec<_> = listed.into_iter().map(raw).collect::<Result<_, _>>()?;
    let body = Json(serde_json::json!({ "tables": tables }));
    Ok(([(CACHE_CONTROL, "no-store")], body).into_response())
}

pub async fn summary(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
) -> Result<Response, Problem> {
    if !secrets::is_table_id(&table) {
        return Err(Problem::no_table());
    }
    let summary = app.registry.shared().storage.summary(&table).await?;
    let summary = raw(summary.ok_or_else(Problem::no_table)?)?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(summary)).into_response())
}

pub async fn record(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
) -> Result<Response, Problem> {
    if !secrets::is_table_id(&table) {
        return Err(Problem::no_table());
    }
    let stored = app.registry.shared().storage.load(&table).await?;
    let stored = stored.ok_or_else(Problem::no_table)?;
    let published = stored.record.published().ok_or_else(|| {
        Problem::new(
            StatusCode::CONFLICT,
            "not_over",
            "the record shows everything, so it can be had when the game is over",
        )
    })?;
    let name = format!(
        "attachment; filename=\"wandering-towers-{}.jsonl\"",
        secrets::short(&table)
    );
    let headers = [
        (CONTENT_TYPE, "application/jsonl; charset=utf-8".into()),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, "no-store".to_string()),
    ];
    Ok((headers, published.to_text()).into_response())
}

pub async fn health(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    app.registry.shared().storage.check().await?;
    Ok("ok\n")
}

pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, app.registry.shared().metrics.text()).into_response()
}

pub async fn nothing() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "nothing", "there is nothing here")
}
