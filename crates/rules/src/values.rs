//! The values of the rules settings: their texts and their packed form.

use crate::spell::{Costs, Spell, SpellSet};

/// A value of a rules setting, with a text and a packed form of a few bits.
pub(crate) trait OptionValue: Copy + PartialEq {
    /// The width of the packed form.
    const BITS: u32;
    /// The texts of all values; empty if there are too many to list.
    const NAMES: &'static [&'static str];

    fn to_bits(self) -> u64;
    /// The value of the lowest [`BITS`](OptionValue::BITS) bits; higher bits are ignored.
    fn from_bits(bits: u64) -> Self;
    fn text(self) -> String;
    /// The value with this text; parts it does not mention keep their value in `current`.
    fn parse(text: &str, current: Self) -> Option<Self>;
}

impl OptionValue for bool {
    const BITS: u32 = 1;
    const NAMES: &'static [&'static str] = &["false", "true"];

    #[inline]
    fn to_bits(self) -> u64 {
        self.into()
    }

    #[inline]
    fn from_bits(bits: u64) -> bool {
        bits & 1 == 1
    }

    fn text(self) -> String {
        self.to_string()
    }

    fn parse(text: &str, _: bool) -> Option<bool> {
        text.parse().ok()
    }
}

/// A limit on rounds; packed as 0 if there is none.
impl OptionValue for Option<u16> {
    const BITS: u32 = 16;
    const NAMES: &'static [&'static str] = &[];

    #[inline]
    fn to_bits(self) -> u64 {
        self.unwrap_or(0).into()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<u16> {
        Some(bits as u16).filter(|&cap| cap > 0)
    }

    fn text(self) -> String {
        self.map_or("null".into(), |cap| cap.to_string())
    }

    fn parse(text: &str, _: Option<u16>) -> Option<Option<u16>> {
        match text {
            "null" => Some(None),
            _ => text.parse().ok().map(Some),
        }
    }
}

/// The width of a spell's cost, 1 to 3.
pub(crate) const COST_BITS: u32 = 2;

impl OptionValue for Costs {
    const BITS: u32 = COST_BITS * Spell::ALL.len() as u32;
    const NAMES: &'static [&'static str] = &[];

    fn to_bits(self) -> u64 {
        let cost = |spell: Spell| u64::from(self.of(spell) & 3) << (COST_BITS * spell as u32);
        Spell::ALL.into_iter().map(cost).sum()
    }

    fn from_bits(bits: u64) -> Costs {
        let cost = |spell: Spell| (bits >> (COST_BITS * spell as u32)) as u8 & 3;
        let costs = Spell::ALL.into_iter();
        costs.fold(Costs::usual(), |costs, spell| {
            costs.with(spell, cost(spell))
        })
    }

    /// All costs, as in `AW:2,AT:1,…`.
    fn text(self) -> String {
        let costs = Spell::ALL.map(|spell| format!("{spell}:{}", self.of(spell)));
        costs.join(",")
    }

    fn parse(text: &str, current: Costs) -> Option<Costs> {
        let mut given = SpellSet::NONE;
        let mut costs = current;
        for entry in text.split(',') {
            let (spell, cost) = entry.split_once(':')?;
            let spell = Spell::from_code(spell).filter(|&s| !given.contains(s))?;
            given = given.with(spell);
            costs = costs.with(spell, cost.parse().ok().filter(|c| (1..=3).contains(c))?);
        }
        Some(costs)
    }
}

/// Declares a setting with a few named values.
macro_rules! choice {
    ($(#[$meta:meta])* $type:ident { $($(#[$variant_meta:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $type {
            $($(#[$variant_meta])* #[cfg_attr(feature = "serde", serde(rename = $name))] $variant,)*
        }

        impl $type {
            const VALUES: &'static [$type] = &[$($type::$variant),*];

            /// Its name in traces, positions and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }
        }

        impl OptionValue for $type {
            const BITS: u32 = ($type::VALUES.len() as u32 - 1).ilog2() + 1;
            const NAMES: &'static [&'static str] = &[$($name),*];

            #[inline]
            fn to_bits(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> $type {
                let bits = bits & ((1 << Self::BITS) - 1);
                // Comparisons instead of a table: the compiler turns a query of one field into a single test.
                $(if bits == $type::$variant as u64 {
                    return $type::$variant;
                })*
                $type::default()
            }

            fn text(self) -> String {
                self.name().into()
            }

            fn parse(text: &str, _: $type) -> Option<$type> {
                $type::VALUES.iter().copied().find(|value| value.name() == text)
            }
        }
    };
}

choice! {
    /// Against each other, alone, or together.
    Mode {
        /// 2–6 players against each other, alone or in teams.
        #[default]
        Versus = "versus",
        /// One player, 12 wizards (§14).
        Solo = "solo",
        /// 2–6 players together, 12 wizards (§15).
        Coop = "coop",
    }
}

choice! {
    /// Whether something was chosen by the table or drawn at random.
    Selection {
        /// Chosen by the table.
        #[default]
        Chosen = "chosen",
        /// Drawn at random.
        Random = "random",
    }
}

choice! {
    /// Whether a tower moves on a refresh (R4.4).
    RefreshTower {
        /// The player decides.
        May = "may",
        /// One moves if any can.
        #[default]
        Must = "must",
    }
}

choice! {
    /// When the new cards of a refresh are drawn (R4.5).
    RefreshDraw {
        /// Right after the discard, before the tower is chosen.
        First = "first",
        /// At the end of the turn, as always.
        #[default]
        Last = "last",
    }
}

choice! {
    /// Whose wizard, brought home by the active player's spell, ends their turn (R9.3).
    EntryEnds {
        /// Anybody's.
        #[default]
        Any = "any",
        /// One of the colour the caster moves with cards.
        Own = "own",
    }
}

choice! {
    /// Who may give full flasks to whom (R12.3).
    Gifts {
        /// Partners give each other.
        #[default]
        Both = "both",
        /// The partner gives to the active player.
        ToActive = "to_active",
    }
}

choice! {
    /// When a team game ends once a team has finished (R12.8).
    TeamEnd {
        /// The round is played out.
        #[default]
        Round = "round",
        /// The game ends at once, in the middle of the round.
        AtOnce = "at_once",
    }
}

choice! {
    /// How many spells an action can have with reactions (R13.1).
    SpellRight {
        /// One for all players together.
        Shared = "shared",
        /// One for each player.
        #[default]
        Each = "each",
    }
}

choice! {
    /// When spells can be cast with reactions (R13.2).
    SpellTime {
        /// After a declaration.
        Declared = "declared",
        /// After a declaration, and by the active player throughout the turn.
        Turn = "turn",
        /// After a declaration, and by everyone before and after each action.
        #[default]
        Any = "any",
    }
}

choice! {
    /// What an empty draw pile means in solo and cooperative games (R14.4).
    SoloDeck {
        /// The game is lost.
        #[default]
        Lose = "lose",
        /// The discard pile is shuffled and drawn from.
        Renew = "renew",
    }
}

choice! {
    /// When a spell is cast in solo and cooperative games (R14.6).
    SoloSpell {
        /// After the card's move.
        #[default]
        After = "after",
        /// At any moment of the turn.
        Any = "any",
    }
}

choice! {
    /// Whose cards they are in cooperative games (R15.2).
    CoopHands {
        /// Three cards face up for all.
        #[default]
        Shared = "shared",
        /// Three cards each.
        Private = "private",
    }
}

choice! {
    /// Whether views show imprisoned wizards (R16.2).
    Memory {
        /// They do not: players have to remember.
        #[default]
        Strict = "strict",
        /// They do.
        Assisted = "assisted",
    }
}
