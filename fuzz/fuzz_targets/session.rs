//! Bytes choose who says what at a table, sense or nonsense.
#![no_main]

#[path = "../../crates/server/tests/fuzz_bodies/session.rs"]
mod session;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| session::play(bytes));
