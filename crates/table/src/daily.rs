//! The deal of the day as a server publishes it.

use serde::{Deserialize, Serialize};

use crate::ids::{Digest, Millis, Seed};

/// The answer to `GET /api/daily`. Days are those of UTC, written as `2026-11-15`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DailyDeals {
    /// The deal of today, with its seed.
    pub today: OpenDeal,
    /// The deal of tomorrow, whose seed is drawn but not published.
    pub tomorrow: SealedDeal,
}

/// A deal whose day has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenDeal {
    /// The day, in UTC.
    pub day: String,
    /// The seed of its game.
    pub seed: Seed,
    /// When the server drew it. If that was on the day itself, no commitment was published before.
    pub drawn_at: Millis,
}

/// A deal whose day is still to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SealedDeal {
    /// The day, in UTC.
    pub day: String,
    /// The SHA-256 of the seed.
    pub commitment: Digest,
}

impl OpenDeal {
    /// Whether this deal matches the commitment of the day before.
    pub fn keeps(&self, promised: &SealedDeal) -> bool {
        self.day == promised.day && self.seed.commitment() == promised.commitment
    }
}
