//! The client's page, with a head that says what its address is about.

use std::convert::Infallible;
use std::net::IpAddr;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
    VARY,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use brotli::enc::BrotliEncoderParams;
use quick_cache::sync::Cache;
use tokio::time::timeout;
use towers_client::Language;
use towers_table::Digest;

use super::App;
use super::address::client_address;
use super::files;
use super::guard::own_origin;
use crate::limits::network;
use crate::previews::{LinkText, PageHead, Subject, describe};
use crate::texts;

/// The time in which a page waits for the database. After that, its head is about the game in general.
const DATABASE: Duration = Duration::from_millis(800);

/// The number of compressed pages in memory.
const CACHED_PAGES: usize = 256;

/// Serves the page of the client at an address.
pub async fn serve(app: &App, peer: IpAddr, uri: &Uri, headers: &HeaderMap) -> Response {
    let language = texts::language_of(headers);
    let (subject, text) = about(app, peer, uri, headers, language).await;
    let origin = own_origin(app, headers, uri).unwrap_or_default();
    let picture = format!("{}?lang={}", subject.picture(), language.code());
    let head = PageHead {
        language,
        text: &text,
        origin: &origin,
        path: &subject.path(),
        picture: &picture,
        is_public: !subject.is_secret(),
    };
    let page = Bytes::from(head.put_into(&files::page()));
    let digest = Digest::digest(&[&page]);
    // The copy that was compressed in advance lacks this head.
    let packed = files::accepts(headers, "br").then(|| app.pages.get(digest, &page));
    let packed = packed.flatten();
    let encoding = packed.is_some().then_some("br");
    let body = packed.unwrap_or(page);
    let tag = format!("\"{digest}{}\"", encoding.unwrap_or_default());
    let mut response = if headers.get(IF_NONE_MATCH).is_some_and(|t| *t == *tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(body))
    };
    let mut set = |name, value| response.headers_mut().insert(name, value);
    set(CONTENT_TYPE, HeaderValue::from_static("text/html"));
    set(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let vary = "accept-encoding, accept-language";
    set(VARY, HeaderValue::from_static(vary));
    if let Ok(tag) = tag.parse() {
        set(ETAG, tag);
    }
    if let Some(encoding) = encoding {
        set(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// What an address is about, and the words for it. The page itself is served in any case.
async fn about(
    app: &App,
    peer: IpAddr,
    uri: &Uri,
    headers: &HeaderMap,
    language: Language,
) -> (Subject, LinkText) {
    let shared = app.registry.shared();
    let subject = Subject::of_path(uri.path());
    let is_allowed = !subject.is_secret() || {
        let address = client_address(headers, peer, shared.config.trust_proxy);
        address.is_ok_and(|address| {
            let budget = &shared.budgets.messages_of_address;
            budget.take(&network(address)).is_ok()
        })
    };
    if is_allowed {
        match timeout(DATABASE, describe(shared, &subject, language)).await {
            Ok(Ok(Some(text))) => return (subject, text),
            Ok(Err(why)) => why.log("", "the preview of a link"),
            Ok(Ok(None)) | Err(_) => {}
        }
    }
    (Subject::Start, LinkText::of_game(language))
}

/// Pages by the digests of their texts. To compress one takes a millisecond.
pub struct CompressedPages(Cache<Digest, Option<Bytes>>);

impl Default for CompressedPages {
    fn default() -> CompressedPages {
        CompressedPages(Cache::new(CACHED_PAGES))
    }
}

impl CompressedPages {
    fn get(&self, digest: Digest, page: &[u8]) -> Option<Bytes> {
        let compress = || Ok::<_, Infallible>(compress(page).map(Bytes::from));
        match self.0.get_or_insert_with(&digest, compress) {
            Ok(packed) => packed,
            Err(never) => match never {},
        }
    }
}

fn compress(page: &[u8]) -> Option<Vec<u8>> {
    let params = BrotliEncoderParams {
        quality: 5,
        lgwin: 14,
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*page, &mut packed, &params).ok()?;
    Some(packed)
}
