//! The ways to a table: one in the page, one on a server, and scripts.

mod daily;
pub mod local;
pub mod online;
pub mod script;
mod socket;
