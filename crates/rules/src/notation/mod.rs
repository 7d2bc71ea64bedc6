//! Positions, cards, actions and chance as text, exact both ways (`docs/notation.md`).
//!
//! Everything that has a text implements [`Display`](std::fmt::Display) and
//! [`FromStr`](std::str::FromStr); what is printed parses, and what parses prints back the same.

mod action;
mod board;
mod chance;
mod fields;
mod names;
mod options;
mod position;
mod reader;
mod turn;

pub use board::{Diagram, Stack};
pub use reader::ParseError;
