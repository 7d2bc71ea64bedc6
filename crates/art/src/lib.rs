//! Draws *Wandering Towers* as SVG: the floating island, the pieces, the cards, and a scene made of them.
//!
//! A page needs three things once: the stylesheet [`STYLE`], the shared drawings [`defs`], and the scenery
//! [`landscape::scenery`] for its [`Layout`]. After that every position is one call to [`Scene::svg`], which only places
//! `<use>` elements. Colours are CSS custom properties, so that day and night, or a player's colour, are a class.
//! [`pieces::shelves`], [`landscape::Layers`] and [`Scene::draw`] give the same in parts, for a page that has to answer in between.
//! What lives in the air, [`landscape::air`], may lie above the scene; one stack opened for fingers is [`side_view::SideView`].
//!
//! Classes for an element around the drawings: `wt-day` or `wt-night`; `wt-still` stops all motion, `wt-lively` lets lights and
//! banners move too, `wt-numbers` shows the numbers of the spaces, `wt-counts` how many wizards crowd a surface.
//! Nothing here uses inline styles or scripts, so a strict Content-Security-Policy may forbid both.
//!
//! ```
//! use art::{Board, Layout, Scene};
//! let layout = Layout::fit(1440.0, 900.0);
//! let board = Board::parse("*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-").unwrap();
//! let svg = Scene::new(board).svg(&layout);
//! assert!(svg.contains("data-tower=\"C\""));
//! ```
#![forbid(unsafe_code)]

pub mod board;
pub mod geometry;
pub mod kinds;
pub mod landscape;
pub mod pieces;
pub mod scene;
pub mod side_view;
mod style;
mod svg;

pub use board::{Board, Level, Stack};
pub use geometry::Layout;
pub use kinds::{Card, Colour, Spell, Steps, Theme, Tower};
pub use pieces::defs;
pub use scene::Scene;
pub use style::STYLE;
pub use svg::{N, whole};
