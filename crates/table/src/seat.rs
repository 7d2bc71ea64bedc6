//! Seats and the people at a table.

use std::collections::VecDeque;

use rules::{Colour, Seat};

use crate::command::PassAhead;
use crate::ids::{Millis, PersonId};
use crate::settings::BotLevel;

/// Somebody at the table, seated or not.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub id: PersonId,
    pub name: String,
    /// How the driver knows them again: the hash of a secret. Empty: not at all.
    pub key: String,
    /// When they last said something, for the limit.
    pub talked: VecDeque<Millis>,
}

/// Who has a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occupant {
    Nobody,
    Person(PersonId),
    Bot(BotLevel),
}

/// A seat and what is known about whoever has it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub colour: Colour,
    pub occupant: Occupant,
    pub ready: bool,
    /// Not connected for a while.
    pub away: bool,
    /// Left during the game.
    pub left: bool,
    /// The bot that plays on for the person.
    pub stand_in: Option<BotLevel>,
    pub pass_ahead: Option<PassAhead>,
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
            left: false,
            stand_in: None,
            pass_ahead: None,
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

    /// The bot that decides here, of its own or for a person.
    pub fn bot(&self) -> Option<BotLevel> {
        match self.occupant {
            Occupant::Bot(level) => Some(level),
            Occupant::Person(_) => self.stand_in,
            Occupant::Nobody => None,
        }
    }

    /// A person who takes part: what they wish counts.
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
