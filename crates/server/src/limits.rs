//! Rate limits per address, person and table. They outlive connections: reconnecting does not reset a budget.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use towers_table::MAX_STRIKES;

use crate::config::Limits;

/// The messages and strikes of an address, as a multiple of a person's.
const PEOPLE_PER_ADDRESS: u32 = 10;
/// Reports per address and hour.
const REPORTS_PER_HOUR: u32 = 10;
/// Downloads of records per address and minute.
const RECORDS_PER_MINUTE: u32 = 30;
/// Kilobytes of records per address and second, on average.
const RECORD_KB_PER_SECOND: u32 = 2 * 1024;
/// Kilobytes of records per address at once.
const RECORD_KB_BURST: u32 = 16 * 1024;
/// New sessions of devices per address and hour: a whole school may be behind one address.
const SIGN_INS_PER_HOUR: u32 = 600;
/// Attempts to add a device by a phrase or a recovery code, per address and minute.
const GUESSES_PER_MINUTE: u32 = 10;
/// Requests about a person that store or read much, per address and minute: links for devices, recovery codes,
/// subscriptions to push messages, exports.
const PERSON_REQUESTS_PER_MINUTE: u32 = 30;
/// Tests of webhooks per address and minute: each makes this server send a request to another one.
const WEBHOOK_TESTS_PER_MINUTE: u32 = 10;
/// Pictures of links per address and minute. A chat program fetches those of all its people from few addresses.
const PICTURES_PER_MINUTE: u32 = 120;
/// Results of deals of the day per address and minute: each is replayed.
const DEALS_PER_MINUTE: u32 = 30;
/// Requests for a game with others per address and minute.
const PAIRINGS_PER_MINUTE: u32 = 120;
/// Requests for a game with others per person and minute.
const PAIRINGS_OF_PERSON: u32 = 30;
/// Invitations of people per person and hour.
const INVITATIONS_PER_HOUR: u32 = 60;
/// Pages and files per address at once, in seconds of their rate: a whole school may open the page at the same time.
const FILES_AT_ONCE: u32 = 20;
/// Requests for readiness and metrics per address and second.
const MONITORING_PER_SECOND: u32 = 50;
/// The same at once.
const MONITORING_AT_ONCE: u32 = 500;
/// Refused requests per address and second that are answered at once.
const REFUSALS_PER_SECOND: u32 = 100;
/// The same at once.
const REFUSALS_AT_ONCE: u32 = 2000;
/// Bytes that are read from the sockets of an address, for each of the messages that it may send. Few are as long.
const BYTES_PER_MESSAGE: u32 = 1280;
/// The same at once, in seconds of that rate.
const BYTES_AT_ONCE: u32 = 4;
/// The highest of these rates: a budget counts in nanoseconds.
const MOST_BYTES: u32 = 1 << 28;
/// Up to this number of keys, those with a full budget are not dropped.
const MIN_KEYS: usize = 10_000;

/// How often the keys of a budget are counted.
const COUNT_EVERY: usize = 64;

/// A rate limit for each key.
pub struct RateBudget<K: Hash + Eq + Clone> {
    limiter: Option<DefaultKeyedRateLimiter<K>>,
    /// The number of keys above which those with a full budget are dropped next: twice the number that was left the last
    /// time, so that the work per key is constant however many there are.
    max_keys: AtomicUsize,
    /// How often something was taken.
    taken: AtomicUsize,
}

impl<K: Hash + Eq + Clone> RateBudget<K> {
    fn new(quota: Option<Quota>) -> RateBudget<K> {
        RateBudget {
            limiter: quota.map(RateLimiter::keyed),
            max_keys: AtomicUsize::new(MIN_KEYS),
            taken: AtomicUsize::new(0),
        }
    }

    /// Takes one from the budget; an error says after how long one is available.
    pub fn take(&self, key: &K) -> Result<(), Duration> {
        let Some(limiter) = &self.limiter else {
            return Err(Duration::MAX);
        };
        // Counting the keys locks all of them, so it is done now and then.
        if self
            .taken
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(COUNT_EVERY)
            && limiter.len() > self.max_keys.load(Ordering::Relaxed)
        {
            limiter.retain_recent();
            limiter.shrink_to_fit();
            let max_keys = limiter.len().saturating_mul(2).max(MIN_KEYS);
            self.max_keys.store(max_keys, Ordering::Relaxed);
        }
        let now = DefaultClock::default().now();
        limiter
            .check_key(key)
            .map_err(|until| until.wait_time_from(now))
    }

    /// Takes this amount if it is available at once.
    fn take_many(&self, key: &K, amount: u32) -> bool {
        let (Some(limiter), Some(amount)) = (&self.limiter, NonZeroU32::new(amount)) else {
            return true;
        };
        matches!(limiter.check_key_n(key, amount), Ok(Ok(())))
    }

    /// Waits for this amount and takes it. An amount above the budget's size counts as the whole budget.
    pub async fn wait_for(&self, key: &K, amount: u32, burst: u32) {
        if let (Some(limiter), Some(amount)) = (&self.limiter, NonZeroU32::new(amount.min(burst))) {
            // The amount fits, so there is no error.
            let _ = limiter.until_key_n_ready(key, amount).await;
        }
    }
}

/// All budgets of a server. Addresses are those of [`network`].
pub struct Budgets {
    /// New tables per address.
    pub new_tables: RateBudget<IpAddr>,
    /// Requests, connections and messages per address.
    pub messages_of_address: RateBudget<IpAddr>,
    /// Messages per person.
    pub messages_of_person: RateBudget<String>,
    /// Reports of tables per address.
    pub reports: RateBudget<IpAddr>,
    /// Messages over the limit per person.
    pub strikes_of_person: RateBudget<String>,
    /// Messages over the limit per address: a connection without a token is a new person each time.
    pub strikes_of_address: RateBudget<IpAddr>,
    /// Commands other than moves that are stored, per address.
    pub entries_of_address: RateBudget<IpAddr>,
    /// Commands other than moves that are stored, per table.
    pub entries_of_table: RateBudget<String>,
    /// The part of them that comes from one address, so that no address can use up the budget of a table.
    pub entries_at_table: RateBudget<(String, IpAddr)>,
    /// Downloads of records per address.
    pub records: RateBudget<IpAddr>,
    /// Sessions of devices per address.
    pub sign_ins: RateBudget<IpAddr>,
    /// Phrases and recovery codes per address.
    pub guesses: RateBudget<IpAddr>,
    /// Requests about a person that store or read much, per address.
    pub person_requests: RateBudget<IpAddr>,
    /// Tests of webhooks per address.
    pub webhook_tests: RateBudget<IpAddr>,
    /// Pictures of links per address.
    pub pictures: RateBudget<IpAddr>,
    /// Results of deals of the day per address.
    pub deals: RateBudget<IpAddr>,
    /// Requests for a game with others per address.
    pub pairings: RateBudget<IpAddr>,
    /// Requests for a game with others per person.
    pub pairings_of_person: RateBudget<String>,
    /// Requests for pages and files of the client per address.
    pub files: RateBudget<IpAddr>,
    /// Requests for readiness and metrics per address.
    pub monitoring: RateBudget<IpAddr>,
    /// Requests per address that read thousands of rows.
    pub costly_reads: RateBudget<IpAddr>,
    /// Invitations per person.
    pub invitations: RateBudget<String>,
    /// Refused requests per address.
    pub refusals: RateBudget<IpAddr>,
    /// Kilobytes of records per address.
    record_kb: RateBudget<IpAddr>,
    /// Bytes read from sockets per address.
    socket_bytes: RateBudget<IpAddr>,
    /// The size of that budget.
    socket_bytes_at_once: u32,
}

impl Budgets {
    pub fn new(limits: &Limits) -> Budgets {
        let rate = NonZeroU32::new(limits.messages_per_second).unwrap_or(NonZeroU32::MIN);
        let double = |rate: NonZeroU32| rate.saturating_add(rate.get());
        let per_second = |rate| Quota::per_second(rate).allow_burst(double(rate));
        let crowd = rate.saturating_mul(number(PEOPLE_PER_ADDRESS));
        let bytes = crowd.saturating_mul(number(BYTES_PER_MESSAGE));
        let bytes = bytes.min(number(MOST_BYTES));
        let bytes_at_once = bytes.saturating_mul(number(BYTES_AT_ONCE));
        let record_kb = Quota::per_second(number(RECORD_KB_PER_SECOND));
        Budgets {
            new_tables: RateBudget::new(
                NonZeroU32::new(limits.tables_per_address).map(Quota::per_hour),
            ),
            messages_of_address: RateBudget::new(Some(per_second(crowd))),
            messages_of_person: RateBudget::new(Some(per_second(rate))),
            reports: RateBudget::new(Some(Quota::per_hour(number(REPORTS_PER_HOUR)))),
            strikes_of_person: RateBudget::new(Some(strikes(1))),
            strikes_of_address: RateBudget::new(Some(strikes(PEOPLE_PER_ADDRESS))),
            entries_of_address: RateBudget::new(
                NonZeroU32::new(limits.entries_per_address).map(Quota::per_hour),
            ),
            entries_of_table: RateBudget::new(
                NonZeroU32::new(limits.entries_per_table).map(Quota::per_hour),
            ),
            entries_at_table: RateBudget::new(
                NonZeroU32::new(limits.entries_per_table.div_ceil(2)).map(Quota::per_hour),
            ),
            records: RateBudget::new(Some(Quota::per_minute(number(RECORDS_PER_MINUTE)))),
            sign_ins: RateBudget::new(Some(Quota::per_hour(number(SIGN_INS_PER_HOUR)))),
            guesses: RateBudget::new(Some(guesses())),
            person_requests: RateBudget::new(Some(Quota::per_minute(number(
                PERSON_REQUESTS_PER_MINUTE,
            )))),
            webhook_tests: RateBudget::new(Some(Quota::per_minute(number(
                WEBHOOK_TESTS_PER_MINUTE,
            )))),
            pictures: RateBudget::new(Some(Quota::per_minute(number(PICTURES_PER_MINUTE)))),
            deals: RateBudget::new(Some(Quota::per_minute(number(DEALS_PER_MINUTE)))),
            pairings: RateBudget::new(Some(Quota::per_minute(number(PAIRINGS_PER_MINUTE)))),
            pairings_of_person: RateBudget::new(Some(Quota::per_minute(number(
                PAIRINGS_OF_PERSON,
            )))),
            files: RateBudget::new(Some(
                Quota::per_second(crowd).allow_burst(crowd.saturating_mul(number(FILES_AT_ONCE))),
            )),
            monitoring: RateBudget::new(Some(
                Quota::per_second(number(MONITORING_PER_SECOND))
                    .allow_burst(number(MONITORING_AT_ONCE)),
            )),
            costly_reads: RateBudget::new(Some(
                Quota::per_minute(double(rate))
                    .allow_burst(double(rate).saturating_add(rate.get())),
            )),
            invitations: RateBudget::new(Some(Quota::per_hour(number(INVITATIONS_PER_HOUR)))),
            refusals: RateBudget::new(Some(
                Quota::per_second(number(REFUSALS_PER_SECOND))
                    .allow_burst(number(REFUSALS_AT_ONCE)),
            )),
            record_kb: RateBudget::new(Some(record_kb.allow_burst(number(RECORD_KB_BURST)))),
            socket_bytes: RateBudget::new(Some(
                Quota::per_second(bytes).allow_burst(bytes_at_once),
            )),
            socket_bytes_at_once: bytes_at_once.get(),
        }
    }

    /// Waits until this many bytes of a record may be sent to an address.
    pub async fn send_record(&self, address: &IpAddr, bytes: usize) {
        let kb = u32::try_from(bytes / 1024).unwrap_or(u32::MAX).max(1);
        self.record_kb.wait_for(address, kb, RECORD_KB_BURST).await;
    }

    /// Counts what was read from a socket of an address. Returns whether more may be read at once.
    pub fn has_read(&self, address: &IpAddr, bytes: u32) -> bool {
        self.socket_bytes.take_many(address, bytes)
    }

    /// Waits until more may be read from the sockets of an address, after these bytes.
    pub async fn read_more(&self, address: &IpAddr, bytes: u32) {
        let most = self.socket_bytes_at_once;
        self.socket_bytes.wait_for(address, bytes, most).await;
    }
}

/// Strikes of this many people; one per second and person is forgiven.
fn strikes(people: u32) -> Quota {
    Quota::per_second(number(people)).allow_burst(number(people * MAX_STRIKES))
}

fn guesses() -> Quota {
    Quota::per_minute(number(GUESSES_PER_MINUTE))
}

fn number(constant: u32) -> NonZeroU32 {
    NonZeroU32::new(constant).unwrap_or(NonZeroU32::MIN)
}

/// The part of an address that is limited: of IPv6, the /64 of one customer.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let mut parts = v6.segments();
            parts[4..].fill(0);
            IpAddr::V6(Ipv6Addr::from(parts))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_110_attempts_while_a_phrase_is_valid() {
        let clock = FakeRelativeClock::default();
        let limiter = RateLimiter::direct_with_clock(guesses(), clock.clone());
        let mut attempts = 0;
        for _ in 0..600 {
            while limiter.check().is_ok() {
                attempts += 1;
            }
            clock.advance(Duration::from_secs(1));
        }
        // The bound in SECURITY.md; the last one comes with the end of the ten minutes.
        assert_eq!(attempts, 109);
    }

    #[test]
    fn many_addresses_with_a_used_budget_do_not_slow_each_other_down() {
        let budget = RateBudget::new(Some(Quota::per_hour(number(REPORTS_PER_HOUR))));
        let begun = std::time::Instant::now();
        for i in 0..200_000 {
            assert!(
                budget
                    .take(&ip(&Ipv6Addr::from(i << 64).to_string()))
                    .is_ok()
            );
        }
        // Looking through all of them for every new one takes minutes.
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "{:?}",
            begun.elapsed()
        );
    }

    #[test]
    fn tables_are_counted_by_the_hour() {
        let limits = |tables_per_address| Limits {
            tables_per_address,
            ..Limits::default()
        };
        let budgets = Budgets::new(&limits(2));
        let take = |address: &str| budgets.new_tables.take(&network(ip(address)));
        assert!(take("10.0.0.1").is_ok() && take("10.0.0.1").is_ok());
        let wait = take("10.0.0.1").unwrap_err();
        assert!(wait > Duration::from_secs(1000), "{wait:?}");
        assert!(take("10.0.0.2").is_ok());
        assert!(take("2001:db8::1").is_ok() && take("2001:db8::2").is_ok());
        assert!(take("2001:db8::3").is_err(), "one customer");
        assert!(take("2001:db8:0:1::3").is_ok());
        let none = Budgets::new(&limits(0));
        assert!(none.new_tables.take(&ip("10.0.0.1")).is_err());
    }
}
