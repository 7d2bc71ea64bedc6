//! Tables in memory: one task each, found by name.

mod clients;
mod commands;
mod joining;
mod moderation;
mod offers;
mod registry;
mod summary;
mod task;
#[cfg(test)]
mod tests;
mod upkeep;

pub use crate::clock::now;
pub use clients::Outgoing;
pub use moderation::ConnectedPerson;
pub use registry::{OpenError, Registry};
pub use task::{Join, TableMessage};

use std::sync::Arc;

use towers_table::Millis;

use crate::bans::Bans;
use crate::bots::Pool;
use crate::clock::Clock;
use crate::cluster::Cluster;
use crate::config::Config;
use crate::daily::Daily;
use crate::disk::Disk;
use crate::limits::Budgets;
use crate::metrics::Metrics;
use crate::storage::Storage;

/// What all tables share.
pub struct Shared {
    /// The operator's settings.
    pub config: Config,
    /// Where tables are kept.
    pub storage: Arc<dyn Storage>,
    /// This server among those on the same database.
    pub cluster: Arc<dyn Cluster>,
    /// Where bots think.
    pub bots: Pool,
    /// Rate limits.
    pub budgets: Budgets,
    /// Banned addresses.
    pub bans: Bans,
    /// The deal of the day.
    pub daily: Daily,
    /// The time.
    pub clock: Clock,
    /// Free space.
    pub disk: Disk,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// When this server started.
    pub boot: Millis,
    /// When this server does what it does again and again, so that not all do it at once.
    pub phase: Millis,
}
