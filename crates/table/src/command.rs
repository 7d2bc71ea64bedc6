//! Commands to a table.

use serde::{Deserialize, Deserializer, Serialize};
use towers_rules::{Action, Colour, Seat};

use crate::ids::{Digest, PersonId, Seed};
use crate::level::BotLevel;
use crate::settings::Settings;

/// The sender of a command. The driver of the table has to authenticate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// A person who is known at the table.
    Person(PersonId),
    /// Somebody who is not known at the table yet.
    Stranger,
    /// The bot that plays this seat, as its owner or for a person who is away.
    Bot(Seat),
    /// The driver of the table, which knows the time and the connections.
    House,
}

/// A command to a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Take an open seat, or change to one, before a game.
    Sit {
        /// The name; optional for a person who already has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The seat; `None` for the first open one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// The colour; `None` for the colour of the seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        colour: Option<Colour>,
        /// The hash of a secret by which the driver recognizes this person. Clients leave it out.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        key: String,
        /// Whether a program plays for this person, as declared by them. It is shown as a bot.
        #[serde(default, skip_serializing_if = "is_false")]
        program: bool,
    },
    /// Leave the table. During a game a bot plays on, and the seat can be taken back.
    #[serde(deserialize_with = "no_fields")]
    Leave,
    /// Set oneself ready or not ready for the game.
    Ready {
        /// The new state.
        ready: bool,
    },
    /// Change the settings (host, before a game).
    Configure {
        /// The new settings.
        settings: Box<Settings>,
    },
    /// Put a bot on an open seat, or change its level (host, before a game).
    AddBot {
        /// The seat; `None` for the first open one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// The strength of the bot.
        level: BotLevel,
    },
    /// Remove a bot or a person from a seat (host, before a game).
    Remove {
        /// The seat to empty.
        seat: Seat,
    },
    /// Mute a person, or unmute them (host).
    Mute {
        /// The person to mute or unmute.
        person: PersonId,
        /// Whether they are muted from now on.
        muted: bool,
    },
    /// Remove a person from their seat permanently (host, before a game). Banned people are recognized by their
    /// secret only: with another secret they count as somebody else.
    Ban {
        /// The seat of the person to ban.
        seat: Seat,
    },
    /// Make another person host (host).
    HandOver {
        /// The new host.
        person: PersonId,
    },
    /// Begin a game (host, when all seats are taken).
    #[serde(deserialize_with = "no_fields")]
    Start,
    /// Act in the game; also a partner's offer or gift (R12.2, R12.3).
    Act {
        /// The action to carry out.
        action: Action,
        /// The decision that this answers, see [`Waiting`](crate::Waiting). If another one is open, the command is
        /// refused, so that a repeated message has no effect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<u64>,
    },
    /// Pass automatically in reaction windows; `None` to be asked again.
    PassAhead {
        /// The duration.
        until: Option<PassAhead>,
    },
    /// Choose whether to be asked in reaction windows before and after every action, or only where it matters most:
    /// see `docs/protocol.md`.
    Stops {
        /// Whether to be asked in every window.
        everywhere: bool,
    },
    /// Send a chat message.
    Chat {
        /// The message; empty in published records.
        text: String,
    },
    /// Send an emote.
    Emote {
        /// The emote to show.
        emote: Emote,
    },
    /// Let a bot play for somebody who is away (host, or anybody if the host is away).
    Replace {
        /// The seat of the person who is away.
        seat: Seat,
        /// The strength of the bot; `None` for that of the settings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        level: Option<BotLevel>,
    },
    /// Take the sender's seat back from the bot that took over.
    #[serde(deserialize_with = "no_fields")]
    Back,
    /// Agree to end the game without a winner, or withdraw that. The game ends when everybody agrees.
    End {
        /// Whether the sender agrees.
        agree: bool,
    },
    /// Commit to a number for the next game (people with a seat, before a game): see
    /// [`commitment_to_number`](crate::commitment_to_number).
    Commit {
        /// The hash of the number.
        commitment: Digest,
    },
    /// Reveal the number committed to, when the table asks for it.
    Reveal {
        /// 32 random bytes.
        number: Seed,
    },
    /// Agree to another game. It begins when everybody agrees.
    #[serde(deserialize_with = "no_fields")]
    Rematch,
    /// Handle expired time limits (house).
    #[serde(deserialize_with = "no_fields")]
    Tick,
    /// Mark a person as away who has been disconnected for a while (house).
    Away {
        /// The seat of that person.
        seat: Seat,
    },
    /// Replace a host who has been disconnected for a while (house).
    NewHost {
        /// The new host.
        person: PersonId,
    },
    /// Restart the clock of the open decision, because the table was not loaded for a while (house).
    #[serde(deserialize_with = "no_fields")]
    Reopen,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads a variant without fields. `deny_unknown_fields` alone does not cover these: serde ignores other fields
/// beside the tag of a unit variant.
pub(crate) fn no_fields<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct NoFields {}

    NoFields::deserialize(from).map(|NoFields {}| ())
}

/// How long to pass automatically in reaction windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PassAhead {
    /// "No reactions this turn."
    Turn,
    /// "Not until I say."
    Recalled,
}

/// A predefined short message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the messages themselves")]
pub enum Emote {
    Hello,
    WellPlayed,
    Oops,
    Thinking,
    Hurry,
    Wow,
    Laugh,
    Thanks,
}

impl Command {
    /// Whether the command has no private data, so that its [published](Command::published) form is the same.
    pub(crate) fn is_public(&self) -> bool {
        !matches!(self, Command::Sit { .. } | Command::Chat { .. })
    }

    /// The command without private data: hashes of secrets, and chat. Checksums are computed from this form, so that
    /// they are the same in published records.
    #[must_use]
    pub fn published(&self) -> Command {
        match self {
            Command::Sit {
                name,
                seat,
                colour,
                program,
                ..
            } => Command::Sit {
                name: name.clone(),
                seat: *seat,
                colour: *colour,
                key: String::new(),
                program: *program,
            },
            Command::Chat { .. } => Command::Chat {
                text: String::new(),
            },
            other => other.clone(),
        }
    }
}
