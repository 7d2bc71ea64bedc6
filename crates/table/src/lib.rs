//! One table of *Wandering Towers* as the authority: who sits where, who may do what when, whose
//! time is up, where chance comes from, and who is told what.
//!
//! The crate has no network, no disk, no clock and no randomness of its own: time and seeds come in
//! with every command. So the same code decides on a server and in a browser page, and a table can
//! be rebuilt from its [record](Record) at any time.
//!
//! [`Table::submit`] carries out a [`Command`] and answers with an [`Entry`] for the record, or
//! refuses with a [`Rejection`] and changes nothing. [`Table::seen`] tells each viewer what they may
//! know of it. [`verify`] checks a record.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod clock;
mod command;
mod core;
mod dice;
mod event;
mod ids;
mod json;
mod lobby;
mod message;
mod play;
mod record;
mod rejection;
mod seat;
mod settings;
mod table;
mod talk;
mod text;
mod verify;
mod view;

#[cfg(test)]
mod tests;

pub use clock::{AWAY_REACTION, Decider, RETURN_BANK, Waiting};
pub use command::{Command, Emote, PassAhead, Who};
pub use core::Stage;
pub use event::{ChatLine, Ending, Event, Happening, Seen, StandInReason, TableEvent};
pub use ids::{Digest, Hex, Millis, NotHex, PersonId, Seed, Sum};
pub use json::read;
pub use message::{ClientMessage, ServerMessage};
pub use record::{Entry, Header, NotARecord, NotRebuilt, Record, VERSION};
pub use rejection::{Refusal, Rejection};
pub use settings::{BotLevel, Clock, Settings, SettingsError, Start};
pub use table::{HISTORY, MAX_ENTRIES, Prepared, Table};
pub use text::{BadText, CHAT_CHARS, NAME_CHARS, TITLE_CHARS, clean, folded};
pub use verify::{Difference, Verified, VerifiedGame, verify, verify_text};
pub use view::{GameView, SeatView, TableView, Taken, You};
