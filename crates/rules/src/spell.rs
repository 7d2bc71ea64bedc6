//! The eight spells, sets of them, and their costs (§10).

use std::fmt;

/// Declares the spells once, each with its code and its cost unless the table says otherwise (§10).
macro_rules! spells {
    ($($(#[doc = $doc:literal])+ $spell:ident, $code:literal, $cost:literal;)*) => {
        /// A spell.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Spell {
            $($(#[doc = $doc])+ $spell,)*
        }

        impl Spell {
            /// All eight, in the order of their clauses.
            pub const ALL: [Spell; [$(Spell::$spell),*].len()] = [$(Spell::$spell),*];

            /// Its two-letter code.
            pub const fn code(self) -> &'static str {
                match self {
                    $(Spell::$spell => $code,)*
                }
            }

            /// Its cost unless the table says otherwise (§10).
            pub const fn usual_cost(self) -> u8 {
                match self {
                    $(Spell::$spell => $cost,)*
                }
            }
        }
    };
}

spells! {
    /// `AW`, R10.1: any visible wizard 1 clockwise.
    AdvanceWizard, "AW", 2;
    /// `AT`, R10.2: any tower 2 clockwise.
    AdvanceTower, "AT", 1;
    /// `SW`, R10.3: exchange the topmost towers of two spaces.
    SwapTowers, "SW", 1;
    /// `HW`, R10.4: any visible wizard 1 counter-clockwise.
    HeadwindWizard, "HW", 2;
    /// `HT`, R10.5: any tower 2 counter-clockwise.
    HeadwindTower, "HT", 1;
    /// `NC`, R10.6: the castle to the next surface without wizards.
    NudgeCastle, "NC", 2;
    /// `PB`, R10.7: one more wizard makes the same move.
    Piggyback, "PB", 2;
    /// `FW`, R10.8: free a wizard from under a tower.
    FreeWizard, "FW", 2;
}

impl Spell {
    /// The spell with this code.
    pub fn from_code(code: &str) -> Option<Spell> {
        Spell::ALL.into_iter().find(|s| s.code() == code)
    }
}

impl fmt::Display for Spell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A set of spells.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SpellSet(u8);

// A ninth spell must not wrap silently. `Spell::ALL` has every spell, since both come from one declaration.
const _: () = assert!(Spell::ALL.len() <= u8::BITS as usize);

impl SpellSet {
    /// No spells.
    pub const NONE: SpellSet = SpellSet(0);
    /// All eight.
    pub const ALL: SpellSet = SpellSet((1u16 << Spell::ALL.len()).wrapping_sub(1) as u8);
    /// Advance a Wizard and Advance a Tower (R3.4).
    pub const BEGINNER: SpellSet = SpellSet(0b11);

    /// Whether the set contains a spell.
    #[inline]
    pub const fn contains(self, spell: Spell) -> bool {
        self.0 >> spell as u8 & 1 == 1
    }

    /// The set with a spell added.
    #[must_use]
    pub const fn with(self, spell: Spell) -> SpellSet {
        SpellSet(self.0 | 1 << spell as u8)
    }

    /// The intersection.
    #[must_use]
    pub const fn and(self, other: SpellSet) -> SpellSet {
        SpellSet(self.0 & other.0)
    }

    /// The difference.
    #[must_use]
    pub const fn without(self, other: SpellSet) -> SpellSet {
        SpellSet(self.0 & !other.0)
    }

    /// The number of spells.
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The spells, in the order of their clauses.
    pub fn iter(self) -> impl Iterator<Item = Spell> {
        Spell::ALL.into_iter().filter(move |&s| self.contains(s))
    }

    /// Every set of `k` spells.
    pub fn all_of_size(k: u8) -> impl Iterator<Item = SpellSet> {
        (0..=SpellSet::ALL.0)
            .map(SpellSet)
            .filter(move |s| s.len() == k)
    }
}

impl FromIterator<Spell> for SpellSet {
    fn from_iter<I: IntoIterator<Item = Spell>>(spells: I) -> SpellSet {
        spells.into_iter().fold(SpellSet::NONE, SpellSet::with)
    }
}

impl fmt::Debug for SpellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for SpellSet {
    /// Codes separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, spell) in self.iter().enumerate() {
            write!(f, "{}{spell}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// What each spell costs in full flasks, 1 to 3.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Costs([u8; Spell::ALL.len()]);

impl Costs {
    /// The standard costs (§10).
    pub fn usual() -> Costs {
        Costs(Spell::ALL.map(Spell::usual_cost))
    }

    /// The costs of the ABACUSSPIELE editions: one flask frees a wizard.
    pub fn abacus() -> Costs {
        Costs::usual().with(Spell::FreeWizard, 1)
    }

    /// What a spell costs.
    #[inline]
    pub const fn of(&self, spell: Spell) -> u8 {
        self.0[spell as usize]
    }

    /// These costs with one changed.
    #[must_use]
    pub const fn with(mut self, spell: Spell, cost: u8) -> Costs {
        self.0[spell as usize] = cost;
        self
    }
}

impl Default for Costs {
    fn default() -> Costs {
        Costs::usual()
    }
}

impl fmt::Debug for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(Spell::ALL.iter().map(|&s| (s.code(), self.of(s))))
            .finish()
    }
}
