//! Players for *Wandering Towers* that think.
//!
//! A [`Bot`] sits at one seat. It is given that seat's [`View`](rules::View) and the events as that
//! seat sees them, never a [`State`](rules::State): what it cannot know, it has to remember or guess.
//! It answers with a legal action within a [`Budget`]. For the same seed, the same views and events
//! and a budget of iterations, it always answers the same.
//!
//! How the [`Level`]s think is told in `docs/bots.md`, how strong they are in `docs/experiments.md`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bot;
mod budget;
mod clairvoyant;
mod estimate;
mod explain;
mod features;
mod level;
mod memory;
mod net;
mod novice;
mod partner;
mod planner;
mod quick;
mod rows;
mod search;
mod shared_features;
mod shared_net;
#[cfg(feature = "tuning")]
pub mod shared_tuning;
#[cfg(feature = "tuning")]
pub mod tuning;

pub use bot::Bot;
pub use budget::{Budget, Clock, NoClock};
pub use clairvoyant::clairvoyant;
pub use estimate::{Estimate, estimate};
pub use explain::{Advice, Promise, Reason};
pub use level::{Level, NoSuchLevel};
pub use memory::Memory;
