//! What holds for every request: where it may come from, and what pages may do.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::api::Problem;

/// No script but ours, no frames, nothing from elsewhere. `wasm-unsafe-eval` allows WebAssembly and
/// nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self'; \
     worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// How long a request may take, the database's patience included.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// Refuses requests that other pages make in a visitor's name, and adds headers to all answers.
pub async fn protect(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let acts = request.method() != Method::GET && request.method() != Method::HEAD;
    let upgrades = request.headers().contains_key("upgrade");
    let allowed = &app.registry.shared().config.origins;
    let mut response = if (acts || upgrades) && !is_own(request.headers(), allowed) {
        Problem::new(
            StatusCode::FORBIDDEN,
            "foreign_origin",
            "this page may not connect to this server",
        )
        .into_response()
    } else {
        // Who drips what they post would otherwise be waited for for ever.
        let answered = tokio::time::timeout(PATIENCE, next.run(request)).await;
        answered.unwrap_or_else(|_| {
            Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                "too_slow",
                "that took too long",
            )
            .into_response()
        })
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    // The link to a table is a secret of those who play there.
    set(REFERRER_POLICY, "no-referrer");
    set(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=()",
    );
    if app.encrypted {
        set(STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    response
}

/// Browsers say which page a request comes from. Programs that are no browsers say nothing, and
/// have no visitor in whose name they could act.
fn is_own(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let site = origin.split_once("://").map(|(_, site)| site);
    (site.is_some() && site == host) || allowed.iter().any(|a| a.trim_end_matches('/') == origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_host_and_allowed_ones_may_connect() {
        let check = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "towers.example:8080".parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            is_own(&headers, &["https://club.example/".into()])
        };
        assert!(check(None));
        assert!(check(Some("http://towers.example:8080")));
        assert!(check(Some("https://club.example")));
        assert!(!check(Some("http://towers.example")));
        assert!(!check(Some("https://evil.example")));
        assert!(!check(Some("null")));
    }
}
