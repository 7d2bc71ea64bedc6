//! The API of a table's webhook, for its host.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::json;
use towers_client::settings::Language;
use towers_table::ErrorCode;

use super::api::{origin, refused};
use super::notice::{WebhookForm, test_body};
use super::post::{PostError, json_headers};
use super::store::{CallStore, StoredWebhook};
use crate::people::{Identity, take};
use crate::secrets;
use crate::web::{App, ClientAddress, Problem, answer, not_found, parse};

/// The routes below `/api`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route(
            "/tables/{table}/webhook",
            get(webhook).post(set_webhook).delete(remove_webhook),
        )
        .route("/tables/{table}/webhook/test", post(test_webhook))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    address: String,
    form: WebhookForm,
    #[serde(default)]
    language: Language,
}

/// Whether a request comes from the host of a table.
pub async fn is_host(app: &App, table: &str, identity: &Identity) -> Result<bool, Problem> {
    let key = host_key(app, table, identity, &HeaderMap::new()).await?;
    Ok(key.is_some())
}

/// The key of a table's host, if the request comes from there, by the cookie or by the seat's token in `Authorization`.
async fn host_key(
    app: &App,
    table: &str,
    identity: &Identity,
    headers: &HeaderMap,
) -> Result<Option<String>, Problem> {
    let shared = app.registry.shared();
    if !towers_table::is_table_id(table) {
        return Err(Problem::no_table());
    }
    let token = headers
        .get("authorization")
        .and_then(|value| value.to_str().ok());
    let token = token.and_then(|value| value.strip_prefix("Bearer "));
    let token_key = token.map(|token| secrets::key(table, token));
    let person = identity.0.as_ref();
    let keys = shared.people.seat_keys(table, person, token_key.as_deref());
    let keys = keys.await?;
    let token_key = token_key.filter(|_| !keys.refuses_token);
    if app.registry.open(table).await?.is_none() {
        return Err(Problem::no_table());
    }
    for key in keys.stored.into_iter().chain(token_key) {
        let known = app.registry.known_person(table, &key).await;
        if known.is_some_and(|known| known.is_host) {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

async fn check_host(
    app: &App,
    table: &str,
    identity: &Identity,
    headers: &HeaderMap,
) -> Result<String, Problem> {
    if let Some(key) = host_key(app, table, identity, headers).await? {
        return Ok(key);
    }
    let message = "only the host may do that";
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        ErrorCode::NotHost,
        message,
    ))
}

async fn webhook(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    identity: Identity,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    check_host(&app, &table, &identity, &headers).await?;
    let store = CallStore::of(app.registry.shared());
    let form = store.webhook_form(&table).await?;
    Ok(answer(&json!({ "form": form })))
}

async fn set_webhook(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    identity: Identity,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let shared = app.registry.shared();
    let new: NewWebhook = parse(&body)?;
    let key = check_host(&app, &table, &identity, &headers).await?;
    let url = shared.calls.pusher.poster.check(&new.address);
    let webhook = StoredWebhook {
        address: url.map_err(|why| refused(&why))?.into(),
        form: new.form,
        language: new.language,
        origin: origin(&app, &headers),
    };
    CallStore::of(shared)
        .set_webhook(&table, &key, &webhook)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn remove_webhook(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    identity: Identity,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    check_host(&app, &table, &identity, &headers).await?;
    let store = CallStore::of(app.registry.shared());
    store.remove_webhook(&table).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a test note, once, and says how it was received.
async fn test_webhook(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    take(shared, &shared.budgets.webhook_tests, address)?;
    check_host(&app, &table, &identity, &headers).await?;
    let webhook = CallStore::of(shared).webhook(&table).await?;
    let webhook = webhook.ok_or_else(not_found)?;
    let too_many = |_| Problem::too_many("too many webhooks are tested: wait a while");
    let _permit = shared.calls.webhook_tests.try_acquire().map_err(too_many)?;
    let link = format!("{}/t/{table}", webhook.origin);
    let body = test_body(webhook.form, webhook.language, &link);
    let poster = &shared.calls.pusher.poster;
    let sent = match poster.check(&webhook.address) {
        Ok(url) => {
            let body = body.to_string().into_bytes();
            poster.post(&url, json_headers(), body).await
        }
        Err(why) => Err(why),
    };
    let (outcome, status) = match sent {
        Ok(answer) if answer.status.is_success() => ("delivered", Some(answer.status.as_u16())),
        Ok(answer) => ("refused", Some(answer.status.as_u16())),
        Err(PostError::Refused(_)) => ("not_allowed", None),
        Err(PostError::Failed(_)) => ("unreachable", None),
    };
    Ok(answer(&json!({ "outcome": outcome, "status": status })))
}
