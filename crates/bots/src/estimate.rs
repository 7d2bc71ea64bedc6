//! The evaluation of a whole position, for reviewing games that are over. It reads the whole state; no
//! [`Bot`](crate::Bot) uses it.

use towers_rules::State;

use crate::net::Evaluation;

/// The evaluation of a position by an observer who sees all hands and all prisoners, but not the order of the draw
/// pile.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Estimate {
    /// Each seat's chance to win, 0 to 1; partners share theirs.
    Win(Vec<f32>),
    /// The total number of cards used at the end of a solo or cooperative game.
    Cards(f32),
}

/// Estimates a position.
///
/// ```
/// use towers_bots::{Estimate, estimate};
/// let Estimate::Win(chances) = estimate(&towers_rules::examples::opening()) else { unreachable!() };
/// assert!((chances.iter().sum::<f32>() - 1.0).abs() < 0.01);
/// ```
pub fn estimate(state: &State) -> Estimate {
    let evaluation = Evaluation::of(state);
    if state.shares_pieces() {
        return Estimate::Cards(-evaluation.value(state, towers_rules::Seat(0)));
    }
    Estimate::Win(
        state
            .seats()
            .map(|seat| evaluation.value(state, seat))
            .collect(),
    )
}
