//! A push service and a webhook receiver on loopback.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

/// The time within which a request has to arrive.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Received {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// A server that records requests. The path says how it answers: `/status/503`, `/redirect`, `/silent`; otherwise with
/// success.
pub struct Receiver {
    pub address: SocketAddr,
    received: Mutex<mpsc::UnboundedReceiver<Received>>,
}

type Recorder = Arc<mpsc::UnboundedSender<Received>>;

async fn answer(
    State(record): State<Recorder>,
    Path(path): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let received = Received {
        path: path.clone(),
        headers,
        body,
    };
    let _ = record.send(received);
    let mut parts = path.split('/');
    match (parts.next(), parts.next()) {
        (Some("silent"), _) => std::future::pending().await,
        (Some("redirect"), _) => {
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "/elsewhere")]).into_response()
        }
        (Some("status"), Some(status)) => StatusCode::from_bytes(status.as_bytes())
            .unwrap_or(StatusCode::NOT_IMPLEMENTED)
            .into_response(),
        _ => StatusCode::CREATED.into_response(),
    }
}

impl Receiver {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If there is none.
    pub async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let (record, received) = mpsc::unbounded_channel();
        let routes = Router::new()
            .route("/{*path}", post(answer))
            .with_state(Arc::new(record));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Receiver {
            address,
            received: Mutex::new(received),
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// The next request.
    ///
    /// # Panics
    /// If none arrives in time.
    pub async fn next(&self) -> Received {
        let mut received = self.received.lock().await;
        let next = timeout(PATIENCE, received.recv()).await;
        next.expect("a request arrives").expect("it runs")
    }

    /// Whether no request has arrived that was not yet taken.
    pub async fn is_idle(&self) -> bool {
        self.received.lock().await.is_empty()
    }
}
