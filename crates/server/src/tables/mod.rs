//! Tables in memory, each run by its own task.

mod calling;
mod clients;
mod commands;
mod exporting;
#[cfg(test)]
mod faulty;
mod joining;
mod moderation;
mod offers;
mod people;
mod registry;
mod summary;
mod task;
#[cfg(test)]
pub mod tests;
mod upkeep;

pub use crate::clock::now;
pub use clients::Outgoing;
pub use moderation::ConnectedPerson;
pub use registry::{OpenError, OtherSeats, Registry};
#[cfg(test)]
pub use summary::meta;
pub use task::{Join, TableMessage};

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use towers_table::Millis;

use crate::bans::Bans;
use crate::bots::Pool;
use crate::calls::Calls;
use crate::clock::SteadyClock;
use crate::cluster::Cluster;
use crate::config::Config;
use crate::daily::Daily;
use crate::disk::Disk;
use crate::history::Boards;
use crate::limits::Budgets;
use crate::metrics::Metrics;
use crate::people::People;
use crate::readiness::Readiness;
use crate::storage::Storage;

/// State shared by all tables.
pub struct Shared {
    /// The operator's settings.
    pub config: Config,
    pub storage: Arc<dyn Storage>,
    /// This server among those on the same database.
    pub cluster: Arc<dyn Cluster>,
    pub bots: Pool,
    pub budgets: Budgets,
    pub bans: Bans,
    pub daily: Daily,
    pub boards: Boards,
    pub people: People,
    pub calls: Calls,
    /// The last turn of the list of those who wait for a game in which nobody could be paired.
    pub compared: tokio::sync::Mutex<String>,
    pub clock: SteadyClock,
    pub disk: Disk,
    pub readiness: Readiness,
    pub metrics: Arc<Metrics>,
    /// How often logs were rewritten here or at another server, as far as it is known: it is part of the keys under which
    /// records are cached.
    pub rewrites: AtomicU64,
    /// The start time of this server.
    pub boot: Millis,
    /// The offset of this server's periodic work, so that servers do not all work at the same time.
    pub phase: Millis,
}
