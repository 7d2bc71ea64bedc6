//! Bytes choose the setup, chance, and the players' actions.
#![no_main]

// Other tests use the rest of these modules.
#[allow(dead_code)]
#[path = "../../crates/rules/tests/common"]
mod common {
    pub mod universe;
    pub mod variants;
}

#[path = "../../crates/rules/tests/fuzz_bodies"]
mod fuzz_bodies {
    pub mod actions;
}

use std::sync::LazyLock;

use towers_rules::Action;

static ALL: LazyLock<Vec<Action>> = LazyLock::new(fuzz_bodies::actions::all_actions);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_bodies::actions::play(bytes, &ALL));
