//! The bodies of the fuzz targets. `tests/fuzz.rs` runs them on fixed inputs.

pub mod actions;
pub mod notation;
