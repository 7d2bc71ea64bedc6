//! Pictures of links, icons and screenshots.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH,
};
use axum::http::{StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use towers_client::Language;
use towers_table::ErrorCode;

use super::address::{ClientAddress, ConnectionCounter, ConnectionPermit};
use super::api::{Problem, not_found};
use super::costly::{CostlyRead, LARGE_LOG};
use super::{App, guard};
use crate::previews::{ICONS, PreviewError, Sketch, Subject};

/// The maximum number of pictures that an address waits for.
const PER_ADDRESS: usize = 8;
/// The maximum number of pictures that wait or are being painted.
const IN_ALL: usize = 64;

/// How long a picture of something that changes may be cached.
const CHANGING: &str = "private, max-age=60";
/// How long one that hardly changes may be cached.
const CACHE_ONE_DAY: &str = "public, max-age=86400";

/// A counter for [`App::picture_requests`].
pub fn picture_counter() -> ConnectionCounter {
    ConnectionCounter::new(PER_ADDRESS, IN_ALL)
}

pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let preview = Router::new().route("/preview/{kind}/{file}", get(preview));
    let with_icons = ICONS.iter().fold(preview, |routes, icon| {
        routes.route(icon.path, get(self::icon))
    });
    with_icons.layer(from_fn_with_state(Arc::clone(app), guard::limit_requests))
}

/// Counts a request that may have to be painted.
fn admit(app: &App, address: IpAddr) -> Result<ConnectionPermit, Problem> {
    let shared = app.registry.shared();
    let too_many = |after| {
        shared.metrics.over_limit.increment(1);
        Problem::too_many("too many pictures are requested from your address: wait a while")
            .retry_after(after)
    };
    shared.budgets.pictures.take(&address).map_err(too_many)?;
    let permit = app.picture_requests.connect(address);
    permit.ok_or_else(|| too_many(Duration::from_secs(5)))
}

async fn preview(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    Path((kind, file)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let subject = Subject::of_picture(&kind, &file).ok_or_else(not_found)?;
    let _permit = admit(&app, address)?;
    let shared = app.registry.shared();
    if let Subject::Table(id) | Subject::Replay(id, _) = &subject {
        let head = shared.storage.head(id).await?;
        if head.is_some_and(|head| head.number > LARGE_LOG) {
            CostlyRead::take(shared, address)?;
        }
    }
    let mut query = uri.query().unwrap_or_default().split('&');
    let language = query.find_map(|part| Language::from_code(part.strip_prefix("lang=")?));
    let sketch = app
        .previews
        .sketch(shared, &subject, language.unwrap_or_default())
        .await?
        .ok_or_else(not_found)?;
    let lasts = matches!(subject, Subject::Start | Subject::Puzzle(_));
    respond(
        &app,
        sketch,
        &headers,
        if lasts { CACHE_ONE_DAY } else { CHANGING },
    )
    .await
}

async fn icon(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let icon = ICONS.iter().find(|icon| icon.path == uri.path());
    let icon = icon.ok_or_else(not_found)?;
    let _permit = admit(&app, address)?;
    let sketch = app.previews.sketch_icon(icon).await?;
    respond(&app, sketch, &headers, CACHE_ONE_DAY).await
}

/// The picture, unless the client has it already.
async fn respond(
    app: &App,
    sketch: Sketch,
    headers: &HeaderMap,
    caching: &'static str,
) -> Result<Response, Problem> {
    let tag = format!("\"{}\"", sketch.digest);
    let mut response = if headers.get(IF_NONE_MATCH).is_some_and(|t| *t == *tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        app.previews.paint(sketch).await?.into_response()
    };
    let mut set = |name, value| response.headers_mut().insert(name, value);
    set(CONTENT_TYPE, HeaderValue::from_static("image/png"));
    set(CACHE_CONTROL, HeaderValue::from_static(caching));
    // A chat may show it on its own pages.
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("cross-origin"),
    );
    if let Ok(tag) = tag.parse() {
        set(ETAG, tag);
    }
    Ok(response)
}

impl From<PreviewError> for Problem {
    fn from(why: PreviewError) -> Problem {
        match why {
            PreviewError::Storage(why) => why.into(),
            PreviewError::Paint(_) | PreviewError::Interrupted => {
                tracing::error!(%why, "a picture could not be painted");
                Problem::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    ErrorCode::Internal,
                    "the picture could not be painted",
                )
            }
        }
    }
}
