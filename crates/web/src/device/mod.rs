//! Browser facilities: storage, clock, randomness, sound, motion, focus, the worker, and paint order.

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
