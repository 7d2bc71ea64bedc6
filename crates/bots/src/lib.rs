//! Computer players for the board game *Wandering Towers*.
//!
//! A [`Bot`] sits at one seat. It is given that seat's [`View`](towers_rules::View) and the events as that
//! seat sees them, never a [`State`](towers_rules::State): what it cannot know, it has to remember or guess.
//! It returns a legal action within a [`Budget`]. With a budget of iterations, the same seed, views and events give the same
//! actions.
//!
//! # A game between two bots
//!
//! ```
//! use towers_bots::{Bot, Budget, NoClock, Strength};
//! use towers_rules::{Actor, Event, Mode, Preset, Setup, State, Viewer};
//!
//! let mut state = State::new(&Setup::new(Preset::Capstone, Mode::Versus, 2))?;
//! let mut seed = 7u32; // any source of randomness will do
//! let mut pick = |n: u32| { seed = seed.wrapping_mul(747_796_405).wrapping_add(1); (seed >> 8) % n };
//! let mut events: Vec<Event> = Vec::new();
//! state.settle(&mut pick, &mut events); // deal
//! let mut bots: Vec<Bot> = state
//!     .seats()
//!     .map(|seat| Bot::new(Strength::Apprentice, seat, 1, &state.view(Viewer::Seat(seat))))
//!     .collect();
//! while let Actor::Player(seat) = state.actor() {
//!     let view = state.view(Viewer::Seat(seat));
//!     let action = bots[seat.index()].act(&view, Budget::Iterations(10), &NoClock).expect("its turn");
//!     events.clear();
//!     state.apply_observed(seat, action, &mut events)?;
//!     state.settle(&mut pick, &mut events);
//!     for bot in &mut bots {
//!         let viewer = Viewer::Seat(bot.seat());
//!         for &event in &events {
//!             bot.observe(&state.event_seen_by(event, viewer));
//!         }
//!     }
//! }
//! assert!(state.outcome().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tour
//!
//! - [`Strength`]: from Novice, which rates single moves, to Master, which searches.
//! - [`Bot::act`] decides; [`Bot::offer`] helps a partner out of turn; [`Bot::explain`] gives [`Advice`] with [`Benefit`]s.
//! - [`estimate`] rates a full position, to review games that are over; [`clairvoyant`] bounds solo scores.
//! - [`TimeSource`] is the caller's, so that bots run where the standard library has none, for instance in a browser.
//!
//! `docs/bots.md` of the repository describes how each strength decides, `docs/experiments.md` how strong they are.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bot;
mod budget;
mod clairvoyant;
mod estimate;
mod explain;
mod features;
mod flow;
mod memory;
mod net;
mod novice;
mod partner;
mod planner;
mod quick;
mod reactions;
mod rows;
mod search;
mod shared_features;
mod shared_net;
#[cfg(feature = "tuning")]
pub mod shared_tuning;
mod strength;
#[cfg(feature = "tuning")]
pub mod tuning;

pub use bot::Bot;
pub use budget::{Budget, NoClock, TimeSource};
pub use clairvoyant::clairvoyant;
pub use estimate::{Estimate, estimate};
pub use explain::{Advice, Benefit, Expectation};
pub use memory::BotMemory;
pub use strength::{Strength, UnknownStrength};

/// Compiles the example of the README.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct BotsReadme;
