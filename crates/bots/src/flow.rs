//! Continuing without spells: the position that results if nobody casts any more in this action (§13).

use towers_rules::{Action, Actor, Observer, Phase, Seat, State};

/// The action that casts nothing where a player is asked for a spell: passing in a window (R13.3) or ending a series
/// (R13.5). `None` where a choice is required, which includes casting a claimed spell (R13.4).
pub(crate) fn quiet(state: &State) -> Option<Action> {
    match state.phase() {
        Phase::Opening | Phase::Window | Phase::Closing => Some(Action::Pass),
        Phase::Cast | Phase::Before | Phase::With => Some(Action::Done),
        Phase::After if state.turn().repeats.is_some() => Some(Action::Done),
        _ => None,
    }
}

/// Lets everybody pass and end their series until somebody has to choose or chance is next.
pub(crate) fn settle(state: &mut State) {
    settle_observed(state, &mut ());
}

/// Like [`settle`]; the observer receives the events.
pub(crate) fn settle_observed(state: &mut State, observer: &mut impl Observer) {
    while let (Some(action), Actor::Player(seat)) = (quiet(state), state.actor()) {
        state.apply_unchecked(seat, action, observer);
    }
}

/// Plays a seat's line as far as it is legal. In the windows in between everybody passes, and so does the seat unless
/// its line says otherwise.
pub(crate) fn follow(state: &mut State, seat: Seat, line: &[Action], observer: &mut impl Observer) {
    for &action in line {
        while !state.is_legal(seat, action) {
            match (quiet(state), state.actor()) {
                (Some(quiet), Actor::Player(asked)) => {
                    state.apply_unchecked(asked, quiet, observer);
                }
                // The wizard under a lifted tower may differ between sampled states.
                _ => return,
            }
        }
        state.apply_unchecked(seat, action, observer);
    }
}

/// Whether a new turn has begun.
pub(crate) fn turn_is_over(before: &State, after: &State) -> bool {
    before.active() != after.active() || before.round() != after.round()
}
