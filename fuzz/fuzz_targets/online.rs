//! Bytes choose clients of a real server, their messages, disconnections and reconnections.
#![no_main]

#[path = "../../crates/server/tests/fuzz_bodies"]
mod fuzz_bodies {
    pub mod choices;
    pub mod host;
    pub mod model;
    pub mod online;
}

use std::sync::LazyLock;

use fuzz_bodies::{host::FuzzServer, online};

static HOST: LazyLock<FuzzServer> = LazyLock::new(FuzzServer::start);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    online::play(&HOST, bytes);
});
