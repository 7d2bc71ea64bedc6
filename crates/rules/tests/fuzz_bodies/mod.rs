//! What the fuzz targets do with arbitrary bytes. Normal tests do the same with a few fixed ones.

pub mod actions;
pub mod notation;
