//! A test, or several, for every clause of `docs/rules.md`. The name of a test begins with its
//! clause: `r7_3_…` is about R7.3. The module `index` checks that no clause is forgotten.

#[path = "../common/mod.rs"]
mod common;

mod always;
mod castle;
mod ending;
mod index;
mod knowledge;
mod moves;
mod presets;
mod reactions;
mod reactions_claims;
mod reactions_entries;
mod reactions_free;
mod reactions_series;
mod setup;
mod solo;
mod spells;
mod teams;
mod teams_exchange;
mod teams_gifts;
mod traps;
mod traps_spells;
mod turn;
mod turn_refresh;
