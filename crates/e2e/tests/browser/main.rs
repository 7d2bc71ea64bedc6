//! The client in a real browser, served by the real program. One program for all tests, since each would link the whole
//! client model again. Those that measure time run alone: see `xtask/src/groups.rs`.

mod calls;
mod common;
mod device;
mod evening;
mod everyone;
mod fairness;
#[path = "../../../study/tests/common/mod.rs"]
mod finished_games;
mod games;
mod hands_on;
mod large_screens;
mod learning;
mod long_words;
mod memory;
mod navigation;
mod newcomers;
mod offline;
mod online;
mod pairing;
mod people;
mod returning;
mod scores;
mod sharing;
mod sizes;
mod stutter;
mod taps;
mod together;
mod touch;
mod variants;
mod whole_games;
