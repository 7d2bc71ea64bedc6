//! Rate-limited logging of failures: one line when something begins to fail, one every ten seconds, one when it works
//! again.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a lasting failure is logged.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// The state of one kind of work, and what was logged about it. Parts of it that usually fail together, such as the uses
/// of one database, share the log lines: it fails from the first failure of any part until every part works again.
pub struct Outage {
    /// The kind of work, for the log.
    work: &'static str,
    /// Whether `state` has a failure, readable without the lock.
    failing: AtomicBool,
    state: Mutex<OutageState>,
}

struct OutageState {
    failing: Option<Failing>,
    parts: BTreeMap<&'static str, PartState>,
}

#[derive(Default)]
struct PartState {
    fails: bool,
    /// Attempts that began before this moment are ignored.
    recovered: Option<Instant>,
}

/// The only part of work without parts.
const WHOLE: &str = "";

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
                parts: BTreeMap::new(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, OutageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the last attempt of any part failed.
    pub fn is_on(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    /// Records that an attempt begun at a moment has failed. Returns whether that was logged.
    pub fn failed(&self, begun: Instant, why: &dyn Display) -> bool {
        self.part_failed(WHOLE, begun, why)
    }

    /// The same for a part.
    pub fn part_failed(&self, name: &'static str, begun: Instant, why: &dyn Display) -> bool {
        let mut state = self.state();
        let part = state.parts.entry(name).or_default();
        if part.recovered.is_some_and(|recovered| begun < recovered) {
            return false;
        }
        part.fails = true;
        let part = (name != WHOLE).then_some(name);
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
            tracing::error!(part, %why, "{work} fails");
            return true;
        }
        if now.duration_since(failing.logged) < LOG_INTERVAL {
            tracing::debug!(part, %why, "{work} fails");
            return false;
        }
        failing.logged = now;
        let seconds = failing.since.elapsed().as_secs();
        tracing::error!(part, %why, seconds, failures, "{work} still fails");
        true
    }

    /// Records a successful attempt.
    pub fn succeeded(&self) {
        self.part_succeeded(WHOLE);
    }

    /// The same for a part.
    pub fn part_succeeded(&self, name: &'static str) {
        if !self.is_on() {
            return;
        }
        let mut state = self.state();
        match state.parts.get_mut(name) {
            Some(part) if part.fails => {
                part.fails = false;
                part.recovered = Some(Instant::now());
            }
            _ => return,
        }
        if state.parts.values().any(|part| part.fails) {
            return;
        }
        self.failing.store(false, Ordering::Relaxed);
        if let Some(Failing {
            since, failures, ..
        }) = state.failing.take()
        {
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

    #[test]
    fn parts_that_fail_together_are_logged_once_and_all_have_to_work_again() {
        let outage = Outage::new("using the database");
        let begun = Instant::now();
        let failed = |part| outage.part_failed(part, begun, &"gone");
        assert_eq!(["read", "write", "read"].map(failed), [true, false, false]);
        // A part that never failed says nothing about the others.
        outage.part_succeeded("cluster");
        outage.part_succeeded("read");
        assert!(outage.is_on());
        // Failures before a part's recovery are over; those of another part are not.
        assert_eq!(["read", "write"].map(failed), [false, false]);
        outage.part_succeeded("write");
        assert!(!outage.is_on());
        assert!(outage.part_failed("cluster", Instant::now(), &"gone again"));
    }
}
