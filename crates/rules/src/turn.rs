//! What is going on in a turn (§4, §13, §19).

use crate::card::Card;
use crate::ids::{MAX_SEATS, Seat, Surface, Tower};
use crate::spell::Spell;

/// What kind of decision is next (§19). The first five wait for chance.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, wire::Deserialize,
)]
#[serde(rename_all = "snake_case")]
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
    /// The active player chooses a card or a refresh.
    Turn,
    /// A roll can be accepted or rolled again.
    Rolled,
    /// Everything is played, but a spell could be cast (R4.7).
    End,
    /// The partner was asked for a card (R12.2).
    Asked,
    /// The partner offers a card.
    Offered,
    /// The active player gives a card back.
    Return,
    /// Claims for the declared action (R13.3).
    Window,
    /// The claimant may cast again before the move.
    Before,
    /// The claimant may take more riders along.
    With,
    /// The claimant casts after the move.
    After,
    /// Free a Wizard at any time (R13.11).
    Free,
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
            Phase::Turn => "turn",
            Phase::Rolled => "rolled",
            Phase::End => "end",
            Phase::Asked => "asked",
            Phase::Offered => "offered",
            Phase::Return => "return",
            Phase::Window => "window",
            Phase::Before => "before",
            Phase::With => "with",
            Phase::After => "after",
            Phase::Free => "free",
            Phase::Over => "over",
        }
    }

    /// All phases in which a player decides.
    pub const DECISIONS: [Phase; 11] = [
        Phase::Turn,
        Phase::Rolled,
        Phase::End,
        Phase::Asked,
        Phase::Offered,
        Phase::Return,
        Phase::Window,
        Phase::Before,
        Phase::With,
        Phase::After,
        Phase::Free,
    ];
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, wire::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Someone has finished (R11.1, R12.7, R14.3).
    Finished,
    /// All wizards are home and nobody can finish (R11.5, R14.7).
    Stuck,
    /// The draw pile ran out in solo (R14.4).
    Deck,
    /// The cap on rounds (R11.7).
    Rounds,
}

impl Why {
    /// The name that traces and positions use.
    pub const fn name(self) -> &'static str {
        match self {
            Why::Finished => "finished",
            Why::Stuck => "stuck",
            Why::Deck => "deck",
            Why::Rounds => "rounds",
        }
    }
}

wire::tagged! {
    "what";
    /// What was declared and waits for its window to close (R13.2).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Declared {
        /// Nothing is declared, or the move has been made.
        None,
        /// "No legal move", a refresh without a tower, or a piece that came home meanwhile.
        Nothing,
        /// A wizard of this owner on this surface.
        Wizard {
            /// Where it stands now.
            on: Surface,
            /// Whose it is.
            owner: Seat,
            /// How far it is to go.
            steps: u8,
        },
        /// A tower.
        Tower {
            /// Which.
            tower: Tower,
            /// How far it is to go.
            steps: u8,
        },
    }
}

/// What is known about the turn so far. Everything in it is public but for the offered card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, wire::Deserialize)]
pub struct Turn {
    /// The kind of decision that is next.
    pub phase: Phase,
    /// Whose turn it is.
    pub active: Seat,
    /// Who decides now; only meaningful in phases of decision.
    pub actor: Seat,
    /// Actions used; a refresh uses all.
    pub played: u8,
    /// Whether the spell of this turn was cast (R9.1).
    pub cast: bool,
    /// The dice card that was rolled for.
    pub card: Option<Card>,
    /// Rerolls left.
    pub rolls_left: u8,
    /// What the die shows.
    pub rolled: u8,
    /// Whether the exchange of this turn is used up (R12.2).
    pub exchanged: bool,
    /// Bit 0: the active player gave flasks, bit 1: the partner did (R12.3).
    pub gave: u8,
    /// The card the partner offers unasked; known to the partners only.
    pub offered: Option<Card>,
    /// What was declared (R13.2).
    pub declared: Declared,
    /// The spell that was claimed (R13.3).
    pub claim: Option<Spell>,
    /// Who claimed it.
    pub claimant: Seat,
    /// Whether the claimed spell was cast once (R13.4).
    pub claim_cast: bool,
    /// Riders paid for so far (R13.8).
    pub riders: u8,
    /// Whether an entry ends the turn after this action (R13.9).
    pub ends: bool,
    /// Cards still to be dealt or drawn.
    pub owed: u8,
    /// Why the game ended, once it has.
    pub why: Why,
}

impl Turn {
    /// The beginning of everybody's turn.
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
            exchanged: false,
            gave: 0,
            offered: None,
            declared: Declared::None,
            claim: None,
            claimant: active,
            claim_cast: false,
            riders: 0,
            ends: false,
            owed: 0,
            why: Why::Finished,
        }
    }
}
