//! Bytes choose a table, chance, and what players try.
#![no_main]

mod common {
    #[path = "../../../crates/rules/tests/common/universe.rs"]
    pub mod universe;
    #[path = "../../../crates/rules/tests/common/variants.rs"]
    pub mod variants;
}

mod fuzz_bodies {
    #[path = "../../../crates/rules/tests/fuzz_bodies/actions.rs"]
    pub mod actions;
}

use std::sync::LazyLock;

use rules::Action;

static ALL: LazyLock<Vec<Action>> = LazyLock::new(fuzz_bodies::actions::all_actions);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_bodies::actions::play(bytes, &ALL));
