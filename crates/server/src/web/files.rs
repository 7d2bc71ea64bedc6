//! The client's files, which are embedded in the program.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, IF_NONE_MATCH,
    VARY,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use towers_table::Hex;

use super::address::Peer;
use super::{App, guard, pages};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../dist"]
struct ClientFiles;

/// The page of a program without a client.
const NO_CLIENT: &str = include_str!("no_client.html");

/// The encodings of files compressed at build time, best first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Whether the program was built with the client.
pub fn has_client() -> bool {
    ClientFiles::get("index.html").is_some()
}

/// The path of a file of the client whose name begins like this and goes on with its hash.
pub fn client_asset(name: &str) -> Option<String> {
    let start = format!("assets/{name}-");
    let is_it = |file: &str| {
        let rest = file.strip_prefix(&start);
        rest.is_some_and(|rest| !rest.contains('-') && is_named_by_content(file))
            && ![".br", ".gz"].iter().any(|ending| file.ends_with(ending))
    };
    let found = ClientFiles::iter().find(|file| is_it(file));
    found.map(|file| format!("/{file}"))
}

/// The page of the client, or one that says how to build it.
pub fn page() -> Cow<'static, str> {
    page_of(ClientFiles::get("index.html"))
}

fn page_of(file: Option<EmbeddedFile>) -> Cow<'static, str> {
    let page = file.map(|file| match file.data {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    });
    page.unwrap_or(Cow::Borrowed(NO_CLIENT))
}

/// Serves a file of the client; every path without an extension is a page of it.
pub async fn serve(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let budget = &app.registry.shared().budgets.files;
    if let Err(problem) = guard::take(&app, budget, peer, &headers) {
        return problem.into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if !path.rsplit('/').next().unwrap_or("").contains('.') {
        return pages::serve(&app, peer, &uri, &headers).await;
    }
    let Some(plain) = ClientFiles::get(path) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let (file, encoding) = compressed(path, &headers).unwrap_or((plain, None));
    let tag = format!("\"{}\"", Hex::<32>(file.metadata.sha256_hash()));
    let caching = if is_named_by_content(path) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let mut response = if headers.get(IF_NONE_MATCH).is_some_and(|t| *t == *tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(match file.data {
            Cow::Borrowed(bytes) => Body::from(bytes),
            Cow::Owned(bytes) => Body::from(bytes),
        })
    };
    let mut set = |name, value: &str| {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    };
    set(CONTENT_TYPE, kind.as_ref());
    set(ETAG, &tag);
    set(CACHE_CONTROL, caching);
    set(VARY, "accept-encoding");
    if let Some(encoding) = encoding {
        set(CONTENT_ENCODING, encoding);
    }
    response
}

/// Whether a client accepts an encoding.
pub fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|a| a.to_str().ok());
    let mut parts = accepted.unwrap_or_default().split(',');
    parts.any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        let weight = weight.trim().strip_prefix("q=");
        let is_refused = weight.is_some_and(|weight| weight.parse() == Ok(0.0));
        name.trim() == encoding && !is_refused
    })
}

fn compressed(path: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    ENCODINGS.into_iter().find_map(|(name, ending)| {
        let file =
            accepts(headers, name).then(|| ClientFiles::get(&format!("{path}{ending}")))??;
        Some((file, Some(name)))
    })
}

/// Whether a file's name changes with its content, as in `app-3f2a91bc.wasm`.
fn is_named_by_content(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("");
    let stem = name.split('.').next().unwrap_or("");
    stem.rsplit('-').next().is_some_and(|hash| {
        hash.len() >= 8 && hash.len() < stem.len() && hash.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_client_the_page_says_how_to_build_one() {
        let page = page_of(None);
        assert!(page.contains("cargo xtask client"), "{page}");
    }

    #[test]
    fn an_encoding_can_be_refused() {
        let accepts = |text: &str| {
            let headers = [(ACCEPT_ENCODING, text.parse().unwrap())];
            accepts(&headers.into_iter().collect(), "br")
        };
        assert!(accepts("gzip, br") && accepts("br;q=0.5, gzip") && accepts("br; q=1"));
        assert!(!accepts("gzip") && !accepts("br;q=0") && !accepts("br; q=0.0") && !accepts(""));
    }

    #[test]
    fn only_files_named_by_their_content_are_immutable() {
        assert!(is_named_by_content("assets/app-3f2a91bc.wasm"));
        assert!(!is_named_by_content("index.html"));
        assert!(!is_named_by_content("service-worker.js"));
        assert!(!is_named_by_content("deadbeef.js"));
    }
}
