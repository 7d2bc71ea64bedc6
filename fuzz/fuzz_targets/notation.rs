//! Parses arbitrary text as boards, actions, chance, positions and views.
#![no_main]

#[path = "../../crates/rules/tests/fuzz_bodies/notation.rs"]
mod notation;

libfuzzer_sys::fuzz_target!(|text: &str| notation::read(text));
