//! Rate-limited logging of failures: one line when something begins to fail, one every ten seconds, one when it works
//! again.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a lasting failure is logged.
const EVERY: Duration = Duration::from_secs(10);

/// The state of one kind of work, and what was logged about it.
pub struct Outage {
    /// The kind of work, for the log.
    work: &'static str,
    /// Whether `state` has a failure, readable without the lock.
    failing: AtomicBool,
    state: Mutex<OutageState>,
}

struct OutageState {
    failing: Option<Failing>,
    /// Attempts that began before this moment are ignored.
    recovered: Option<Instant>,
}

struct Failing {
    since: Instant,
    logged: Instant,
    failures: u64,
}

impl Outage {
    pub const fn new(work: &'static str) -> Outage {
        Outage {
            work,
            failing: AtomicBool::new(false),
            state: Mutex::new(OutageState {
                failing: None,
                recovered: None,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, OutageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the last attempt failed.
    pub fn is_on(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    /// Records that an attempt begun at a moment has failed. Returns whether that was logged.
    pub fn failed(&self, begun: Instant, why: &dyn Display) -> bool {
        let mut state = self.state();
        if state.recovered.is_some_and(|recovered| begun < recovered) {
            return false;
        }
        let now = Instant::now();
        self.failing.store(true, Ordering::Relaxed);
        let failing = state.failing.get_or_insert(Failing {
            since: begun,
            logged: now,
            failures: 0,
        });
        failing.failures += 1;
        let (failures, work) = (failing.failures, self.work);
        if failures == 1 {
            tracing::error!(%why, "{work} fails");
            return true;
        }
        if now.duration_since(failing.logged) < EVERY {
            tracing::debug!(%why, "{work} fails");
            return false;
        }
        failing.logged = now;
        let seconds = failing.since.elapsed().as_secs();
        tracing::error!(%why, seconds, failures, "{work} still fails");
        true
    }

    /// Records a successful attempt.
    pub fn succeeded(&self) {
        if !self.is_on() {
            return;
        }
        let mut state = self.state();
        self.failing.store(false, Ordering::Relaxed);
        if let Some(Failing {
            since, failures, ..
        }) = state.failing.take()
        {
            state.recovered = Some(Instant::now());
            let (seconds, work) = (since.elapsed().as_secs_f64(), self.work);
            tracing::warn!(seconds, failures, "{work} works again");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_failures_are_logged_once_and_old_ones_do_not_count_after_a_success() {
        let outage = Outage::new("writing");
        let begun = Instant::now();
        let logged = (0..1000).filter(|_| outage.failed(begun, &"gone")).count();
        assert_eq!(logged, 1);
        assert!(outage.is_on());
        outage.succeeded();
        assert!(!outage.is_on());
        assert!(!outage.failed(begun, &"too late"));
        assert!(!outage.is_on());
        assert!(outage.failed(Instant::now(), &"gone again"));
    }
}
