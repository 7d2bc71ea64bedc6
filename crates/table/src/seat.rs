//! Seats and the people at a table.

use std::collections::VecDeque;

use towers_rules::{Action, Colour, Seat};

use crate::command::PassAhead;
use crate::ids::{Digest, Millis, PersonId, Seed};
use crate::level::BotLevel;

/// A person at the table, seated or not.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub id: PersonId,
    pub name: String,
    /// The hash of the secret by which the driver recognizes them; empty if there is none.
    pub key: String,
    /// The times of their last messages, for the rate limit.
    pub talked: VecDeque<Millis>,
    /// A program plays for them.
    pub program: bool,
    /// Whether the host has muted them.
    pub muted: bool,
    /// The commitment of their device for the next game.
    pub commitment: Option<Digest>,
    /// The number that it revealed.
    pub number: Option<Seed>,
    /// The number of entries that only they received.
    pub private_entries: u64,
    /// The time of the last of these.
    pub private_at: Millis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occupant {
    Nobody,
    Person(PersonId),
    Bot(BotLevel),
}

/// A seat and the state of its occupant.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub colour: Colour,
    pub occupant: Occupant,
    pub ready: bool,
    /// Whether they have been disconnected for a while.
    pub away: bool,
    /// The time since which they have been away.
    pub away_since: Option<Millis>,
    /// Whether they left during the game.
    pub left: bool,
    /// The bot that plays for the person.
    pub stand_in: Option<BotLevel>,
    /// Whether that bot makes one move only.
    pub one_move: bool,
    /// The number of timeouts in a row.
    pub time_outs: u8,
    pub pass_ahead: Option<PassAhead>,
    /// Wants to be asked before and after every action (R13.2).
    pub stops_everywhere: bool,
    /// The choice of the active player while others are still asked before the action (R13.2).
    pub intent: Option<Action>,
    pub wants_end: bool,
    pub wants_rematch: bool,
}

impl Place {
    pub fn empty(colour: Colour) -> Place {
        Place {
            colour,
            occupant: Occupant::Nobody,
            ready: false,
            away: false,
            away_since: None,
            left: false,
            stand_in: None,
            one_move: false,
            time_outs: 0,
            pass_ahead: None,
            stops_everywhere: false,
            intent: None,
            wants_end: false,
            wants_rematch: false,
        }
    }

    pub fn with(colour: Colour, occupant: Occupant) -> Place {
        Place {
            occupant,
            ..Place::empty(colour)
        }
    }

    pub fn person(&self) -> Option<PersonId> {
        match self.occupant {
            Occupant::Person(id) => Some(id),
            Occupant::Nobody | Occupant::Bot(_) => None,
        }
    }

    /// The bot that decides here, as the occupant or for a person.
    pub fn bot(&self) -> Option<BotLevel> {
        match self.occupant {
            Occupant::Bot(level) => Some(level),
            Occupant::Person(_) => self.stand_in,
            Occupant::Nobody => None,
        }
    }

    /// Returns the seat to its person.
    pub fn take_back(&mut self) {
        self.stand_in = None;
        self.one_move = false;
        self.away = false;
        self.away_since = None;
    }

    /// Whether a person plays here, so that their agreement counts.
    pub fn takes_part(&self) -> bool {
        self.person().is_some() && !self.left && !self.away && self.stand_in.is_none()
    }
}

/// The colours of all seats, in order.
pub(crate) fn colours(places: &[Place]) -> Vec<Colour> {
    places.iter().map(|p| p.colour).collect()
}

/// All seats of a table.
pub(crate) fn seats(places: &[Place]) -> impl Iterator<Item = (Seat, &Place)> {
    places.iter().enumerate().map(|(i, p)| (Seat(i as u8), p))
}
