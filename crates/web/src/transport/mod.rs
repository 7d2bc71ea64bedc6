//! The transports: a table in the page, a table on a server, and scripts.

mod daily;
pub mod local;
pub mod online;
pub mod script;
mod socket;
