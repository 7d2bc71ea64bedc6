//! Sending push messages: subscriptions of browsers, requests to push services, and further attempts.

use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use serde::{Deserialize, Serialize};
use towers_table::{Digest, Millis};
use url::{Host, Url};

use super::encoding::{from_base64, to_base64};
use super::encryption::{BrowserKeys, encrypt};
use super::notice::PushMessage;
use super::post::{PostAnswer, PostError, Poster, headers};
use super::vapid::Vapid;

/// The longest time that a push service keeps a message for a device that is off.
const MAX_TTL: Millis = 3 * 24 * 3600 * 1000;
/// The longest delay that a push service can ask for.
const MAX_DELAY: Duration = Duration::from_secs(120);

/// A subscription as browsers serialize it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushSubscription {
    pub endpoint: String,
    pub keys: SubscriptionKeys,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionKeys {
    pub p256dh: String,
    pub auth: String,
}

impl PushSubscription {
    /// The receiver of messages; the error says what is wrong with the subscription.
    pub fn receiver(&self, poster: &Poster) -> Result<PushReceiver, PostError> {
        let keys = || {
            let point = from_base64(&self.keys.p256dh)?;
            BrowserKeys::new(&point, &from_base64(&self.keys.auth)?)
        };
        Ok(PushReceiver {
            endpoint: poster.check(&self.endpoint)?,
            keys: keys().ok_or(PostError::Refused(
                "the keys of the subscription are invalid",
            ))?,
        })
    }

    /// Identifies the subscription without revealing its address.
    pub fn id(&self) -> String {
        Digest::digest(&[b"push", self.endpoint.as_bytes()]).to_string()
    }
}

/// A browser that can be notified.
#[derive(Clone, Debug)]
pub struct PushReceiver {
    endpoint: Url,
    keys: BrowserKeys,
}

impl PushReceiver {
    /// Whether a message may close a notification. Safari withdraws the subscription of pages whose messages show
    /// nothing.
    pub fn accepts_silent_messages(&self) -> bool {
        match self.endpoint.host() {
            Some(Host::Domain(name)) => !name.ends_with(".push.apple.com"),
            _ => true,
        }
    }
}

/// How a message was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushOutcome {
    Delivered,
    /// The subscription no longer exists.
    Gone,
    /// Another attempt is useless.
    Refused,
    /// Another attempt may succeed, after a delay if the service asks for one.
    Failed(Option<Duration>),
}

/// Sends push messages in the name of this server.
pub struct Pusher {
    pub poster: Poster,
    pub vapid: Vapid,
}

impl Pusher {
    /// Sends a message once. `until` is the time from which on it is useless.
    pub async fn push(
        &self,
        receiver: &PushReceiver,
        message: &PushMessage,
        until: Option<Millis>,
        now: Millis,
    ) -> PushOutcome {
        let text = serde_json::to_vec(message).unwrap_or_default();
        let Some(body) = encrypt(&text, &receiver.keys) else {
            return PushOutcome::Refused;
        };
        let (tag, urgency) = match message {
            PushMessage::Call { tag, .. } => (tag, "high"),
            PushMessage::Gone { tag, .. } => (tag, "normal"),
        };
        let ttl = until.map_or(MAX_TTL, |until| until.saturating_sub(now).min(MAX_TTL)) / 1000;
        // A message replaces an undelivered one of the same topic.
        let topic = to_base64(&Digest::digest(&[b"topic", tag.as_bytes()]).0[..18]);
        let headers = headers([
            (
                AUTHORIZATION,
                &self.vapid.authorization(&receiver.endpoint, now),
            ),
            (CONTENT_ENCODING, "aes128gcm"),
            (CONTENT_TYPE, "application/octet-stream"),
            (HeaderName::from_static("ttl"), &ttl.to_string()),
            (HeaderName::from_static("urgency"), urgency),
            (HeaderName::from_static("topic"), &topic),
        ]);
        match self.poster.post(&receiver.endpoint, headers, body).await {
            Ok(answer) => outcome(&answer),
            Err(PostError::Refused(_)) => PushOutcome::Refused,
            Err(PostError::Failed(_)) => PushOutcome::Failed(None),
        }
    }
}

/// What the response of a push service or a webhook means.
pub fn outcome(answer: &PostAnswer) -> PushOutcome {
    let delay = answer.retry_after.map(|delay| delay.min(MAX_DELAY));
    match answer.status {
        StatusCode::NOT_FOUND | StatusCode::GONE => PushOutcome::Gone,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => PushOutcome::Failed(delay),
        status if status.is_success() => PushOutcome::Delivered,
        status if status.is_server_error() => PushOutcome::Failed(delay),
        _ => PushOutcome::Refused,
    }
}
