//! Temporarily banned addresses. The database keeps them for all servers; this copy is checked on every request.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

use towers_table::Millis;

use crate::storage::{Moderation, Storage, StorageError};

/// Banned networks and the end of each ban.
#[derive(Default)]
pub struct Bans(RwLock<HashMap<IpAddr, Millis>>);

impl Bans {
    /// Reloads the bans, and deletes expired ones.
    pub async fn reload(&self, storage: &dyn Storage, now: Millis) -> Result<(), StorageError> {
        storage.moderate(Moderation::ExpireBans { now }).await?;
        let rows = storage.bans(now).await?;
        let bans = rows
            .into_iter()
            .filter_map(|(network, until)| Some((network.parse().ok()?, until)));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = bans.collect();
        Ok(())
    }

    /// Whether a network is banned now.
    pub fn has(&self, network: IpAddr, now: Millis) -> bool {
        let bans = self.0.read().unwrap_or_else(PoisonError::into_inner);
        bans.get(&network).is_some_and(|until| *until > now)
    }

    pub fn list(&self) -> Vec<(IpAddr, Millis)> {
        let bans = self.0.read().unwrap_or_else(PoisonError::into_inner);
        bans.iter()
            .map(|(network, until)| (*network, *until))
            .collect()
    }
}
