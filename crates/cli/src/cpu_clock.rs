//! The clock of contests: the processor time of this thread, so that "1 s" means a second of one core even on a busy
//! machine.

use std::time::Duration;

/// The processor time this thread has used.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Wall time, where threads have no such clock.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn now() -> Duration {
    use std::{sync::LazyLock, time::Instant};
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::now;

    #[test]
    fn it_goes_on_while_the_thread_computes() {
        let before = now();
        let mut sum = 0u64;
        while now() == before {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(now() > before);
    }
}
