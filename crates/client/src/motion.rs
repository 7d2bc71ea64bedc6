//! How events are animated.

use towers_rules::{Colour, Event, Seat, Space, Surface, Tower, View, Wizards};

use crate::shown::{find, space_of};

/// The animation of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// No animation; continue at once.
    None,
    /// A wizard hops.
    Wizard {
        colour: Colour,
        from: Space,
        to: Space,
        /// Whether it comes home.
        home: bool,
    },
    /// A tower lifts, flies and lands.
    Tower {
        tower: Tower,
        from: Space,
        to: Space,
    },
    /// Two towers change places.
    Swap {
        one: Tower,
        other: Tower,
    },
    /// The castle flies.
    Castle {
        from: Space,
        to: Space,
    },
    /// The die rolls.
    Roll {
        value: u8,
    },
    /// A card is laid on the discard pile.
    Card {
        /// The player of the card.
        seat: Seat,
    },
    /// A hand is discarded for new cards.
    Refresh,
    /// A wizard is no longer imprisoned.
    Freed,
    /// A flask is filled.
    Flask {
        seat: Seat,
    },
    /// A spell is cast.
    Spell {
        seat: Seat,
    },
    /// Wizards are imprisoned.
    Imprison {
        /// The player who imprisons them.
        seat: Seat,
    },
    /// A surface is shown for a moment.
    Peek {
        surface: Surface,
        wizards: Wizards,
    },
    /// A new turn: a short pause.
    Turn {
        /// The player whose turn begins.
        seat: Seat,
    },
    Over,
}

impl Motion {
    /// The animation of an event; `view` is the position before it.
    pub fn of(event: &Event, view: &View) -> Motion {
        match *event {
            Event::WizardMoved {
                colour,
                from,
                to,
                onto,
            } => Motion::Wizard {
                colour,
                from: space_of(view, from).unwrap_or(to),
                to,
                home: onto.is_none(),
            },
            Event::TowerMoved { tower, from, to } => Motion::Tower { tower, from, to },
            Event::TowersSwapped { one, other } => {
                let top = |space: Space| view.spaces.get(space.index())?.last()?.tower;
                match (top(one), top(other)) {
                    (Some(one), Some(other)) => Motion::Swap { one, other },
                    _ => Motion::None,
                }
            }
            Event::CastleMoved { from, to } => Motion::Castle { from, to },
            Event::Rolled { value, .. } => Motion::Roll { value },
            Event::Played { seat, .. } => Motion::Card { seat },
            Event::Refreshed { .. } => Motion::Refresh,
            Event::Uncovered { wizards, .. } if !wizards.is_empty() => Motion::Freed,
            Event::Imprisoned { seat, .. } => Motion::Imprison { seat },
            Event::FlaskFilled { seat } => Motion::Flask { seat },
            Event::SpellCast { seat, .. } | Event::PiggybackCast { seat, .. } => {
                Motion::Spell { seat }
            }
            Event::Peeked { surface, wizards } => Motion::Peek { surface, wizards },
            Event::TurnBegan { seat, .. } => Motion::Turn { seat },
            Event::Over { .. } => Motion::Over,
            _ => Motion::None,
        }
    }

    /// The default duration in milliseconds.
    pub const fn millis(self) -> u32 {
        match self {
            Motion::None => 0,
            Motion::Wizard { .. } => 620,
            Motion::Tower { .. } | Motion::Swap { .. } => 820,
            Motion::Castle { .. } => 900,
            Motion::Roll { .. } => 700,
            Motion::Card { .. } | Motion::Refresh => 420,
            Motion::Flask { .. } | Motion::Imprison { .. } | Motion::Freed => 420,
            Motion::Spell { .. } => 650,
            Motion::Peek { .. } => 1500,
            Motion::Turn { .. } => 250,
            Motion::Over => 600,
        }
    }

    /// The start and end of a move around the ring, for the trail.
    pub fn trail(self) -> Option<(Space, Space)> {
        match self {
            Motion::Wizard { from, to, .. } | Motion::Tower { from, to, .. } if from != to => {
                Some((from, to))
            }
            _ => None,
        }
    }
}

/// The space of a surface, for drawing a peek.
pub fn peek_space(view: &View, surface: Surface) -> Option<Space> {
    match surface.tower() {
        Some(tower) => find(view, tower).map(|(space, _)| space),
        None => space_of(view, surface),
    }
}
