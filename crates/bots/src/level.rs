//! The levels a player can choose.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use wire::Deserialize;

/// How well a bot plays.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Sensible single moves, forgets imprisoned wizards after a few turns, ignores spells.
    Novice,
    /// Takes the action that looks best at once; remembers the latest prisoners only.
    #[default]
    Apprentice,
    /// Plans its whole turn and remembers everything.
    Adept,
    /// Plans its turn and plays out what may follow, as often as the budget allows.
    Master,
}

impl Level {
    /// All four, the weakest first.
    pub const ALL: [Level; 4] = [
        Level::Novice,
        Level::Apprentice,
        Level::Adept,
        Level::Master,
    ];

    /// Its name in lower case, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Novice => "novice",
            Level::Apprentice => "apprentice",
            Level::Adept => "adept",
            Level::Master => "master",
        }
    }

    /// Whether it uses its budget; the others answer at once.
    pub const fn searches(self) -> bool {
        matches!(self, Level::Master)
    }

    /// How it remembers who is imprisoned where.
    pub(crate) const fn recall(self) -> Recall {
        match self {
            Level::Novice => Recall {
                turns: 3,
                places: 2,
            },
            Level::Apprentice => Recall {
                turns: 8,
                places: 4,
            },
            Level::Adept | Level::Master => Recall {
                turns: u32::MAX,
                places: usize::MAX,
            },
        }
    }
}

/// The limits of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recall {
    /// How many turns of its own a bot remembers a surface it cannot see.
    pub turns: u32,
    /// How many surfaces with prisoners it can keep in mind.
    pub places: usize,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no such level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchLevel(pub String);

impl fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        write!(f, "there is no level '{}': choose one of {names}", self.0)
    }
}

impl std::error::Error for NoSuchLevel {}

impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(text: &str) -> Result<Level, NoSuchLevel> {
        Level::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| NoSuchLevel(text.into()))
    }
}
