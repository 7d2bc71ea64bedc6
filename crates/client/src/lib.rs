//! What a player's screen knows, without a screen: the view model of *Wandering Towers*.
//!
//! A [`Model`] holds what a viewer may know, takes in what happens at the table, and hands it out again step by step to be
//! animated ([`motion`]). A [`Choice`] turns the list of legal actions into a decision made in steps: what can be picked next, what is
//! pending, what it would do ([`preview`]), and why something else cannot be done ([`reason`]). A [`LocalTable`] is a table on
//! this device, a [`Link`] the connection to one on a server. [`route`] knows every address, [`words`] says all of it in three languages.
//!
//! Nothing here touches a browser, so all of it is tested natively.

#![forbid(unsafe_code)]

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
pub mod words;
pub mod worker;

pub use choice::{Choice, Hover, Intent, Pick};
pub use explain::Thing;
pub use fair::FairPlay;
pub use link::Link;
pub use local::{LocalTable, Need};
pub use model::Model;
pub use plan::{Plan, Sitter};
pub use preview::Preview;
pub use route::Route;
pub use saved::{MyTable, PlanKind, SavedGame, SavedResult, Shelf, Store};
pub use settings::{Language, Preferences, Sound, Speed, ThemeChoice};
pub use words::{Arg, Message, Words};
