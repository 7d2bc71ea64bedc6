//! Tables on a server in a few words.

use rules::{Colour, Mode, Preset, Seat};
use serde::Serialize;
use table::{BotLevel, Clock, Settings, Stage};
use wire::Deserialize;

use crate::names::bot_name;

/// A table in a few words, as the server lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Summary {
    /// Its name in links.
    pub table: String,
    /// What it is called.
    pub title: String,
    /// Where it stands.
    pub stage: Stage,
    /// The edition.
    pub preset: Preset,
    /// What is played.
    pub mode: Mode,
    /// Whether in teams.
    pub teams: bool,
    /// Whether with reactions.
    pub reactions: bool,
    /// The clock.
    pub clock: Clock,
    /// The seats, in order.
    pub seats: Vec<Place>,
    /// Whose decision it is.
    pub waiting: Option<Awaited>,
    /// When something last happened.
    pub at: u64,
}

wire::tagged! {
    "kind";
    /// A seat in a few words.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Place {
        /// Free.
        Open {
            /// Its colour.
            colour: Colour,
        },
        /// A person's.
        Person {
            /// Its colour.
            colour: Colour,
            /// What they are called.
            name: String,
        },
        /// A bot's.
        Bot {
            /// Its colour.
            colour: Colour,
            /// How strong.
            level: BotLevel,
        },
    }
}

/// Whose decision it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Awaited {
    /// Where.
    pub seat: Seat,
    /// Until when, if ever.
    pub deadline: Option<u64>,
}

impl Summary {
    /// How many seats are free.
    pub fn open_seats(&self) -> usize {
        let open = |p: &&Place| matches!(p, Place::Open { .. });
        self.seats.iter().filter(open).count()
    }

    /// Who is there.
    pub fn names(&self) -> Vec<String> {
        let name = |place: &Place| match place {
            Place::Open { .. } => None,
            Place::Person { name, .. } => Some(name.clone()),
            Place::Bot { colour, .. } => Some(bot_name(*colour).to_string()),
        };
        self.seats.iter().filter_map(name).collect()
    }

    /// Whether the game goes on and waits for whoever sits here.
    pub fn waits_for(&self, seat: Option<Seat>) -> bool {
        self.stage == Stage::Playing && seat.is_some() && self.waiting.map(|w| w.seat) == seat
    }

    /// Who is awaited.
    pub fn awaited(&self) -> Option<String> {
        match self.seats.get(self.waiting?.seat.index())? {
            Place::Open { .. } => None,
            Place::Person { name, .. } => Some(name.clone()),
            Place::Bot { colour, .. } => Some(bot_name(*colour).to_string()),
        }
    }
}

/// All tables that everybody may see.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Listing {
    /// Those visited last first.
    pub tables: Vec<Summary>,
}

/// A wish to open a table.
#[derive(Clone, Debug, Serialize)]
pub struct Opening {
    /// What the host is called.
    pub name: String,
    /// How to play.
    pub settings: Settings,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Opened {
    /// The table's name in links.
    pub table: String,
    /// The host's secret.
    pub token: String,
}

/// The name of a table in what somebody pasted: a link, its end, or the bare name.
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
