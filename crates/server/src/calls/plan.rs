//! When a person is called: at once, after quiet hours, and again before time runs out. No clock, no database.

use towers_table::Millis;

pub const MINUTE: Millis = 60 * 1000;
const HOUR: Millis = 60 * MINUTE;
/// Minutes of a day.
pub const DAY_MINUTES: u64 = 24 * 60;

/// The least time of a decision for which somebody is called.
const MIN_TIME: Millis = 20 * 1000;
/// Reminders are for decisions with at least this much time.
const REMIND_FROM: Millis = HOUR;
/// The longest time between a reminder and the deadline.
const LONGEST_LEAD: Millis = 4 * HOUR;

/// The hours in which a person is not called, in the time of their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// Minutes after midnight at which they begin.
    pub from: u64,
    /// Minutes after midnight at which they end. The same as `from`: all day.
    pub to: u64,
    /// Minutes by which the person's time is ahead of UTC.
    pub offset: i64,
}

impl QuietHours {
    /// The minutes after midnight at a time, for the person.
    fn minute(&self, time: Millis) -> u64 {
        let minutes = i64::try_from(time / MINUTE).unwrap_or_default() + self.offset;
        minutes.rem_euclid(DAY_MINUTES.cast_signed()).unsigned_abs()
    }

    fn length(&self) -> u64 {
        match (self.to + DAY_MINUTES - self.from) % DAY_MINUTES {
            0 => DAY_MINUTES,
            length => length,
        }
    }

    /// If the time is in quiet hours: when these began, and when they end.
    fn around(&self, time: Millis) -> Option<(Millis, Millis)> {
        let passed = (self.minute(time) + DAY_MINUTES - self.from) % DAY_MINUTES;
        let begin = (time / MINUTE).saturating_sub(passed) * MINUTE;
        (passed < self.length()).then_some((begin, begin + self.length() * MINUTE))
    }

    fn never_end(&self) -> bool {
        self.length() == DAY_MINUTES
    }
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

/// When to call a person for a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallPlan {
    pub call_at: Option<Millis>,
    pub remind_at: Option<Millis>,
}

impl CallPlan {
    /// Plans the calls for a decision.
    pub fn new(decision: OpenDecision, quiet: Option<QuietHours>, now: Millis) -> CallPlan {
        if is_too_short(decision.deadline, now) {
            return CallPlan::default();
        }
        let deadline = decision.deadline.unwrap_or(Millis::MAX);
        let call_at = after_quiet_hours(now, quiet).filter(|at| *at < deadline);
        let remind_at = decision.deadline.and_then(|deadline| {
            let limit = deadline.saturating_sub(decision.since);
            let lead = (limit / 4).min(LONGEST_LEAD);
            let remind_at = before_quiet_hours(deadline.saturating_sub(lead), quiet)?;
            // A reminder right after the call would be the same again.
            let first = call_at.map_or(now, |at| at.max(now));
            (limit >= REMIND_FROM && remind_at >= first + lead / 2).then_some(remind_at)
        });
        CallPlan { call_at, remind_at }
    }
}

fn after_quiet_hours(time: Millis, quiet: Option<QuietHours>) -> Option<Millis> {
    let Some(quiet) = quiet else {
        return Some(time);
    };
    match quiet.around(time) {
        Some(_) if quiet.never_end() => None,
        Some((_, end)) => Some(end),
        None => Some(time),
    }
}

/// A reminder that would fall into quiet hours comes a minute before them.
fn before_quiet_hours(time: Millis, quiet: Option<QuietHours>) -> Option<Millis> {
    let Some(quiet) = quiet else {
        return Some(time);
    };
    match quiet.around(time) {
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

    const NIGHT: QuietHours = QuietHours {
        from: 22 * 60,
        to: 8 * 60,
        offset: 0,
    };

    #[test]
    fn without_quiet_hours_the_call_is_at_once() {
        let now = at(10, 3, 0);
        let plan = CallPlan::new(decision(now, None), None, now);
        assert_eq!(plan.call_at, Some(now));
        assert_eq!(plan.remind_at, None, "there is no deadline");
    }

    #[test]
    fn a_decision_of_seconds_is_not_worth_a_call() {
        let now = at(10, 12, 0);
        let plan = CallPlan::new(decision(now, Some(3000)), None, now);
        assert_eq!(plan, CallPlan::default());
        let plan = CallPlan::new(decision(now, Some(MINUTE)), None, now);
        assert_eq!(plan.call_at, Some(now));
        assert_eq!(plan.remind_at, None);
    }

    #[test]
    fn a_call_in_quiet_hours_waits_for_their_end() {
        let plan = |now, limit| CallPlan::new(decision(now, limit), Some(NIGHT), now);
        for (now, call) in [
            (at(10, 21, 59), at(10, 21, 59)),
            (at(10, 22, 0), at(11, 8, 0)),
            (at(10, 23, 30), at(11, 8, 0)),
            (at(11, 7, 59), at(11, 8, 0)),
            (at(11, 8, 0), at(11, 8, 0)),
        ] {
            assert_eq!(plan(now, None).call_at, Some(call));
        }
        let short = plan(at(10, 23, 0), Some(HOUR));
        assert_eq!(short, CallPlan::default(), "it is over before they end");
    }

    #[test]
    fn quiet_hours_follow_the_persons_clock() {
        // 22 to 8 o'clock in a place two hours ahead.
        let quiet = Some(QuietHours {
            offset: 120,
            ..NIGHT
        });
        let call = |now| CallPlan::new(decision(now, None), quiet, now).call_at;
        assert_eq!(call(at(10, 19, 59)), Some(at(10, 19, 59)));
        assert_eq!(call(at(10, 20, 0)), Some(at(11, 6, 0)));
        // And in one nine hours behind.
        let quiet = Some(QuietHours {
            offset: -540,
            ..NIGHT
        });
        let call = |now| CallPlan::new(decision(now, None), quiet, now).call_at;
        assert_eq!(call(at(10, 6, 59)), Some(at(10, 6, 59)));
        assert_eq!(call(at(10, 7, 30)), Some(at(10, 17, 0)));
    }

    #[test]
    fn hours_at_noon_and_the_whole_day_can_be_quiet() {
        let noon = QuietHours {
            from: 12 * 60,
            to: 14 * 60,
            offset: 0,
        };
        let call = |quiet, now| CallPlan::new(decision(now, None), Some(quiet), now).call_at;
        assert_eq!(call(noon, at(10, 13, 0)), Some(at(10, 14, 0)));
        assert_eq!(call(noon, at(10, 14, 0)), Some(at(10, 14, 0)));
        let always = QuietHours { to: 720, ..noon };
        assert_eq!(call(always, at(10, 13, 0)), None);
        let limit = Some(3 * DAY);
        let plan = CallPlan::new(decision(at(10, 13, 0), limit), Some(always), at(10, 13, 0));
        assert_eq!(plan, CallPlan::default());
    }

    #[test]
    fn slow_tables_remind_before_time_runs_out() {
        let now = at(10, 12, 0);
        let remind = |limit| CallPlan::new(decision(now, Some(limit)), None, now).remind_at;
        assert_eq!(remind(HOUR), Some(now + 45 * MINUTE));
        assert_eq!(remind(59 * MINUTE), None);
        assert_eq!(remind(DAY), Some(now + 20 * HOUR));
        assert_eq!(remind(3 * DAY), Some(now + 3 * DAY - 4 * HOUR));
    }

    #[test]
    fn a_reminder_comes_before_quiet_hours_not_in_them() {
        // Deadline at 2 o'clock, so the reminder at 22 would disturb.
        let now = at(10, 2, 0);
        let plan = CallPlan::new(decision(now, Some(DAY)), Some(NIGHT), now);
        assert_eq!(plan.call_at, Some(at(10, 8, 0)));
        assert_eq!(plan.remind_at, Some(at(10, 21, 59)));
    }

    #[test]
    fn no_reminder_follows_the_call_closely() {
        // Called at 8 o'clock for a deadline at 10: a reminder at 9 or before would say the same.
        let since = at(10, 2, 0);
        let plan = CallPlan::new(decision(since, Some(8 * HOUR)), Some(NIGHT), since);
        assert_eq!(plan.call_at, Some(at(10, 8, 0)));
        assert_eq!(plan.remind_at, None);
    }
}
