//! HTTP requests by route, method and status.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use metrics::Unit;

use super::Metrics;

/// The route label for the client's files, whose paths are chosen by clients.
const FILES: &str = "files";

pub(super) fn describe() {
    metrics::describe_counter!(
        "towers_http_requests_total",
        "HTTP requests by route, method and status."
    );
    metrics::describe_histogram!(
        "towers_http_request_seconds",
        Unit::Seconds,
        "Time to answer an HTTP request, by route; upgrades to a WebSocket included."
    );
}

/// Middleware that counts requests. Labels are routes, not paths, so that clients cannot add any.
pub async fn count_requests(
    State(metrics): State<Arc<Metrics>>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>();
    let route = path.map_or_else(|| FILES.to_string(), |path| path.as_str().to_string());
    let method = match *request.method() {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "other",
    };
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    metrics::with_local_recorder(&metrics.recorder, || {
        metrics::counter!(
            "towers_http_requests_total",
            "route" => route.clone(), "method" => method, "status" => status
        )
        .increment(1);
        metrics::histogram!("towers_http_request_seconds", "route" => route)
            .record(begun.elapsed());
    });
    response
}
