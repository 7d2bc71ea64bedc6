//! What can be asked of a table.

use rules::{Action, Colour, Seat};
use serde::Serialize;
use wire::Deserialize;

use crate::ids::PersonId;
use crate::settings::{BotLevel, Settings};

/// Who asks. Whoever drives the table has to make sure that it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Somebody who is at the table already.
    Person(PersonId),
    /// Somebody who is not.
    Stranger,
    /// The bot that plays this seat, of its own or for a person who is away.
    Bot(Seat),
    /// The driver of the table: it knows the time and who is connected.
    House,
}

wire::tagged! {
    "command", strict;
    /// Something to be done at the table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Command {
        /// Take an open seat, or change to one, before a game.
        Sit {
            /// What to be called; may be left out by those who have a name.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            name: Option<String>,
            /// Which seat; none: the first open one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            seat: Option<Seat>,
            /// Which colour; none: the seat's.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            colour: Option<Colour>,
            /// How the driver will know this person again: the hash of a secret. Clients leave it out.
            #[serde(default, skip_serializing_if = "String::is_empty")]
            key: String,
        },
        /// Leave the table. During a game a bot plays on, and the seat can be taken back.
        Leave,
        /// Say that one is ready, or not.
        Ready {
            /// Whether.
            ready: bool,
        },
        /// Change the settings (host, before a game).
        Configure {
            /// The new settings.
            settings: Box<Settings>,
        },
        /// Put a bot on an open seat, or change its level (host, before a game).
        AddBot {
            /// Which seat; none: the first open one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            seat: Option<Seat>,
            /// How strong.
            level: BotLevel,
        },
        /// Empty a seat, of a bot or a person (host, before a game).
        Remove {
            /// Which seat.
            seat: Seat,
        },
        /// Begin a game (host, when all seats are taken).
        Start,
        /// Act in the game; also a partner's offer or gift (R12.2, R12.3).
        Act {
            /// What to do.
            action: Action,
            /// The decision this answers, see [`Waiting`](crate::Waiting). If it is another one by now,
            /// nothing happens: so nothing is done twice.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            decision: Option<u64>,
        },
        /// Pass in reaction windows without being asked; none: ask me again.
        PassAhead {
            /// For how long.
            until: Option<PassAhead>,
        },
        /// Say something.
        Chat {
            /// What; empty in published records.
            text: String,
        },
        /// Show something quick.
        Emote {
            /// What.
            emote: Emote,
        },
        /// Let a bot play for somebody who is away (host, or anybody if the host is away).
        Replace {
            /// Which seat.
            seat: Seat,
            /// How strong; none: as the settings say.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            level: Option<BotLevel>,
        },
        /// Be back: take one's seat from the bot that played on.
        Back,
        /// Wish to end the game without a winner, or not; it ends when everybody wishes so.
        End {
            /// Whether.
            agree: bool,
        },
        /// Wish for another game; it begins when everybody does.
        Rematch,
        /// Do what is due by the clock (house).
        Tick,
        /// A person has been gone for a while (house).
        Away {
            /// Which seat.
            seat: Seat,
        },
        /// The table was closed for a while: the clock of the open decision starts anew (house).
        Reopen,
    }
}

/// For how long to pass in reaction windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassAhead {
    /// "No reactions this turn."
    Turn,
    /// "Not until I say."
    Recalled,
}

/// Something quick to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emote {
    /// Hello.
    Hello,
    /// Well played.
    WellPlayed,
    /// Oops.
    Oops,
    /// Let me think.
    Thinking,
    /// Please hurry.
    Hurry,
    /// Wow.
    Wow,
    /// Ha ha.
    Laugh,
    /// Thank you.
    Thanks,
}

impl Command {
    /// The command without what only concerns those who were there: secrets' hashes and chat.
    /// Checksums are made of this form, so that published records have the same ones.
    #[must_use]
    pub fn published(&self) -> Command {
        match self {
            Command::Sit {
                name, seat, colour, ..
            } => Command::Sit {
                name: name.clone(),
                seat: *seat,
                colour: *colour,
                key: String::new(),
            },
            Command::Chat { .. } => Command::Chat {
                text: String::new(),
            },
            other => other.clone(),
        }
    }
}
