//! Learning *Wandering Towers*, and looking back at a game that is over.
//!
//! [`puzzle`] makes, grades and solves positions with a goal; [`tutorial`] is a scripted first game; [`handbook`] reads the
//! rules in the player's own language. [`replay`] opens a record and steps through it, [`statistics`] counts what happened in
//! it, and [`review`] says what a bot thinks of it.
//!
//! Nothing here touches a browser, and nothing here is used while a game is on: whatever looks at whole positions only
//! looks at games that are over, or at positions that were made to be looked at.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod handbook;
pub mod luck;
pub mod puzzle;
pub mod replay;
pub mod review;
pub mod statistics;
pub mod texts;
pub mod tutorial;
