//! Perft: counting positions to compare with other implementations and with earlier versions.

use crate::action::Action;
use crate::state::{Actor, State};

/// The number of positions `depth` decisions ahead. Every different outcome of chance is followed and counted
/// separately; chance is not a decision.
pub fn perft(state: &State, depth: u32) -> u64 {
    match state.actor() {
        Actor::Nobody => 1,
        Actor::Chance => state
            .chance_outcomes()
            .into_iter()
            .map(|(chance, _)| {
                let mut after = *state;
                after
                    .apply_chance(chance)
                    .map_or(0, |()| perft(&after, depth))
            })
            .sum(),
        Actor::Player(_) if depth == 0 => 1,
        Actor::Player(_) => divide(state, depth).into_iter().map(|(_, n)| n).sum(),
    }
}

/// [`perft`] split by first action.
pub fn divide(state: &State, depth: u32) -> Vec<(Action, u64)> {
    let Actor::Player(seat) = state.actor() else {
        return Vec::new();
    };
    if depth == 0 {
        return Vec::new();
    }
    let count = |action: Action| {
        let mut after = *state;
        after.apply_unchecked(seat, action, &mut ());
        (action, perft(&after, depth - 1))
    };
    state.legal_actions().iter().map(count).collect()
}
