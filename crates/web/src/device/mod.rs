//! What the browser gives: storage, clock, randomness, sound, motion, the focus, a worker, and turns between its pictures.

pub mod brain;
pub mod focus;
pub mod motion;
pub mod page;
pub mod sound;
pub mod storage;
pub mod turns;
