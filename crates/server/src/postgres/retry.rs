//! Retries while the database restarts.

use std::time::{Duration, Instant};

use super::RETRY_FOR;
use crate::storage::StorageError;

/// Delay between attempts.
const DELAY: Duration = Duration::from_millis(100);

/// Retries an operation after transient errors, for a limited time.
pub struct Retry {
    begun: Instant,
    /// Whether there was an earlier attempt, which may have succeeded without a response.
    pub is_retry: bool,
}

impl Retry {
    pub fn new() -> Retry {
        Retry {
            begun: Instant::now(),
            is_retry: false,
        }
    }

    /// Waits before the next attempt; an error if the failure is permanent or the time is up.
    pub async fn wait_or_fail(&mut self, why: sqlx::Error) -> Result<(), StorageError> {
        if !is_transient(&why) || self.begun.elapsed() > RETRY_FOR {
            return Err(why.into());
        }
        self.is_retry = true;
        tokio::time::sleep(DELAY).await;
        Ok(())
    }
}

/// Whether another attempt may succeed: the connection broke, the database restarts, a conflict with another
/// transaction, or insufficient resources.
pub fn is_transient(why: &sqlx::Error) -> bool {
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
