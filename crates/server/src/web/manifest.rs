//! The manifest of the installed game, in the reader's language: a launcher shows its names.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use towers_client::Language;

use super::address::Peer;
use super::{App, guard};
use crate::texts;

/// The client's own manifest, in English.
const MANIFEST: &str = include_str!("../../../web/assets/manifest.webmanifest");

/// The names of its shortcuts, in their order.
const SHORTCUTS: [&str; 3] = ["start.play", "start.daily", "lobby.mine"];

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    let budget = &app.registry.shared().budgets.files;
    if let Err(problem) = guard::take(&app, budget, peer, &headers) {
        return problem.into_response();
    }
    let headers_of_answer = [
        (CONTENT_TYPE, "application/manifest+json"),
        (CACHE_CONTROL, "no-cache"),
        (VARY, "accept-language"),
    ];
    let manifest = in_language(texts::language_of(&headers));
    (headers_of_answer, manifest.to_string()).into_response()
}

fn in_language(language: Language) -> Value {
    let (own, game) = (texts::words(language), texts::game_words(language));
    let mut manifest: Value = serde_json::from_str(MANIFEST).expect("the tests read it");
    manifest["lang"] = json!(language.code());
    manifest["name"] = json!(own.get("game.title"));
    manifest["short_name"] = json!(own.get("game.short"));
    manifest["description"] = json!(own.get("preview.tagline"));
    let shortcuts = manifest["shortcuts"].as_array_mut().into_iter().flatten();
    for (shortcut, name) in shortcuts.zip(SHORTCUTS) {
        shortcut["name"] = json!(game.get(name));
    }
    manifest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_english_it_is_the_manifest_of_the_client() {
        let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
        assert_eq!(in_language(Language::English), manifest);
    }

    #[test]
    fn names_are_in_the_language_and_addresses_stay() {
        let german = in_language(Language::German);
        assert_eq!(german["lang"], "de");
        assert_eq!(german["name"], "Die wandelnden Türme");
        let shortcuts = german["shortcuts"].as_array().unwrap();
        let names: Vec<&Value> = shortcuts.iter().map(|shortcut| &shortcut["name"]).collect();
        assert_eq!(names, ["Jetzt spielen", "Partie des Tages", "Meine Tische"]);
        let english = in_language(Language::English);
        for same in ["id", "start_url", "scope", "icons", "screenshots"] {
            assert_eq!(german[same], english[same], "{same}");
        }
        for (own, other) in shortcuts
            .iter()
            .zip(english["shortcuts"].as_array().unwrap())
        {
            assert_eq!(own["url"], other["url"]);
        }
    }
}
