//! Drives a real browser with the built client, for tests.
//!
//! Build the client first: `cargo xtask client`. Chromium and its driver must be installed (Debian: `chromium`,
//! `chromium-driver`).

#![forbid(unsafe_code)]

pub mod act;
pub mod axe;
pub mod browser;
pub mod devtools;
pub mod play;
pub mod pointer;
pub mod position;
pub mod server;
pub mod socket;

pub use browser::{Browser, Size};
pub use devtools::ServiceWorker;
pub use position::Position;
pub use server::TowersProcess;
