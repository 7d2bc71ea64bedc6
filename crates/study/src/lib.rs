//! Learning *Wandering Towers*, and reviewing finished games.
//!
//! [`puzzle`] has positions with a goal; [`tutorial`] is a scripted first game; [`handbook`] reads the rules for
//! players. [`replay`] steps through a record, [`statistics`] counts its events, and [`review`] compares it with a
//! bot's play.
//!
//! The feature `analysis` adds everything that searches or evaluates: solver, generator, luck and review. It depends on
//! the bots, so the browser's page is built without it and asks its worker instead.
//!
//! Nothing here depends on a browser, and nothing here is used during a game: code that reads whole positions only
//! reads finished games or positions made for study.

#![forbid(unsafe_code)]

pub mod handbook;
pub mod luck;
pub mod puzzle;
pub mod replay;
pub mod review;
pub mod statistics;
pub mod texts;
pub mod tutorial;

/// Compiles the example of the repository's README. It is in this crate because a published crate cannot include that
/// file.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct StudyReadme;
