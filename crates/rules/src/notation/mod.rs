//! Positions, cards, actions and chance as text, exact both ways (`docs/notation.md`).
//!
//! Everything that has a text implements [`Display`](std::fmt::Display) and
//! [`FromStr`](std::str::FromStr); what is printed parses, and what parses prints back the same.
//!
//! Everything here is `#[inline]`: so it is compiled where it is used, for size in the browser client, while the rest of this crate
//! is compiled for speed (`profile.wasm`).

mod action;
mod board;
mod chance;
mod fields;
mod options;
mod position;
mod reader;
mod serde_text;
mod turn;

pub use board::{BoardText, Field};
pub use position::{read_position, write_position};
pub use reader::ParseError;
