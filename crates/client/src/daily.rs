//! The deal of the day: the same cards for everybody, different ones every day.

use serde::{Deserialize, Serialize};
use towers_rules::Rating;
use towers_table::{DailyDeals, Hex, SealedDeal, Seed, Start};

use crate::plan::Plan;
use crate::result::rating_key;
use crate::words::{Message, say};

/// Where the seed of a deal comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DealSource {
    /// The server committed to it before its day, and this device kept the commitment.
    Promised,
    /// The server drew it; this device has no commitment to compare it with.
    Server,
    /// The server had committed to another seed.
    Broken,
    /// Computed from the date, because the server could not be reached.
    Formula,
}

/// The deal of a day, written as `2026-11-15` (UTC).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    pub day: String,
    pub seed: Seed,
    pub source: DealSource,
}

impl Deal {
    /// The deal used when the server cannot be reached.
    pub fn by_formula(day: &str) -> Deal {
        Deal {
            day: day.into(),
            seed: Hex::digest(&[b"wandering-towers deal of the day ", day.as_bytes()]),
            source: DealSource::Formula,
        }
    }

    /// Today's deal as the server published it, compared with the commitments that this device has kept.
    pub fn published(deals: &DailyDeals, promised: &[SealedDeal]) -> Deal {
        let today = &deals.today;
        let source = match promised.iter().find(|deal| deal.day == today.day) {
            Some(deal) if today.keeps(deal) => DealSource::Promised,
            Some(_) => DealSource::Broken,
            None => DealSource::Server,
        };
        Deal {
            day: today.day.clone(),
            seed: today.seed,
            source,
        }
    }
}

/// The remark shown to the player about the source of a deal.
pub fn remark(source: DealSource) -> Option<Message> {
    match source {
        DealSource::Promised | DealSource::Server => None,
        DealSource::Broken => Some(say("daily.broken")),
        DealSource::Formula => Some(say("daily.formula")),
    }
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
    use towers_table::OpenDeal;

    use super::*;
    use crate::{Language, LocalTable, Words};

    #[test]
    fn everybody_gets_the_same_cards_and_every_day_others() {
        let hand = |day: &str| {
            let seed = Deal::by_formula(day).seed;
            let local = LocalTable::open("t", &plan(day, "Ann"), 0, &seed).unwrap();
            local.view().game.unwrap().view.hand
        };
        assert_eq!(hand("2026-11-15"), hand("2026-11-15"));
        let seed = |day| Deal::by_formula(day).seed;
        assert_ne!(seed("2026-11-15"), seed("2026-11-16"));
    }

    #[test]
    fn a_deal_is_compared_with_the_commitment_of_the_day_before() {
        let seed = |n: u8| Hex::digest(&[&[n]]);
        let sealed = |day: &str, seed: &Seed| SealedDeal {
            day: day.into(),
            commitment: seed.commitment(),
        };
        let deals = DailyDeals {
            today: OpenDeal {
                day: "2026-11-15".into(),
                seed: seed(1),
                drawn_at: 0,
            },
            tomorrow: sealed("2026-11-16", &seed(2)),
        };
        let source = |promised: &[SealedDeal]| Deal::published(&deals, promised).source;
        assert_eq!(Deal::published(&deals, &[]).seed, seed(1));
        assert_eq!(source(&[]), DealSource::Server);
        let other = sealed("2026-11-14", &seed(3));
        assert_eq!(source(std::slice::from_ref(&other)), DealSource::Server);
        let kept = [other, sealed("2026-11-15", &seed(1))];
        assert_eq!(source(&kept), DealSource::Promised);
        let broken = [sealed("2026-11-15", &seed(4))];
        assert_eq!(source(&broken), DealSource::Broken);
        let words = Words::of(Language::English);
        for source in [DealSource::Broken, DealSource::Formula] {
            assert!(!words.say(&remark(source).unwrap()).is_empty());
        }
    }

    #[test]
    fn a_result_is_shared_as_text() {
        let words = Words::of(Language::English);
        let text = words.say(&share("2026-11-15", 29, true));
        assert!(text.contains("29") && text.contains("★★★★★☆☆☆"), "{text}");
    }
}
