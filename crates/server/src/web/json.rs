//! JSON in requests and responses.

use axum::Json;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use towers_table::ErrorCode;

use super::{Problem, not_found};

/// A response that must not be cached.
pub fn answer<T: Serialize>(body: &T) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The body of a request.
pub fn parse<T: DeserializeOwned>(body: &Bytes) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|why| bad_request(&why.to_string()))
}

/// Gives refusals of the framework, which have a text or nothing, the form of our own.
pub async fn in_own_form(response: Response) -> Response {
    let (status, headers) = (response.status(), response.headers());
    let is_ours = headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    if is_ours || !status.is_client_error() {
        return response;
    }
    let (code, message) = match status {
        StatusCode::PAYLOAD_TOO_LARGE => (ErrorCode::BadMessage, "the request is too large"),
        StatusCode::METHOD_NOT_ALLOWED => (
            ErrorCode::Nothing,
            "this address does not support the method",
        ),
        StatusCode::NOT_FOUND => return not_found().into_response(),
        _ => (ErrorCode::BadMessage, "the request cannot be read"),
    };
    let allowed = headers.get(ALLOW).map(|methods| [(ALLOW, methods.clone())]);
    (allowed, Problem::new(status, code, message)).into_response()
}

/// The refusal of a request that cannot be parsed.
pub fn bad_request(message: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, ErrorCode::BadMessage, message)
}
