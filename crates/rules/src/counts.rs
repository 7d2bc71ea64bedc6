//! How many flasks and wizards there are of each kind.

use crate::ids::{Colour, MAX_SEATS};

/// A player's flasks (R2.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, wire::Deserialize)]
pub struct Flasks {
    /// Still to fill.
    pub empty: u8,
    /// Full, to pay with.
    pub full: u8,
    /// Paid, out of the game; they count as filled (R9.2).
    pub spent: u8,
}

/// Wizards by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wizards(pub(crate) [u8; MAX_SEATS]);

impl Wizards {
    /// How many of a colour.
    pub const fn of(self, colour: Colour) -> u8 {
        self.0[colour as usize]
    }

    /// How many in all.
    pub fn total(self) -> u8 {
        self.0.iter().sum()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.total() == 0
    }

    /// Colours with how many, in notation order.
    pub fn iter(self) -> impl Iterator<Item = (Colour, u8)> {
        Colour::ALL
            .into_iter()
            .map(move |c| (c, self.of(c)))
            .filter(|&(_, n)| n > 0)
    }

    /// Adds one.
    pub fn add(&mut self, colour: Colour) {
        self.0[colour as usize] = self.0[colour as usize].saturating_add(1);
    }
}
