//! Why a command is refused. Nothing has changed then.

use rules::Illegal;
use serde::Serialize;
use wire::Deserialize;

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
    #[error("this is not for players to say")]
    NotForPlayers,
    /// The person is not known here.
    #[error("nobody of that kind is at this table")]
    Unknown,
    /// Not while a game is going on.
    #[error("not while a game is going on")]
    GameOn,
    /// Only while a game is going on.
    #[error("only while a game is going on")]
    NoGame,
    /// Only after a game.
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
    /// Someone sits where no seat would be any more.
    #[error("someone sits on a seat that would be gone")]
    SeatInUse,
    /// The seat is empty.
    #[error("nobody sits there")]
    NobodyThere,
    /// A newcomer has to give a name.
    #[error("a name is needed")]
    NameNeeded,
    /// Another person is called the same.
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
    /// The decision this was meant for is over.
    #[error("the decision this was meant for is over")]
    Stale,
    /// A bot plays for this person.
    #[error("a bot plays for you: come back first")]
    BotPlays,
    /// This seat is not a bot's.
    #[error("no bot plays this seat")]
    NoBot,
    /// The person is there.
    #[error("that person is not away")]
    NotAway,
    /// No bot plays for this person.
    #[error("you are not away")]
    NotGone,
    /// Partners do not talk.
    #[error("there is no chat while partners play together")]
    Silence,
    /// Too many messages.
    #[error("that was too much at once: wait a moment")]
    TooFast,
    /// Nothing is due.
    #[error("nothing is due")]
    NotDue,
    /// The table has come to its end: nothing more can be written.
    #[error("this table has been played for too long: open another one")]
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
    /// A word for programs; the text is for people.
    pub const fn code(&self) -> &'static str {
        match self {
            Rejection::NotHost => "not_host",
            Rejection::NotSeated => "not_seated",
            Rejection::NotForPlayers => "not_for_players",
            Rejection::Unknown => "unknown_person",
            Rejection::GameOn => "game_on",
            Rejection::NoGame => "no_game",
            Rejection::NotOver => "not_over",
            Rejection::NoSuchSeat => "no_such_seat",
            Rejection::SeatTaken => "seat_taken",
            Rejection::Full => "full",
            Rejection::OpenSeats => "open_seats",
            Rejection::ColourTaken => "colour_taken",
            Rejection::SeatInUse => "seat_in_use",
            Rejection::NobodyThere => "nobody_there",
            Rejection::NameNeeded => "name_needed",
            Rejection::NameTaken => "name_taken",
            Rejection::Text(_) => "bad_text",
            Rejection::Settings(_) => "bad_settings",
            Rejection::Illegal(_) => "illegal",
            Rejection::Stale => "stale",
            Rejection::BotPlays => "bot_plays",
            Rejection::NoBot => "no_bot",
            Rejection::NotAway => "not_away",
            Rejection::NotGone => "not_gone",
            Rejection::Silence => "silence",
            Rejection::TooFast => "too_fast",
            Rejection::NotDue => "not_due",
            Rejection::WornOut => "worn_out",
        }
    }

    /// The clause of the rules, if it is the rules that refuse.
    pub const fn clause(&self) -> Option<&'static str> {
        match self {
            Rejection::Illegal(why) => Some(why.clause()),
            Rejection::Silence => Some("R12.9"),
            _ => None,
        }
    }

    /// What is sent to whoever asked.
    pub fn refusal(&self) -> Refusal {
        Refusal {
            code: self.code().into(),
            message: self.to_string(),
            clause: self.clause().map(Into::into),
        }
    }
}

/// A rejection on its way to whoever asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// The clause of the rules, if it is the rules that refuse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}
