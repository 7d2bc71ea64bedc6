//! The view model of *Wandering Towers*: the state behind a player's screen, without the screen.
//!
//! A [`Model`] holds what a viewer may know, receives the events of the table, and replays them step by step for
//! animation ([`motion`]). A [`Choice`] turns the list of legal actions into a decision made in steps: the next picks,
//! the pending action, its effects ([`preview`]), and why another action is illegal ([`reason`]). A [`LocalTable`] is a
//! table on this device; a [`Link`] is the connection to a table on a server. [`route`] defines every screen's address,
//! [`address`] those of the server, and [`words`] the texts in three languages.
//!
//! Nothing here depends on a browser, so all of it is tested natively.

#![forbid(unsafe_code)]

pub mod address;
pub mod bundle;
pub mod choice;
pub mod clock;
pub mod daily;
pub mod editions;
pub mod explain;
pub mod fair;
pub mod hint;
pub mod intent;
pub mod labels;
pub mod link;
pub mod lobby;
pub mod local;
pub mod log;
pub mod model;
pub mod motion;
pub mod names;
pub mod picture;
pub mod plan;
pub mod preview;
pub mod reason;
pub mod refusal;
pub mod result;
pub mod route;
pub mod saved;
pub mod seed;
pub mod settings;
pub mod shown;
pub mod sound;
pub mod staged;
pub mod target;
pub mod touch;
pub mod words;
pub mod worker;

pub use choice::{Choice, Hover, Intent, Pick};
pub use explain::Thing;
pub use fair::FairPlay;
pub use link::Link;
pub use local::{LocalTable, Need, NotReopened};
pub use model::Model;
pub use plan::{Plan, Sitter};
pub use preview::Preview;
pub use route::Route;
pub use saved::{MyTable, PlanKind, SavedGame, SavedResult, Shelf, Solved, Store};
pub use settings::{Language, Preferences, Sound, Speed, ThemeChoice};
pub use words::{Arg, Message, Words};
