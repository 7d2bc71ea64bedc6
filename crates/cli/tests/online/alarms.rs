//! The alerts of `deploy/alerts.yml`, evaluated against the metrics of servers.
//!
//! That does not need Prometheus: the conditions have few forms, and a test scrapes a server as often as needed. An
//! unknown form fails the test.

use std::collections::BTreeMap;

use super::process::{Process, http};

const RULES: &str = include_str!("../../../../deploy/alerts.yml");

/// The names of alerts with their conditions.
fn rules() -> Vec<(&'static str, &'static str)> {
    let mut rules = Vec::new();
    let mut alert = "";
    for line in RULES.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("- alert: ") {
            alert = name;
        } else if let Some(condition) = line.strip_prefix("expr: ") {
            rules.push((alert, condition));
        }
    }
    assert!(rules.len() >= 8, "{rules:?}");
    rules
}

/// Every sample of a scrape: its name, labels included, and its value.
type Samples = BTreeMap<String, f64>;

/// The scrapes of one server, oldest first.
#[derive(Default)]
pub struct Scrapes(Vec<Samples>);

impl Scrapes {
    /// Collects metrics once more. A server that does not respond exports only that.
    pub async fn take(&mut self, process: &Process) {
        let body = match tokio::net::TcpStream::connect(("127.0.0.1", process.port)).await {
            Ok(_) => http(process.port, "GET", "/metrics", &[], "").await.body,
            Err(_) => String::new(),
        };
        let is_up = if body.is_empty() { 0.0 } else { 1.0 };
        let mut samples = Samples::from([(r#"up{job="towers"}"#.to_string(), is_up)]);
        for line in body.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, value)) = line.rsplit_once(' ') {
                samples.insert(name.into(), value.parse().unwrap());
            }
        }
        self.0.push(samples);
    }

    /// Collects metrics until an alarm fires. Readiness is checked once a second.
    pub async fn take_until(&mut self, process: &Process, alarm: &str) {
        let begun = std::time::Instant::now();
        self.take(process).await;
        while !self.firing().contains(&alarm) {
            let firing = self.firing();
            assert!(begun.elapsed().as_secs() < 30, "not {alarm}: {firing:?}");
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            self.take(process).await;
        }
    }

    fn latest(&self) -> &Samples {
        self.0.last().expect("there was a scrape")
    }

    /// The names of the alerts whose condition holds now.
    pub fn firing(&self) -> Vec<&'static str> {
        let fires = |(_, condition): &(&str, &str)| self.holds(condition);
        let firing = rules().into_iter().filter(fires);
        firing.map(|(name, _)| name).collect()
    }

    fn holds(&self, condition: &str) -> bool {
        let (left, sign, right) = [" < ", " > "]
            .iter()
            .find_map(|sign| {
                let (left, right) = condition.rsplit_once(sign)?;
                Some((left, sign.trim(), right))
            })
            .unwrap_or_else(|| panic!("not a comparison: {condition}"));
        match (self.value(left), self.value(right)) {
            (Some(left), Some(right)) if sign == "<" => left < right,
            (Some(left), Some(right)) => left > right,
            // As in Prometheus, missing samples do not compare.
            _ => false,
        }
    }

    fn value(&self, expression: &str) -> Option<f64> {
        if let Ok(number) = expression.parse() {
            return Some(number);
        }
        let call = |function: &str| {
            let inner = expression.strip_prefix(function)?.strip_prefix('(')?;
            inner.strip_suffix(')')
        };
        let ranged = |text: &str| text.split('[').next().unwrap_or_default().to_string();
        let all = |name: &str| {
            let values = self
                .0
                .iter()
                .filter_map(|samples| samples.get(name).copied());
            values.collect::<Vec<f64>>()
        };
        if let Some(inner) = call("increase") {
            let values = all(&ranged(inner));
            return Some(values.last()? - values.first()?);
        }
        if let Some(inner) = call("max_over_time") {
            return all(&ranged(inner)).into_iter().reduce(f64::max);
        }
        if let Some(inner) = call("histogram_quantile") {
            let (quantile, rate) = inner.split_once(", ")?;
            let bucket = rate.strip_prefix("rate(")?.strip_suffix(')')?;
            return self.quantile(quantile.parse().ok()?, &ranged(bucket));
        }
        assert!(
            !expression.contains(['(', ' ']),
            "not known here: {expression}"
        );
        self.latest().get(expression).copied()
    }

    /// The upper bound of the bucket that contains a quantile.
    fn quantile(&self, quantile: f64, bucket: &str) -> Option<f64> {
        let prefix = format!("{bucket}{{le=\"");
        let first = self.0.first()?;
        let mut counts: Vec<(f64, f64)> = Vec::new();
        for (name, value) in self.latest().range(prefix.clone()..) {
            let Some(bound) = name.strip_prefix(&prefix) else {
                break;
            };
            let bound = bound.trim_end_matches("\"}");
            let bound = if bound == "+Inf" {
                f64::INFINITY
            } else {
                bound.parse().ok()?
            };
            counts.push((bound, value - first.get(name).unwrap_or(&0.0)));
        }
        counts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total = counts.last()?.1;
        let wanted = counts.iter().find(|(_, count)| *count >= total * quantile);
        (total > 0.0).then_some(wanted?.0)
    }
}

#[tokio::test]
async fn a_healthy_server_raises_no_alarm_and_exports_what_alarms_and_dashboard_name() {
    let data = super::process::Data::new();
    let mut process = Process::start(&data.path());
    let (_table, mut clients) = super::player::gather(process.port, r#"{"seats":2}"#, 1).await;
    clients[0].ok(towers_table::Command::Start).await;
    let mut scrapes = Scrapes::default();
    // Readiness is checked once a second.
    loop {
        scrapes.take(&process).await;
        if scrapes.latest()["towers_ready"] > 0.5 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        scrapes.0.clear();
    }
    scrapes.take(&process).await;
    assert_eq!(scrapes.firing(), Vec::<&str>::new());
    let latest = scrapes.latest();
    let is_exported = |name: &str| latest.keys().any(|key| key.split('{').next() == Some(name));
    for name in [
        r#"towers_http_requests_total{route="/api/tables",method="POST",status="201"}"#,
        r#"towers_http_request_seconds_count{route="/api/tables"}"#,
        "towers_tcp_connections",
        "towers_messages_sent_total",
        "towers_message_bytes_sent_total",
        "process_resident_memory_bytes",
    ] {
        assert!(latest.get(name).is_some_and(|v| *v > 0.0), "{name}");
    }
    for (alert, condition) in rules() {
        let words = condition.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for name in words.filter(|word| word.starts_with("towers_")) {
            assert!(is_exported(name), "{name} of {alert} is not exported");
        }
    }
    process.kill();
    scrapes.take(&process).await;
    assert_eq!(scrapes.firing(), ["TowersDown"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_writes_raise_an_alarm() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = super::process::Data::new();
    let process = Process::start_quick_with(&data.path(), &["--database-url", &postgres.url()]);
    let (_table, mut clients) = super::player::gather(process.port, r#"{"seats":2}"#, 1).await;
    let mut scrapes = Scrapes::default();
    scrapes.take(&process).await;
    // Long enough to be slow even if it is noticed late, and shorter than the time limit of a statement.
    let lock = "BEGIN; LOCK TABLE entries; SELECT pg_sleep(2.5); COMMIT";
    let postgres = std::sync::Arc::new(postgres);
    let locking = tokio::task::spawn_blocking({
        let postgres = std::sync::Arc::clone(&postgres);
        move || postgres.query(lock).map(drop)
    });
    // One write while the lock is held.
    let held = "SELECT count(*) > 0 FROM pg_locks \
                WHERE relation = 'entries'::regclass AND mode = 'AccessExclusiveLock' AND granted";
    while tokio::task::block_in_place(|| postgres.query(held)).unwrap() != "t" {
        assert!(!locking.is_finished(), "the lock was held");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let text = "slow?".into();
    clients[0].ok(towers_table::Command::Chat { text }).await;
    locking.await.unwrap().unwrap();
    scrapes.take(&process).await;
    let firing = scrapes.firing();
    assert!(firing.contains(&"TowersWritesSlow"), "{firing:?}");
}
