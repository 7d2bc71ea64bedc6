//! Advice in words.

use rules::Action;
use serde::Serialize;
use wire::Deserialize;

use crate::words::{Message, say};

/// An action that a bot would choose, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// What to do.
    pub action: Action,
    /// The chance to win, 0 to 100, where players play against each other.
    pub win: Option<u8>,
    /// Cards used at the end, in solo and cooperative games.
    pub cards: Option<u8>,
    /// Why, the most important first.
    pub why: Vec<Why>,
}

/// What an action achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It wins.
    Wins,
    /// So many own wizards come home.
    Home(u8),
    /// So many flasks are filled.
    Flask(u8),
    /// So many wizards of others are imprisoned.
    Imprisons(u8),
    /// So many own wizards see the light again.
    Frees(u8),
    /// Own wizards come nearer by so many spaces.
    Advances(u8),
    /// The castle goes elsewhere.
    Castle,
    /// A die decides.
    Rolls,
    /// Three new cards.
    Refreshes,
    /// Flasks are kept for later.
    Waits,
}

impl Why {
    /// In words.
    pub fn message(self) -> Message {
        match self {
            Why::Wins => say("hint.wins"),
            Why::Home(n) => say("hint.home").with("n", n),
            Why::Flask(n) => say("hint.flask").with("n", n),
            Why::Imprisons(n) => say("hint.imprisons").with("n", n),
            Why::Frees(n) => say("hint.frees").with("n", n),
            Why::Advances(n) => say("hint.advances").with("n", n),
            Why::Castle => say("hint.castle"),
            Why::Rolls => say("hint.rolls"),
            Why::Refreshes => say("hint.refreshes"),
            Why::Waits => say("hint.waits"),
        }
    }
}
