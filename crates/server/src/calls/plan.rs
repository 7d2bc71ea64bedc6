//! When a person is notified: at once, after quiet hours, and again before time runs out. No clock, no database.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use towers_table::Millis;

pub const MINUTE: Millis = 60 * 1000;
const HOUR: Millis = 60 * MINUTE;
pub const DAY_MINUTES: u64 = 24 * 60;

/// The minimum time of a decision for which somebody is notified.
const MIN_TIME: Millis = 20 * 1000;
/// Reminders are for decisions with at least this much time.
const REMIND_FROM: Millis = HOUR;
/// The longest time between a reminder and the deadline.
const MAX_REMINDER_LEAD: Millis = 4 * HOUR;

/// The longest name of a time zone.
const ZONE_BYTES: usize = 64;

/// The time zone of an IANA name such as `Europe/Berlin`.
pub fn time_zone(name: &str) -> Option<TimeZone> {
    let is_short = name.len() <= ZONE_BYTES;
    is_short.then(|| TimeZone::get(name).ok()).flatten()
}

/// The hours in which a person is not notified, in minutes after midnight in the person's local time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    pub from: u64,
    /// The same as `from`: all day.
    pub to: u64,
}

impl QuietHours {
    /// Whether both are times of a day.
    pub fn are_valid(self) -> bool {
        self.from < DAY_MINUTES && self.to < DAY_MINUTES
    }

    fn never_end(self) -> bool {
        self.from == self.to
    }

    /// If the time is in quiet hours: when these began, and when they end.
    fn around(self, time: Millis, zone: &TimeZone) -> Option<(Millis, Millis)> {
        let now = Timestamp::from_millisecond(i64::try_from(time).ok()?).ok()?;
        let today = zone.to_datetime(now).date();
        let days = [Some(today), today.yesterday().ok()];
        let mut hours = days
            .into_iter()
            .flatten()
            .filter_map(|day| self.of(day, zone));
        hours.find(|(begin, end)| (*begin..*end).contains(&time))
    }

    /// When the quiet hours that begin on a day begin and end.
    fn of(self, day: Date, zone: &TimeZone) -> Option<(Millis, Millis)> {
        let last = if self.from < self.to {
            day
        } else {
            day.tomorrow().ok()?
        };
        Some((
            instant(day, self.from, zone)?,
            instant(last, self.to, zone)?,
        ))
    }
}

/// When the clock of a place shows a time. If it is put forward past that time, the time after the change; if it shows
/// the time twice, the first.
fn instant(day: Date, minutes: u64, zone: &TimeZone) -> Option<Millis> {
    let part = |minutes: u64| i8::try_from(minutes).ok();
    let time = Time::new(part(minutes / 60)?, part(minutes % 60)?, 0, 0).ok()?;
    let clock = zone.to_ambiguous_timestamp(day.to_datetime(time));
    u64::try_from(clock.compatible().ok()?.as_millisecond()).ok()
}

/// Whether a decision is over before anybody could open the page.
pub fn is_too_short(deadline: Option<Millis>, now: Millis) -> bool {
    deadline.is_some_and(|deadline| deadline.saturating_sub(now) < MIN_TIME)
}

/// An open decision, for planning.
#[derive(Clone, Copy, Debug)]
pub struct OpenDecision {
    pub since: Millis,
    pub deadline: Option<Millis>,
}

/// When to notify a person about a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallPlan {
    pub call_at: Option<Millis>,
    pub remind_at: Option<Millis>,
}

impl CallPlan {
    /// Plans the notifications about a decision of a person in a time zone.
    pub fn new(
        decision: OpenDecision,
        quiet: Option<QuietHours>,
        zone: &TimeZone,
        now: Millis,
    ) -> CallPlan {
        if is_too_short(decision.deadline, now) {
            return CallPlan::default();
        }
        let deadline = decision.deadline.unwrap_or(Millis::MAX);
        let call_at = after_quiet_hours(now, quiet, zone).filter(|at| *at < deadline);
        let remind_at = decision.deadline.and_then(|deadline| {
            let limit = deadline.saturating_sub(decision.since);
            let lead = (limit / 4).min(MAX_REMINDER_LEAD);
            let remind_at = before_quiet_hours(deadline.saturating_sub(lead), quiet, zone)?;
            // A reminder right after the call would be the same again.
            let first = call_at.map_or(now, |at| at.max(now));
            (limit >= REMIND_FROM && remind_at >= first + lead / 2).then_some(remind_at)
        });
        CallPlan { call_at, remind_at }
    }
}

fn after_quiet_hours(time: Millis, quiet: Option<QuietHours>, zone: &TimeZone) -> Option<Millis> {
    let Some(quiet) = quiet else {
        return Some(time);
    };
    match quiet.around(time, zone) {
        Some(_) if quiet.never_end() => None,
        Some((_, end)) => Some(end),
        None => Some(time),
    }
}

/// A reminder that would fall into quiet hours comes a minute before them.
fn before_quiet_hours(time: Millis, quiet: Option<QuietHours>, zone: &TimeZone) -> Option<Millis> {
    let Some(quiet) = quiet else {
        return Some(time);
    };
    match quiet.around(time, zone) {
        Some(_) if quiet.never_end() => None,
        Some((begin, _)) => Some(begin.saturating_sub(MINUTE)),
        None => Some(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Millis = DAY_MINUTES * MINUTE;

    /// A time of a day, in UTC.
    fn at(day: u64, hour: u64, minute: u64) -> Millis {
        day * DAY + hour * HOUR + minute * MINUTE
    }

    fn decision(since: Millis, limit: Option<Millis>) -> OpenDecision {
        OpenDecision {
            since,
            deadline: limit.map(|limit| since + limit),
        }
    }

    /// The plan for somebody whose clock shows UTC.
    fn plan(decision: OpenDecision, quiet: Option<QuietHours>, now: Millis) -> CallPlan {
        CallPlan::new(decision, quiet, &TimeZone::UTC, now)
    }

    const NIGHT: QuietHours = QuietHours {
        from: 22 * 60,
        to: 8 * 60,
    };

    #[test]
    fn without_quiet_hours_the_call_is_at_once() {
        let now = at(10, 3, 0);
        let plan = plan(decision(now, None), None, now);
        assert_eq!(plan.call_at, Some(now));
        assert_eq!(plan.remind_at, None, "there is no deadline");
    }

    #[test]
    fn a_decision_of_seconds_is_not_worth_a_call() {
        let now = at(10, 12, 0);
        let too_short = plan(decision(now, Some(3000)), None, now);
        assert_eq!(too_short, CallPlan::default());
        let plan = plan(decision(now, Some(MINUTE)), None, now);
        assert_eq!(plan.call_at, Some(now));
        assert_eq!(plan.remind_at, None);
    }

    #[test]
    fn a_call_in_quiet_hours_waits_for_their_end() {
        let at_night = |now, limit| plan(decision(now, limit), Some(NIGHT), now);
        for (now, call) in [
            (at(10, 21, 59), at(10, 21, 59)),
            (at(10, 22, 0), at(11, 8, 0)),
            (at(10, 23, 30), at(11, 8, 0)),
            (at(11, 7, 59), at(11, 8, 0)),
            (at(11, 8, 0), at(11, 8, 0)),
        ] {
            assert_eq!(at_night(now, None).call_at, Some(call));
        }
        let short = at_night(at(10, 23, 0), Some(HOUR));
        assert_eq!(short, CallPlan::default(), "it is over before they end");
    }

    fn utc(text: &str) -> Millis {
        let time: Timestamp = text.parse().unwrap();
        time.as_millisecond().unsigned_abs()
    }

    #[test]
    fn quiet_hours_follow_the_persons_clock() {
        for (zone, before, within, end) in [
            ("Asia/Kolkata", "16:29", "16:30", "2026-01-11T02:30Z"),
            ("America/Los_Angeles", "05:59", "06:00", "2026-01-10T16:00Z"),
            ("UTC", "21:59", "22:00", "2026-01-11T08:00Z"),
        ] {
            let zone = time_zone(zone).unwrap();
            let call = |time: &str| {
                let now = utc(&format!("2026-01-10T{time}Z"));
                (
                    now,
                    CallPlan::new(decision(now, None), Some(NIGHT), &zone, now).call_at,
                )
            };
            let (now, at) = call(before);
            assert_eq!(at, Some(now));
            assert_eq!(call(within).1, Some(utc(end)));
        }
    }

    #[test]
    fn quiet_hours_follow_summer_time() {
        let zone = time_zone("Europe/Berlin").unwrap();
        let call = |time: &str, quiet| {
            let now = utc(time);
            CallPlan::new(decision(now, None), Some(quiet), &zone, now).call_at
        };
        // In winter, and in the nights in which the clock is put forward and back.
        assert_eq!(
            call("2026-01-10T21:00Z", NIGHT),
            Some(utc("2026-01-11T07:00Z"))
        );
        assert_eq!(
            call("2026-03-28T21:00Z", NIGHT),
            Some(utc("2026-03-29T06:00Z"))
        );
        assert_eq!(
            call("2026-03-29T20:00Z", NIGHT),
            Some(utc("2026-03-30T06:00Z"))
        );
        assert_eq!(
            call("2026-10-24T20:00Z", NIGHT),
            Some(utc("2026-10-25T07:00Z"))
        );
        assert_eq!(
            call("2026-10-25T20:59Z", NIGHT),
            Some(utc("2026-10-25T20:59Z"))
        );
        // At half past two on a day without that time.
        let until = QuietHours { to: 150, ..NIGHT };
        assert_eq!(
            call("2026-03-28T23:00Z", until),
            Some(utc("2026-03-29T01:30Z"))
        );
    }

    #[test]
    fn only_names_of_time_zones_are_accepted() {
        for name in [
            "Europe/Paris",
            "America/Argentina/Buenos_Aires",
            "Etc/GMT-14",
            "UTC",
        ] {
            assert!(time_zone(name).is_some(), "{name}");
        }
        let long = "a".repeat(1000);
        for name in [
            "",
            "Mars/Olympus",
            "../../etc/passwd",
            "/etc/localtime",
            "CET\n",
            &long,
        ] {
            assert!(time_zone(name).is_none(), "{name}");
        }
    }

    #[test]
    fn hours_at_noon_and_the_whole_day_can_be_quiet() {
        let noon = QuietHours {
            from: 12 * 60,
            to: 14 * 60,
        };
        let call = |quiet, now| plan(decision(now, None), Some(quiet), now).call_at;
        assert_eq!(call(noon, at(10, 13, 0)), Some(at(10, 14, 0)));
        assert_eq!(call(noon, at(10, 14, 0)), Some(at(10, 14, 0)));
        let always = QuietHours { to: 720, ..noon };
        assert_eq!(call(always, at(10, 13, 0)), None);
        let limit = Some(3 * DAY);
        let plan = plan(decision(at(10, 13, 0), limit), Some(always), at(10, 13, 0));
        assert_eq!(plan, CallPlan::default());
    }

    #[test]
    fn slow_tables_remind_before_time_runs_out() {
        let now = at(10, 12, 0);
        let remind = |limit| plan(decision(now, Some(limit)), None, now).remind_at;
        assert_eq!(remind(HOUR), Some(now + 45 * MINUTE));
        assert_eq!(remind(59 * MINUTE), None);
        assert_eq!(remind(DAY), Some(now + 20 * HOUR));
        assert_eq!(remind(3 * DAY), Some(now + 3 * DAY - 4 * HOUR));
    }

    #[test]
    fn a_reminder_comes_before_quiet_hours_not_in_them() {
        // Deadline at 2 o'clock, so the reminder at 22 would disturb.
        let now = at(10, 2, 0);
        let plan = plan(decision(now, Some(DAY)), Some(NIGHT), now);
        assert_eq!(plan.call_at, Some(at(10, 8, 0)));
        assert_eq!(plan.remind_at, Some(at(10, 21, 59)));
    }

    #[test]
    fn no_reminder_follows_the_call_closely() {
        // Called at 8 o'clock for a deadline at 10: a reminder at 9 or before would say the same.
        let since = at(10, 2, 0);
        let plan = plan(decision(since, Some(8 * HOUR)), Some(NIGHT), since);
        assert_eq!(plan.call_at, Some(at(10, 8, 0)));
        assert_eq!(plan.remind_at, None);
    }
}
