//! The servers on one database: presence, and which server drives a table's clocks and bots. Storage alone decides what
//! is stored.

mod alone;
#[cfg(test)]
mod costs;
mod leases;
mod notifications;
mod postgres;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use tokio::sync::mpsc;
use towers_table::{Millis, PersonId};

pub use alone::Alone;
pub use postgres::Nodes;

use crate::storage::Pending;

/// This server among those that share its database.
pub trait Cluster: Send + Sync + 'static {
    /// The time since when at least one server has always been alive.
    fn since(&self) -> Millis;

    /// Tables whose clock runs out or whose bot is to move, and that no server drives.
    fn due(&self, now: Millis, most: u32) -> Pending<'_, Vec<String>>;

    /// Claims a table unless another server drives it; returns whether this server drives it.
    fn claim<'a>(&'a self, table: &'a str) -> Pending<'a, bool>;

    /// Claims several tables; returns those that this server drives.
    fn claim_all(&self, tables: Vec<String>) -> Pending<'_, HashSet<String>>;

    /// Lets another server drive the table.
    fn release<'a>(&'a self, table: &'a str) -> Pending<'a, ()>;

    /// Announces to other servers who is connected here.
    fn announce_presence(&self, table: &str, presence: &Presence);

    /// Asks other servers to announce who is connected there.
    fn request_presence(&self, table: &str);

    /// Lets other servers unload a table whose log is changed.
    fn announce_rewrite(&self, table: &str);

    /// Events of the cluster; only the first caller gets them.
    fn events(&self) -> Option<mpsc::Receiver<ClusterEvent>>;

    /// Deletes dead servers.
    fn tidy(&self) -> Pending<'_, ()>;

    /// An error if heartbeats fail or notifications do not arrive.
    fn check(&self) -> Result<(), crate::storage::StorageError>;

    /// Releases all tables to other servers.
    fn leave(&self) -> Pending<'_, ()>;
}

/// The connections to a table at one server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// The number of the last entry that the server knows.
    pub number: u64,
    /// The people with a connection who have a seat; at a table without such people, its host.
    pub people: Vec<PersonId>,
    /// The number of spectators.
    pub watching: u32,
}

/// An event from another server on the same database.
#[derive(Clone, Debug)]
pub enum ClusterEvent {
    /// An entry was stored.
    EntryWritten {
        table: String,
        number: u64,
        /// The entry as a line, unless it is too long for a notification.
        line: Option<String>,
    },
    /// The connections at another server.
    Presence {
        table: String,
        node: String,
        presence: Presence,
    },
    /// Another server asks for the connections here.
    PresenceRequested { table: String },
    /// Another server no longer drives a table.
    LeaseReleased { table: String },
    /// Another server changes the log of a table.
    LogRewritten { table: String },
    /// The live servers, including this one.
    NodesAlive(HashSet<String>),
    /// Notifications may have been lost.
    LaggedBehind,
}
