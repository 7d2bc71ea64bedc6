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
pub enum Rejection {
    /// Only the host may do this.
    #[error("only the host may do this")]
    NotHost,
    /// Only those who have a seat may do this.
    #[error("only those who have a seat may do this")]
    NotSeated,
    /// Only the driver of the table may do this.
    #[error("only the server may send this command")]
    NotForPlayers,
    /// The person is not known here.
    #[error("there is no such person at this table")]
    Unknown,
    /// Not allowed during a game.
    #[error("not while a game is going on")]
    GameOn,
    /// Allowed only during a game.
    #[error("only while a game is going on")]
    NoGame,
    /// Allowed only after a game.
    #[error("only after a game")]
    NotOver,
    /// There is no such seat.
    #[error("there is no such seat")]
    NoSuchSeat,
    /// The seat is taken.
    #[error("this seat is taken")]
    SeatTaken,
    /// All seats are taken.
    #[error("all seats are taken")]
    Full,
    /// Some seats are still open.
    #[error("some seats are still open")]
    OpenSeats,
    /// The colour is taken.
    #[error("this colour is taken")]
    ColourTaken,
    /// A person sits on a seat that the new settings would remove.
    #[error("the new settings would remove an occupied seat")]
    SeatInUse,
    /// The seat is empty.
    #[error("nobody sits there")]
    NobodyThere,
    /// A newcomer has to give a name.
    #[error("a name is needed")]
    NameNeeded,
    /// Another person has this name, or a similar one.
    #[error("somebody else here has this name")]
    NameTaken,
    /// A text cannot be used.
    #[error("{}", text_reason(*.0))]
    Text(BadText),
    /// The settings cannot be played.
    #[error("{0}")]
    Settings(#[from] SettingsError),
    /// The rules do not allow the action.
    #[error("{0}")]
    Illegal(Illegal),
    /// The decision that this command answers is no longer open.
    #[error("that decision was already made")]
    Stale,
    /// A bot plays for this person.
    #[error("a bot plays for you: take your seat back first (`back`)")]
    BotPlays,
    /// No bot plays this seat.
    #[error("no bot plays this seat")]
    NoBot,
    /// The person is not away.
    #[error("that person is not away")]
    NotAway,
    /// No bot plays for this person.
    #[error("you are not away")]
    NotGone,
    /// Partners must not talk during the game (R12.9, R15.3).
    #[error("there is no chat while partners play together")]
    Silence,
    /// Too many messages at a time.
    #[error("too many messages: wait a moment")]
    TooFast {
        /// The delay until it is allowed again, in milliseconds.
        retry_after: Millis,
    },
    /// No deadline has passed.
    #[error("no deadline has passed")]
    NotDue,
    /// The host has muted this person.
    #[error("the host does not let you talk")]
    Muted,
    /// The host has banned this person.
    #[error("the host has removed you from this table")]
    Banned,
    /// The host cannot do this to themselves.
    #[error("you cannot do this to yourself")]
    NotForHost,
    /// The table does not ask for a number now, or never does.
    #[error("no number is awaited")]
    NoDraw,
    /// The number is not the one that was committed to.
    #[error("this is not the number that was committed to")]
    WrongNumber,
    /// The table has reached its maximum number of entries or games.
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
