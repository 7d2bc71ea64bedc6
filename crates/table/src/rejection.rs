//! Why a command is refused. A refused command changes nothing.

use serde::{Deserialize, Serialize};
use towers_rules::Illegal;

use crate::code::ErrorCode;
use crate::ids::Millis;
use crate::settings::SettingsError;
use crate::text::BadText;

/// Why a command is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the error text of each variant says what it means"
)]
pub enum Rejection {
    #[error("only the host may do this")]
    NotHost,
    #[error("only those who have a seat may do this")]
    NotSeated,
    #[error("only the server may send this command")]
    NotForPlayers,
    #[error("there is no such person at this table")]
    Unknown,
    #[error("not while a game is going on")]
    GameOn,
    #[error("only while a game is going on")]
    NoGame,
    #[error("only after a game")]
    NotOver,
    #[error("there is no such seat")]
    NoSuchSeat,
    #[error("this seat is taken")]
    SeatTaken,
    #[error("all seats are taken")]
    Full,
    #[error("some seats are still open")]
    OpenSeats,
    #[error("this colour is taken")]
    ColourTaken,
    #[error("the new settings would remove an occupied seat")]
    SeatInUse,
    #[error("nobody sits there")]
    NobodyThere,
    #[error("a name is needed")]
    NameNeeded,
    #[error("somebody else here has this name")]
    NameTaken,
    #[error("{}", text_reason(*.0))]
    Text(BadText),
    #[error("{0}")]
    Settings(#[from] SettingsError),
    #[error("{0}")]
    Illegal(Illegal),
    #[error("that decision was already made")]
    Stale,
    #[error("a bot plays for you: take your seat back first (`back`)")]
    BotPlays,
    #[error("no bot plays this seat")]
    NoBot,
    #[error("that person is not away")]
    NotAway,
    #[error("you are not away")]
    NotGone,
    #[error("there is no chat while partners play together")]
    Silence,
    #[error("too many messages: wait a moment")]
    TooFast {
        /// The delay until it is allowed again, in milliseconds.
        retry_after: Millis,
    },
    #[error("no deadline has passed")]
    NotDue,
    #[error("the host does not let you talk")]
    Muted,
    #[error("the host has removed you from this table")]
    Banned,
    #[error("you cannot do this to yourself")]
    NotForHost,
    #[error("no number is awaited")]
    NoDraw,
    #[error("this is not the number that was committed to")]
    WrongNumber,
    #[error("this table has reached its limit of entries or games: open another one")]
    WornOut,
}

fn text_reason(bad: BadText) -> String {
    match bad {
        BadText::Empty => "there is nothing to read".into(),
        BadText::TooLong(most) => format!("at most {most} characters"),
        BadText::Control => "there are characters in it that cannot be shown".into(),
    }
}

impl From<Illegal> for Rejection {
    fn from(why: Illegal) -> Rejection {
        Rejection::Illegal(why)
    }
}

impl From<BadText> for Rejection {
    fn from(bad: BadText) -> Rejection {
        Rejection::Text(bad)
    }
}

impl Rejection {
    /// The machine-readable code; the error text is for people.
    pub const fn code(&self) -> ErrorCode {
        match self {
            Rejection::NotHost => ErrorCode::NotHost,
            Rejection::NotSeated => ErrorCode::NotSeated,
            Rejection::NotForPlayers => ErrorCode::NotForPlayers,
            Rejection::Unknown => ErrorCode::UnknownPerson,
            Rejection::GameOn => ErrorCode::GameOn,
            Rejection::NoGame => ErrorCode::NoGame,
            Rejection::NotOver => ErrorCode::NotOver,
            Rejection::NoSuchSeat => ErrorCode::NoSuchSeat,
            Rejection::SeatTaken => ErrorCode::SeatTaken,
            Rejection::Full => ErrorCode::Full,
            Rejection::OpenSeats => ErrorCode::OpenSeats,
            Rejection::ColourTaken => ErrorCode::ColourTaken,
            Rejection::SeatInUse => ErrorCode::SeatInUse,
            Rejection::NobodyThere => ErrorCode::NobodyThere,
            Rejection::NameNeeded => ErrorCode::NameNeeded,
            Rejection::NameTaken => ErrorCode::NameTaken,
            Rejection::Text(_) => ErrorCode::BadText,
            Rejection::Settings(_) => ErrorCode::BadSettings,
            Rejection::Illegal(_) => ErrorCode::Illegal,
            Rejection::Stale => ErrorCode::Stale,
            Rejection::BotPlays => ErrorCode::BotPlays,
            Rejection::NoBot => ErrorCode::NoBot,
            Rejection::NotAway => ErrorCode::NotAway,
            Rejection::NotGone => ErrorCode::NotGone,
            Rejection::Silence => ErrorCode::Silence,
            Rejection::TooFast { .. } => ErrorCode::TooFast,
            Rejection::NotDue => ErrorCode::NotDue,
            Rejection::Muted => ErrorCode::Muted,
            Rejection::Banned => ErrorCode::Removed,
            Rejection::NotForHost => ErrorCode::NotForHost,
            Rejection::NoDraw => ErrorCode::NoDraw,
            Rejection::WrongNumber => ErrorCode::WrongNumber,
            Rejection::WornOut => ErrorCode::WornOut,
        }
    }

    /// The violated clause of the rules, if any.
    pub const fn clause(&self) -> Option<&'static str> {
        match self {
            Rejection::Illegal(why) => Some(why.clause()),
            Rejection::Silence => Some("R12.9"),
            _ => None,
        }
    }

    /// The refusal to send to the client.
    pub fn refusal(&self) -> Refusal {
        Refusal {
            code: self.code(),
            message: self.to_string(),
            clause: self.clause().map(Into::into),
            retry_after: match self {
                Rejection::TooFast { retry_after } => Some(*retry_after),
                _ => None,
            },
        }
    }
}

/// A rejection as sent to the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// The machine-readable code.
    pub code: ErrorCode,
    /// A sentence for people.
    pub message: String,
    /// The violated clause of the rules, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The delay until a retry is allowed, in milliseconds, after a rate limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Millis>,
}
