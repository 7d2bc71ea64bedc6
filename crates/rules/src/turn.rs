//! The state of a turn (§4, §13, §19).

use crate::card::Card;
use crate::counts::Wizards;
use crate::ids::{MAX_SEATS, Seat, Surface, Tower};
use crate::outcome::SeatSet;
use crate::spell::Spell;

/// The kind of the next decision (§19). In the first six, chance decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Phase {
    /// The starting player is drawn (R3.5).
    DrawStart,
    /// The spells in play are drawn (R3.4).
    DrawSpells,
    /// The first hands are dealt (R3.3).
    Deal,
    /// The hand is refilled (R4.5).
    Refill,
    /// The die rolls (R4.8).
    Rolling,
    /// The new cards of a refresh are drawn before its tower is chosen (R4.5).
    Redraw,
    /// The active player chooses a card or a refresh.
    Turn,
    /// A roll can be accepted or rerolled.
    Rolled,
    /// The new cards of a refresh are drawn and its tower is to be chosen (R4.5).
    Refreshed,
    /// Everything is played, but a spell can still be cast (R4.7).
    End,
    /// The partner was asked for a card (R12.2).
    Asked,
    /// The partner offers a card.
    Offered,
    /// The active player gives a card back.
    Return,
    /// Everyone is asked before the active player chooses (R13.2).
    Opening,
    /// Everyone is asked about the declared action (R13.3).
    Window,
    /// Everyone is asked after the move (R13.2).
    Closing,
    /// The caster may repeat a spell that is not tied to a declared move (R13.5).
    Cast,
    /// The caster may repeat the spell before the declared move.
    Before,
    /// The caster may pay for more riders.
    With,
    /// The claimant casts after the move.
    After,
    /// The game is over.
    Over,
}

impl Phase {
    /// The name that traces use; phases of chance never appear in one.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::DrawStart => "draw_start",
            Phase::DrawSpells => "draw_spells",
            Phase::Deal => "deal",
            Phase::Refill => "refill",
            Phase::Rolling => "rolling",
            Phase::Redraw => "redraw",
            Phase::Turn => "turn",
            Phase::Rolled => "rolled",
            Phase::Refreshed => "refreshed",
            Phase::End => "end",
            Phase::Asked => "asked",
            Phase::Offered => "offered",
            Phase::Return => "return",
            Phase::Opening => "opening",
            Phase::Window => "window",
            Phase::Closing => "closing",
            Phase::Cast => "cast",
            Phase::Before => "before",
            Phase::With => "with",
            Phase::After => "after",
            Phase::Over => "over",
        }
    }

    /// All phases in which a player decides.
    pub const DECISIONS: [Phase; 14] = [
        Phase::Turn,
        Phase::Rolled,
        Phase::Refreshed,
        Phase::End,
        Phase::Asked,
        Phase::Offered,
        Phase::Return,
        Phase::Opening,
        Phase::Window,
        Phase::Closing,
        Phase::Cast,
        Phase::Before,
        Phase::With,
        Phase::After,
    ];

    /// Whether chance decides.
    pub const fn is_chance(self) -> bool {
        matches!(
            self,
            Phase::DrawStart
                | Phase::DrawSpells
                | Phase::Deal
                | Phase::Refill
                | Phase::Rolling
                | Phase::Redraw
        )
    }

    /// Whether the active player chooses an action. Partners may then give flasks (R12.3) and, with reactions, the
    /// active player may cast (R13.2).
    pub const fn is_own_choice(self) -> bool {
        matches!(self, Phase::Turn | Phase::Rolled | Phase::Refreshed)
    }

    /// Whether everyone is asked in turn (R13.3).
    pub const fn is_window(self) -> bool {
        matches!(self, Phase::Opening | Phase::Window | Phase::Closing)
    }

    /// Whether a caster repeats a spell or casts a claimed one (R13.5).
    pub const fn is_series(self) -> bool {
        matches!(
            self,
            Phase::Cast | Phase::Before | Phase::With | Phase::After
        )
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum EndReason {
    /// A player has finished (R11.1, R12.7, R14.3).
    Finished,
    /// All wizards are home and nobody can finish (R11.5, R14.7).
    Stuck,
    /// The draw pile ran out in solo (R14.4).
    Deck,
    /// The limit on rounds is reached (R11.7).
    Rounds,
}

impl EndReason {
    /// The name that traces and positions use.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Finished => "finished",
            EndReason::Stuck => "stuck",
            EndReason::Deck => "deck",
            EndReason::Rounds => "rounds",
        }
    }
}

/// The declaration that waits for its window to close (R13.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "what", rename_all = "snake_case")
)]
#[allow(missing_docs, reason = "fields whose name says everything")]
pub enum Declared {
    /// Nothing is declared, or the move has been made.
    None,
    /// "No legal move", a refresh without a tower, or a piece that has come home since.
    Nothing,
    /// A wizard of this owner on this surface.
    Wizard {
        /// The surface it stands on now.
        on: Surface,
        owner: Seat,
        /// How far it is to go.
        steps: u8,
    },
    /// A tower.
    Tower {
        tower: Tower,
        /// How far it is to go.
        steps: u8,
    },
}

/// The turn so far. Everything but the offered card is public; viewers get it as a [`TurnView`](crate::TurnView).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The kind of the next decision.
    pub phase: Phase,
    /// Whose turn it is.
    pub active: Seat,
    /// The seat to act; only meaningful when a player decides.
    pub actor: Seat,
    /// Actions used; a refresh uses all of them.
    pub played: u8,
    /// Whether the spell of this turn was cast (R9.1).
    pub cast: bool,
    /// The dice card that was rolled for.
    pub card: Option<Card>,
    /// Rerolls left.
    pub rolls_left: u8,
    /// The value of the die.
    pub rolled: u8,
    /// Whether the active player may no longer ask for an exchange (R12.2).
    pub asking_used: bool,
    /// Whether the partner may no longer offer an exchange (R12.2).
    pub offering_used: bool,
    /// Bit 0: the active player gave flasks, bit 1: the partner did (R12.3).
    pub gave: u8,
    /// The card the partner offers unasked; known to the partner alone (R12.2).
    pub offered: Option<Card>,
    /// The declaration (R13.2).
    pub declared: Declared,
    /// The seats without a right to cast in this action (R13.3).
    pub used: SeatSet,
    /// The spell that was claimed for after the move (R13.4).
    pub claim: Option<Spell>,
    /// The seat that claimed it; only meaningful with a claim.
    pub claimant: Seat,
    /// The spell that is being repeated (R13.5).
    pub repeats: Option<Spell>,
    /// How many full flasks may still pay for repeats (R13.5).
    pub budget: u8,
    /// The phase that follows [`Phase::Cast`].
    pub resume: Phase,
    /// Riders paid for so far, by colour (R13.8).
    pub riders: Wizards,
    /// Whether an entry ends the turn after this action (R13.9).
    pub ends: bool,
    /// The number of cards still to be dealt or drawn.
    pub owed: u8,
    /// Why the game ended, once it has.
    pub why: EndReason,
}

impl Turn {
    /// The start of each seat's turn.
    pub(crate) const FRESH: &[Turn; MAX_SEATS] = &{
        let mut turns = [Turn::of(Seat(0)); MAX_SEATS];
        let mut seat = 1;
        while seat < MAX_SEATS {
            turns[seat] = Turn::of(Seat(seat as u8));
            seat += 1;
        }
        turns
    };

    pub(crate) const fn of(active: Seat) -> Turn {
        Turn {
            phase: Phase::Turn,
            active,
            actor: active,
            played: 0,
            cast: false,
            card: None,
            rolls_left: 0,
            rolled: 0,
            asking_used: false,
            offering_used: false,
            gave: 0,
            offered: None,
            declared: Declared::None,
            used: SeatSet::NONE,
            claim: None,
            claimant: active,
            repeats: None,
            budget: 0,
            resume: Phase::Turn,
            riders: Wizards::NONE,
            ends: false,
            owed: 0,
            why: EndReason::Finished,
        }
    }
}
