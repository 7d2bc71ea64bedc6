//! A push service and a webhook receiver on loopback, for tests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use p256::SecretKey;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

use super::encoding::to_base64;
use super::encryption::{AUTH, decrypt, point, random_key};
use super::push::{PushSubscription, SubscriptionKeys};
use super::vapid::verify;

/// The time within which a request has to arrive.
const PATIENCE: Duration = Duration::from_secs(20);

/// A received request.
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
            .unwrap()
            .into_response(),
        _ => StatusCode::CREATED.into_response(),
    }
}

impl Receiver {
    pub async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
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

/// A browser with a subscription.
pub struct Subscriber {
    key: SecretKey,
    auth: [u8; AUTH],
}

impl Subscriber {
    pub fn new() -> Subscriber {
        Subscriber {
            key: random_key(),
            auth: crate::secrets::random(),
        }
    }

    pub fn subscription(&self, endpoint: &str) -> PushSubscription {
        PushSubscription {
            endpoint: endpoint.into(),
            keys: SubscriptionKeys {
                p256dh: to_base64(&point(&self.key)),
                auth: to_base64(&self.auth),
            },
        }
    }

    /// Checks the proof of a push message and decrypts it.
    pub fn read(&self, received: &Received, public_key: &str) -> Value {
        let authorization = received.headers[AUTHORIZATION].to_str().unwrap();
        let claims = verify(authorization).expect("a valid proof");
        let host = received.headers["host"].to_str().unwrap();
        assert_eq!(claims["aud"], format!("http://{host}"));
        assert!(authorization.ends_with(&format!(", k={public_key}")));
        assert_eq!(received.headers["content-encoding"], "aes128gcm");
        let text = decrypt(&received.body, &self.key, &self.auth).expect("a message for us");
        serde_json::from_slice(&text).unwrap()
    }
}
