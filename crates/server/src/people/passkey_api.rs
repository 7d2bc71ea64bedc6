//! The API of passkeys.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Router};
use passki::{AuthenticationCredential, RegistrationCredential};
use serde::Deserialize;
use serde_json::json;
use towers_table::ErrorCode;

use super::api::{add_device, label, no_link, take, verify};
use super::{Identity, PasskeyError, Proof, RelyingParty};
use crate::web::{App, ClientAddress, Problem, answer, bad_request, own_origin, parse};

/// The routes below `/api/person/passkeys`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", post(add))
        .route("/options", post(options))
        .route("/challenge", post(challenge))
        .route("/sign-in", post(sign_in))
        .route("/{passkey}/remove", post(remove))
}

impl From<PasskeyError> for Problem {
    fn from(why: PasskeyError) -> Problem {
        let message = why.to_string();
        match why {
            PasskeyError::Invalid => {
                Problem::new(StatusCode::FORBIDDEN, ErrorCode::BadProof, &message)
            }
            PasskeyError::Unknown => {
                Problem::new(StatusCode::NOT_FOUND, ErrorCode::NoLink, &message)
            }
            PasskeyError::TooMany => {
                Problem::new(StatusCode::CONFLICT, ErrorCode::TooMany, &message)
            }
            PasskeyError::Storage(why) => why.into(),
        }
    }
}

impl RelyingParty {
    /// This server by the name in a request, which was checked before. `None` if it is an address.
    pub fn of_request(app: &App, headers: &HeaderMap, uri: &Uri) -> Option<RelyingParty> {
        RelyingParty::at(&own_origin(app, headers, uri)?)
    }
}

fn relying_party(app: &App, headers: &HeaderMap, uri: &Uri) -> Result<RelyingParty, Problem> {
    let message = "passkeys need a server with a name, not an address";
    RelyingParty::of_request(app, headers, uri).ok_or_else(|| bad_request(message))
}

async fn options(
    State(app): State<Arc<App>>,
    identity: Identity,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let site = relying_party(&app, &headers, &uri)?;
    let people = &app.registry.shared().people;
    Ok(answer(&people.passkey_options(&site, &me.person).await?))
}

/// The body of a request to store a passkey.
#[derive(Deserialize)]
struct NewPasskey {
    challenge: String,
    credential: RegistrationCredential,
}

async fn add(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    identity: Identity,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let me = identity.required()?;
    let site = relying_party(&app, &headers, &uri)?;
    let new: NewPasskey = parse(&body)?;
    take(shared, &shared.budgets.sign_ins, address)?;
    let (challenge, label) = (&new.challenge, label(&headers));
    shared
        .people
        .add_passkey(&site, &me.person, challenge, &new.credential, &label)
        .await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn challenge(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let site = relying_party(&app, &headers, &uri)?;
    Ok(answer(
        &app.registry.shared().people.passkey_challenge(&site),
    ))
}

/// The body of a request to sign in: a passkey and this device sign the same challenge.
#[derive(Deserialize)]
struct PasskeySignIn {
    credential: AuthenticationCredential,
    #[serde(flatten)]
    proof: Proof,
}

async fn sign_in(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let site = relying_party(&app, &headers, &uri)?;
    let PasskeySignIn { credential, proof } = parse(&body)?;
    take(shared, &shared.budgets.sign_ins, address)?;
    let key = verify(shared, "passkey", &proof)?;
    let person = shared
        .people
        .person_by_passkey(&site, &proof.challenge, &credential)
        .await?;
    add_device(&app, &headers, &person, &key, answer(&json!({}))).await
}

async fn remove(
    State(app): State<Arc<App>>,
    identity: Identity,
    Path(passkey): Path<String>,
) -> Result<Response, Problem> {
    let me = identity.required()?;
    let people = &app.registry.shared().people;
    if people.remove_passkey(&me.person, &passkey).await? {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(no_link())
    }
}
