//! What the evaluation makes of a whole position: for looking back at games that are over, where everything is open. Not a
//! player: it is given the whole state, and no [`Bot`](crate::Bot) uses it.

use rules::State;
use serde::Serialize;
use wire::Deserialize;

use crate::net::Evaluation;

/// How a position looks to somebody who sees all hands and all prisoners, but not the order of the draw pile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimate {
    /// Everybody's chance to win, 0 to 1, by seat; partners share theirs.
    Win(Vec<f32>),
    /// Cards used in all at the end of a solo or cooperative game.
    Cards(f32),
}

/// Estimates a position.
///
/// ```
/// use bots::{Estimate, estimate};
/// let Estimate::Win(chances) = estimate(&rules::examples::opening()) else { unreachable!() };
/// assert!((chances.iter().sum::<f32>() - 1.0).abs() < 0.01);
/// ```
pub fn estimate(state: &State) -> Estimate {
    let evaluation = Evaluation::of(state);
    if state.shares_pieces() {
        return Estimate::Cards(-evaluation.value(state, rules::Seat(0)));
    }
    Estimate::Win(
        state
            .seats()
            .map(|seat| evaluation.value(state, seat))
            .collect(),
    )
}
