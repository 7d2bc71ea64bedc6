//! The deal of the day. Its seed is drawn the day before and stored, so that all servers on a database publish the same
//! one. Until its day, only a commitment to it leaves the server.

use time::{Date, OffsetDateTime};
use tokio::sync::Mutex;
use towers_table::{DailyDeals, Millis, OpenDeal, SealedDeal, Seed};

use crate::secrets;
use crate::storage::{Storage, StorageError};

/// A stored seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDeal {
    pub seed: String,
    pub drawn: i64,
}

/// The deals of today and tomorrow, kept until the day is over.
#[derive(Default)]
pub struct Daily(Mutex<Option<DailyDeals>>);

impl Daily {
    /// The deals of today and tomorrow at a given time. Missing seeds are drawn.
    pub async fn deals(
        &self,
        storage: &dyn Storage,
        now: Millis,
    ) -> Result<DailyDeals, StorageError> {
        let today = day_of(now)?;
        let mut kept = self.0.lock().await;
        if let Some(deals) = kept.as_ref().filter(|d| d.today.day == today.to_string()) {
            return Ok(deals.clone());
        }
        let tomorrow = today
            .next_day()
            .ok_or_else(|| no_such_day(&"the last day of the calendar"))?;
        let (seed, drawn_at) = draw(storage, today, now).await?;
        let (next, _) = draw(storage, tomorrow, now).await?;
        let deals = DailyDeals {
            today: OpenDeal {
                day: today.to_string(),
                seed,
                drawn_at,
            },
            tomorrow: SealedDeal {
                day: tomorrow.to_string(),
                commitment: next.commitment(),
            },
        };
        *kept = Some(deals.clone());
        Ok(deals)
    }
}

fn no_such_day(why: &dyn std::fmt::Display) -> StorageError {
    StorageError::Failed(format!("no deal of the day: {why}"))
}

/// The day of a time, in UTC.
pub fn day_of(now: Millis) -> Result<Date, StorageError> {
    let seconds = i64::try_from(now / 1000).map_err(|why| no_such_day(&why))?;
    let time = OffsetDateTime::from_unix_timestamp(seconds).map_err(|why| no_such_day(&why))?;
    Ok(time.date())
}

/// Whether results of a day can be sent: on the day itself and the day after, since a game may last beyond midnight.
pub fn is_open_day(day: &str, now: Millis) -> bool {
    let Ok(today) = day_of(now) else { return false };
    let days = [Some(today), today.previous_day()];
    days.into_iter()
        .flatten()
        .any(|open| open.to_string() == day)
}

/// The day of a time, as `2026-11-15`.
pub fn day_name(now: Millis) -> String {
    day_of(now).map(|day| day.to_string()).unwrap_or_default()
}

/// The number of a day, counted from a fixed one.
pub fn day_number(day: &str) -> Option<i64> {
    let mut parts = day.splitn(3, '-');
    let year = parts.next()?.parse().ok()?;
    let month: u8 = parts.next()?.parse().ok()?;
    let of_month = parts.next()?.parse().ok()?;
    let date = Date::from_calendar_date(year, month.try_into().ok()?, of_month).ok()?;
    Some(i64::from(date.to_julian_day()))
}

/// The seed of a day and when it was drawn. Draws it if there is none.
async fn draw(
    storage: &dyn Storage,
    day: Date,
    now: Millis,
) -> Result<(Seed, Millis), StorageError> {
    let fresh = secrets::seed().to_string();
    let deal = storage.daily_deal(&day.to_string(), &fresh, now).await?;
    let corrupt = |why: &dyn std::fmt::Display| StorageError::Corrupt(why.to_string());
    let seed = deal.seed.parse().map_err(|why| corrupt(&why))?;
    let drawn = deal.drawn.try_into().map_err(|why| corrupt(&why))?;
    Ok((seed, drawn))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::storage::tests::{postgres, sqlite};

    const DAY: Millis = 24 * 3600 * 1000;
    /// 2026-11-15, noon.
    const NOON: Millis = 1_794_744_000_000;

    #[test]
    fn results_can_be_sent_on_the_day_and_the_day_after() {
        assert_eq!(day_name(NOON), "2026-11-15");
        for (day, open) in [
            ("2026-11-13", false),
            ("2026-11-14", true),
            ("2026-11-15", true),
            ("2026-11-16", false),
            ("", false),
        ] {
            assert_eq!(is_open_day(day, NOON), open, "{day}");
        }
        let number = |day| day_number(day).unwrap();
        assert_eq!(number("2026-11-15") - number("2026-10-31"), 15);
        assert_eq!(day_number("2026-02-30"), None);
    }

    /// The deal published on a day matches the commitment of the day before, on every server.
    async fn keeps_its_promise(storage: Arc<dyn Storage>) {
        let (one, other) = (Daily::default(), Daily::default());
        let first = one.deals(&*storage, NOON).await.unwrap();
        assert_eq!(first.today.day, "2026-11-15");
        assert_eq!(first.tomorrow.day, "2026-11-16");
        assert_eq!(other.deals(&*storage, NOON + 1).await.unwrap(), first);
        let evening = one.deals(&*storage, NOON + DAY / 2 - 1).await.unwrap();
        assert_eq!(evening, first, "until midnight");
        for server in [&one, &other] {
            let next = server.deals(&*storage, NOON + DAY / 2).await.unwrap();
            assert!(next.today.keeps(&first.tomorrow));
            assert!(!first.today.keeps(&first.tomorrow));
            assert_eq!(next.today.drawn_at, NOON, "it was drawn the day before");
            assert_eq!(next.tomorrow.day, "2026-11-17");
            assert_ne!(next.today.seed, first.today.seed);
        }
        // The published data does not contain the seed of the next day.
        let published = serde_json::to_string(&first).unwrap();
        let next = one.deals(&*storage, NOON + DAY).await.unwrap();
        assert!(!published.contains(&next.today.seed.to_string()));
    }

    #[tokio::test]
    async fn sqlite_keeps_the_promised_deal() {
        let folder = tempfile::tempdir().unwrap();
        keeps_its_promise(sqlite(folder.path()).await).await;
    }

    #[tokio::test]
    async fn postgresql_keeps_the_promised_deal() {
        let server = towers_test_support::Postgres::start().unwrap();
        keeps_its_promise(postgres(&server.url()).await).await;
    }
}
