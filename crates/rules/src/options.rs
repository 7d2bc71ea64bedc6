//! Editions and rules settings (§17).
//!
//! Every setting is declared once, in the table at the end of this file. Its name, values, parsing and printing, its
//! value in each edition and its bits in a state's packed form follow from that.

use std::fmt;

use crate::spell::{Costs, Spell};
use crate::values::{
    COST_BITS, CoopHands, EntryEnds, Gifts, Memory, Mode, OptionValue, RefreshDraw, RefreshTower,
    Selection, SoloDeck, SoloSpell, SpellRight, SpellTime, TeamEnd,
};

/// A printed edition, which provides default [`Options`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Preset {
    /// Capstone Games, English.
    #[default]
    Capstone,
    /// ABACUSSPIELE, first printing.
    #[cfg_attr(feature = "serde", serde(rename = "abacus-1"))]
    Abacus1,
    /// ABACUSSPIELE, later printing.
    #[cfg_attr(feature = "serde", serde(rename = "abacus-2"))]
    Abacus2,
    /// OYA, French.
    Oya,
}

impl Preset {
    /// All four, in the order of the columns of §17.
    pub const ALL: [Preset; 4] = [
        Preset::Capstone,
        Preset::Abacus1,
        Preset::Abacus2,
        Preset::Oya,
    ];

    /// Its name on the command line and in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Capstone => "capstone",
            Preset::Abacus1 => "abacus-1",
            Preset::Abacus2 => "abacus-2",
            Preset::Oya => "oya",
        }
    }

    /// The preset with this name.
    pub fn from_name(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Whether the edition has solo and cooperative games.
    pub const fn has_solo(self) -> bool {
        matches!(self, Preset::Capstone | Preset::Oya)
    }

    /// The options of the edition for a mode.
    pub fn options(self, mode: Mode) -> Options {
        Options {
            mode,
            ..self.column()
        }
    }

    /// Whether the rulebook of the edition has this value of a field. OYA leaves it to cooperative players whether they
    /// share a hand (R15.2).
    pub fn prints(self, field: Field, value: &str) -> bool {
        self == Preset::Oya && field == Field::CoopHands || self.column().get(field) == value
    }
}

/// An unknown field or value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such field.
    #[error("there is no rules field '{0}'")]
    Field(String),
    /// The field has no such value.
    #[error("'{value}' is not a value of {field}: {}", expected(*field))]
    Value {
        /// The field that was to be set.
        field: Field,
        /// The text that is none of its values.
        value: String,
    },
}

fn expected(field: Field) -> String {
    match field {
        Field::Costs => "expected costs of 1 to 3 such as AW:2,FW:1".into(),
        Field::MaxRounds => "expected a number of rounds, or null".into(),
        _ => format!("expected {}", field.values().join(" or ")),
    }
}

/// A field in which a table differs from its edition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Departure {
    /// The field that differs.
    pub field: Field,
    /// The table's value.
    pub table: String,
    /// The edition's value.
    pub printed: String,
}

/// Declares [`Options`], [`Field`] and [`Packed`]. A field with `= […]` is part of an edition's rules: it has one value
/// per preset, in the order of [`Preset::ALL`], then the value that applied before the field existed. The other fields
/// are the table's choice in every edition.
macro_rules! options {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $name:ident: $type:ty, $clause:literal
        $(= [$capstone:expr, $abacus_1:expr, $abacus_2:expr, $oya:expr] before $before:expr)?;
    )*) => {
        /// Every rules setting of a table, in the order of a trace's header.
        ///
        /// A field missing in a record takes the value that applied before the field existed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default = "Options::before_fields"))]
        pub struct Options {
            $($(#[doc = $doc])+ pub $name: $type,)*
        }

        /// The name of a rules setting.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        pub enum Field {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Field {
            /// All fields, in the order of a trace's header.
            pub const ALL: &'static [Field] = &[$(Field::$variant),*];

            /// Its name in traces, positions and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Field::$variant => stringify!($name),)*
                }
            }

            /// A short description for developers.
            pub fn about(self) -> &'static str {
                match self {
                    $(Field::$variant => concat!($($doc),+).trim(),)*
                }
            }

            /// The clause of the rules that describes it.
            pub const fn clause(self) -> &'static str {
                match self {
                    $(Field::$variant => $clause,)*
                }
            }

            /// The texts of its values; empty if there are too many to list.
            pub const fn values(self) -> &'static [&'static str] {
                match self {
                    $(Field::$variant => <$type as OptionValue>::NAMES,)*
                }
            }

            /// Whether an edition's rulebook sets it; otherwise it is the table's choice.
            pub const fn is_of_edition(self) -> bool {
                match self {
                    $(Field::$variant => [$({ let _ = stringify!($capstone); true },)? false][0],)*
                }
            }

            /// The lowest bit of its value in the packed form.
            const fn offset(self) -> u32 {
                const BITS: &[u32] = &[$(<$type as OptionValue>::BITS),*];
                let (mut offset, mut i) = (0, 0);
                while i < self as usize {
                    offset += BITS[i];
                    i += 1;
                }
                offset
            }
        }

        impl Options {
            /// The text of a field's value.
            pub fn get(&self, field: Field) -> String {
                match field {
                    $(Field::$variant => self.$name.text(),)*
                }
            }

            /// Sets a field to the value with this text.
            pub fn set(&mut self, field: Field, text: &str) -> Result<(), OptionError> {
                let wrong = || OptionError::Value { field, value: text.into() };
                match field {
                    $(Field::$variant => self.$name = <$type>::parse(text, self.$name).ok_or_else(wrong)?,)*
                }
                Ok(())
            }

            /// The values that applied before a field existed; used for fields missing in a record.
            #[cfg(feature = "serde")]
            fn before_fields() -> Options {
                Options {
                    $($name: [$($before,)? Default::default()][0],)*
                }
            }
        }

        impl Preset {
            /// The values of the edition's rulebook; the other fields have their defaults.
            fn column(self) -> Options {
                let _preset = self as usize;
                Options {
                    $($name: [$([$capstone, $abacus_1, $abacus_2, $oya][_preset],)? Default::default()][0],)*
                }
            }
        }

        impl Packed {
            pub(crate) fn new(options: &Options) -> Packed {
                let bits = 0 $(| options.$name.to_bits() << Field::$variant.offset())*;
                Packed(bits).with_cached_flags()
            }

            pub(crate) fn options(self) -> Options {
                Options {
                    $($name: self.$name(),)*
                }
            }

            $(
                #[inline]
                pub(crate) fn $name(self) -> $type {
                    const OFFSET: u32 = Field::$variant.offset();
                    <$type>::from_bits(self.0 >> OFFSET)
                }
            )*
        }

        // A ninth spell or one more field must not wrap silently.
        const _: () = assert!(0 $(+ <$type as OptionValue>::BITS)* <= CACHED_FLAGS.trailing_zeros());
    };
}

/// [`Options`] in one word: a state is copied often, so it has to be small.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Packed(u64);

options! {
    /// Versus, solo or cooperative.
    Mode mode: Mode, "R14.1";
    /// Partners sit opposite (§12).
    Teams teams: bool, "R12.1";
    /// Everybody may cast during everybody's turn (§13).
    Reactions reactions: bool, "R13.1";
    /// A card may be played without moving though it could move.
    MayDecline may_decline: bool, "R4.2"
        = [false, false, false, false] before false;
    /// Whether the spells in play are chosen or drawn.
    SpellSetup spell_setup: Selection, "R3.4";
    /// Whether the starting player is chosen or drawn.
    StartSetup start_setup: Selection, "R3.5";
    /// Whether a tower moves on a refresh.
    RefreshTower refresh_tower: RefreshTower, "R4.4"
        = [RefreshTower::Must, RefreshTower::May, RefreshTower::May, RefreshTower::May] before RefreshTower::May;
    /// When the new cards of a refresh are drawn.
    RefreshDraw refresh_draw: RefreshDraw, "R4.5"
        = [RefreshDraw::Last, RefreshDraw::First, RefreshDraw::First, RefreshDraw::Last] before RefreshDraw::Last;
    /// Whether a spell can be cast after a refresh.
    RefreshSpell refresh_spell: bool, "R9.1"
        = [true, false, false, true] before true;
    /// Whose wizard, brought home by a spell, ends the caster's turn.
    EntryEnds entry_ends: EntryEnds, "R9.3"
        = [EntryEnds::Any, EntryEnds::Own, EntryEnds::Own, EntryEnds::Own] before EntryEnds::Any;
    /// Whether a declined exchange leaves the other way to begin one.
    OfferAfterRefusal offer_after_refusal: bool, "R12.2"
        = [false, true, true, true] before false;
    /// Who may give full flasks to whom.
    Gifts gifts: Gifts, "R12.3"
        = [Gifts::Both, Gifts::Both, Gifts::Both, Gifts::ToActive] before Gifts::Both;
    /// When a team game ends once a team has finished.
    TeamEnd team_end: TeamEnd, "R12.8"
        = [TeamEnd::Round, TeamEnd::AtOnce, TeamEnd::AtOnce, TeamEnd::Round] before TeamEnd::Round;
    /// How many spells an action can have with reactions.
    SpellRight spell_right: SpellRight, "R13.1"
        = [SpellRight::Each, SpellRight::Shared, SpellRight::Shared, SpellRight::Shared] before SpellRight::Shared;
    /// When spells can be cast with reactions.
    SpellTime spell_time: SpellTime, "R13.2"
        = [SpellTime::Any, SpellTime::Any, SpellTime::Turn, SpellTime::Declared] before SpellTime::Declared;
    /// Whether others can react to a refresh.
    RefreshWindow refresh_window: bool, "R13.2"
        = [true, true, true, false] before true;
    /// Free a Wizard needs no right to cast.
    FreeAnyTime free_any_time: bool, "R13.11"
        = [false, true, false, false] before false;
    /// What an empty draw pile means in solo and cooperative games.
    SoloDeck solo_deck: SoloDeck, "R14.4"
        = [SoloDeck::Lose, SoloDeck::Lose, SoloDeck::Lose, SoloDeck::Renew] before SoloDeck::Lose;
    /// Whether solo and cooperative games have a refresh.
    SoloRefresh solo_refresh: bool, "R14.5"
        = [false, false, false, true] before false;
    /// When a spell is cast in solo and cooperative games.
    SoloSpell solo_spell: SoloSpell, "R14.6"
        = [SoloSpell::After, SoloSpell::After, SoloSpell::After, SoloSpell::Any] before SoloSpell::After;
    /// Whose cards they are in cooperative games.
    CoopHands coop_hands: CoopHands, "R15.2"
        = [CoopHands::Shared, CoopHands::Shared, CoopHands::Shared, CoopHands::Shared] before CoopHands::Shared;
    /// Whether views show imprisoned wizards.
    Memory memory: Memory, "R16.2"
        = [Memory::Strict, Memory::Strict, Memory::Strict, Memory::Strict] before Memory::Strict;
    /// What each spell costs.
    Costs costs: Costs, "R10"
        = [Costs::usual(), Costs::abacus(), Costs::abacus(), Costs::usual()] before Costs::usual();
    /// The game ends after this many rounds.
    MaxRounds max_rounds: Option<u16>, "R11.7"
        = [None, None, None, None] before None;
}

/// Flags derived from the options and read every turn.
const HAS_REFRESH: u64 = 1 << 63;
const OPENS_ACTIONS: u64 = 1 << 62;
const REFRESHES_FIRST: u64 = 1 << 61;
const MAY_LEAVE_TOWERS: u64 = 1 << 60;
const CACHED_FLAGS: u64 = HAS_REFRESH | OPENS_ACTIONS | REFRESHES_FIRST | MAY_LEAVE_TOWERS;

impl Packed {
    fn with_cached_flags(self) -> Packed {
        let flags = [
            (
                self.mode() == Mode::Versus || self.solo_refresh(),
                HAS_REFRESH,
            ),
            (
                self.reactions() && self.spell_time() == SpellTime::Any,
                OPENS_ACTIONS,
            ),
            (self.refresh_draw() == RefreshDraw::First, REFRESHES_FIRST),
            (self.refresh_tower() == RefreshTower::May, MAY_LEAVE_TOWERS),
        ];
        let set = flags.into_iter().filter(|(is_set, _)| *is_set);
        Packed(set.fold(self.0, |bits, (_, flag)| bits | flag))
    }

    /// Whether there is a refresh (R4.4, R14.5).
    #[inline]
    pub(crate) const fn has_refresh(self) -> bool {
        self.0 & HAS_REFRESH != 0
    }

    /// Whether a refresh draws its cards before the tower is chosen (R4.5).
    #[inline]
    pub(crate) const fn refreshes_first(self) -> bool {
        self.0 & REFRESHES_FIRST != 0
    }

    /// Whether a refresh may move no tower (R4.4).
    #[inline]
    pub(crate) const fn may_leave_towers(self) -> bool {
        self.0 & MAY_LEAVE_TOWERS != 0
    }

    /// Whether a turn can have unusual actions: a partner's, or playing a card without moving.
    #[inline]
    pub(crate) const fn changes_turns(self) -> bool {
        const FLAGS: u64 = 1 << Field::Teams.offset() | 1 << Field::MayDecline.offset();
        self.0 & FLAGS != 0
    }

    /// Whether there are windows before and after each action (R13.2).
    #[inline]
    pub(crate) const fn opens_actions(self) -> bool {
        self.0 & OPENS_ACTIONS != 0
    }

    #[inline]
    pub(crate) const fn cost(self, spell: Spell) -> u8 {
        (self.0 >> (Field::Costs.offset() + COST_BITS * spell as u32)) as u8 & 3
    }

    /// Whether a round is the last one allowed, or beyond it (R11.7).
    #[inline]
    pub(crate) const fn is_last_round(self, round: u16) -> bool {
        let cap = (self.0 >> Field::MaxRounds.offset()) as u16;
        round > cap.wrapping_sub(1)
    }
}

impl Default for Options {
    fn default() -> Options {
        Preset::default().options(Mode::default())
    }
}

impl Options {
    /// The fields in which these rules differ from an edition's rulebook; empty if they are as printed.
    ///
    /// ```
    /// use towers_rules::{Field, Gifts, Mode, Preset};
    /// let mut options = Preset::Oya.options(Mode::Versus);
    /// assert!(options.departures(Preset::Oya).is_empty());
    /// options.gifts = Gifts::Both;
    /// let departures = options.departures(Preset::Oya);
    /// assert_eq!(departures[0].field, Field::Gifts);
    /// assert_eq!((&*departures[0].table, &*departures[0].printed), ("both", "to_active"));
    /// ```
    pub fn departures(&self, preset: Preset) -> Vec<Departure> {
        let printed = preset.options(self.mode);
        let of_edition = Field::ALL.iter().filter(|field| field.is_of_edition());
        of_edition
            .map(|&field| Departure {
                field,
                table: self.get(field),
                printed: printed.get(field),
            })
            .filter(|departure| !preset.prints(departure.field, &departure.table))
            .collect()
    }

    /// Sets a field by name to a value by its text, as in `spell_right=each`.
    pub fn set_by_name(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        self.set(name.parse()?, text)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Field {
    type Err = OptionError;

    fn from_str(name: &str) -> Result<Field, OptionError> {
        let field = Field::ALL.iter().copied().find(|f| f.name() == name);
        field.ok_or_else(|| OptionError::Field(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_packs_and_prints_every_value() {
        for &field in Field::ALL {
            assert_eq!(field.name().parse(), Ok(field));
            let texts = match field {
                Field::Costs => &["AW:1,AT:2,SW:3,HW:1,HT:2,NC:3,PB:1,FW:2"][..],
                Field::MaxRounds => &["null", "1", "65535"],
                _ => field.values(),
            };
            for text in texts {
                for preset in Preset::ALL {
                    let mut options = preset.options(Mode::Coop);
                    options.set(field, text).expect("it is a value");
                    assert_eq!(&options.get(field), text);
                    assert_eq!(Packed::new(&options).options(), options, "{field}={text}");
                }
            }
            assert!(Options::default().set(field, "something else").is_err());
        }
    }

    #[test]
    fn a_field_is_written_by_its_name() {
        let written = serde_json::to_value(Options::default()).expect("it can be written");
        for &field in Field::ALL {
            assert!(written.get(field.name()).is_some(), "{field}");
            assert_eq!(serde_json::to_value(field).expect("a text"), field.name());
        }
        assert_eq!(written.as_object().expect("a map").len(), Field::ALL.len());
    }

    #[test]
    fn r17_what_a_record_does_not_say_is_as_it_was_before_the_field() {
        let old = r#"{"mode":"versus","teams":false,"reactions":true,"memory":"strict","may_decline":false}"#;
        let options: Options = serde_json::from_str(old).expect("an old record");
        assert_eq!(options.spell_right, SpellRight::Shared);
        assert_eq!(options.spell_time, SpellTime::Declared);
        assert_eq!(options.refresh_tower, RefreshTower::May);
        assert!(options.refresh_spell && options.refresh_window);
    }
}
