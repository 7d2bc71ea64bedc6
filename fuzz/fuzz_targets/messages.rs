//! Parses arbitrary bytes as messages, commands, settings and records.
#![no_main]

#[path = "../../crates/server/tests/fuzz_bodies/messages.rs"]
mod messages;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| messages::read(bytes));
