//! The authority over one table of *Wandering Towers*: seats, permissions, clocks, the source of chance, and what
//! each viewer receives.
//!
//! The crate has no network, no disk, no clock and no random number generator: time and seeds come in with every
//! command. The same code decides on a server and in a browser page, and a table can be rebuilt from its
//! [record](Record) at any time.
//!
//! ```
//! use towers_table::{BotLevel, Command, Header, Hex, PersonId, Settings, Table, Who};
//!
//! let header = Header::new("kitchen", Settings::default(), "Ann", "", 0);
//! let mut table = Table::create(&header)?;
//! let ann = Who::Person(PersonId(0));
//! let seed = Hex([7; 32]); // take fresh random bytes for every command
//! table.submit(1, ann, Command::Sit { name: None, seat: None, colour: None, key: String::new() , program: false}, &seed)?;
//! table.submit(2, ann, Command::AddBot { seat: None, level: BotLevel::Adept }, &seed)?;
//! table.submit(3, ann, Command::Start, &seed)?;
//! assert!(table.waiting_for().is_some());
//! # Ok::<(), towers_table::Rejection>(())
//! ```
//!
//! # Tour
//!
//! - [`Table::submit`] carries out a [`Command`] and returns an [`Entry`] for the record, or refuses with a [`Rejection`] and
//!   changes nothing.
//! - [`Table::seen`] redacts the result for each viewer; [`TableView`] is the whole table for one viewer.
//! - [`Table::waiting_for`] returns the open decision and its deadline.
//! - [`ClientMessage`] and [`ServerMessage`] are the protocol between a client and the driver of the table.
//! - [`verify`] checks the record of a finished game against its committed seed.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod change;
mod clock;
mod code;
mod command;
mod core;
mod daily;
mod dice;
mod event;
mod fair;
mod hosting;
mod http;
mod ids;
mod level;
mod lobby;
mod message;
mod play;
mod record;
mod record_v1;
mod rejection;
#[cfg(feature = "schema")]
pub mod schema;
mod seat;
mod settings;
mod table;
mod talk;
mod text;
mod update;
mod verify;
mod view;

#[cfg(test)]
mod tests;

pub use change::{DiscardChange, GameChange, Items, TableChange, TurnChange, ViewChange};
pub use clock::{AWAY_REACTION, Decider, RETURN_BANK, TIME_OUT_BANK, Waiting};
pub use code::{CloseCode, ErrorCode, MAX_STRIKES, MESSAGE_BYTES, MESSAGES_PER_SECOND, PROTOCOL};
pub use command::{Command, Emote, PassAhead, Who};
pub use core::Stage;
pub use daily::{DailyDeals, OpenDeal, SealedDeal};
pub use event::{AnyEvent, ChatLine, Ending, EventGroup, Seen, StandInReason, TableEvent};
pub use fair::{
    Device, Draw, MAX_GAMES, REVEAL_TIME, commitment_to_number, secret_of_game, seed_of_game,
};
pub use http::{
    Awaited, FinishedDeal, Invitations, Listing, NewReport, OpenTable, OpenedTable, OwnTable,
    OwnTables, ReceivedInvitation, SeatSummary, Summary, TableRules,
};
pub use ids::{
    Digest, Hex, ID_DIGITS, Millis, NotHex, PersonId, Seed, Sum, TABLE_ID_CHARS, is_table_id,
};
pub use level::BotLevel;
pub use message::{ClientMessage, ServerMessage, UnreadCommand, Update};
pub use record::{Entry, Header, NotARecord, NotRebuilt, Record, VERSION};
pub use rejection::{Refusal, Rejection};
pub use settings::{Clock, Settings, SettingsError, Start};
pub use table::{HISTORY, MAX_ENTRIES, Prepared, Table};
pub use text::{
    BadText, CHAT_CHARS, NAME_CHARS, REPORT_CHARS, TITLE_CHARS, clean, folded, looks_like,
};
pub use update::LastUpdate;
pub use verify::{Difference, Verified, VerifiedGame, verify, verify_text};
pub use view::{GameView, SeatView, TableView, Taken, You};

/// Compiles the example of the README.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
