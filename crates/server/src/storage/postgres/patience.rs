//! Waiting for a database that is being restarted.

use std::time::{Duration, Instant};

use super::PATIENCE;
use crate::storage::StorageError;

/// How long to wait before trying again.
const AGAIN: Duration = Duration::from_millis(100);

/// Tries again as long as the database only seems to be away.
pub struct Patience {
    begun: Instant,
    /// Whether there was an attempt before: that may have been successful after all.
    pub again: bool,
}

impl Patience {
    pub fn new() -> Patience {
        Patience {
            begun: Instant::now(),
            again: false,
        }
    }

    /// Waits a moment after a failure, or has had enough.
    pub async fn bear(&mut self, why: sqlx::Error) -> Result<(), StorageError> {
        if !is_passing(&why) || self.begun.elapsed() > PATIENCE {
            return Err(why.into());
        }
        tracing::warn!(%why, "the database is asked again");
        self.again = true;
        tokio::time::sleep(AGAIN).await;
        Ok(())
    }
}

/// Whether it may work in a moment: the connection broke, the database restarts, others were in the
/// way, or there is no room now.
fn is_passing(why: &sqlx::Error) -> bool {
    match why {
        sqlx::Error::Database(why) => why.code().is_some_and(|code| {
            ["08", "25006", "40", "53", "57"]
                .iter()
                .any(|class| code.starts_with(class))
        }),
        sqlx::Error::PoolClosed => false,
        _ => true,
    }
}
