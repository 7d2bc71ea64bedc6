//! A time of day that never jumps: read from the system once, then advanced by a monotonic clock.

use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use towers_table::Millis;

/// A clock that is independent of later changes of the system's time.
#[derive(Clone, Copy, Debug)]
pub struct SteadyClock {
    base: Millis,
    started: Instant,
}

impl SteadyClock {
    /// A clock that shows this time now.
    pub fn starting_at(base: Millis) -> SteadyClock {
        SteadyClock {
            base,
            started: Instant::now(),
        }
    }

    pub fn now(&self) -> Millis {
        self.base + self.started.elapsed().as_millis() as Millis
    }
}

/// The clock of this process.
static CLOCK: LazyLock<SteadyClock> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    SteadyClock::starting_at(since.map_or(0, |time| time.as_millis() as Millis))
});

pub fn clock() -> SteadyClock {
    *CLOCK
}

/// The current time of this process.
pub fn now() -> Millis {
    CLOCK.now()
}
