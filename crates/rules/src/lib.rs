//! The rules of the board game *Wandering Towers*: every edition, every variant, exact and fast.
//!
//! The crate is pure: no input or output, no clock, no randomness of its own. Chance is explicit:
//! when [`State::actor`] is [`Actor::Chance`], the caller answers, from a seeded stream, a recorded
//! game, a fixed deck or a search's sample.
//!
//! ```
//! use rules::{Actions, Actor, Mode, Preset, Setup, State};
//!
//! let setup = Setup::new(Preset::Capstone, Mode::Versus, 3);
//! let mut state = State::new(&setup)?;
//! let mut actions = Actions::new();
//! let mut dice = 12345u32; // any source of randomness will do
//! let mut pick = |n: u32| { dice = dice.wrapping_mul(747796405).wrapping_add(2891336453); (dice >> 8) % n };
//!
//! while state.outcome().is_none() {
//!     match state.actor() {
//!         Actor::Chance => {
//!             let chance = state.sample_chance(&mut pick).expect("it is chance's turn");
//!             state.apply_chance(chance)?;
//!         }
//!         Actor::Player(seat) => {
//!             state.legal_actions(&mut actions);
//!             let action = actions.get(pick(actions.len() as u32) as usize).expect("there is always one");
//!             state.apply(seat, action)?;
//!         }
//!         Actor::Nobody => {}
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Clause ids such as `R7.3` refer to `docs/rules.md`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod action;
mod actions;
mod apply;
mod bits;
mod board;
mod card;
mod chance;
mod check;
mod counts;
mod error;
mod event;
pub mod examples;
mod hand;
mod ids;
mod invariants;
mod legal;
mod moves;
pub mod notation;
mod options;
mod outcome;
mod packed;
pub mod perft;
mod pile;
mod reactions;
mod sample;
mod setup;
mod spell;
mod spells;
mod state;
mod surfaces;
mod teams;
mod towers;
pub mod trace;
mod turn;
mod view;

pub use action::{Action, Cast, Direction, Move, WizardTarget};
pub use actions::Actions;
pub use card::{Card, DECK, HAND, KINDS};
pub use chance::{Chance, Request};
pub use counts::{Flasks, Wizards};
pub use error::Illegal;
pub use event::{Event, Timing, Watch};
pub use hand::Hand;
pub use ids::{CAPACITY, Colour, MAX_SEATS, SPACES, SURFACES, Seat, Space, Surface, TOWERS, Tower};
pub use options::{Choice, CoopHands, Memory, Mode, Options, Preset, SoloDeck, TeamEnd};
pub use outcome::{Outcome, Rating, SeatSet};
pub use pile::Pile;
pub use sample::{Knowledge, SampleError};
pub use setup::{GHOST_LIGHTS, Setup, SetupError, Spells};
pub use spell::{Costs, Spell, SpellSet};
pub use state::{Actor, State};
pub use turn::{Declared, Phase, Turn, Why};
pub use view::{Level, PlayerView, View, Viewer};

/// The example of the README, compiled so that it stays true.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct Readme;
