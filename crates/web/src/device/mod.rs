//! What the browser gives: storage, clock, randomness, sound, motion, the focus, a worker, and turns between its pictures.

pub mod focus;
pub mod http;
pub mod layers;
pub mod motion;
pub mod page;
pub mod paint;
pub mod sound;
pub mod storage;
pub mod tabs;
pub mod worker;
