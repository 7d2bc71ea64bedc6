//! What the browser gives: storage, clock, randomness, sound, motion, a worker.

pub mod brain;
pub mod motion;
pub mod page;
pub mod sound;
pub mod storage;
