//! HTML pages about a person: tables, games, devices, data, privacy.
//!
//! They are rendered here because the client is loaded before the first game and has no room for what is rarely used.
//! What a page changes, it changes by the API, with the script `assets/pages.js`.

mod data;
mod devices;
mod layout;
mod me;
mod privacy;

use std::sync::Arc;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::web::App;

/// The routes of all pages, their style and their script.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/me", get(me::show))
        .route("/me/devices", get(devices::show))
        .route("/me/recover", get(devices::recover))
        .route("/me/data", get(data::show))
        .route("/privacy", get(privacy::show))
        .route("/pages/pages.css", get(style))
        .route("/pages/pages.js", get(script))
}

async fn style() -> Response {
    asset("text/css", include_str!("../../assets/pages.css"))
}

async fn script() -> Response {
    asset("text/javascript", include_str!("../../assets/pages.js"))
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text).into_response()
}
