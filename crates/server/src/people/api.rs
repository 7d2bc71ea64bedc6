//! The API of people: challenge, session, and what a person can do.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde::Serialize;
use serde::de::DeserializeOwned;
use towers_table::{Digest, ErrorCode};

use super::identity::{cookie, set_cookie};
use super::{Identity, Proof, SignedIn};
use crate::limits::Budget;
use crate::tables::Shared;
use crate::web::{App, ClientAddress, Problem, is_secure};

/// The routes below `/api`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/person/challenge", post(challenge))
        .route("/person/session", get(session).post(sign_in))
        .route("/person/sign-out", post(sign_out))
}

/// A response that is never kept.
fn answer<T: Serialize>(body: &T) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The body of a request.
fn parse<T: DeserializeOwned>(body: &Bytes) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|why| {
        let code = ErrorCode::BadMessage;
        Problem::new(StatusCode::BAD_REQUEST, code, &why.to_string())
    })
}

/// Takes one from a budget of an address.
fn take(shared: &Shared, budget: &Budget<IpAddr>, address: IpAddr) -> Result<(), Problem> {
    budget.take(&address).map_err(|after| {
        shared.metrics.over_limit.increment(1);
        let message = "too many attempts from your address: wait a while";
        Problem::too_many(message).retry_after(after)
    })
}

/// The hash of the public key, if the proof is valid.
fn verify(shared: &Shared, purpose: &str, proof: &Proof) -> Result<Digest, Problem> {
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
async fn session(identity: Identity) -> Result<Response, Problem> {
    identity.required()?;
    Ok(answer(&serde_json::json!({})))
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
    let body = answer(&serde_json::json!({ "new": signed_in.is_new }));
    Ok(welcome(&app, &headers, &signed_in, body))
}

async fn sign_out(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(cookie) = cookie(&headers) {
        app.registry.shared().people.sign_out(cookie).await?;
    }
    let removed = set_cookie(None, is_secure(&app, &headers));
    Ok(([(SET_COOKIE, removed)], StatusCode::NO_CONTENT).into_response())
}

/// What a device is called in the list: its browser and system, nothing that identifies it.
fn label(headers: &HeaderMap) -> String {
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
