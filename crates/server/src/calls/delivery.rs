//! Deliveries to push services and webhooks: a bounded number at a time, a bounded number of attempts.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use towers_table::Millis;

use super::Calls;
use super::notice::PushMessage;
use super::post::{PostError, json_headers};
use super::push::{PushOutcome, PushReceiver, PushSubscription, outcome};
use super::queue::DecisionNumber;
use super::store::CallStore;
use crate::fair_queue::FairQueue;
use crate::secrets;
use crate::storage::StorageError;
use crate::tables::Shared;

const ATTEMPTS: u32 = 4;
/// The factor by which the delay between two attempts grows.
const GROWTH: u32 = 5;
/// The number of requests at the same time.
pub const REQUESTS: usize = 32;

/// A message and its receiver.
pub enum Parcel {
    Push {
        subscription: PushSubscription,
        receiver: Box<PushReceiver>,
        message: PushMessage,
    },
    Webhook {
        address: String,
        body: Value,
    },
}

/// A message with the decision it is about.
pub struct Delivery {
    pub parcel: Parcel,
    pub table: String,
    /// The decision; `None` if it does not matter whether it is still open.
    pub number: Option<DecisionNumber>,
    /// The time from which on the message is useless.
    pub until: Option<Millis>,
    /// The delay after the first attempt.
    pub first_retry: Duration,
}

impl Delivery {
    /// Sends the message, again if necessary.
    pub async fn run(self, shared: Arc<Shared>, slots: FairQueue<String>) {
        let mut delay = self.first_retry;
        for attempt in 1..=ATTEMPTS {
            let slot = slots.acquire(self.table.clone()).await;
            let outcome = self.send(&shared.calls, shared.clock.now()).await;
            drop(slot);
            match outcome {
                PushOutcome::Delivered => return shared.metrics.calls_sent.increment(1),
                PushOutcome::Gone => {
                    if let Err(why) = self.forget(&shared).await {
                        why.log(&self.table, "deleting a receiver");
                    }
                    return;
                }
                PushOutcome::Refused => break,
                PushOutcome::Failed(_) if attempt == ATTEMPTS => break,
                PushOutcome::Failed(asked) => {
                    tokio::time::sleep(asked.unwrap_or_default().max(delay)).await;
                    delay *= GROWTH;
                }
            }
            if !self.is_needed(&shared).await {
                return;
            }
        }
        shared.metrics.calls_failed.increment(1);
        let table = secrets::short(&self.table);
        tracing::debug!(table, "a call could not be delivered");
    }

    async fn send(&self, calls: &Calls, now: Millis) -> PushOutcome {
        match &self.parcel {
            Parcel::Push {
                receiver, message, ..
            } => calls.pusher.push(receiver, message, self.until, now).await,
            Parcel::Webhook { address, body } => {
                let poster = &calls.pusher.poster;
                let Ok(url) = poster.check(address) else {
                    return PushOutcome::Refused;
                };
                let body = body.to_string().into_bytes();
                match poster.post(&url, json_headers(), body).await {
                    Ok(answer) => outcome(&answer),
                    Err(PostError::Refused(_)) => PushOutcome::Refused,
                    Err(PostError::Failed(_)) => PushOutcome::Failed(None),
                }
            }
        }
    }

    /// Whether another attempt makes sense: the decision is still open. Unknown counts as open.
    async fn is_needed(&self, shared: &Shared) -> bool {
        let now = shared.clock.now();
        if self.until.is_some_and(|until| until <= now) {
            return false;
        }
        match (&self.parcel, self.number) {
            (Parcel::Push { .. }, Some(number)) => {
                let open = CallStore::of(shared).is_open(&self.table, number).await;
                open.unwrap_or(true)
            }
            _ => true,
        }
    }

    /// Deletes a receiver that no longer exists.
    async fn forget(&self, shared: &Shared) -> Result<(), StorageError> {
        let store = CallStore::of(shared);
        match &self.parcel {
            Parcel::Push { subscription, .. } => store.forget(subscription).await,
            Parcel::Webhook { .. } => store.remove_webhook(&self.table).await,
        }
    }
}
