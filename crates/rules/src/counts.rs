//! Counts of flasks and of wizards by colour.

use crate::ids::{Colour, MAX_SEATS, Seat};

/// A player's flasks (R2.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flasks {
    /// Still to fill.
    pub empty: u8,
    /// Full, to pay with.
    pub full: u8,
    /// Paid, out of the game; they count as filled (R9.2).
    pub spent: u8,
}

/// Wizards by colour, up to 15 of each. A state contains these counts, so two colours share a byte.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Wizards([u8; MAX_SEATS / 2]);

impl Wizards {
    /// None at all.
    pub const NONE: Wizards = Wizards([0; MAX_SEATS / 2]);

    /// The number of wizards of a colour.
    pub const fn of(self, colour: Colour) -> u8 {
        self.0[colour as usize / 2] >> Wizards::shift(colour) & 15
    }

    /// The lowest bit of a colour's count in its byte.
    const fn shift(colour: Colour) -> u32 {
        colour as u32 % 2 * 4
    }

    /// Sets the number of wizards of a colour, at most 15.
    pub(crate) fn set(&mut self, colour: Colour, count: u8) {
        let shift = Wizards::shift(colour);
        let byte = &mut self.0[colour as usize / 2];
        *byte = *byte & !(15 << shift) | count.min(15) << shift;
    }

    /// The number of wizards of all colours.
    pub fn total(self) -> u8 {
        self.0.iter().map(|byte| (byte & 15) + (byte >> 4)).sum()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self == Wizards::NONE
    }

    /// The colours that occur with their counts, in notation order.
    pub fn iter(self) -> impl Iterator<Item = (Colour, u8)> {
        Colour::ALL
            .into_iter()
            .map(move |c| (c, self.of(c)))
            .filter(|&(_, n)| n > 0)
    }

    /// The colour of every single wizard, in notation order.
    pub fn colours(self) -> impl Iterator<Item = Colour> {
        self.iter()
            .flat_map(|(colour, n)| std::iter::repeat_n(colour, n.into()))
    }

    /// Adds one.
    pub fn add(&mut self, colour: Colour) {
        self.set(colour, self.of(colour) + 1);
    }
}

impl std::fmt::Debug for Wizards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Wizards({self})")
    }
}

/// How many wizards of each owner are home, out of how many (R3.1, R6.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Home {
    counts: [u8; MAX_SEATS],
    each: u8,
    /// Whether all wizards of some owner are home; read at the end of every turn.
    anyone: bool,
}

impl Home {
    /// Nobody is home yet, and every owner has `each` wizards.
    pub(crate) const fn none_of(each: u8) -> Home {
        Home {
            counts: [0; MAX_SEATS],
            each,
            anyone: false,
        }
    }

    /// The number of wizards of an owner.
    #[inline]
    pub(crate) const fn each(self) -> u8 {
        self.each
    }

    /// How many wizards of an owner are home.
    #[inline]
    pub(crate) const fn count(self, owner: Seat) -> u8 {
        self.counts[owner.index()]
    }

    /// Whether all wizards of an owner are home.
    #[inline]
    pub(crate) const fn all_of(self, owner: Seat) -> bool {
        self.count(owner) == self.each
    }

    /// Whether all wizards of at least one owner are home.
    #[inline]
    pub(crate) const fn all_of_anyone(self) -> bool {
        self.anyone
    }

    pub(crate) fn set(&mut self, owner: Seat, count: u8) {
        self.counts[owner.index()] = count;
        self.anyone = self.counts.contains(&self.each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wizards_of_one_colour_do_not_count_for_another() {
        for colour in Colour::ALL {
            let mut wizards: Wizards = "byrgop".parse().expect("one of each");
            for count in 2..=15 {
                wizards.add(colour);
                assert_eq!((wizards.of(colour), wizards.total()), (count, count + 5));
            }
            wizards.add(colour);
            assert_eq!(wizards.of(colour), 15, "it cannot grow any more");
            wizards.set(colour, 0);
            assert_eq!((wizards.of(colour), wizards.total()), (0, 5));
        }
        assert!(Wizards::default().is_empty());
    }

    #[test]
    fn all_of_anyone_follows_the_counts() {
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
