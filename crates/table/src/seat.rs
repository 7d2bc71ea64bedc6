//! Seats and the people at a table.

use std::collections::VecDeque;

use towers_rules::{Action, Colour, Seat};

use crate::command::PassAhead;
use crate::ids::{Digest, Millis, PersonId, Seed};
use crate::level::BotLevel;

/// Somebody at the table, seated or not.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub id: PersonId,
    pub name: String,
    /// How the driver knows them again: the hash of a secret. Empty: not at all.
    pub key: String,
    /// When they last said something, for the limit.
    pub talked: VecDeque<Millis>,
    /// A program plays for them.
    pub program: bool,
    /// The host does not let them talk.
    pub muted: bool,
    /// What their device committed to for the next game.
    pub commitment: Option<Digest>,
    /// The number it revealed.
    pub number: Option<Seed>,
    /// How many entries only they were told of.
    pub private_entries: u64,
    /// When the last of these was written.
    pub private_at: Millis,
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
    /// Since when they have been away.
    pub away_since: Option<Millis>,
    /// Left during the game.
    pub left: bool,
    /// The bot that plays on for the person.
    pub stand_in: Option<BotLevel>,
    /// Whether that bot makes one move only.
    pub one_move: bool,
    /// How many times in a row their time was up.
    pub time_outs: u8,
    pub pass_ahead: Option<PassAhead>,
    /// Wants to be asked before and after every action (R13.2).
    pub stops_everywhere: bool,
    /// What the active player chose while others are still asked before the action (R13.2).
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

    /// The bot that decides here, of its own or for a person.
    pub fn bot(&self) -> Option<BotLevel> {
        match self.occupant {
            Occupant::Bot(level) => Some(level),
            Occupant::Person(_) => self.stand_in,
            Occupant::Nobody => None,
        }
    }

    /// Nobody plays for the person any more, who is here.
    pub fn take_back(&mut self) {
        self.stand_in = None;
        self.one_move = false;
        self.away = false;
        self.away_since = None;
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
