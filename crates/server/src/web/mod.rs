//! HTTP and sockets.

mod address;
mod admin;
mod api;
mod costly;
mod files;
mod guard;
mod json;
mod manifest;
mod pace;
mod pages;
mod pictures;
mod records;
mod session;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::{get, post};
use towers_table::Digest;

pub use address::{ClientAddress, ConnectionCounter, Peer};
pub use api::{Problem, not_found};
pub use costly::{CostlyRead, LargeBody};
pub use files::{client_asset, has_client};
pub use guard::{is_secure, own_origin};
pub use json::{answer, bad_request, parse};
pub use pace::{PacedStream, ReadPace, refusal_counter};
pub use pages::CompressedPages;
pub use pictures::picture_counter;
pub use records::Records;

use crate::metrics::count_requests;
use crate::previews::Previews;
use crate::tables::Registry;

/// The maximum size of a request body, unless a route has its own limit.
const MAX_BODY_BYTES: usize = 16 * 1024;

/// The state that handlers share.
pub struct App {
    pub registry: Arc<Registry>,
    /// Open sockets per address.
    pub connections: ConnectionCounter,
    pub records: Records,
    pub previews: Previews,
    pub pages: CompressedPages,
    /// Requests with a large body.
    pub large_bodies: ConnectionCounter,
    /// Requests for pictures that wait or are being painted.
    pub picture_requests: ConnectionCounter,
    /// Refusals that wait before they are sent.
    pub late_refusals: ConnectionCounter,
    /// The hash of the secret of the operator's page.
    pub admin_secret: Option<Digest>,
    /// The next number for a connection.
    pub next_client: AtomicU64,
    /// Whether this server terminates TLS.
    pub encrypted: bool,
}

/// Routes for monitoring.
fn ops_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/health", get(api::ready))
        .route("/health/live", get(api::live))
        .route("/health/ready", get(api::ready))
        .route("/metrics", get(api::metrics))
        .route("/admin/{secret}", get(admin::page).post(admin::change))
        .route("/admin/{secret}/state", get(admin::state))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
}

/// The routes of the separate listener for operators.
pub fn ops_router(app: Arc<App>) -> Router {
    let routes = ops_routes().fallback(api::nothing);
    guard::protect(routes, &app).with_state(app)
}

/// The routes for players, and those for operators unless these have a separate listener.
pub fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/schema.json", get(api::schema))
        .route("/daily", get(api::daily))
        .route("/tables", get(api::list).post(api::create))
        .route("/tables/{table}", get(api::summary))
        .route("/tables/{table}/record", get(records::record))
        .route("/tables/{table}/report", post(admin::report))
        .route("/tables/{table}/socket", get(session::socket))
        .merge(crate::calls::routes())
        .merge(crate::people::routes())
        .merge(crate::history::routes())
        .merge(crate::pairing::routes())
        .fallback(api::nothing)
        .layer(map_response(json::in_own_form))
        .layer(from_fn_with_state(Arc::clone(&app), guard::limit_requests));
    let calendars = Router::new()
        .route("/calendar/{file}", get(crate::calls::calendar_feed))
        .layer(from_fn_with_state(Arc::clone(&app), guard::limit_requests));
    let pages =
        crate::pages::routes().layer(from_fn_with_state(Arc::clone(&app), guard::limit_requests));
    let has_own_listener = app.registry.shared().config.ops_listen.is_some();
    let routes = if has_own_listener {
        Router::new()
            .route("/metrics", get(api::nothing))
            .route("/health", get(api::nothing))
            .route("/health/{kind}", get(api::nothing))
            .route("/admin/{*rest}", get(api::nothing))
    } else {
        ops_routes().layer(from_fn_with_state(
            Arc::clone(&app),
            guard::limit_monitoring,
        ))
    };
    let routes = routes
        .nest("/api", api)
        .merge(pages)
        .merge(calendars)
        .merge(pictures::routes(&app))
        .route("/manifest.webmanifest", get(manifest::show))
        .fallback(get(files::serve))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES));
    let metrics = Arc::clone(&app.registry.shared().metrics);
    guard::protect(routes, &app)
        .layer(from_fn_with_state(metrics, count_requests))
        .layer(from_fn_with_state(Arc::clone(&app), pace::delay_refusals))
        .with_state(app)
}
