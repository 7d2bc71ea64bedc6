//! HTTP and sockets.

mod address;
mod api;
mod files;
mod guard;
mod session;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;

pub use address::{Addresses, Peer};

use crate::tables::Registry;

/// What requests need.
pub struct App {
    /// The tables.
    pub registry: Arc<Registry>,
    /// Who is connected from where.
    pub addresses: Addresses,
    /// Numbers for connections.
    pub next_client: AtomicU64,
    /// Whether connections are encrypted here.
    pub encrypted: bool,
}

/// All routes.
pub fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/tables", get(api::list).post(api::create))
        .route("/tables/{table}", get(api::summary))
        .route("/tables/{table}/record", get(api::record))
        .route("/tables/{table}/socket", get(session::socket))
        .fallback(api::nothing);
    Router::new()
        .nest("/api", api)
        .route("/health", get(api::health))
        .route("/metrics", get(api::metrics))
        .fallback(get(files::serve))
        .layer(DefaultBodyLimit::max(16 * 1024))
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(&app),
            guard::protect,
        ))
        .with_state(app)
}
