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
    pub why: Vec<HintReason>,
}

/// Something an action achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HintReason {
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

impl HintReason {
    /// The reason in words.
    pub fn message(self) -> Message {
        match self {
            HintReason::Wins => say("hint.wins"),
            HintReason::Home(n) => say("hint.home").with("n", n),
            HintReason::Flask(n) => say("hint.flask").with("n", n),
            HintReason::Imprisons(n) => say("hint.imprisons").with("n", n),
            HintReason::Frees(n) => say("hint.frees").with("n", n),
            HintReason::Advances(n) => say("hint.advances").with("n", n),
            HintReason::Castle => say("hint.castle"),
            HintReason::Rolls => say("hint.rolls"),
            HintReason::Refreshes => say("hint.refreshes"),
            HintReason::Waits => say("hint.waits"),
        }
    }
}
