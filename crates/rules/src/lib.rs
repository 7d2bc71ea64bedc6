//! The rules of the board game *Wandering Towers*: all printed editions and variants.
//!
//! The crate is pure: no I/O, no clock, no generator of its own. Chance is explicit: when [`State::actor`] is
//! [`Actor::Chance`], the caller supplies the roll or the card, from a generator, a recorded game or a search.
//!
//! # A random game
//!
//! ```
//! use rand::{SeedableRng, rngs::SmallRng};
//! use towers_rules::{Actor, Mode, Preset, Setup, State};
//!
//! let mut rng = SmallRng::seed_from_u64(7);
//! let mut state = State::new(&Setup::new(Preset::Capstone, Mode::Versus, 3))?;
//! let outcome = loop {
//!     match state.actor() {
//!         Actor::Chance => state.settle_with(&mut rng), // feature `rand`
//!         Actor::Player(seat) => {
//!             let action = state.legal_actions().choose(&mut rng).expect("there is always one");
//!             state.apply(seat, action)?;
//!         }
//!         Actor::Nobody => break state.outcome().expect("the game is over"),
//!     }
//! };
//! assert!(!outcome.winners.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tour
//!
//! - **Set up**: a [`Setup`] takes the [`Options`] of a [`Preset`] (a printed edition); [`State::new`] checks it.
//! - **Position**: a [`State`] is `Copy`, at most 256 bytes and always legal. It prints and parses as one line of text
//!   ([`notation`]); its board alone is a [`Diagram`].
//! - **Act**: [`State::legal_actions`] lists, [`State::check`] judges one action and names the broken clause,
//!   [`State::apply`] carries it out or leaves the state unchanged. In hot loops, [`State::legal_actions_into`] and
//!   [`State::apply_unchecked`] neither allocate nor check.
//! - **Chance**: [`State::chance`] says what is asked for, [`State::chance_outcomes`] lists the outcomes with their weights,
//!   [`State::apply_chance`] takes one; [`State::settle`] draws until a player is to act.
//! - **Events**: an [`Observer`] receives what happened; a `Vec<Event>` is one.
//! - **Hidden information**: a [`View`] is what one [`Viewer`] may know; [`View::sample`] gives a full state that fits it.
//!
//! ```
//! use towers_rules::{Action, Event, State};
//!
//! let mut state: State =
//!     "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/- seats=b,y hands=b:t5,w1,w3;y:w2,w2t4,w?t?".parse()?;
//! for action in &state.legal_actions() {
//!     assert!(state.is_legal(state.active(), action));
//! }
//! let mut events: Vec<Event> = Vec::new();
//! state.apply_observed(state.active(), "w3:w1".parse::<Action>()?, &mut events)?;
//! assert!(matches!(events[1], Event::WizardMoved { .. }));
//! assert!(state.to_string().starts_with("*/Aby/Bbyy/Cbby/Dby/"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `schema`: JSON Schema of everything that serializes.
//! - `serde`: options, actions, events and views serialize; [`trace`] records whole games.
//! - `rand`: [`State::settle_with`] and [`Actions::choose`] take a generator of the crate `rand`.
//!
//! Clause ids such as `R7.3` refer to `docs/rules.md` in the repository.

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
pub mod perft;
mod pile;
mod reaction_check;
mod reactions;
mod sample;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "serde")]
mod serde_impls;
mod setup;
mod spell;
mod spells;
mod state;
mod surfaces;
mod teams;
mod towers;
#[cfg(feature = "serde")]
pub mod trace;
mod turn;
mod turn_view;
mod values;
mod view;

pub use action::{Action, Cast, Direction, Move, WizardTarget};
pub use actions::{Actions, ActionsIter};
pub use card::{Card, DECK, HAND, KINDS};
pub use chance::{Chance, ChanceRequest};
pub use counts::{Flasks, Wizards};
pub use error::Illegal;
pub use event::{Event, Observer, Timing};
pub use hand::Hand;
pub use ids::{CAPACITY, Colour, MAX_SEATS, SPACES, SURFACES, Seat, Space, Surface, TOWERS, Tower};
pub use notation::{Diagram, Stack};
pub use options::{Departure, Field, OptionError, Options, Preset};
pub use outcome::{Outcome, Rating, SeatSet};
pub use pile::Pile;
pub use sample::{Knowledge, SampleError};
pub use setup::{GHOST_LIGHTS, Setup, SetupError, Spells};
pub use spell::{Costs, Spell, SpellSet};
pub use state::{Actor, State};
pub use turn::{Declared, EndReason, Phase, Turn};
pub use turn_view::{ClaimView, SeriesView, TurnView};
pub use values::{
    CoopHands, EntryEnds, Gifts, Memory, Mode, RefreshDraw, RefreshTower, Selection, SoloDeck,
    SoloSpell, SpellRight, SpellTime, TeamEnd,
};
pub use view::{PersonalView, PlayerView, SurfaceView, View, Viewer};

/// Compiles the example of the README.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct RulesReadme;
