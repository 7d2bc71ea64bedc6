//! What the fuzz targets do, also used by a short and fixed run.

pub mod messages;
pub mod session;
