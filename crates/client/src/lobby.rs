//! Summaries of tables on a server.

use serde::{Deserialize, Serialize};
use towers_rules::{Colour, Mode, Options, Preset, Seat, Spells};
use towers_table::{BotLevel, Clock, Settings, Stage};

use crate::editions::house_rules;
use crate::names::{bot_name, marked_name};
use crate::words::Words;

/// A summary of a table, as the server lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Summary {
    /// The id used in links.
    pub table: String,
    pub title: String,
    pub stage: Stage,
    pub preset: Preset,
    /// Whether it is played as printed.
    #[serde(default)]
    pub as_printed: bool,
    /// The rules, if they differ from the edition; `None` in summaries of earlier servers.
    #[serde(default)]
    pub rules: Option<TableRules>,
    pub mode: Mode,
    pub teams: bool,
    pub reactions: bool,
    #[serde(default)]
    pub rated: bool,
    pub clock: Clock,
    /// The seats, in order.
    pub seats: Vec<SeatSummary>,
    /// The open decision.
    pub waiting: Option<Awaited>,
    /// The time of the last event.
    pub at: u64,
}

/// The rules of a table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TableRules {
    pub options: Options,
    pub spells: Spells,
}

/// A summary of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatSummary {
    /// A free seat.
    Open { colour: Colour },
    /// A seat taken by a person.
    Person {
        colour: Colour,
        name: String,
        /// Whether a bot plays for them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        program: bool,
    },
    /// A seat taken by a bot.
    Bot { colour: Colour, level: BotLevel },
}

/// An open decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Awaited {
    pub seat: Seat,
    /// Its deadline, if there is one.
    pub deadline: Option<u64>,
}

impl Summary {
    /// The differences from the edition's rulebook, in words.
    pub fn house_rules(&self, words: &Words) -> Vec<String> {
        let Some(rules) = &self.rules else {
            return Vec::new();
        };
        let mut settings = Settings::new(self.preset, self.mode, self.seats.len() as u8);
        settings.options = rules.options;
        settings.spells = rules.spells;
        house_rules(words, &settings)
    }

    /// The number of free seats.
    pub fn open_seats(&self) -> usize {
        let open = |p: &&SeatSummary| matches!(p, SeatSummary::Open { .. });
        self.seats.iter().filter(open).count()
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<String> {
        let name = |place: &SeatSummary| match place {
            SeatSummary::Open { .. } => None,
            SeatSummary::Person { name, program, .. } => Some(marked_name(name, *program)),
            SeatSummary::Bot { colour, .. } => Some(bot_name(*colour).to_string()),
        };
        self.seats.iter().filter_map(name).collect()
    }

    /// Whether a game is in progress and waits for this person.
    pub fn waits_for(&self, seat: Option<Seat>) -> bool {
        self.stage == Stage::Playing && seat.is_some() && self.waiting.map(|w| w.seat) == seat
    }

    /// The name of the player to act.
    pub fn awaited(&self) -> Option<String> {
        match self.seats.get(self.waiting?.seat.index())? {
            SeatSummary::Open { .. } => None,
            SeatSummary::Person { name, program, .. } => Some(marked_name(name, *program)),
            SeatSummary::Bot { colour, .. } => Some(bot_name(*colour).to_string()),
        }
    }
}

/// A note of somebody with whom one has played: come to this table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReceivedInvitation {
    pub table: String,
    /// The name of the one who invites.
    pub name: String,
}

/// The invitations of a person.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReceivedInvitations {
    /// Latest first.
    pub invitations: Vec<ReceivedInvitation>,
}

/// The public tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Listing {
    /// Most recently visited first.
    pub tables: Vec<Summary>,
}

/// A request to open a table.
#[derive(Clone, Debug, Serialize)]
pub struct Opening {
    /// The host's name.
    pub name: String,
    /// The settings of the table.
    pub settings: Settings,
}

/// The response to [`Opening`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OpenedTable {
    /// The table's id in links.
    pub table: String,
    /// The host's token.
    pub token: String,
}

/// Extracts a table id from pasted text: a link, the end of one, or the id itself.
pub fn table_in(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches('/');
    let name = text.rsplit(['/', '#']).next()?;
    let fits = (8..=40).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    fits.then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_of_the_protocol_is_understood() {
        let text = r#"{"at":1794782953629,"clock":{"kind":"none"},"games":1,"mode":"versus","number":4,"preset":"capstone","public":false,"reactions":false,"seats":[{"colour":"b","kind":"person","name":"Ann"},{"colour":"y","kind":"bot","level":"adept"},{"colour":"r","kind":"open"}],"stage":"playing","table":"cw78kngv6zz37g62jehf","teams":false,"title":"Friday","waiting":{"deadline":null,"seat":0,"since":1794782953629}}"#;
        let summary: Summary = serde_json::from_str(text).unwrap();
        assert_eq!(summary.names(), ["Ann", "Yarrow"]);
        assert_eq!(summary.awaited().as_deref(), Some("Ann"));
        assert!(summary.waits_for(Some(Seat(0))));
        assert!(!summary.waits_for(Some(Seat(1))) && !summary.waits_for(None));
        assert_eq!(summary.open_seats(), 1);
    }

    #[test]
    fn a_summary_tells_the_house_rules_in_words() {
        let mut settings = Settings::new(Preset::Oya, Mode::Versus, 2);
        settings.options.gifts = towers_rules::Gifts::Both;
        settings.options.may_decline = true;
        let rules = serde_json::json!({"options": settings.options, "spells": settings.spells});
        let text = format!(
            r#"{{"at":1,"clock":{{"kind":"none"}},"mode":"versus","preset":"oya","as_printed":false,"rules":{rules},"reactions":false,"seats":[{{"colour":"b","kind":"open"}},{{"colour":"y","kind":"open"}}],"stage":"lobby","table":"t","teams":false,"title":"","waiting":null}}"#
        );
        let summary: Summary = serde_json::from_str(&text).unwrap();
        let words = Words::of(crate::Language::English);
        // Gifts have no effect without teams.
        assert_eq!(summary.house_rules(&words), house_rules(&words, &settings));
        assert_eq!(summary.house_rules(&words).len(), 1);
    }

    #[test]
    fn the_examples_of_the_protocol_are_read() {
        let protocol = include_str!("../../../docs/protocol.md");
        let blocks = protocol.split("```json\n").skip(1);
        let examples: Vec<&str> = blocks.filter_map(|b| b.split("```").next()).collect();
        let [opened, summary] = examples[..] else {
            panic!("there are two examples without a kind: {examples:?}");
        };
        let opened: OpenedTable = serde_json::from_str(opened).unwrap();
        assert_eq!(
            (opened.table.as_str(), opened.token.as_str()),
            ("3k9x…", "5e88…")
        );
        let listing: Listing =
            serde_json::from_str(&format!(r#"{{"tables":[{summary}]}}"#)).unwrap();
        assert_eq!(listing.tables[0].names(), ["Ann", "Yarrow"]);
    }

    #[test]
    fn a_table_is_found_in_a_link() {
        for text in [
            "https://club.example/t/3k9x7m2qh5v8",
            " http://localhost:8080/#t/3k9x7m2qh5v8/ ",
            "3k9x7m2qh5v8",
        ] {
            assert_eq!(table_in(text).as_deref(), Some("3k9x7m2qh5v8"), "{text}");
        }
        assert_eq!(table_in("hello"), None);
        assert_eq!(table_in("https://example.org/<script>"), None);
    }
}
