//! Constants of the protocol: its version, limits, close codes and error codes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The protocol version that `hello` has to name. It changes when an older client would misunderstand a message.
pub const PROTOCOL: u32 = 3;
/// Maximum size of a client message in bytes, unless the operator allows more.
pub const MESSAGE_BYTES: usize = 8 * 1024;
/// Messages per second and person on average, unless the operator allows more. A burst may be twice as large.
pub const MESSAGES_PER_SECOND: u32 = 20;
/// Messages over the limit that are answered before the connection is closed. One is forgiven every second.
pub const MAX_STRIKES: u32 = 50;

/// Why a server closes a connection. Codes below 4000 are defined by WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum CloseCode {
    /// A frame was malformed.
    Malformed = 1002,
    /// A text was not UTF-8.
    NotText = 1007,
    /// A message was too big.
    TooBig = 1009,
    /// The table cannot be opened now.
    Broken = 1011,
    /// The server restarts, or the table was just unloaded: connect again.
    Restart = 1012,
    /// The first message was not a valid `hello`, or came too late.
    NoHello = 4000,
    /// Too many people are at the table.
    Full = 4003,
    /// There is no such table.
    NoTable = 4004,
    /// The client does not read its messages fast enough.
    TooSlow = 4008,
    /// The operator has banned the address.
    Banned = 4010,
    /// An earlier version of the server stored the table, with rules that no longer exist.
    Earlier = 4022,
    /// The client speaks another version of the protocol.
    Outdated = 4026,
    /// Too many messages.
    TooFast = 4029,
}

impl CloseCode {
    /// All codes, in ascending order.
    pub const ALL: [CloseCode; 13] = [
        CloseCode::Malformed,
        CloseCode::NotText,
        CloseCode::TooBig,
        CloseCode::Broken,
        CloseCode::Restart,
        CloseCode::NoHello,
        CloseCode::Full,
        CloseCode::NoTable,
        CloseCode::TooSlow,
        CloseCode::Banned,
        CloseCode::Earlier,
        CloseCode::Outdated,
        CloseCode::TooFast,
    ];

    /// The code with this number.
    pub fn from_number(number: u16) -> Option<CloseCode> {
        CloseCode::ALL.into_iter().find(|c| c.number() == number)
    }

    /// The number in a close frame.
    pub const fn number(self) -> u16 {
        self as u16
    }
}

macro_rules! error_codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// Machine-readable reason of a refusal. Clients have to expect codes that they do not know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $word)] $name,)*
            /// A code of a newer version.
            #[serde(other, rename = "unknown")]
            Unknown,
        }

        impl ErrorCode {
            /// All codes except `Unknown`.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$name,)*];

            /// The code as written in messages.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ErrorCode::$name => $word,)*
                    ErrorCode::Unknown => "unknown",
                }
            }
        }
    };
}

error_codes! {
    /// Only the host may do this.
    NotHost = "not_host",
    /// Only those who have a seat may do this.
    NotSeated = "not_seated",
    /// Only the server may do this.
    NotForPlayers = "not_for_players",
    /// The person is not known here.
    UnknownPerson = "unknown_person",
    /// Not allowed during a game.
    GameOn = "game_on",
    /// The host has muted this person.
    Muted = "muted",
    /// The host has banned this person.
    Removed = "removed",
    /// Hosts cannot do this to themselves.
    NotForHost = "not_for_host",
    /// The table does not ask for a number now, or never does.
    NoDraw = "no_draw",
    /// The number is not the one that was committed to.
    WrongNumber = "wrong_number",
    /// Allowed only during a game.
    NoGame = "no_game",
    /// Allowed only after a game.
    NotOver = "not_over",
    /// There is no such seat.
    NoSuchSeat = "no_such_seat",
    /// The seat is taken.
    SeatTaken = "seat_taken",
    /// All seats are taken.
    Full = "full",
    /// Some seats are still open.
    OpenSeats = "open_seats",
    /// The colour is taken.
    ColourTaken = "colour_taken",
    /// A person sits on a seat that the new settings would remove.
    SeatInUse = "seat_in_use",
    /// The seat is empty.
    NobodyThere = "nobody_there",
    /// A newcomer has to give a name.
    NameNeeded = "name_needed",
    /// Another person has this name.
    NameTaken = "name_taken",
    /// A text cannot be used.
    BadText = "bad_text",
    /// The settings cannot be played.
    BadSettings = "bad_settings",
    /// The rules do not allow the action.
    Illegal = "illegal",
    /// The decision that this command answers is no longer open.
    Stale = "stale",
    /// A bot plays for this person.
    BotPlays = "bot_plays",
    /// No bot plays this seat.
    NoBot = "no_bot",
    /// The person is not away.
    NotAway = "not_away",
    /// No bot plays for this person.
    NotGone = "not_gone",
    /// Partners must not talk during the game (R12.9, R15.3).
    Silence = "silence",
    /// Rate limit exceeded.
    TooFast = "too_fast",
    /// No deadline has passed.
    NotDue = "not_due",
    /// The table has reached its maximum number of entries or games.
    WornOut = "worn_out",
    /// The server could not store it.
    NotStored = "not_stored",
    /// Too many concurrent commands at the table.
    Busy = "busy",
    /// The server has little disk space left.
    DiskLow = "disk_low",
    /// The message could not be read.
    BadMessage = "bad_message",
    /// HTTP: too many requests, tables or connections from this address.
    TooMany = "too_many",
    /// HTTP: there is no such table.
    NoTable = "no_table",
    /// HTTP: there is nothing at this address.
    Nothing = "nothing",
    /// HTTP: the request comes from a page of another site.
    ForeignOrigin = "foreign_origin",
    /// HTTP: the `Host` header names another server.
    UnknownHost = "unknown_host",
    /// HTTP: the server is starting or stopping.
    NotReady = "not_ready",
    /// HTTP: the database cannot be reached.
    NoStorage = "no_storage",
    /// HTTP: the request timed out.
    TooSlow = "too_slow",
    /// HTTP: the server failed.
    Internal = "internal",
    /// HTTP: the proxy sent a malformed `X-Forwarded-For`.
    BadForwardedFor = "bad_forwarded_for",
    /// HTTP: the operator has banned the address.
    Banned = "banned",
    /// HTTP: this needs a person.
    NotSignedIn = "not_signed_in",
    /// HTTP: the challenge is too old, or the signature is wrong.
    BadProof = "bad_proof",
    /// HTTP: no device can be added with this phrase or recovery code.
    NoLink = "no_link",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<&str> for ErrorCode {
    fn eq(&self, word: &&str) -> bool {
        self.as_str() == *word
    }
}
