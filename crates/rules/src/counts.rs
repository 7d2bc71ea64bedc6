//! How many flasks and wizards there are of each kind.

use crate::ids::{Colour, MAX_SEATS, Seat};

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

/// How many wizards of every owner are home, out of how many (R3.1, R6.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Home {
    counts: [u8; MAX_SEATS],
    each: u8,
    /// Whether all wizards of some owner are home: asked at the end of every turn.
    anyone: bool,
}

impl Home {
    /// Everyone has so many, and none of them is home.
    pub(crate) const fn none_of(each: u8) -> Home {
        Home {
            counts: [0; MAX_SEATS],
            each,
            anyone: false,
        }
    }

    /// How many wizards an owner has.
    #[inline]
    pub(crate) const fn each(self) -> u8 {
        self.each
    }

    /// How many of an owner's are home.
    #[inline]
    pub(crate) const fn count(self, owner: Seat) -> u8 {
        self.counts[owner.index()]
    }

    /// Whether all of an owner's are home.
    #[inline]
    pub(crate) const fn all_of(self, owner: Seat) -> bool {
        self.count(owner) == self.each
    }

    /// Whether all of some owner's are home.
    #[inline]
    pub(crate) const fn all_of_anyone(self) -> bool {
        self.anyone
    }

    /// So many of an owner's are home.
    pub(crate) fn set(&mut self, owner: Seat, count: u8) {
        self.counts[owner.index()] = count;
        self.anyone = self.counts.contains(&self.each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_whether_all_of_anyone_are_home() {
        let mut home = Home::none_of(3);
        assert!(!home.all_of_anyone());
        for count in 1..=3 {
            home.set(Seat(4), count);
            assert_eq!(home.count(Seat(4)), count);
            assert_eq!(home.all_of(Seat(4)), count == 3);
            assert_eq!(home.all_of_anyone(), count == 3);
        }
        assert!(!home.all_of(Seat(0)));
        home.set(Seat(4), 2);
        assert!(!home.all_of_anyone());
    }
}
