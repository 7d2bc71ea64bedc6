//! Whether to cast in a window (§13). Windows are frequent and usually offer nothing: the planner alone decides to
//! pass, and only a cast that it rates much higher is searched.

use towers_rules::{Phase, Seat, SpellRight, State};

use crate::planner::ActionLine;
use crate::strength::Strength;

/// The gain in the chance to win that a spell in a window needs, in a game that is undecided: the value of its flasks
/// later on.
const MIN_GAIN: f32 = 0.13;
/// The same before a declaration, when waiting gives more information.
const MIN_GAIN_EARLY: f32 = 0.2;
/// The share of the budget for a search in a window.
pub(crate) const BUDGET_SHARE: f32 = 0.25;

/// Whether to pass without thinking: the active player can also cast while choosing, and others with a right of their
/// own can cast after the declaration.
pub(crate) fn can_wait(state: &State, seat: Seat) -> bool {
    let own_right = state.options().spell_right == SpellRight::Each;
    state.phase() == Phase::Opening && (own_right || seat == state.active())
}

/// The gain that a spell in a window needs, given the value of casting nothing. In a nearly decided game there is
/// little to save flasks for.
pub(crate) fn price(quiet: f32) -> f32 {
    MIN_GAIN * 4.0 * quiet * (1.0 - quiet)
}

/// The lines worth comparing with casting nothing, best first and including that one; only that one if there are none.
/// Casts are charged their price.
pub(crate) fn worth_casting(
    state: &State,
    strength: Strength,
    lines: Vec<ActionLine>,
) -> Vec<ActionLine> {
    let Some(quiet) = lines.iter().find(|l| l.is_quiet()).map(|l| l.value) else {
        return lines; // R13.4: a claimed spell has to be cast.
    };
    let price = match state.phase() {
        _ if strength < Strength::Adept => 0.0,
        Phase::Opening => MIN_GAIN_EARLY / MIN_GAIN * price(quiet),
        _ => price(quiet),
    };
    let charged = lines.into_iter().map(|mut line| {
        if !line.is_quiet() {
            line.price = price;
            line.value -= price;
        }
        line
    });
    let mut worth: Vec<ActionLine> = charged
        .filter(|line| line.is_quiet() || line.value > quiet)
        .collect();
    worth.sort_by(|a, b| b.value.total_cmp(&a.value));
    worth
}
