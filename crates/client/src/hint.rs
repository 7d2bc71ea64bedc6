//! Hints in words.

use serde::{Deserialize, Serialize};
use towers_rules::Action;

use crate::words::{Message, say};

/// An action that a bot would choose, with its reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    pub action: Action,
    /// The chance to win in percent, in competitive games.
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
    /// Wins the game.
    Wins,
    /// Brings this many of the player's wizards home.
    Home(u8),
    /// Fills this many flasks.
    Flask(u8),
    /// Imprisons this many wizards of others.
    Imprisons(u8),
    /// Frees this many of the player's wizards.
    Frees(u8),
    /// Moves the player's wizards this many spaces closer to the castle.
    Advances(u8),
    /// Moves the castle.
    Castle,
    /// Depends on a die roll.
    Rolls,
    /// Draws three new cards.
    Refreshes,
    /// Saves flasks for later.
    Waits,
}

impl Why {
    /// The reason in words.
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
