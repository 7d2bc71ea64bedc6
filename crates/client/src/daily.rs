//! The deal of the day: the same cards for everybody, different ones every day.

use towers_rules::Rating;
use towers_table::{Hex, Seed, Start};

use crate::plan::Plan;
use crate::result::rating_key;
use crate::words::{Message, say};

/// The seed of a day, written as `2026-11-15`.
pub fn seed(day: &str) -> Seed {
    Hex::digest(&[b"wandering-towers deal of the day ", day.as_bytes()])
}

/// The game of a day: solo, without spells.
pub fn plan(day: &str, name: &str) -> Plan {
    let mut plan = Plan::solo(name, false);
    plan.settings.start = Start::Seat(towers_rules::Seat(0));
    plan.settings.options.start_setup = towers_rules::Selection::Chosen;
    plan.hints = false;
    plan.daily = Some(day.into());
    plan
}

/// The result as a text to share.
pub fn share(day: &str, score: u16, won: bool) -> Message {
    if won {
        let stars = Rating::ALL.len() - rating_place(score);
        say("daily.share")
            .with("day", day)
            .with("n", score)
            .with(
                "stars",
                "★".repeat(stars) + &"☆".repeat(Rating::ALL.len() - stars),
            )
            .with("rating", say(rating_key(Rating::of(score))))
    } else {
        say("daily.share_lost").with("day", day)
    }
}

fn rating_place(score: u16) -> usize {
    let rating = Rating::of(score);
    Rating::ALL.iter().position(|&r| r == rating).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, LocalTable, Words};

    #[test]
    fn everybody_gets_the_same_cards_and_every_day_others() {
        let hand = |day: &str| {
            let local = LocalTable::open("t", &plan(day, "Ann"), 0, &seed(day)).unwrap();
            local.view().game.unwrap().view.hand
        };
        assert_eq!(hand("2026-11-15"), hand("2026-11-15"));
        assert_ne!(seed("2026-11-15"), seed("2026-11-16"));
    }

    #[test]
    fn a_result_is_shared_as_text() {
        let words = Words::of(Language::English);
        let text = words.say(&share("2026-11-15", 29, true));
        assert!(text.contains("29") && text.contains("★★★★★☆☆☆"), "{text}");
    }
}
