//! A person's open decisions as an iCalendar feed (RFC 5545).
//!
//! Written here because a feed of a few fixed fields needs nothing of a calendar library except escaping and folding.

use time::OffsetDateTime;
use time::macros::format_description;
use towers_table::Millis;

/// Bytes of a line, without its end.
const LINE: usize = 75;
/// How often a calendar should ask for changes.
const REFRESH: &str = "PT15M";
/// The length of an entry, which ends with the deadline.
const LENGTH: Millis = 30 * 60 * 1000;

#[derive(Clone, Debug)]
pub struct CalendarEntry {
    /// Identifies the decision, so that a calendar does not show it twice.
    pub id: String,
    /// The time at which the decision opened.
    pub since: Millis,
    /// The deadline. Without one the entry is at the time at which the decision opened.
    pub deadline: Option<Millis>,
    pub title: String,
    pub link: String,
}

/// The text of a calendar.
pub fn calendar(name: &str, entries: &[CalendarEntry], now: Millis) -> String {
    let mut text = CalendarText::default();
    text.line("BEGIN", "VCALENDAR");
    text.line("VERSION", "2.0");
    text.line("PRODID", "-//Wandering Towers//towers//EN");
    text.line("CALSCALE", "GREGORIAN");
    text.line("METHOD", "PUBLISH");
    text.line("X-WR-CALNAME", &escape(name));
    text.line("REFRESH-INTERVAL;VALUE=DURATION", REFRESH);
    text.line("X-PUBLISHED-TTL", REFRESH);
    for entry in entries {
        let (start, end) = match entry.deadline {
            Some(deadline) => (deadline.saturating_sub(LENGTH).max(entry.since), deadline),
            None => (entry.since, entry.since + LENGTH),
        };
        text.line("BEGIN", "VEVENT");
        text.line("UID", &escape(&entry.id));
        text.line("DTSTAMP", &date(now));
        text.line("DTSTART", &date(start));
        text.line("DTEND", &date(end.max(start)));
        text.line("SUMMARY", &escape(&entry.title));
        text.line("URL", &entry.link);
        text.line("TRANSP", "TRANSPARENT");
        text.line("END", "VEVENT");
    }
    text.line("END", "VCALENDAR");
    text.0
}

#[derive(Default)]
struct CalendarText(String);

impl CalendarText {
    /// Adds a line. A long one is folded: its rest follows in lines that begin with a space.
    fn line(&mut self, name: &str, value: &str) {
        let mut room = LINE;
        for character in name.chars().chain([':']).chain(value.chars()) {
            if character.is_control() {
                continue;
            }
            if character.len_utf8() > room {
                self.0.push_str("\r\n ");
                room = LINE - 1;
            }
            room -= character.len_utf8();
            self.0.push(character);
        }
        self.0.push_str("\r\n");
    }
}

/// Escapes a text value.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            _ => out.push(character),
        }
    }
    out
}

/// A date and time of UTC.
fn date(time: Millis) -> String {
    let format = format_description!("[year][month][day]T[hour][minute][second]Z");
    let seconds = i64::try_from(time / 1000).unwrap_or_default();
    let date = OffsetDateTime::from_unix_timestamp(seconds);
    let date = date.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    date.format(&format).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(title: &str) -> CalendarEntry {
        CalendarEntry {
            id: "abc-1-7@towers".into(),
            since: 1_700_000_000_000,
            deadline: Some(1_700_086_400_000),
            title: title.into(),
            link: "https://towers.example/t/abc".into(),
        }
    }

    #[test]
    fn a_decision_ends_at_its_deadline() {
        let text = calendar("Towers", &[entry("Your turn")], 1_700_000_060_000);
        for line in [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "UID:abc-1-7@towers",
            "DTSTAMP:20231114T221420Z",
            "DTSTART:20231115T214320Z",
            "DTEND:20231115T221320Z",
            "SUMMARY:Your turn",
            "URL:https://towers.example/t/abc",
            "END:VEVENT",
            "END:VCALENDAR",
        ] {
            assert!(text.contains(&format!("{line}\r\n")), "{line}: {text}");
        }
        assert_eq!(text.matches("BEGIN:VEVENT").count(), 1);
        assert_eq!(text.replace("\r\n", "").matches(['\r', '\n']).count(), 0);
    }

    #[test]
    fn text_is_escaped_and_adds_no_lines() {
        let title = "Ann, Ben; \\ and\nBEGIN:VEVENT\r\nX";
        let text = calendar("Towers", &[entry(title)], 0);
        let summary = r"SUMMARY:Ann\, Ben\; \\ and\nBEGIN:VEVENT\nX";
        assert!(text.contains(&format!("{summary}\r\n")), "{text}");
        assert_eq!(text.lines().filter(|l| *l == "BEGIN:VEVENT").count(), 1);
    }

    #[test]
    fn long_lines_are_folded_between_characters() {
        let title = "Zaubertürme und Rabenburgen ".repeat(12);
        let text = calendar("Towers", &[entry(title.trim())], 0);
        assert!(text.split("\r\n").all(|line| line.len() <= LINE), "{text}");
        let unfolded = text.replace("\r\n ", "");
        assert!(unfolded.contains(&format!("SUMMARY:{}\r\n", title.trim())));
    }

    #[test]
    fn without_decisions_the_calendar_is_empty() {
        let text = calendar("Towers", &[], 0);
        assert!(!text.contains("VEVENT"));
    }
}
