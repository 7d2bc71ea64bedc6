//! What can be asked of a table.

use serde::{Deserialize, Deserializer, Serialize};
use towers_rules::{Action, Colour, Seat};

use crate::ids::{Digest, PersonId, Seed};
use crate::level::BotLevel;
use crate::settings::Settings;

/// Who asks. Whoever drives the table has to make sure that it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// Something to be done at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
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
        /// Whether a program plays: it is shown as a bot. A person says so for their program.
        #[serde(default, skip_serializing_if = "is_false")]
        program: bool,
    },
    /// Leave the table. During a game a bot plays on, and the seat can be taken back.
    #[serde(deserialize_with = "no_fields")]
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
    /// Do not let a person talk, or let them again (host).
    Mute {
        /// Whom.
        person: PersonId,
        /// Whether they are silenced.
        muted: bool,
    },
    /// Empty a person's seat, and do not let them sit down again (host, before a game). They are known by their secret: with
    /// another one they are somebody else.
    Ban {
        /// Which seat.
        seat: Seat,
    },
    /// Make another person host (host).
    HandOver {
        /// Whom.
        person: PersonId,
    },
    /// Begin a game (host, when all seats are taken).
    #[serde(deserialize_with = "no_fields")]
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
    /// Be asked in reaction windows before and after every action, too, or only where it matters most: see `docs/protocol.md`.
    Stops {
        /// Whether to be asked everywhere.
        everywhere: bool,
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
    #[serde(deserialize_with = "no_fields")]
    Back,
    /// Wish to end the game without a winner, or not; it ends when everybody wishes so.
    End {
        /// Whether.
        agree: bool,
    },
    /// Commit to a number for the next game (those with a seat, before a game): see [`commitment_to_number`](crate::commitment_to_number).
    Commit {
        /// The hash of the number.
        commitment: Digest,
    },
    /// Reveal that number, when the table asks for it.
    Reveal {
        /// 32 random bytes.
        number: Seed,
    },
    /// Wish for another game; it begins when everybody does.
    #[serde(deserialize_with = "no_fields")]
    Rematch,
    /// Do what is due by the clock (house).
    #[serde(deserialize_with = "no_fields")]
    Tick,
    /// A person has been gone for a while (house).
    Away {
        /// Which seat.
        seat: Seat,
    },
    /// The host has been gone for a while: somebody who is here becomes host (house).
    NewHost {
        /// Who.
        person: PersonId,
    },
    /// The table was closed for a while: the clock of the open decision starts anew (house).
    #[serde(deserialize_with = "no_fields")]
    Reopen,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads a variant without fields. `deny_unknown_fields` alone does not cover these: serde ignores
/// whatever stands beside the tag of a unit variant.
pub(crate) fn no_fields<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct NoFields {}

    NoFields::deserialize(from).map(|NoFields {}| ())
}

/// For how long to pass in reaction windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PassAhead {
    /// "No reactions this turn."
    Turn,
    /// "Not until I say."
    Recalled,
}

/// Something quick to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
