//! Draws *Wandering Towers* as SVG: the floating island, the pieces, the cards, and a scene made of them.
//!
//! A page needs three things once: the stylesheet [`STYLE`], the shared drawings [`defs`], and the scenery
//! [`landscape::scenery`] for its [`Layout`]. After that every position is one call to [`Scene::svg`], which only
//! places `<use>` elements. Colours are CSS custom properties, so that day and night, or a player's colour, are a
//! class. [`pieces::shelves`], [`landscape::Layers`] and [`Scene::draw`] give the same in parts, for a page that
//! handles input in between. Mist and fireflies ([`landscape::air`]) can be placed above the scene;
//! [`side_view::SideView`] draws one stack from the side, large enough to tap.
//!
//! Classes for an element around the drawings: `wt-day` or `wt-night`; `wt-still` stops all motion, `wt-lively` lets lights and
//! banners move too, `wt-numbers` shows the numbers of the spaces, `wt-counts` how many wizards crowd a surface.
//! Nothing here uses inline styles or scripts, so a strict Content-Security-Policy may forbid both.
//!
//! ```
//! use towers_art::{Layout, Scene};
//! use towers_rules::Diagram;
//! let layout = Layout::fit(1440.0, 900.0);
//! let board: Diagram = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-".parse()?;
//! let svg = Scene::new(board).svg(&layout);
//! assert!(svg.contains("data-tower=\"C\""));
//! # Ok::<(), towers_rules::notation::ParseError>(())
//! ```
#![forbid(unsafe_code)]

pub mod geometry;
pub mod landscape;
pub mod pieces;
pub mod scene;
pub mod side_view;
mod style;
mod svg;
mod theme;

pub use geometry::Layout;
pub use pieces::defs;
pub use scene::Scene;
pub use style::STYLE;
pub use svg::{N, whole};
pub use theme::Theme;
