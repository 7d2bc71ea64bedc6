//! The evaluation of solo and cooperative games: from features to the number of cards still needed.
//!
//! One hidden layer and one output. There are two nets: without spells, and with spells and flasks.

use std::sync::LazyLock;

use towers_rules::{Seat, SpellSet, State};

use crate::rows::{List, Row};
use crate::shared_features::{FEATURES, features};

/// The number of units in the hidden layer; a row has a weight for each.
#[cfg(any(test, feature = "tuning"))]
pub(crate) const HIDDEN: usize = 64;

/// The weights, in steps of `STEP`.
#[derive(Clone)]
pub struct SharedNet {
    pub(crate) rows: Vec<Row>,
    pub(crate) bias: Row,
    pub(crate) out: Row,
}

/// The weight that a stored 1 stands for.
pub(crate) const STEP: f32 = 1.0 / 40.0;
/// The number of cards per unit of output.
pub(crate) const CARDS: f32 = 2.0;

impl SharedNet {
    /// A net from stored bytes; missing ones are zero.
    pub fn from_bytes(bytes: &[u8]) -> SharedNet {
        let mut numbers = bytes.iter().map(|&b| i16::from(b.cast_signed()));
        let mut row = || std::array::from_fn(|_| numbers.next().unwrap_or(0));
        SharedNet {
            rows: (0..FEATURES).map(|_| row()).collect(),
            bias: row(),
            out: row(),
        }
    }

    /// The bytes to store.
    #[cfg(feature = "tuning")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().chain([&self.bias, &self.out]);
        rows.flatten()
            .map(|&w| (w.clamp(-127, 127) as i8).cast_unsigned())
            .collect()
    }

    /// The cards still needed.
    #[inline]
    pub(crate) fn cards(&self, state: &State) -> f32 {
        let mut list = List::<96>::new();
        features(state, |feature, times| list.push(feature, times));
        let hidden = list.sum(&self.rows, &self.bias);
        let sum: i32 = hidden
            .iter()
            .zip(&self.out)
            .map(|(&h, &o)| i32::from(h.max(0)) * i32::from(o))
            .sum();
        let cards = usual(state) + sum as f32 * (STEP * STEP * CARDS);
        // A game that is not over takes at least one more card.
        cards.max(1.0 + 0.01 * cards)
    }
}

/// The usual number of cards needed: two per wizard, one per empty flask. The net predicts the difference.
pub(crate) fn usual(state: &State) -> f32 {
    let all = Seat(0);
    let left = state.wizards_each() - state.home(all);
    f32::from(2 * left + state.flasks(all).empty)
}

/// The nets without and with spells.
static NETS: LazyLock<[SharedNet; 2]> = LazyLock::new(|| {
    [
        SharedNet::from_bytes(include_bytes!("../weights/solo.bin")),
        SharedNet::from_bytes(include_bytes!("../weights/solo-spells.bin")),
    ]
});

/// The net for this table.
pub(crate) fn net_for(state: &State) -> &'static SharedNet {
    &NETS[usize::from(state.spells() != SpellSet::NONE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A net tuned for other features would play nonsense.
    #[test]
    fn stored_weights_fit_the_features() {
        let one = (FEATURES + 2) * HIDDEN;
        assert_eq!(include_bytes!("../weights/solo.bin").len(), one);
        assert_eq!(include_bytes!("../weights/solo-spells.bin").len(), one);
    }
}
