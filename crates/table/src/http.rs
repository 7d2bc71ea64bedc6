//! Messages of a server's HTTP interface that several programs read or write: tables, invitations, reports, results of
//! the deal of the day.

use serde::{Deserialize, Serialize};
use towers_rules::{Colour, Mode, Options, Preset, Seat, Spells};

use crate::core::Stage;
use crate::ids::Millis;
use crate::level::BotLevel;
use crate::settings::{Clock, Settings};
use crate::table::Table;
use crate::view::Taken;

/// The body of `POST /api/tables`: opens a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenTable {
    /// The host's name.
    pub name: String,
    /// The settings; missing fields have their defaults.
    #[serde(default)]
    pub settings: Settings,
}

/// The answer to [`OpenTable`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenedTable {
    /// The table's id.
    pub table: String,
    /// The host's token.
    pub token: String,
    /// The path of the table's page.
    pub path: String,
}

/// The answer to `GET /api/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listing<T = Summary> {
    /// The public tables, most recently visited first.
    pub tables: Vec<T>,
}

/// A summary of a table, as a server stores and lists it. Summaries of earlier servers lack some fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Whether it is played as printed.
    #[serde(default)]
    pub as_printed: bool,
    /// The time of the last change to the summary.
    pub at: Millis,
    /// The time limits.
    pub clock: Clock,
    /// Whether no seat is free.
    #[serde(default)]
    pub full: bool,
    /// The number of games that were begun.
    #[serde(default)]
    pub games: u32,
    /// Whether players compete, play alone or together.
    pub mode: Mode,
    /// The edition.
    pub preset: Preset,
    /// Whether the lobby lists it.
    #[serde(default)]
    pub public: bool,
    /// Whether its games are rated.
    #[serde(default)]
    pub rated: bool,
    /// Whether spells are cast out of turn.
    pub reactions: bool,
    /// The rules, if they differ from the edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<TableRules>,
    /// The seats, in order.
    pub seats: Vec<SeatSummary>,
    /// Whether a game is running.
    pub stage: Stage,
    /// The table's id.
    pub table: String,
    /// Whether players play in teams.
    pub teams: bool,
    /// The title; may be empty.
    pub title: String,
    /// The open decision.
    pub waiting: Option<Awaited>,
}

/// The rules of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableRules {
    /// Every rules setting.
    pub options: Options,
    /// The spells in play.
    pub spells: Spells,
}

/// A summary of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatSummary {
    /// A free seat.
    Open {
        /// The seat's colour.
        colour: Colour,
    },
    /// A seat taken by a person.
    Person {
        /// The seat's colour.
        colour: Colour,
        /// The person's name.
        name: String,
        /// Whether a program plays for them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        program: bool,
    },
    /// A seat taken by a bot.
    Bot {
        /// The seat's colour.
        colour: Colour,
        /// The bot's level.
        level: BotLevel,
    },
}

/// An open decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Awaited {
    /// The time at which the table stops waiting; `None` if there is no limit.
    pub deadline: Option<Millis>,
    /// The seat that decides.
    pub seat: Seat,
}

/// The body of `POST /api/tables/{table}/report`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// Up to [`REPORT_CHARS`](crate::REPORT_CHARS) characters.
    pub reason: String,
}

/// The answer to `GET /api/person/lobby`: the viewer's tables and invitations, the same on all devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnTables<S = Box<Summary>> {
    /// Most recently visited first.
    pub tables: Vec<OwnTable<S>>,
    /// Latest first.
    pub invitations: Vec<ReceivedInvitation>,
}

/// One of the viewer's tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnTable<S = Box<Summary>> {
    /// The table's id.
    pub table: String,
    /// The viewer's seat, if they have one.
    pub seat: Option<Seat>,
    /// `None` if the viewer has removed the table from the list, perhaps on another device.
    pub summary: Option<S>,
}

/// The answer to `GET /api/person/invitations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Invitations {
    /// Latest first.
    pub invitations: Vec<ReceivedInvitation>,
}

/// An invitation to a table, by somebody with whom one has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReceivedInvitation {
    /// The time of the invitation.
    pub at: i64,
    /// The name of the one who invites.
    pub name: String,
    /// The path of the table's page.
    pub path: String,
    /// The one who invites, as the receiver may name them.
    pub person: String,
    /// The table's id.
    pub table: String,
}

/// The body of `POST /api/daily/results`: a finished deal of the day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FinishedDeal {
    /// The day, written as `2026-11-15`.
    pub day: String,
    /// The record as text.
    pub record: String,
}

impl From<&Table> for Summary {
    fn from(table: &Table) -> Summary {
        let settings = table.settings();
        let as_printed = settings.is_as_printed();
        let seats = table.seat_views();
        Summary {
            as_printed,
            at: table.at(),
            clock: settings.clock,
            full: seats.iter().all(|seat| seat.taken != Taken::Open),
            games: table.games(),
            mode: settings.options.mode,
            preset: settings.preset,
            public: settings.public,
            rated: settings.rated,
            reactions: settings.options.reactions,
            rules: (!as_printed).then_some(TableRules {
                options: settings.options,
                spells: settings.spells,
            }),
            seats: seats
                .into_iter()
                .map(|seat| SeatSummary::new(seat.colour, seat.taken))
                .collect(),
            stage: table.stage(),
            table: table.id().into(),
            teams: settings.options.teams,
            title: settings.title.clone(),
            waiting: table.waiting_for().map(|waiting| Awaited {
                deadline: waiting.deadline,
                seat: waiting.seat,
            }),
        }
    }
}

impl SeatSummary {
    fn new(colour: Colour, taken: Taken) -> SeatSummary {
        match taken {
            Taken::Open => SeatSummary::Open { colour },
            Taken::Person { name, program, .. } => SeatSummary::Person {
                colour,
                name,
                program,
            },
            Taken::Bot { level } => SeatSummary::Bot { colour, level },
        }
    }
}

impl Summary {
    /// The number of free seats.
    pub fn open_seats(&self) -> usize {
        let open = |seat: &&SeatSummary| matches!(seat, SeatSummary::Open { .. });
        self.seats.iter().filter(open).count()
    }

    /// Whether a game is in progress and waits for this person.
    pub fn waits_for(&self, seat: Option<Seat>) -> bool {
        self.stage == Stage::Playing && seat.is_some() && self.waiting.map(|w| w.seat) == seat
    }
}
