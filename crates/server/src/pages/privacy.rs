//! The privacy page: which data is stored, where and why.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use maud::html;

use super::layout::{Reader, page, section};
use crate::web::App;

/// The headings and the texts below them.
const PARTS: [(&str, &str); 14] = [
    ("privacy.short", "privacy.short_text"),
    ("privacy.local", "privacy.local_text"),
    ("privacy.server", "privacy.server_text"),
    ("privacy.return", "privacy.return_text"),
    ("privacy.games", "privacy.games_text"),
    ("privacy.meet", "privacy.meet_text"),
    ("privacy.others", "privacy.others_text"),
    ("privacy.why", "privacy.why_text"),
    ("privacy.cookie", "privacy.cookie_text"),
    ("privacy.calls", "privacy.calls_text"),
    ("privacy.links", "privacy.links_text"),
    ("privacy.addresses", "privacy.addresses_text"),
    ("privacy.how_long", "privacy.how_long_text"),
    ("privacy.rights", "privacy.rights_text"),
];

pub async fn show(State(app): State<Arc<App>>, reader: Reader) -> Response {
    let forgotten = forgotten(reader, app.registry.shared().config.forget_people_after);
    let contents = html! {
        @for (title, text) in PARTS {
            (section(reader, title, &html! {
                p { (reader.text(text)) }
                @if title == "privacy.how_long" { p { (forgotten) } }
            }))
        }
    };
    page(reader, "privacy.title", "/privacy", &contents)
}

/// When people are deleted who do not come back.
fn forgotten(reader: Reader, after: Option<Duration>) -> String {
    match after {
        None => reader.text("privacy.forget_year"),
        Some(after) => {
            let days = after.as_secs().div_ceil(24 * 3600);
            reader.count(
                "privacy.forget_days",
                u32::try_from(days).unwrap_or(u32::MAX),
            )
        }
    }
}
