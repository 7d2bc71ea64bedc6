//! The parts of server messages that scripted players need.

use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The fields of a message that are needed; the rest is skipped. Legal actions are read as `L`: only the player who acts
/// needs them, so that the others take as little processor time as possible from the server.
#[derive(Deserialize)]
pub struct ServerFields<L: Default = IsThere> {
    #[serde(rename = "type")]
    pub kind: MessageKind,
    pub number: Option<u64>,
    pub code: Option<String>,
    pub game: Option<GameFields<L>>,
    pub changed: Option<TableFields<L>>,
    pub view: Option<TableFields<L>>,
    /// The events that come with `accepted`.
    pub happened: Option<HappenedFields<L>>,
}

#[derive(Deserialize)]
pub struct HappenedFields<L: Default> {
    pub number: u64,
    pub changed: Option<TableFields<L>>,
    pub view: Option<TableFields<L>>,
}

/// A table, or the changed parts of it.
#[derive(Deserialize)]
pub struct TableFields<L: Default> {
    pub game: Option<GameFields<L>>,
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
pub struct GameFields<L: Default> {
    /// `None` if unchanged.
    #[serde(default, deserialize_with = "given")]
    #[expect(clippy::option_option, reason = "`null` and a missing field differ")]
    pub waiting: Option<Option<DecisionFields>>,
    #[serde(default)]
    pub legal: L,
}

/// Whether a list has any items.
#[derive(Default)]
pub struct IsThere(pub bool);

impl<'de> Deserialize<'de> for IsThere {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<IsThere, D::Error> {
        struct IsThereVisitor;
        impl<'de> Visitor<'de> for IsThereVisitor {
            type Value = IsThere;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<IsThere, A::Error> {
                let mut any = false;
                while items.next_element::<IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(IsThere(any))
            }
        }
        from.deserialize_seq(IsThereVisitor)
    }
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

impl<L: Default> ServerFields<L> {
    /// The number of the event, if there was one.
    pub fn happened(&self) -> Option<u64> {
        match self.kind {
            MessageKind::Happened | MessageKind::View => self.number,
            _ => self.happened.as_ref().map(|h| h.number),
        }
    }

    pub fn game(&self) -> Option<&GameFields<L>> {
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
