//! What a player's screen knows, without a screen: the view model of *Wandering Towers*.
//!
//! A [`Model`] holds what a viewer may know, takes in what happens at the table, and hands it out again step by step to be
//! animated ([`motion`]). A [`Choice`] turns the list of legal actions into a conversation: what can be picked next, what is
//! pending, what it would do ([`preview`]), and why something else cannot be done ([`reason`]). A [`LocalTable`] is a table on
//! this device; online play is another [`Transport`]. [`words`] says all of it in three languages.
//!
//! Nothing here touches a browser, so all of it is tested natively.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod choice;
pub mod clock;
pub mod daily;
pub mod hint;
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
pub mod room;
pub mod saved;
pub mod settings;
pub mod shown;
pub mod staged;
pub mod transport;
pub mod words;

pub use choice::{Choice, Intent, Pick};
pub use link::Link;
pub use local::{LocalTable, Need};
pub use model::Model;
pub use plan::{Plan, Sitter};
pub use preview::Preview;
pub use saved::{MyTable, SavedGame, Shelf, Store};
pub use settings::{Language, Preferences, Sound, Speed, ThemeChoice};
pub use transport::Transport;
pub use words::{Arg, Message, Words};
