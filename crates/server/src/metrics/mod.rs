//! Metrics in Prometheus' text format.
//!
//! Every server has its own recorder, so that several servers in one process are counted separately.

mod http;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, Unit};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

pub use http::count_requests;

/// Upper bounds of the histograms' buckets, in seconds.
/// Failed writes take seconds.
const BOUNDS: [f64; 11] = [
    0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 2.0, 5.0, 10.0, 30.0,
];

macro_rules! metrics {
    ($(counter $counter:ident: $counter_name:literal, $counter_help:literal;)*
     $(gauge $gauge:ident: $gauge_name:literal, $gauge_help:literal;)*
     $(histogram $histogram:ident: $histogram_name:literal, $histogram_help:literal;)*) => {
        pub struct Metrics {
            $(#[doc = $counter_help] pub $counter: Counter,)*
            $(#[doc = $gauge_help] pub $gauge: Gauge,)*
            $(#[doc = $histogram_help] pub $histogram: Histogram,)*
            recorder: PrometheusRecorder,
            process: metrics_process::Collector,
            samples: Mutex<Vec<GaugeUpdate>>,
        }

        impl Default for Metrics {
            fn default() -> Metrics {
                let builder = PrometheusBuilder::new().set_buckets(&BOUNDS);
                let recorder = builder.expect("the bounds are not empty").build_recorder();
                let process = metrics_process::Collector::default();
                let metrics = metrics::with_local_recorder(&recorder, || {
                    $(metrics::describe_counter!($counter_name, $counter_help);)*
                    $(metrics::describe_gauge!($gauge_name, $gauge_help);)*
                    $(metrics::describe_histogram!($histogram_name, Unit::Seconds, $histogram_help);)*
                    process.describe();
                    describe_labelled();
                    ($(metrics::counter!($counter_name),)*
                     $(metrics::gauge!($gauge_name),)*
                     $(metrics::histogram!($histogram_name),)*)
                });
                let ($($counter,)* $($gauge,)* $($histogram,)*) = metrics;
                Metrics {
                    $($counter,)* $($gauge,)* $($histogram,)*
                    recorder,
                    process,
                    samples: Mutex::default(),
                }
            }
        }
    };
}

metrics! {
    counter tables_created: "towers_tables_created_total", "Tables opened since the start.";
    counter commands: "towers_commands_total", "Commands carried out and stored.";
    counter rejected: "towers_rejected_total", "Commands refused by a table.";
    counter conflicts: "towers_conflicts_total", "Appends that another server won; tried again.";
    counter storage_errors: "towers_storage_errors_total", "Writes that failed in the database.";
    counter database_timeouts: "towers_database_timeouts_total", "Connections to the database given up because no answer came.";
    counter bad_messages: "towers_bad_messages_total", "Messages that could not be parsed.";
    counter over_limit: "towers_over_limit_total", "Requests and messages over a limit.";
    counter slow_readers: "towers_slow_readers_total", "Connections closed because the client did not read.";
    counter bot_moves: "towers_bot_moves_total", "Actions of bots.";
    counter messages_received: "towers_messages_received_total", "WebSocket messages received.";
    counter messages_sent: "towers_messages_sent_total", "WebSocket messages sent.";
    counter bytes_sent: "towers_message_bytes_sent_total", "Bytes of WebSocket messages sent.";
    counter calls_sent: "towers_calls_sent_total", "Push messages and notes to webhooks that were delivered.";
    counter calls_failed: "towers_calls_failed_total", "Push messages and notes to webhooks that were given up.";
    counter calls_dropped: "towers_calls_dropped_total", "Calls dropped because too many were waiting.";
    counter panics: "towers_panics_total", "Tasks that panicked and were started again.";
    gauge disk_free: "towers_disk_free_bytes", "Free space on the disk of the data folder.";
    gauge disk_low: "towers_disk_low", "1 if there is too little free space for new tables.";
    gauge connections: "towers_connections", "Open WebSocket connections.";
    gauge sockets: "towers_tcp_connections", "Open TCP connections of clients.";
    gauge tables: "towers_tables_in_memory", "Tables in memory.";
    gauge ready: "towers_ready", "1 if people can play here, as /health/ready says.";
    gauge nodes: "towers_nodes", "Servers alive on this database, this one included.";
    gauge oldest_write: "towers_oldest_write_seconds", "Age of the oldest write that the database has not answered.";
    gauge notification_age: "towers_notification_age_seconds", "Time since this server last received its own notification.";
    histogram stored: "towers_store_seconds", "From taking up a command to its being stored.";
    histogram store_failed: "towers_store_failed_seconds", "From taking up a command to giving up storing it.";
    histogram thought: "towers_bot_seconds", "How long bots think.";
    histogram bot_queue: "towers_bot_queue_seconds", "How long bots wait for a thread to think on.";
    histogram notification_lag: "towers_notification_lag_seconds", "From sending a notification to receiving it.";
}

/// Sets gauges when metrics are collected.
type GaugeUpdate = Box<dyn Fn() + Send + Sync>;

/// Metrics with labels are described here and registered at their first use.
fn describe_labelled() {
    metrics::describe_gauge!("towers_build_info", "Always 1; the version is a label.");
    metrics::gauge!("towers_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
    metrics::describe_gauge!(
        "towers_database_connections",
        "Connections to the database, by pool and state."
    );
    metrics::describe_gauge!(
        "towers_database_connections_max",
        "How many connections to the database a pool may have."
    );
    metrics::describe_gauge!(
        "towers_database_waiting",
        "Statements that wait for a connection of a pool."
    );
    http::describe();
}

/// The gauges of a pool of connections to the database.
pub struct PoolGauges {
    busy: Gauge,
    idle: Gauge,
    waiting: Gauge,
}

impl PoolGauges {
    /// Sets the numbers of busy and idle connections and of waiting statements.
    pub fn set(&self, busy: usize, idle: usize, waiting: usize) {
        self.busy.set(busy as f64);
        self.idle.set(idle as f64);
        self.waiting.set(waiting as f64);
    }
}

/// How often recorded times are moved into their buckets, even if nobody collects metrics.
const UPKEEP: Duration = Duration::from_secs(5);

impl Metrics {
    /// All metrics as text.
    pub fn text(&self) -> String {
        let samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        for sample in samples.iter() {
            sample();
        }
        drop(samples);
        metrics::with_local_recorder(&self.recorder, || self.process.collect());
        self.recorder.handle().render()
    }

    /// Registers a function that sets gauges before metrics are collected.
    pub fn sample(&self, set: impl Fn() + Send + Sync + 'static) {
        let samples = self.samples.lock();
        let mut samples = samples.unwrap_or_else(PoisonError::into_inner);
        samples.push(Box::new(set));
    }

    /// The gauges of a pool with at most `max` connections.
    pub fn pool(&self, name: &'static str, max: usize) -> PoolGauges {
        metrics::with_local_recorder(&self.recorder, || {
            let state = |state: &'static str| metrics::gauge!("towers_database_connections", "pool" => name, "state" => state);
            metrics::gauge!("towers_database_connections_max", "pool" => name).set(max as f64);
            PoolGauges {
                busy: state("busy"),
                idle: state("idle"),
                waiting: metrics::gauge!("towers_database_waiting", "pool" => name),
            }
        })
    }

    /// Moves recorded times into their buckets regularly; never returns.
    pub async fn keep_up(handle: PrometheusHandle) {
        let mut tick = tokio::time::interval(UPKEEP);
        loop {
            tick.tick().await;
            handle.run_upkeep();
        }
    }

    pub fn handle(&self) -> PrometheusHandle {
        self.recorder.handle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_prometheus_reads_them() {
        let (metrics, other) = (Metrics::default(), Metrics::default());
        metrics.commands.increment(1);
        metrics.stored.record(Duration::from_millis(3));
        let text = metrics.text();
        assert!(text.contains("\ntowers_commands_total 1\n"), "{text}");
        assert!(text.contains("\ntowers_connections 0\n"), "{text}");
        assert!(text.contains("towers_store_seconds_bucket{le=\"0.005\"} 1\n"));
        assert!(text.contains("towers_store_seconds_count 1\n"));
        assert!(text.contains("towers_bot_seconds_count 0\n"), "{text}");
        assert!(text.contains("\ntowers_build_info{version="), "{text}");
        #[cfg(target_os = "linux")]
        for name in [
            "process_resident_memory_bytes",
            "process_open_fds",
            "process_threads",
        ] {
            assert!(text.contains(&format!("\n{name} ")), "{name} in {text}");
        }
        for line in text
            .lines()
            .filter(|l| !l.starts_with('#') && !l.is_empty())
        {
            let (_, value) = line.rsplit_once(' ').unwrap();
            assert!(value.parse::<f64>().is_ok(), "{line}");
        }
        assert!(other.text().contains("\ntowers_commands_total 0\n"));
    }
}
