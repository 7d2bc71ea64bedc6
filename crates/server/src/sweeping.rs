//! Work that a server repeats: loading due tables, tidying up, drawing the deal of the day.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::storage::StorageError;
use crate::tables::{Registry, Shared, now};
use crate::{history, packing};

/// How often due tables are loaded.
const SWEEP_INTERVAL: Duration = Duration::from_millis(500);
/// How often bans are reloaded, since another server may have changed them.
const BANS_INTERVAL: Duration = Duration::from_secs(10);
/// How often a server reads which devices were removed at another one.
const ENDED_INTERVAL: Duration = Duration::from_secs(1);
/// How often old tables are archived, packed and deleted.
const TIDY_INTERVAL: Duration = Duration::from_secs(600);
/// The time since the last visit of a table whose missing results are looked for.
const RESULTS_WITHIN: Duration = Duration::from_secs(24 * 3600);
/// The number of tables loaded at once.
const MAX_LOADED: u32 = 500;
/// The time since the last visit of a table for which another server may have died before it called somebody. Tables that
/// are visited now are in the memory of their server.
const CALL_LATE_AFTER: Duration = Duration::from_secs(300);

/// Loads due tables, tidies up, and draws the deal of the next day, repeatedly.
pub async fn sweep(registry: Arc<Registry>) {
    let shared = Arc::clone(registry.shared());
    let mut tick = tokio::time::interval(SWEEP_INTERVAL);
    let mut tidied: Option<Instant> = None;
    let mut bans_read = Instant::now();
    let mut ended_read = Instant::now();
    let mut ended = HashSet::new();
    loop {
        tick.tick().await;
        shared.disk.measure(&shared.metrics);
        match shared.cluster.due(now(), MAX_LOADED).await {
            Ok(due) => wake(&registry, due).await,
            Err(why) => why.log("", "looking for due tables"),
        }
        if shared.storage.is_shared() && ended_read.elapsed() > ENDED_INTERVAL {
            ended_read = Instant::now();
            match shared.people.newly_ended(&mut ended).await {
                Ok(marks) => registry.end_connections(marks).await,
                Err(why) => why.log("", "reading which devices were removed"),
            }
        }
        if bans_read.elapsed() > BANS_INTERVAL {
            bans_read = Instant::now();
            if let Err(why) = shared.bans.reload(&*shared.storage, now()).await {
                why.log("", "reading bans");
            }
        }
        if tidied.is_none_or(|then| then.elapsed() > TIDY_INTERVAL) {
            call_late(&registry, tidied.is_none()).await;
            tidied = Some(Instant::now());
            tidy(&registry).await;
            if let Err(why) = shared.daily.deals(&*shared.storage, now()).await {
                why.log("", "drawing the deal of the next day");
            }
        }
    }
}

/// Loads the due tables that this server drives from now on.
async fn wake(registry: &Arc<Registry>, mut due: Vec<String>) {
    let cluster = &registry.shared().cluster;
    due.retain(|id| !registry.has(id));
    if due.is_empty() {
        return;
    }
    match cluster.claim_all(due).await {
        Ok(claimed) => {
            for id in claimed {
                if let Err(why) = registry.open(&id).await {
                    why.log(&id, "waking up");
                    let _ = cluster.release(&id).await;
                }
            }
        }
        Err(why) => why.log("", "claiming due tables"),
    }
}

/// Archives, packs and deletes old tables.
async fn tidy(registry: &Arc<Registry>) {
    let shared = registry.shared();
    let config = &shared.config;
    let visited_before = now().saturating_sub(config.archive_after.as_millis() as u64);
    match shared.storage.archive(visited_before, now()).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "archived tables"),
        Err(why) => why.log("", "archiving tables"),
    }
    match packing::pack_finished(&*shared.storage, config.pack_after, now()).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "packed the logs of finished games"),
        Err(why) => why.log("", "packing logs"),
    }
    store_missing_results(shared).await;
    match shared.people.tidy(config.forget_people_after).await {
        Ok(begun) => {
            for person in begun {
                if let Err(why) = registry.delete_person(&person).await {
                    why.log("", "deleting a person");
                }
            }
        }
        Err(why) => why.log("", "tidying up people"),
    }
    if let Some(age) = config.delete_after
        && let Err(why) = registry.prune(age).await
    {
        why.log("", "deleting old tables");
    }
    // Traces of deleted rows that could not be erased right after the deletion.
    if let Err(why) = shared.storage.erase().await {
        why.log("", "erasing deleted rows");
    }
    if let Err(why) = shared.cluster.tidy().await {
        why.log("", "deleting dead servers");
    }
}

/// Calls people whose call was lost with a server: that of this one alone at its start, with several also those of others.
async fn call_late(registry: &Arc<Registry>, is_start: bool) {
    let is_shared = registry.shared().storage.is_shared();
    if !is_start && !is_shared {
        return;
    }
    let age = if is_shared {
        CALL_LATE_AFTER
    } else {
        Duration::ZERO
    };
    let visited_before = now().saturating_sub(age.as_millis() as u64);
    if let Err(why) = registry
        .call_late(visited_before, MAX_LOADED as usize)
        .await
    {
        why.log("", "calling people late");
    }
}

/// Stores results of recent games that are missing because a server died, and nobody came back to the table.
async fn store_missing_results(shared: &Shared) {
    let after = now().saturating_sub(RESULTS_WITHIN.as_millis() as u64);
    let storing = async {
        for table in history::without_results(&*shared.storage, after, MAX_LOADED).await? {
            history::store_missing(&*shared.storage, &shared.people, &table).await?;
        }
        Ok::<(), StorageError>(())
    };
    if let Err(why) = storing.await {
        why.log("", "storing missing results");
    }
}
