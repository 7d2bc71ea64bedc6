//! The privacy page: which data is stored, where and why.

use axum::response::Response;
use maud::html;

use super::layout::{Reader, page, section};

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

pub async fn show(reader: Reader) -> Response {
    let contents = html! {
        @for (title, text) in PARTS {
            (section(reader, title, &html! { p { (reader.text(text)) } }))
        }
    };
    page(reader, "privacy.title", "/privacy", &contents)
}
