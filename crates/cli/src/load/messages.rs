//! The parts of server messages that scripted players need.

use serde::{Deserialize, Deserializer};

/// The fields of a message that are needed; the rest is skipped.
#[derive(Deserialize)]
pub struct ServerFields {
    #[serde(rename = "type")]
    pub kind: MessageKind,
    pub number: Option<u64>,
    pub code: Option<String>,
    pub game: Option<GameFields>,
    pub changed: Option<TableFields>,
    pub view: Option<TableFields>,
    /// The events that come with `accepted`.
    pub happened: Option<HappenedFields>,
}

#[derive(Deserialize)]
pub struct HappenedFields {
    pub number: u64,
    pub changed: Option<TableFields>,
    pub view: Option<TableFields>,
}

/// A table, or the changed parts of it.
#[derive(Deserialize)]
pub struct TableFields {
    pub game: Option<GameFields>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    Welcome,
    View,
    Happened,
    Accepted,
    Rejected,
    Presence,
    Error,
    Goodbye,
}

#[derive(Deserialize)]
pub struct GameFields {
    /// `None` if unchanged.
    #[serde(default, deserialize_with = "given")]
    #[expect(clippy::option_option, reason = "`null` and a missing field differ")]
    pub waiting: Option<Option<DecisionFields>>,
    #[serde(default)]
    pub legal: Vec<String>,
}

#[derive(Deserialize)]
pub struct DecisionFields {
    pub decision: u64,
}

/// Distinguishes a field that is `null` from a missing one.
#[expect(clippy::option_option, reason = "`null` and a missing field differ")]
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<DecisionFields>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl ServerFields {
    /// The number of the event, if there was one.
    pub fn happened(&self) -> Option<u64> {
        match self.kind {
            MessageKind::Happened | MessageKind::View => self.number,
            _ => self.happened.as_ref().map(|h| h.number),
        }
    }

    pub fn game(&self) -> Option<&GameFields> {
        let happened = self.happened.as_ref();
        let tables = [
            self.changed.as_ref(),
            self.view.as_ref(),
            happened.and_then(|h| h.changed.as_ref()),
            happened.and_then(|h| h.view.as_ref()),
        ];
        let games = tables.into_iter().flatten().map(|t| t.game.as_ref());
        games.chain([self.game.as_ref()]).flatten().next()
    }
}
