//! Luck as a number, and its meaning.
//!
//! *Dice*: how far the sum of all rolls is above the mean, in standard deviations. Nearly everybody is between −2 and
//! 2. A high roll is not always a good one: the number says whether the dice were high, not whether they helped.
//!
//! *Cards*: every drawn card is compared with all cards that could have been drawn at that moment, by the evaluation of
//! the resulting position minus the mean over all of them. The sum is in points of the chance to win, or in cards saved
//! in cooperative games. It is only as accurate as the evaluation.

#[cfg(feature = "analysis")]
mod measure;

use serde::{Deserialize, Serialize};

#[cfg(feature = "analysis")]
pub use measure::luck;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    pub rolls: u32,
    /// The sum of the rolls.
    pub pips: u32,
    /// The number of cards drawn after the deal.
    pub draws: u32,
    /// The value of the drawn cards above the mean: chance to win from 0 to 1, or cards saved.
    pub cards: f32,
}

impl Luck {
    /// How far the dice are above the mean, in standard deviations; `None` without rolls.
    pub fn dice(&self) -> Option<f32> {
        let n = self.rolls as f32;
        let variance = 35.0 / 12.0;
        (self.rolls > 0).then(|| (self.pips as f32 - 3.5 * n) / (n * variance).sqrt())
    }
}
