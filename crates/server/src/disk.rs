//! Free space on the disk of the data folder.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::metrics::Metrics;
use crate::refusal::refusal;
use towers_table::{ErrorCode, Refusal};

const MB: u64 = 1024 * 1024;

/// The free space, measured periodically. With `PostgreSQL` there is no data folder, and the space always counts as
/// sufficient.
#[derive(Debug)]
pub struct Disk {
    folder: Option<PathBuf>,
    /// Bytes below which nothing new is accepted.
    min_free: u64,
    free: AtomicU64,
    is_low: AtomicBool,
}

impl Disk {
    pub fn new(folder: Option<PathBuf>, min_free: u64) -> Disk {
        Disk {
            folder: folder.filter(|_| min_free > 0),
            min_free,
            free: AtomicU64::new(u64::MAX),
            is_low: AtomicBool::new(false),
        }
    }

    pub fn measure(&self, metrics: &Metrics) {
        let Some(folder) = &self.folder else { return };
        let free = match fs4::available_space(folder) {
            Ok(free) => free,
            Err(why) => {
                tracing::debug!(%why, "cannot measure free space");
                return;
            }
        };
        let is_low = free < self.min_free;
        self.free.store(free, Ordering::Relaxed);
        metrics.disk_free.set(free as f64);
        metrics.disk_low.set(f64::from(u8::from(is_low)));
        if self.is_low.swap(is_low, Ordering::Relaxed) != is_low {
            let (free, min_free) = (free / MB, self.min_free / MB);
            if is_low {
                tracing::error!(
                    free,
                    min_free,
                    "little disk space left (MB): refusing new tables"
                );
            } else {
                tracing::warn!(free, min_free, "enough disk space again (MB)");
            }
        }
    }

    /// Refuses new tables and settings while space is low.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.is_low.load(Ordering::Relaxed) {
            Err(refusal(ErrorCode::DiskLow, self.problem()))
        } else {
            Ok(())
        }
    }

    fn problem(&self) -> String {
        let free = self.free.load(Ordering::Relaxed) / MB;
        format!(
            "the server has little disk space left ({free} MB): no new tables and settings for now"
        )
    }
}
