//! Checks and headers for every request: origin, time limit, rate limit, security headers.

use std::any::Any;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::error_handling::HandleErrorLayer;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{BoxError, Extension, Router};
use tower::ServiceBuilder;
use tower::timeout::TimeoutLayer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use towers_table::ErrorCode;

use super::App;
use super::address::{ClientAddress, Peer, client_address};
use super::api::Problem;
use crate::limits::{RateBudget, network};

/// Only our own scripts, no frames, no external sources. `wasm-unsafe-eval` allows WebAssembly and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self'; \
     worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// The time limit until the response begins.
const LIMIT: Duration = Duration::from_secs(20);

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // The link to a table is a secret of its players.
    (REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=()",
    ),
];

/// Wraps all routes in these checks.
pub fn protect<S: Clone + Send + Sync + 'static>(routes: Router<S>, app: &Arc<App>) -> Router<S> {
    let limited = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(|_: BoxError| async { too_slow() }))
        // Also times out slow request bodies.
        .layer(TimeoutLayer::new(LIMIT));
    let failed: fn(Box<dyn Any + Send>) -> Response = |_| panicked().into_response();
    let own_pages = from_fn_with_state(Arc::clone(app), check_host_and_origin);
    let secure = (STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    let headers = HEADERS.into_iter().chain(app.encrypted.then_some(secure));
    headers.fold(
        routes
            .layer(limited)
            .layer(own_pages)
            .layer(CatchPanicLayer::custom(failed)),
        |routes, (name, value)| {
            let value = HeaderValue::from_static(value);
            routes.layer(SetResponseHeaderLayer::if_not_present(name, value))
        },
    )
}

fn too_slow() -> Problem {
    let message = "the request took too long";
    Problem::new(StatusCode::REQUEST_TIMEOUT, ErrorCode::TooSlow, message)
}

/// A panic in a handler ends one request only.
fn panicked() -> Problem {
    tracing::error!("a request panicked");
    let message = "internal server error";
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::Internal,
        message,
    )
}

/// Determines the client's address and applies the rate limit.
pub async fn limit_requests(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let shared = app.registry.shared();
    let trust_proxy = shared.config.trust_proxy;
    let Ok(address) = client_address(request.headers(), peer, trust_proxy) else {
        let message =
            "the proxy in front of this server sends an X-Forwarded-For that is no address";
        return Problem::new(StatusCode::BAD_REQUEST, ErrorCode::BadForwardedFor, message)
            .into_response();
    };
    let address = network(address);
    if let Err(after) = shared.budgets.messages_of_address.take(&address) {
        shared.metrics.over_limit.increment(1);
        let message = "too many requests from your address";
        return Problem::too_many(message)
            .retry_after(after)
            .into_response();
    }
    request.extensions_mut().insert(ClientAddress(address));
    next.run(request).await
}

/// Takes a request for readiness or metrics from the budget of its address.
pub async fn limit_monitoring(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let budget = &app.registry.shared().budgets.monitoring;
    match take(&app, budget, peer, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Takes one from a budget of the address of a request that is answered whatever the proxy says.
pub fn take(
    app: &App,
    budget: &RateBudget<IpAddr>,
    peer: IpAddr,
    headers: &HeaderMap,
) -> Result<(), Problem> {
    let shared = app.registry.shared();
    let address = client_address(headers, peer, shared.config.trust_proxy);
    let address = network(address.unwrap_or(peer));
    budget.take(&address).map_err(|after| {
        shared.metrics.over_limit.increment(1);
        Problem::too_many("too many requests from your address").retry_after(after)
    })
}

/// Refuses requests for other host names, of banned addresses, and cross-origin requests.
async fn check_host_and_origin(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    match find_problem(&app, &request) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    }
}

/// Whether a request comes from a banned address.
fn is_banned(app: &App, request: &Request) -> bool {
    let shared = app.registry.shared();
    let Some(Peer(peer)) = request.extensions().get() else {
        return false;
    };
    let address = client_address(request.headers(), *peer, shared.config.trust_proxy);
    address.is_ok_and(|address| shared.bans.has(network(address), shared.clock.now()))
}

fn find_problem(app: &App, request: &Request) -> Option<Problem> {
    let config = &app.registry.shared().config;
    let path = request.uri().path();
    // Monitoring may use any name for these. They change nothing and reveal no secrets.
    let is_for_programs = path == "/metrics" || path.starts_with("/health");
    let host = host(request.headers(), request.uri());
    if !is_for_programs && !host.is_some_and(|host| is_our_name(host, &config.hosts)) {
        let message = "this server does not know that name: it is started with --host NAME";
        return Some(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            ErrorCode::UnknownHost,
            message,
        ));
    }
    if !is_for_programs && !path.starts_with("/admin/") && is_banned(app, request) {
        let message = "you may not connect to this server";
        return Some(Problem::new(
            StatusCode::FORBIDDEN,
            ErrorCode::Banned,
            message,
        ));
    }
    let acts = request.method() != Method::GET && request.method() != Method::HEAD;
    let upgrades = request.headers().contains_key("upgrade");
    let scheme = scheme(request.headers(), app.encrypted, config.trust_proxy);
    if (acts || upgrades) && !is_own_page(request.headers(), host, scheme, &config.origins) {
        let message = "this page may not connect to this server";
        return Some(Problem::new(
            StatusCode::FORBIDDEN,
            ErrorCode::ForeignOrigin,
            message,
        ));
    }
    None
}

fn host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let header = headers.get(HOST).map(HeaderValue::to_str);
    match header {
        Some(host) => host.ok(),
        None => uri.authority().map(Authority::as_str),
    }
}

/// The origin by which a client reaches this server, for links to it. The host has been checked before. A proxy that does
/// not report the scheme is assumed to use TLS.
pub fn own_origin(app: &App, headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let authority: Authority = host(headers, uri)?.parse().ok()?;
    let trust_proxy = app.registry.shared().config.trust_proxy;
    let scheme = match scheme(headers, app.encrypted, trust_proxy) {
        Some("http") => "http",
        _ => "https",
    };
    let port = authority.port().map(|port| format!(":{port}"));
    Some(format!(
        "{scheme}://{}{}",
        authority.host(),
        port.unwrap_or_default()
    ))
}

/// Whether a `Host` header names this server. IP addresses are always accepted: with DNS rebinding, the attacker's
/// page sends its own name.
fn is_our_name(host: &str, names: &[String]) -> bool {
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    let name = authority.host();
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok()
        || names.iter().any(|ours| ours.eq_ignore_ascii_case(name))
}

/// Whether browsers reach this server by TLS, as far as it knows.
pub fn is_secure(app: &App, headers: &HeaderMap) -> bool {
    let trust_proxy = app.registry.shared().config.trust_proxy;
    scheme(headers, app.encrypted, trust_proxy) == Some("https")
}

/// The scheme by which browsers reach this server; `None` if a proxy terminates TLS without reporting it.
fn scheme(headers: &HeaderMap, encrypted: bool, trust_proxy: bool) -> Option<&str> {
    if encrypted {
        return Some("https");
    }
    if !trust_proxy {
        return Some("http");
    }
    let forwarded = headers.get("x-forwarded-proto");
    forwarded.and_then(|scheme| scheme.to_str().ok())
}

/// Whether a request comes from an allowed page. Browsers send the origin. Other clients do not, and cannot act on
/// behalf of a visitor.
fn is_own_page(
    headers: &HeaderMap,
    host: Option<&str>,
    scheme: Option<&str>,
    allowed: &[String],
) -> bool {
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    if allowed.iter().any(|a| a.trim_end_matches('/') == origin) {
        return true;
    }
    origin.split_once("://").is_some_and(|(said, site)| {
        let is_scheme = match scheme {
            Some(scheme) => said == scheme,
            None => said == "http" || said == "https",
        };
        is_scheme && Some(site) == host
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_host_and_scheme_and_allowed_ones_may_connect() {
        let check = |scheme: Option<&str>, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            let host = Some("towers.example:8080");
            is_own_page(&headers, host, scheme, &["https://club.example/".into()])
        };
        let http = Some("http");
        assert!(check(http, None));
        assert!(check(http, Some("http://towers.example:8080")));
        assert!(!check(http, Some("https://towers.example:8080")));
        assert!(check(Some("https"), Some("https://towers.example:8080")));
        assert!(!check(Some("https"), Some("http://towers.example:8080")));
        assert!(check(None, Some("https://towers.example:8080")));
        assert!(!check(None, Some("ftp://towers.example:8080")));
        assert!(check(http, Some("https://club.example")));
        assert!(!check(http, Some("http://towers.example")));
        assert!(!check(http, Some("https://evil.example")));
        assert!(!check(http, Some("null")));
    }

    #[test]
    fn only_our_names_and_addresses_are_us() {
        let names = ["towers.example".to_string()];
        for ours in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.168.1.7",
            "towers.example",
            "Towers.Example:443",
        ] {
            assert!(is_our_name(ours, &names), "{ours}");
        }
        for other in [
            "",
            "evil.example",
            "towers.example.evil.example",
            "x@towers.example:1:2",
            "localhost.evil.example",
        ] {
            assert!(!is_our_name(other, &names), "{other}");
        }
    }
}
