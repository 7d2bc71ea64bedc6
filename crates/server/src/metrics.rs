//! Numbers for a host to watch, in Prometheus' text format.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the histogram's buckets, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 2.0];

/// How long something took, counted in buckets.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

impl Histogram {
    /// It took so long once.
    pub fn observe(&self, time: Duration) {
        let seconds = time.as_secs_f64();
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS) {
            if seconds <= bound {
                bucket.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.micros
            .fetch_add(time.as_micros() as u64, Ordering::Relaxed);
    }
}

macro_rules! metrics {
    ($($name:ident: $kind:literal, $text:literal, $help:literal;)*) => {
        /// Everything that is counted.
        #[derive(Debug, Default)]
        pub struct Metrics {
            $(#[doc = $help] pub $name: AtomicU64,)*
            /// From taking up a command to its being stored.
            pub stored: Histogram,
            /// How long bots think.
            pub thought: Histogram,
        }

        impl Metrics {
            /// All numbers as text.
            pub fn text(&self) -> String {
                let mut text = String::new();
                $(
                    let value = self.$name.load(Ordering::Relaxed);
                    let _ = writeln!(text, "# HELP {} {}\n# TYPE {} {}\n{} {value}",
                        $text, $help, $text, $kind, $text);
                )*
                histogram(&mut text, "towers_store_seconds", "From taking up a command to its being stored.", &self.stored);
                histogram(&mut text, "towers_bot_seconds", "How long bots think.", &self.thought);
                text
            }
        }
    };
}

metrics! {
    connections: "gauge", "towers_connections", "Open WebSocket connections.";
    tables: "gauge", "towers_tables_in_memory", "Tables in memory.";
    tables_created: "counter", "towers_tables_created_total", "Tables opened since the start.";
    commands: "counter", "towers_commands_total", "Commands carried out and stored.";
    rejected: "counter", "towers_rejected_total", "Commands refused by a table.";
    conflicts: "counter", "towers_conflicts_total", "Appends that another writer won.";
    storage_errors: "counter", "towers_storage_errors_total", "Writes the database failed.";
    bad_messages: "counter", "towers_bad_messages_total", "Messages that could not be understood.";
    over_limit: "counter", "towers_over_limit_total", "Requests and messages over a limit.";
    slow_readers: "counter", "towers_slow_readers_total", "Connections closed because they did not read.";
    bot_moves: "counter", "towers_bot_moves_total", "Actions of bots.";
}

fn histogram(text: &mut String, name: &str, help: &str, values: &Histogram) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram");
    for (bucket, bound) in values.buckets.iter().zip(BOUNDS) {
        let value = bucket.load(Ordering::Relaxed);
        let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {value}");
    }
    let count = values.count.load(Ordering::Relaxed);
    let seconds = values.micros.load(Ordering::Relaxed) as f64 / 1e6;
    let _ = writeln!(
        text,
        "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {seconds}\n{name}_count {count}"
    );
}

/// One more.
pub fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// One less.
pub fn uncount(gauge: &AtomicU64) {
    gauge.fetch_sub(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_prometheus_reads_them() {
        let metrics = Metrics::default();
        count(&metrics.commands);
        metrics.stored.observe(Duration::from_millis(3));
        let text = metrics.text();
        assert!(text.contains("\ntowers_commands_total 1\n"));
        assert!(text.contains("towers_store_seconds_bucket{le=\"0.005\"} 1\n"));
        assert!(text.contains("towers_store_seconds_count 1\n"));
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let (_, value) = line.rsplit_once(' ').unwrap();
            assert!(value.parse::<f64>().is_ok(), "{line}");
        }
    }
}
