//! Writes without a response from the database, and the age of the oldest.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::StorageError;

/// The age of a write at which the server counts as not ready.
const LIMIT: Duration = Duration::from_secs(3);

/// All writes without a response.
#[derive(Clone, Default)]
pub struct Unanswered(Arc<Mutex<PendingWrites>>);

#[derive(Default)]
struct PendingWrites {
    writes: BTreeSet<(Instant, u64)>,
    next: u64,
}

/// A pending write, until this is dropped.
pub struct PendingWrite {
    all: Unanswered,
    key: (Instant, u64),
}

impl Unanswered {
    fn lock(&self) -> MutexGuard<'_, PendingWrites> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a write.
    pub fn begin(&self) -> PendingWrite {
        let mut waiting = self.lock();
        let key = (Instant::now(), waiting.next);
        waiting.next += 1;
        waiting.writes.insert(key);
        PendingWrite {
            all: self.clone(),
            key,
        }
    }

    /// The age of the oldest write; zero if there is none.
    pub fn age(&self) -> Duration {
        let oldest = self.lock().writes.first().map(|(begun, _)| begun.elapsed());
        oldest.unwrap_or_default()
    }

    /// An error if the oldest write is too old.
    pub fn check(&self) -> Result<(), StorageError> {
        match self.age() {
            age if age <= LIMIT => Ok(()),
            age => Err(StorageError::Failed(format!(
                "a write has waited for {:.1} s",
                age.as_secs_f64()
            ))),
        }
    }
}

impl Drop for PendingWrite {
    fn drop(&mut self) {
        self.all.lock().writes.remove(&self.key);
    }
}
