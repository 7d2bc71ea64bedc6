//! Events: the effects of actions and chance. They are logged, sent, animated and redacted.

use crate::action::{Cast, Move};
use crate::card::Card;
use crate::counts::Wizards;
use crate::ids::{Colour, Seat, Space, Surface, Tower};
use crate::outcome::Outcome;
use crate::spell::{Spell, SpellSet};

/// One effect of an action or of chance. Everyone sees everything except cards (R16.3): see
/// [`State::event_seen_by`](crate::State::event_seen_by).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "event", rename_all = "snake_case")
)]
#[allow(missing_docs, reason = "fields whose name says everything")]
pub enum Event {
    /// The starting player was drawn (R3.5).
    StartDrawn { seat: Seat },
    /// The spells in play were drawn (R3.4).
    SpellsDrawn { spells: SpellSet },
    /// The discard pile became the draw pile (R4.6).
    Reshuffled,
    /// A card was dealt or drawn.
    Drew {
        /// The hand that received the card.
        seat: Seat,
        /// The card, for viewers who may know it.
        card: Option<Card>,
    },
    /// A turn began.
    TurnBegan { seat: Seat, round: u16 },
    /// A card was put on the discard pile to be played (R4.1).
    Played { seat: Seat, card: Card },
    /// The die was rolled (R4.8).
    Rolled { seat: Seat, value: u8 },
    /// The hand is discarded instead of two actions (R4.4).
    Refreshed { seat: Seat },
    /// A card of a refresh went to the discard pile (R4.9).
    Discarded { seat: Seat, card: Card },
    /// An action was declared and can be reacted to (R13.2).
    Declared {
        seat: Seat,
        /// The piece that is to move.
        what: Move,
        steps: u8,
    },
    /// A player cast and claimed nothing in a window (R13.3).
    Passed { seat: Seat },
    /// A player announced a spell in reaction to the declaration (R13.4).
    Claimed {
        seat: Seat,
        spell: Spell,
        /// When it will be cast.
        when: Timing,
    },
    /// The declared move is no longer legal (R13.6).
    Prevented { seat: Seat },
    /// A card moved nothing (R4.2).
    NothingMoved { seat: Seat },
    /// A spell was paid and cast.
    SpellCast {
        seat: Seat,
        /// The spell with its target.
        cast: Cast,
        /// Full flasks spent.
        cost: u8,
    },
    /// Piggyback was paid and cast: one more wizard moves along.
    PiggybackCast {
        seat: Seat,
        /// Full flasks spent.
        cost: u8,
    },
    /// A wizard moved.
    WizardMoved {
        colour: Colour,
        from: Surface,
        /// The destination: the exposed surface of this space, or the castle there.
        to: Space,
        /// The surface it stands on now; `None` if it came home.
        onto: Option<Surface>,
    },
    /// A tower moved with everything on it.
    TowerMoved {
        /// The lowest tower that moved.
        tower: Tower,
        from: Space,
        to: Space,
    },
    /// A surface was uncovered because the tower on it moved away (R7.5).
    Uncovered {
        surface: Surface,
        /// The wizards standing there.
        wizards: Wizards,
    },
    /// Wizards were covered by a tower (R8.1).
    Imprisoned {
        seat: Seat,
        /// The surface they stand on.
        surface: Surface,
        wizards: Wizards,
    },
    /// A flask was filled (R8.1).
    FlaskFilled { seat: Seat },
    /// A surface was visible while its tower was lifted and put back (R16.4).
    Peeked {
        surface: Surface,
        /// The wizards that stood there.
        wizards: Wizards,
    },
    /// Free a Wizard found nobody to free (R10.8).
    NobodyFreed {
        /// The caster.
        seat: Seat,
    },
    /// Two towers changed places (R10.3).
    TowersSwapped {
        /// The lower space.
        one: Space,
        /// The higher one.
        other: Space,
    },
    /// The castle moved on its own or was nudged.
    CastleMoved { from: Space, to: Space },
    /// The partner was asked for a card (R12.2).
    Asked { seat: Seat },
    /// A card was offered unasked, face down.
    Offered {
        seat: Seat,
        /// The card, for the seat that offers it.
        card: Option<Card>,
    },
    /// A request or an offer was declined.
    Declined { seat: Seat },
    /// A card went from one partner to the other, face down.
    HandedOver {
        from: Seat,
        to: Seat,
        /// The card, for both partners.
        card: Option<Card>,
    },
    /// Full flasks were given to the partner (R12.3).
    Gave { from: Seat, to: Seat, flasks: u8 },
    /// A turn ended; the hand is refilled.
    TurnEnded { seat: Seat },
    /// The game is over.
    Over {
        /// How it ended.
        outcome: Outcome,
    },
}

/// When a claimed spell is cast (R13.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Timing {
    /// Before the move.
    Before,
    /// After the move.
    After,
    /// Together with the move (Piggyback).
    With,
}

/// Receives the events of an action while it is applied.
///
/// `()` ignores them at no cost; a `Vec<Event>` collects them.
pub trait Observer {
    /// Receives one event.
    fn record(&mut self, event: Event);

    /// Receives an event that is costly to build; an observer that ignores events never builds it.
    #[inline(always)]
    fn record_with(&mut self, event: impl FnOnce() -> Event)
    where
        Self: Sized,
    {
        self.record(event());
    }
}

impl Observer for () {
    #[inline(always)]
    fn record(&mut self, _: Event) {}

    #[inline(always)]
    fn record_with(&mut self, _: impl FnOnce() -> Event) {}
}

impl Observer for Vec<Event> {
    fn record(&mut self, event: Event) {
        self.push(event);
    }
}
