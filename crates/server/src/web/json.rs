//! JSON in requests and responses.

use axum::Json;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use towers_table::ErrorCode;

use super::Problem;

/// A response that must not be cached.
pub fn answer<T: Serialize>(body: &T) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The body of a request.
pub fn parse<T: DeserializeOwned>(body: &Bytes) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|why| bad_request(&why.to_string()))
}

/// The refusal of a request that cannot be parsed.
pub fn bad_request(message: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, ErrorCode::BadMessage, message)
}
