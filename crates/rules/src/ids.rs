//! Identifiers: colours, seats, spaces, surfaces, towers.

use std::fmt;

/// The number of spaces of the ring (R2.1).
pub const SPACES: usize = 16;
/// The number of towers (R2.3).
pub const TOWERS: usize = 9;
/// The number of surfaces on which wizards can stand: 16 grounds and 9 tower tops.
pub const SURFACES: usize = SPACES + TOWERS;
/// The most players at a table.
pub const MAX_SEATS: usize = 6;
/// The most wizards on a surface (R5.3).
pub const CAPACITY: u8 = 6;

/// A player colour (R2.6), in the order in which notation writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Colour {
    /// `b`
    Blue,
    /// `y`
    Yellow,
    /// `r`
    Red,
    /// `g`
    Green,
    /// `o`
    Orange,
    /// `p`
    Purple,
}

impl Colour {
    /// All six, in notation order.
    pub const ALL: [Colour; MAX_SEATS] = [
        Colour::Blue,
        Colour::Yellow,
        Colour::Red,
        Colour::Green,
        Colour::Orange,
        Colour::Purple,
    ];

    /// The letter that notation uses.
    pub const fn letter(self) -> char {
        match self {
            Colour::Blue => 'b',
            Colour::Yellow => 'y',
            Colour::Red => 'r',
            Colour::Green => 'g',
            Colour::Orange => 'o',
            Colour::Purple => 'p',
        }
    }

    /// The colour with this letter.
    pub fn from_letter(letter: char) -> Option<Colour> {
        Colour::ALL.into_iter().find(|c| c.letter() == letter)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A place at the table, counted clockwise from 0 (R3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One of the sixteen spaces of the ring, 0–15 clockwise (R2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Space(u8);

impl Space {
    /// The space with this number, if there is one.
    pub const fn new(number: u8) -> Option<Space> {
        if number < SPACES as u8 {
            Some(Space(number))
        } else {
            None
        }
    }

    /// The space with this number modulo 16.
    pub const fn wrapping(number: u8) -> Space {
        Space(number & 15)
    }

    /// Its number, 0–15.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The space as an index.
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The space `steps` further clockwise.
    #[must_use]
    pub const fn ahead(self, steps: u8) -> Space {
        Space((self.0.wrapping_add(steps)) & 15)
    }

    /// The space `steps` further counter-clockwise.
    #[must_use]
    pub const fn behind(self, steps: u8) -> Space {
        Space((self.0.wrapping_sub(steps)) & 15)
    }

    /// This space as a bit of a 16-bit mask.
    pub(crate) const fn bit(self) -> u16 {
        1 << (self.0 & 15)
    }

    /// All sixteen, clockwise from 0.
    pub fn all() -> impl Iterator<Item = Space> {
        (0..SPACES as u8).map(Space)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// One of the nine towers, A–I (R2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tower(u8);

impl Tower {
    /// The tower with this index, 0–8.
    pub const fn new(index: u8) -> Option<Tower> {
        if index < TOWERS as u8 {
            Some(Tower(index))
        } else {
            None
        }
    }

    pub(crate) const fn at(index: u8) -> Tower {
        debug_assert!(index < TOWERS as u8);
        Tower(index)
    }

    /// The tower as an index, 0–8.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter, A–I.
    pub const fn letter(self) -> char {
        (b'A' + self.0) as char
    }

    /// The tower with this letter.
    pub fn from_letter(letter: char) -> Option<Tower> {
        Tower::all().find(|t| t.letter() == letter)
    }

    /// Whether it carries a raven shield: A, C, E, G, I do (R2.3).
    pub const fn has_shield(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// The surface on its top.
    pub const fn top(self) -> Surface {
        Surface(SPACES as u8 + self.0)
    }

    /// All nine, A first.
    pub fn all() -> impl Iterator<Item = Tower> {
        (0..TOWERS as u8).map(Tower)
    }
}

impl fmt::Display for Tower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A place where wizards can stand: the ground of a space or the top of a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surface(u8);

impl Surface {
    /// The ground of a space.
    pub const fn ground(space: Space) -> Surface {
        Surface(space.0)
    }

    pub(crate) const fn at(index: u8) -> Surface {
        debug_assert!(index < SURFACES as u8);
        Surface(index)
    }

    /// The surface as an index, grounds first.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn raw(self) -> u8 {
        self.0
    }

    /// The tower whose top this is, if it is one.
    pub const fn tower(self) -> Option<Tower> {
        if self.0 >= SPACES as u8 {
            Some(Tower(self.0 - SPACES as u8))
        } else {
            None
        }
    }

    /// Whether a raven shield is printed here (R2.2, R2.3).
    pub const fn has_shield(self) -> bool {
        const SHIELDS: u32 = 0b1_0101_0101_0001_0001_0001_0001;
        SHIELDS >> self.0 & 1 == 1
    }

    /// All 25, grounds first.
    pub fn all() -> impl Iterator<Item = Surface> {
        (0..SURFACES as u8).map(Surface)
    }
}

impl fmt::Display for Surface {
    /// A ground is written as its space's number, a tower top as its letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tower() {
            Some(tower) => write!(f, "{tower}"),
            None => write!(f, "{}", self.0),
        }
    }
}
