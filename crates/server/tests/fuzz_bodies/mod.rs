//! The bodies of the fuzz targets, also used by a short and fixed run.

pub mod choices;
pub mod host;
pub mod messages;
pub mod model;
pub mod online;
pub mod session;
