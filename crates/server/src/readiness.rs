//! Readiness: the database accepts reads and writes, and notifications of other servers arrive.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::tables::Shared;

/// The time limit of a check.
const LIMIT: Duration = Duration::from_secs(2);
/// How long a result is used again. Anybody may ask, and the database answers games, too.
const KEPT: Duration = Duration::from_millis(250);

/// The result of a check. The error is for the response.
type ReadyResult = Result<(), String>;

/// The last check: when it ended, and its result.
#[derive(Default)]
pub struct Readiness(Mutex<Option<(Instant, ReadyResult)>>);

impl Readiness {
    /// The last result if it is fresh, else a new one. Requests during a check get its result.
    async fn get(&self, check: impl Future<Output = ReadyResult>) -> ReadyResult {
        let mut last = self.0.lock().await;
        if let Some((at, result)) = &*last
            && at.elapsed() < KEPT
        {
            return result.clone();
        }
        let result = check.await;
        *last = Some((Instant::now(), result.clone()));
        result
    }
}

/// Whether the server is ready.
pub async fn check_ready(shared: &Shared) -> ReadyResult {
    let checking = async {
        shared.cluster.check()?;
        shared.storage.check().await
    };
    let check = async {
        match timeout(LIMIT, checking).await {
            Ok(result) => result.map_err(|why| why.to_string()),
            Err(_) => Err(format!(
                "the database does not answer within {} s",
                LIMIT.as_secs()
            )),
        }
    };
    shared.readiness.get(check).await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn the_database_is_asked_once_for_many_who_ask() {
        let readiness = Readiness::default();
        let checks = Cell::new(0);
        let check = || async {
            checks.set(checks.get() + 1);
            tokio::task::yield_now().await;
            Err("no database".to_string())
        };
        let (one, other, third) = tokio::join!(
            readiness.get(check()),
            readiness.get(check()),
            readiness.get(check())
        );
        assert!(one.is_err() && one == other && one == third);
        assert_eq!(checks.get(), 1);
        tokio::time::sleep(KEPT).await;
        assert_eq!(readiness.get(async { Ok(()) }).await, Ok(()));
    }
}
