//! HTML pages about a person: tables, games, devices, data, privacy.
//!
//! They are rendered here because they are rarely used, and the client, which is loaded before the first game, has to
//! stay small. Pages change data through the API, with the script `assets/pages.js`.

mod calls;
mod circle;
mod circles;
mod data;
mod devices;
mod games;
mod invitations;
mod layout;
mod me;
mod meet;
mod privacy;
mod ratings;
mod scores;
mod totals;

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
        .route("/me/games", get(games::show))
        .route("/me/games/{table}/{game}", get(games::replay))
        .route("/me/circles", get(circles::show))
        .route("/me/circles/{circle}", get(circle::show))
        .route("/me/calls", get(calls::show))
        .route("/me/calls/{table}", get(calls::at_table))
        .route("/meet", get(meet::show))
        .route("/scores", get(scores::show))
        .route("/ratings", get(ratings::show))
        .route("/privacy", get(privacy::show))
        .route("/pages/pages.css", get(style))
        .route("/pages/pages.js", get(script))
        .route("/pages/meet.js", get(waiting))
        .route("/pages/scores.js", get(scores_script))
        .route("/pages/calls.js", get(calls_script))
        .route("/identity.js", get(identity))
        .route("/devices.js", get(add_devices))
        .route("/passkeys.js", get(passkeys))
}

async fn style() -> Response {
    asset("text/css", include_str!("../../assets/pages.css"))
}

async fn script() -> Response {
    asset("text/javascript", include_str!("../../assets/pages.js"))
}

/// The script that waits for other players.
async fn waiting() -> Response {
    asset("text/javascript", include_str!("../../assets/meet.js"))
}

/// The script that sends finished deals of the day.
async fn scores_script() -> Response {
    asset("text/javascript", include_str!("../../assets/scores.js"))
}

/// The script of the pages about calls.
async fn calls_script() -> Response {
    asset("text/javascript", include_str!("../../assets/calls.js"))
}

/// The script with the key pair of a device.
async fn identity() -> Response {
    asset("text/javascript", include_str!("../../assets/identity.js"))
}

/// The script that adds a device to a person.
async fn add_devices() -> Response {
    asset("text/javascript", include_str!("../../assets/devices.js"))
}

/// The script that makes and uses passkeys.
async fn passkeys() -> Response {
    asset("text/javascript", include_str!("../../assets/passkeys.js"))
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text).into_response()
}
