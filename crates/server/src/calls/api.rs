//! The API of notifications for a person: subscriptions, quiet hours, tables, calendar.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use towers_client::settings::Language;
use towers_client::words::say;
use towers_table::Digest;

use super::calendar::{CalendarEntry, calendar};
use super::notice::table_name;
use super::plan::{QuietHours, time_zone};
use super::post::PostError;
use super::push::PushSubscription;
use super::store::{CallSettings, CallStore};
use crate::people::{Identity, PersonRef, take};
use crate::web::{App, ClientAddress, Problem, answer, bad_request, is_secure, parse};
use crate::{secrets, texts};

/// The routes below `/api`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/push/key", get(push_key))
        .route("/person/push", post(subscribe).delete(unsubscribe))
        .route("/person/calls", get(settings).post(set_settings))
        .route("/person/calls/tables", post(set_table))
        .route(
            "/person/calendar",
            post(new_calendar).delete(remove_calendar),
        )
        .merge(super::webhook_api::routes())
}

pub(super) fn refused(why: &PostError) -> Problem {
    bad_request(&why.to_string())
}

/// The address by which a browser reached this server, such as `https://towers.example`.
pub(super) fn origin(app: &App, headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let scheme = if is_secure(app, headers) {
        "https"
    } else {
        "http"
    };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// The public key for subscriptions.
async fn push_key(State(app): State<Arc<App>>) -> Response {
    let key = app.registry.shared().calls.pusher.vapid.public();
    answer(&json!({ "key": key }))
}

async fn subscribe(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let shared = app.registry.shared();
    let device = identity.required()?.device;
    take(shared, &shared.budgets.person_requests, address)?;
    let subscription: PushSubscription = parse(&body)?;
    let valid = subscription.receiver(&shared.calls.pusher.poster);
    valid.map_err(|why| refused(&why))?;
    CallStore::of(shared)
        .subscribe(&device, &subscription, shared.clock.now())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn unsubscribe(
    State(app): State<Arc<App>>,
    identity: Identity,
) -> Result<StatusCode, Problem> {
    let device = identity.required()?.device;
    let store = CallStore::of(app.registry.shared());
    store.unsubscribe(&device).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How a person wants to be notified. Missing fields stay as they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::option_option,
    reason = "absent, null and a value are different"
)]
pub struct CallWishes {
    language: Option<Language>,
    /// `null` ends quiet hours.
    #[serde(default, deserialize_with = "given")]
    quiet: Option<Option<QuietHours>>,
    /// An IANA name.
    time_zone: Option<String>,
}

/// A value that is present, even if it is `null`.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

async fn settings(State(app): State<Arc<App>>, identity: Identity) -> Result<Response, Problem> {
    let PersonRef { person, device, .. } = identity.required()?;
    let store = CallStore::of(app.registry.shared());
    let (settings, has_calendar) = store.settings(&person).await?;
    let CallSettings {
        language,
        quiet,
        zone,
    } = settings;
    Ok(answer(&json!({
        "push": store.is_subscribed(&device).await?,
        "language": language,
        "quiet": quiet,
        "time_zone": zone.iana_name(),
        "calendar": has_calendar,
        "muted": store.muted(&person).await?,
        "waiting": store.waiting(&person).await?.len(),
    })))
}

async fn set_settings(
    State(app): State<Arc<App>>,
    identity: Identity,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    let wishes: CallWishes = parse(&body)?;
    let store = CallStore::of(app.registry.shared());
    let (mut settings, _) = store.settings(&person).await?;
    settings.language = wishes.language.unwrap_or(settings.language);
    if let Some(quiet) = wishes.quiet {
        if quiet.is_some_and(|hours| !hours.are_valid()) {
            return Err(bad_request("there is no such time of day"));
        }
        settings.quiet = quiet;
    }
    if let Some(name) = wishes.time_zone {
        let zone = time_zone(&name);
        settings.zone = zone.ok_or_else(|| bad_request("there is no such time zone"))?;
    }
    store.set_settings(&person, &settings).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whether a person is notified about a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableCalls {
    table: String,
    on: bool,
}

async fn set_table(
    State(app): State<Arc<App>>,
    identity: Identity,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    let TableCalls { table, on } = parse(&body)?;
    let store = CallStore::of(app.registry.shared());
    store.mute(&person, &table, !on).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The language of a request, if it names one.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CalendarWish {
    language: Language,
}

fn calendar_hash(secret: &str) -> String {
    Digest::digest(&[b"calendar ", secret.as_bytes()]).to_string()
}

/// Makes a new address for the calendar. The old one ends.
async fn new_calendar(
    State(app): State<Arc<App>>,
    identity: Identity,
    body: Bytes,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let wish: CalendarWish = if body.is_empty() {
        CalendarWish::default()
    } else {
        parse(&body)?
    };
    let secret = secrets::token();
    let store = CallStore::of(app.registry.shared());
    let hash = Some(calendar_hash(&secret));
    store.set_calendar(&person, hash, wish.language).await?;
    let path = format!("/calendar/{secret}.ics");
    Ok((StatusCode::CREATED, answer(&json!({ "path": path }))).into_response())
}

async fn remove_calendar(
    State(app): State<Arc<App>>,
    identity: Identity,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    let store = CallStore::of(app.registry.shared());
    store
        .set_calendar(&person, None, Language::default())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The calendar of a person, at a secret address.
pub async fn calendar_feed(
    State(app): State<Arc<App>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let store = CallStore::of(shared);
    let secret = file.strip_suffix(".ics").unwrap_or_default();
    let found = if secrets::is_token(secret) {
        store.calendar(&calendar_hash(secret)).await?
    } else {
        None
    };
    let (person, language) = found.ok_or_else(crate::web::not_found)?;
    let words = texts::words(language);
    let origin = origin(&app, &headers);
    let entries = store.waiting(&person).await?.into_iter().map(|call| {
        let (table, number) = (&call.subject.table, call.number);
        let name = table_name(words, &call.subject.title);
        // The id does not reveal the table to those with whom the calendar is shared; the link does.
        let id = Digest::digest(&[table.as_bytes()]).to_string();
        CalendarEntry {
            id: format!("{}-{}-{}@towers", &id[..16], number.game, number.decision),
            since: call.since,
            deadline: call.deadline,
            title: words.say(&say("calendar.turn").with("table", name)),
            link: format!("{origin}/t/{table}"),
        }
    });
    let entries: Vec<_> = entries.collect();
    let text = calendar(&words.get("calendar.name"), &entries, shared.clock.now());
    let headers = [
        (CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (CACHE_CONTROL, "private, no-store"),
    ];
    Ok((headers, text).into_response())
}
