//! Notifying a player whose page is closed: push messages, webhooks, a calendar feed.
//!
//! A table's task reports to the [`CallQueue`] when a decision opens for a person who is not connected, and when it is taken.
//! The task [`call_people`] looks up who that is and how they want to be notified, and sends. The server that stores the
//! entry which opens a decision sends it, so there is one notification even with several servers.
//! A notification stays due until it is delivered, and [`missed_tables`] finds those of which nothing was stored: none is
//! lost with a server.

mod addresses;
mod api;
mod calendar;
mod caller;
mod delivery;
mod encoding;
mod encryption;
mod notice;
mod plan;
mod post;
mod push;
mod queue;
mod store;
#[cfg(test)]
mod tests;
mod vapid;
mod webhook_api;

pub use api::{calendar_feed, routes};
pub use caller::{CallTiming, call_people};
pub use notice::WebhookForm;
pub use plan::is_too_short;
pub use queue::{AbsentDecision, CallEvent, CallQueue, DecisionNumber};
pub use store::{CallStore, missed_tables};
pub use webhook_api::is_host;

use tokio::sync::{Semaphore, mpsc};

use crate::config::Config;
use crate::people::Vault;
use crate::storage::{Storage, StorageError};
pub use post::ADDRESS_BYTES;
use post::Poster;
use push::Pusher;

/// The number of webhooks that are tested at the same time.
const WEBHOOK_TESTS: usize = 8;

/// Everything that handlers and tables need for notifications.
pub struct Calls {
    pub queue: CallQueue,
    pusher: Pusher,
    /// The right to test a webhook while somebody waits for the result.
    webhook_tests: Semaphore,
}

impl Calls {
    /// Reads the key for push messages; makes one at the first start. The receiver is for [`call_people`].
    pub async fn open(
        storage: &dyn Storage,
        vault: &Vault,
        config: &Config,
    ) -> Result<(Calls, mpsc::Receiver<CallEvent>), StorageError> {
        let vapid = CallStore { storage, vault }.vapid(&contact(config)).await?;
        let poster = Poster::new(config.allow_private_webhooks);
        let (queue, events) = CallQueue::new();
        let pusher = Pusher { poster, vapid };
        Ok((Calls::with(queue, pusher), events))
    }

    /// Notifications with a fresh key that is not stored, and which may be sent to this computer.
    #[cfg(test)]
    pub fn random() -> (Calls, mpsc::Receiver<CallEvent>) {
        let vapid = vapid::Vapid::new(&vapid::Vapid::new_key(), "mailto:host@towers.example");
        let (queue, events) = CallQueue::new();
        let pusher = Pusher {
            poster: Poster::new(true),
            vapid: vapid.expect("a fresh key"),
        };
        (Calls::with(queue, pusher), events)
    }

    fn with(queue: CallQueue, pusher: Pusher) -> Calls {
        Calls {
            queue,
            pusher,
            webhook_tests: Semaphore::new(WEBHOOK_TESTS),
        }
    }
}

/// How push services reach the operator.
fn contact(config: &Config) -> String {
    let host = || {
        let host = config.hosts.first().map_or("localhost", String::as_str);
        format!("https://{host}/")
    };
    config.push_contact.clone().unwrap_or_else(host)
}
