//! Statistics of a finished game.

#[cfg(feature = "analysis")]
mod count;

use serde::{Deserialize, Serialize};

use crate::luck::Luck;

#[cfg(feature = "analysis")]
pub use count::statistics;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerStatistics {
    /// The player's wizards home at the end of each round.
    pub home_by_round: Vec<u8>,
    /// Wizards of others this player imprisoned.
    pub imprisoned: u32,
    /// The player's own wizards that the player imprisoned.
    pub imprisoned_own: u32,
    /// The player's wizards that others imprisoned.
    pub suffered: u32,
    pub filled: u32,
    pub spent: u32,
    pub spells: u32,
    pub cards: u32,
    /// Cards that moved nothing.
    pub wasted: u32,
    /// Cards discarded by refreshing.
    pub refreshed: u32,
    /// Spaces the player's wizards walked.
    pub walked: u32,
    pub turns: u32,
    /// Luck of dice and draws.
    pub luck: Luck,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    pub rounds: u16,
    /// Actions carried out.
    pub actions: u32,
    /// How often the castle moved.
    pub castle_moves: u32,
    /// By seat.
    pub players: Vec<PlayerStatistics>,
}
