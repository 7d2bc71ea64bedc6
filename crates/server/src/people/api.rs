//! The API of people: challenge, session, and what a person can do.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, SET_COOKIE, USER_AGENT,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde::Deserialize;
use tokio::time::timeout;
use towers_table::{Digest, ErrorCode, NAME_CHARS, clean};

use super::identity::{cookie, set_cookie};
use super::{Identity, Proof, SignedIn, lobby};
use crate::limits::RateBudget;
use crate::tables::Shared;
use crate::web::{App, ClientAddress, LargeBody, Problem, answer, is_secure, parse};

/// How long the response to a deletion waits for it.
const DELETION: Duration = Duration::from_secs(10);

/// The maximum size of a link with its bundle.
const BUNDLE_BYTES: usize = 512 * 1024;

/// The routes below `/api`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/person/challenge", post(challenge))
        .route("/person/session", get(session).post(sign_in))
        .route("/person/sign-out", post(sign_out))
        .route("/person", get(overview))
        .route("/person/lobby", get(lobby::show))
        .route("/person/tables/{table}/hide", post(lobby::hide))
        .route("/person/name", post(rename))
        .route("/person/devices/{device}/remove", post(remove_device))
        .route("/person/words", get(words))
        .route(
            "/person/links",
            post(add_link).layer(DefaultBodyLimit::max(BUNDLE_BYTES)),
        )
        .route("/person/links/claim", post(claim))
        .route("/person/recovery", post(renew_recovery))
        .route("/person/recover", post(recover))
        .route("/person/export", get(export))
        .route("/person/delete", post(delete))
        .nest("/person/passkeys", super::passkey_api::routes())
}

/// Takes one from a budget of an address.
pub fn take(shared: &Shared, budget: &RateBudget<IpAddr>, address: IpAddr) -> Result<(), Problem> {
    budget.take(&address).map_err(|after| {
        shared.metrics.over_limit.increment(1);
        let message = "too many attempts from your address: wait a while";
        Problem::too_many(message).retry_after(after)
    })
}

/// The hash of the public key, if the proof is valid.
pub(super) fn verify(shared: &Shared, purpose: &str, proof: &Proof) -> Result<Digest, Problem> {
    shared.people.verify(purpose, proof).ok_or_else(|| {
        let message = "the challenge is too old, or the signature is wrong";
        Problem::new(StatusCode::FORBIDDEN, ErrorCode::BadProof, message)
    })
}

async fn challenge(State(app): State<Arc<App>>) -> Response {
    let challenge = app.registry.shared().people.challenge();
    answer(&serde_json::json!({ "challenge": challenge }))
}

/// Whether the cookie still works, so that nothing has to be signed.
async fn session(Identity(person): Identity) -> Response {
    answer(&serde_json::json!({ "signed_in": person.is_some() }))
}

/// Sets the cookie of a new session.
fn welcome(app: &App, headers: &HeaderMap, signed_in: &SignedIn, body: Response) -> Response {
    let cookie = set_cookie(Some(&signed_in.cookie), is_secure(app, headers));
    ([(SET_COOKIE, cookie)], body).into_response()
}

async fn sign_in(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let proof: Proof = parse(&body)?;
    take(shared, &shared.budgets.sign_ins, address)?;
    let key = verify(shared, "session", &proof)?;
    let signed_in = shared.people.sign_in(&key, &label(&headers)).await?;
    let device = &signed_in.person.device;
    let body = answer(&serde_json::json!({ "new": signed_in.is_new, "device": device }));
    Ok(welcome(&app, &headers, &signed_in, body))
}

async fn sign_out(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(cookie) = cookie(&headers) {
        app.registry.shared().people.sign_out(cookie).await?;
    }
    let removed = set_cookie(None, is_secure(&app, &headers));
    Ok(([(SET_COOKIE, removed)], StatusCode::NO_CONTENT).into_response())
}

async fn overview(State(app): State<Arc<App>>, identity: Identity) -> Result<Response, Problem> {
    let me = identity.required()?;
    Ok(answer(&app.registry.shared().people.overview(&me).await?))
}

/// The body of a request for another name.
#[derive(Deserialize)]
struct Rename {
    name: String,
}

async fn rename(
    State(app): State<Arc<App>>,
    identity: Identity,
    body: Bytes,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let Rename { name } = parse(&body)?;
    let name = clean(&name, NAME_CHARS).map_err(|_| {
        let message = format!("a name has 1 to {NAME_CHARS} characters");
        Problem::new(StatusCode::BAD_REQUEST, ErrorCode::BadText, &message)
    })?;
    app.registry
        .shared()
        .people
        .rename(&me.person, &name)
        .await?;
    Ok(answer(&serde_json::json!({ "name": name })))
}

async fn remove_device(
    State(app): State<Arc<App>>,
    identity: Identity,
    Path(device): Path<String>,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let people = &app.registry.shared().people;
    let removed = people.remove_device(&me.person, &device).await?;
    let marks = removed.ok_or_else(|| {
        let message = "this is not one of your devices, or it is the only one";
        Problem::new(StatusCode::NOT_FOUND, ErrorCode::Nothing, message)
    })?;
    app.registry.end_connections(marks).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The words of which phrases consist.
async fn words() -> Response {
    let words = bip39::Language::English.word_list();
    let caching = [(CACHE_CONTROL, "public, max-age=86400")];
    (caching, Json(&words[..])).into_response()
}

/// The body of a request for a link.
#[derive(Deserialize)]
struct NewLink {
    /// Derived from the phrase, as the key of the bundle is: 64 hexadecimal digits.
    lookup: Digest,
    /// For the other device, encrypted.
    bundle: String,
}

async fn add_link(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    _large: LargeBody,
    body: Bytes,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let shared = app.registry.shared();
    take(shared, &shared.budgets.person_requests, address)?;
    let NewLink { lookup, bundle } = parse(&body)?;
    let expires = shared.people.add_link(&me.person, &lookup, &bundle).await?;
    Ok(answer(&serde_json::json!({ "expires": expires })))
}

/// The body of a request to claim a link.
#[derive(Deserialize)]
struct ClaimLink {
    lookup: Digest,
    #[serde(flatten)]
    proof: Proof,
}

async fn claim(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let ClaimLink { lookup, proof } = parse(&body)?;
    take(shared, &shared.budgets.guesses, address)?;
    let key = verify(shared, "claim", &proof)?;
    let link = shared
        .people
        .take_link(&lookup)
        .await?
        .ok_or_else(no_link)?;
    let body = answer(&serde_json::json!({ "bundle": link.bundle }));
    add_device(&app, &headers, &link.person, &key, body).await
}

async fn renew_recovery(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let shared = app.registry.shared();
    take(shared, &shared.budgets.person_requests, address)?;
    Ok(answer(&shared.people.renew_recovery(&me.person).await?))
}

/// The body of a request with a recovery code.
#[derive(Deserialize)]
struct Recover {
    code: String,
    #[serde(flatten)]
    proof: Proof,
}

async fn recover(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let Recover { code, proof } = parse(&body)?;
    take(shared, &shared.budgets.guesses, address)?;
    let key = verify(shared, "recover", &proof)?;
    let person = shared.people.by_recovery(&code).await?;
    let person = person.ok_or_else(no_link)?;
    add_device(
        &app,
        &headers,
        &person,
        &key,
        answer(&serde_json::json!({})),
    )
    .await
}

pub(super) fn no_link() -> Problem {
    let message = "this does not exist, was used before, or is too old";
    Problem::new(StatusCode::NOT_FOUND, ErrorCode::NoLink, message)
}

/// Adds the device of a request to a person, and responds with its cookie.
pub(super) async fn add_device(
    app: &App,
    headers: &HeaderMap,
    person: &str,
    key: &Digest,
    body: Response,
) -> Result<Response, Problem> {
    let people = &app.registry.shared().people;
    let added = people.add_device(person, key, &label(headers)).await?;
    app.registry.end_connections(added.ended).await;
    Ok(welcome(app, headers, &added.signed_in, body))
}

async fn export(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let shared = app.registry.shared();
    take(shared, &shared.budgets.person_requests, address)?;
    let all = app.registry.export_person(&me.person).await?;
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_DISPOSITION, "attachment; filename=\"towers.json\""),
    ];
    // Indented, because people read it.
    let text = serde_json::to_string_pretty(&all).expect("its keys are texts");
    Ok((headers, text).into_response())
}

/// Deletes the person. The devices lose their access at once. If there are many tables, their records are changed after
/// the response.
async fn delete(
    State(app): State<Arc<App>>,
    identity: Identity,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let marks = app
        .registry
        .shared()
        .people
        .begin_deletion(&me.person)
        .await?;
    app.registry.end_connections(marks).await;
    let deleting = Arc::clone(&app);
    let work = tokio::spawn(async move { deleting.registry.delete_person(&me.person).await });
    let status = match timeout(DELETION, work).await {
        Ok(Ok(deleted)) => deleted.map(|()| StatusCode::NO_CONTENT)?,
        // It continues, or the next sweep finishes it.
        Ok(Err(_)) | Err(_) => StatusCode::ACCEPTED,
    };
    let removed = set_cookie(None, is_secure(&app, &headers));
    Ok(([(SET_COOKIE, removed)], status).into_response())
}

/// What a device is called in the list: its browser and system, nothing that identifies it.
pub(super) fn label(headers: &HeaderMap) -> String {
    let agent = headers
        .get(USER_AGENT)
        .and_then(|agent| agent.to_str().ok());
    let agent = agent.unwrap_or_default();
    let find = |words: &[(&str, &'static str)]| {
        let found = words.iter().find(|(word, _)| agent.contains(word));
        found.map(|(_, name)| *name)
    };
    // The order matters: Edge says that it is Chrome, and Chrome that it is Safari.
    let browser = find(&[
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("CriOS/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = find(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Macintosh", "Mac"),
        ("Linux", "Linux"),
    ]);
    let parts: Vec<&str> = [browser, system].into_iter().flatten().collect();
    parts.join(", ")
}
