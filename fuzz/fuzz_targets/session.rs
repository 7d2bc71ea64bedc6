//! Bytes choose the people at a table and their commands, valid or not.
#![no_main]

#[path = "../../crates/server/tests/fuzz_bodies"]
mod fuzz_bodies {
    pub mod choices;
    pub mod model;
    pub mod session;
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzz_bodies::session::play(bytes);
});
