//! What happens: the only thing that is logged, sent, animated, narrated and redacted.

use serde::Serialize;
use wire::Deserialize;

use crate::action::{Cast, Move};
use crate::card::Card;
use crate::counts::Wizards;
use crate::ids::{Colour, Seat, Space, Surface, Tower};
use crate::outcome::Outcome;
use crate::spell::{Spell, SpellSet};

wire::tagged! {
    "event";
    /// Something that happened, in the order in which it happened. Everything is seen by everyone, but
    /// for cards (R16.3): see [`Event::seen_by`](crate::view).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Event {
        /// The starting player was drawn (R3.5).
        StartDrawn {
            /// Who starts.
            seat: Seat,
        },
        /// The spells in play were drawn (R3.4).
        SpellsDrawn {
            /// Which.
            spells: SpellSet,
        },
        /// The discard pile became the draw pile (R4.6).
        Reshuffled,
        /// A card was dealt or drawn.
        Drew {
            /// Whose hand it went to.
            seat: Seat,
            /// Which card, for those who may know.
            card: Option<Card>,
        },
        /// A turn began.
        TurnBegan {
            /// Whose.
            seat: Seat,
            /// The round.
            round: u16,
        },
        /// A card was put on the discard pile to be played (R4.1).
        Played {
            /// By whom.
            seat: Seat,
            /// Which.
            card: Card,
        },
        /// The die was rolled (R4.8).
        Rolled {
            /// By whom.
            seat: Seat,
            /// What it shows.
            value: u8,
        },
        /// The hand is discarded instead of two actions (R4.4).
        Refreshed {
            /// By whom.
            seat: Seat,
        },
        /// A card of a refresh went to the discard pile (R4.9).
        Discarded {
            /// From whose hand.
            seat: Seat,
            /// Which.
            card: Card,
        },
        /// An action was declared and can be reacted to (R13.2).
        Declared {
            /// By whom.
            seat: Seat,
            /// What is to move.
            what: Move,
            /// How far.
            steps: u8,
        },
        /// A player claimed nothing (R13.3).
        Passed {
            /// Who.
            seat: Seat,
        },
        /// A player claimed a spell (R13.3).
        Claimed {
            /// Who.
            seat: Seat,
            /// Which spell.
            spell: Spell,
            /// When it will be cast.
            when: Timing,
        },
        /// The declared move can no longer be made (R13.6).
        Prevented {
            /// Whose.
            seat: Seat,
        },
        /// A card moved nothing (R4.2).
        NothingMoved {
            /// Whose.
            seat: Seat,
        },
        /// A spell was paid and cast.
        SpellCast {
            /// By whom.
            seat: Seat,
            /// With its target.
            cast: Cast,
            /// Full flasks spent.
            cost: u8,
        },
        /// Piggyback was paid and cast: one more wizard moves along.
        PiggybackCast {
            /// By whom.
            seat: Seat,
            /// Full flasks spent.
            cost: u8,
        },
        /// A wizard moved.
        WizardMoved {
            /// Its colour.
            colour: Colour,
            /// From where.
            from: Surface,
            /// To the exposed surface of this space, or into the castle there.
            to: Space,
            /// The surface it stands on now; none when it came home.
            onto: Option<Surface>,
        },
        /// A tower moved with everything on it.
        TowerMoved {
            /// The lowest tower that moved.
            tower: Tower,
            /// From this space.
            from: Space,
            /// To this one.
            to: Space,
        },
        /// A surface came to light because the tower on it moved away (R7.5).
        Uncovered {
            /// Which.
            surface: Surface,
            /// Who stands there.
            wizards: Wizards,
        },
        /// Wizards were covered by a tower (R8.1).
        Imprisoned {
            /// By whom.
            seat: Seat,
            /// Where they stand.
            surface: Surface,
            /// Who.
            wizards: Wizards,
        },
        /// A flask was filled (R8.1).
        FlaskFilled {
            /// Whose.
            seat: Seat,
        },
        /// A surface was seen for a moment while its tower was lifted and put back (R16.4).
        Peeked {
            /// Which.
            surface: Surface,
            /// Who stood there.
            wizards: Wizards,
        },
        /// Free a Wizard found nobody to free (R10.8).
        NobodyFreed {
            /// Whose spell.
            seat: Seat,
        },
        /// Two towers changed places (R10.3).
        TowersSwapped {
            /// The lower space.
            one: Space,
            /// The higher one.
            other: Space,
        },
        /// The castle moved by itself or was nudged.
        CastleMoved {
            /// From this space.
            from: Space,
            /// To this one.
            to: Space,
        },
        /// The partner was asked for a card (R12.2).
        Asked {
            /// By whom.
            seat: Seat,
        },
        /// A card was offered unasked.
        Offered {
            /// By whom.
            seat: Seat,
            /// Which, for the partners.
            card: Option<Card>,
        },
        /// A request or an offer was declined.
        Declined {
            /// By whom.
            seat: Seat,
        },
        /// A card went from one partner to the other, face down.
        HandedOver {
            /// From whom.
            from: Seat,
            /// To whom.
            to: Seat,
            /// Which, for the partners.
            card: Option<Card>,
        },
        /// Full flasks were given to the partner (R12.3).
        Gave {
            /// From whom.
            from: Seat,
            /// To whom.
            to: Seat,
            /// How many.
            flasks: u8,
        },
        /// A turn ended; the hand is refilled.
        TurnEnded {
            /// Whose.
            seat: Seat,
        },
        /// The game is over.
        Over {
            /// How it ended.
            outcome: Outcome,
        },
    }
}

/// When a claimed spell is cast (R13.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// Before the move.
    Before,
    /// After the move.
    After,
    /// Together with the move (Piggyback).
    With,
}

/// Somebody who wants to hear of events while an action is applied.
pub trait Watch {
    /// Hears of one event.
    fn see(&mut self, event: Event);

    /// Hears of an event that takes some work to tell; nobody who does not listen pays for it.
    #[inline(always)]
    fn hear(&mut self, event: impl FnOnce() -> Event)
    where
        Self: Sized,
    {
        self.see(event());
    }
}

/// Nobody watches: the fast path.
impl Watch for () {
    #[inline(always)]
    fn see(&mut self, _: Event) {}

    #[inline(always)]
    fn hear(&mut self, _: impl FnOnce() -> Event) {}
}

impl Watch for Vec<Event> {
    fn see(&mut self, event: Event) {
        self.push(event);
    }
}
