//! Tables in memory: one task each, found by name.

mod clients;
mod offers;
mod registry;
mod summary;
mod task;
#[cfg(test)]
mod tests;
mod upkeep;

pub use clients::{Outgoing, close};
pub use registry::{OpenError, Registry};
pub use task::{Join, ToTable};

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use table::Millis;

use crate::bots::Pool;
use crate::config::Config;
use crate::metrics::Metrics;
use crate::storage::Storage;

/// What all tables share.
pub struct Shared {
    /// The host's settings.
    pub config: Config,
    /// Where tables are kept.
    pub storage: Arc<dyn Storage>,
    /// Where bots think.
    pub bots: Pool,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// When this server started.
    pub boot: Millis,
}

/// What time it is.
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_millis() as Millis)
}
