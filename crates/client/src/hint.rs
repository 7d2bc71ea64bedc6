//! Advice in words.

use serde::{Deserialize, Serialize};
use towers_rules::Action;

use crate::words::{Message, say};

/// An action that a bot would choose, with its reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    pub action: Action,
    /// The chance to win, 0 to 100, where players play against each other.
    pub win: Option<u8>,
    /// Cards used at the end, in solo and cooperative games.
    pub cards: Option<u8>,
    /// The reasons, the most important first.
    pub why: Vec<Why>,
}

/// Something an action achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It wins.
    Wins,
    /// This many own wizards come home.
    Home(u8),
    /// This many flasks are filled.
    Flask(u8),
    /// This many wizards of others are imprisoned.
    Imprisons(u8),
    /// This many own wizards are freed.
    Frees(u8),
    /// Own wizards come closer to the castle by this many spaces.
    Advances(u8),
    /// The castle moves.
    Castle,
    /// A die decides.
    Rolls,
    /// Three new cards.
    Refreshes,
    /// Flasks are saved for later.
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
