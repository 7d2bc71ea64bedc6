//! The strengths of bots.

use std::fmt;
use std::str::FromStr;

/// How well a bot plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Sensible single moves, forgets imprisoned wizards after a few turns, ignores spells.
    Novice,
    /// Takes the action with the best immediate evaluation; remembers only the latest prisoners.
    #[default]
    Apprentice,
    /// Plans its whole turn and remembers everything.
    Adept,
    /// Plans its turn and plays out possible continuations, as often as the budget allows.
    Master,
}

impl Strength {
    /// All four, weakest first.
    pub const ALL: [Strength; 4] = [
        Strength::Novice,
        Strength::Apprentice,
        Strength::Adept,
        Strength::Master,
    ];

    /// Its name in lower case, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Strength::Novice => "novice",
            Strength::Apprentice => "apprentice",
            Strength::Adept => "adept",
            Strength::Master => "master",
        }
    }

    /// Whether it uses its budget; the others decide at once.
    pub const fn searches(self) -> bool {
        matches!(self, Strength::Master)
    }

    /// The limits of its memory of prisoners.
    pub(crate) const fn recall(self) -> Recall {
        match self {
            Strength::Novice => Recall {
                turns: 3,
                places: 2,
            },
            Strength::Apprentice => Recall {
                turns: 8,
                places: 4,
            },
            Strength::Adept | Strength::Master => Recall {
                turns: u32::MAX,
                places: usize::MAX,
            },
        }
    }
}

/// The limits of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recall {
    /// The number of its own turns after which a bot forgets a surface it cannot see.
    pub turns: u32,
    /// The number of surfaces with prisoners it can remember.
    pub places: usize,
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown name of a strength.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStrength(pub String);

impl fmt::Display for UnknownStrength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Strength::ALL.map(Strength::name).join(", ");
        write!(f, "unknown level '{}': choose one of {names}", self.0)
    }
}

impl std::error::Error for UnknownStrength {}

impl FromStr for Strength {
    type Err = UnknownStrength;

    fn from_str(text: &str) -> Result<Strength, UnknownStrength> {
        Strength::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| UnknownStrength(text.into()))
    }
}
