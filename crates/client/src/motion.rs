//! How events move on the screen.

use towers_rules::{Colour, Event, Seat, Space, Surface, Tower, View, Wizards};

use crate::shown::{find, space_of};

/// What is to be seen when an event is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Nothing: go on at once.
    None,
    /// A wizard hops.
    Wizard {
        /// Its colour.
        colour: Colour,
        /// From this space.
        from: Space,
        /// To this one.
        to: Space,
        /// Whether it comes home.
        home: bool,
    },
    /// A tower lifts, flies and lands.
    Tower {
        /// Which.
        tower: Tower,
        /// From this space.
        from: Space,
        /// To this one.
        to: Space,
    },
    /// Two towers change places.
    Swap {
        /// One.
        one: Tower,
        /// The other.
        other: Tower,
    },
    /// The castle flies.
    Castle {
        /// From this space.
        from: Space,
        /// To this one.
        to: Space,
    },
    /// The die rolls.
    Roll {
        /// What it shows.
        value: u8,
    },
    /// A card is laid on the discard pile.
    Card {
        /// By whom.
        seat: Seat,
    },
    /// A flask is filled.
    Flask {
        /// Whose.
        seat: Seat,
    },
    /// A spell is cast.
    Spell {
        /// By whom.
        seat: Seat,
    },
    /// Wizards are imprisoned.
    Imprison {
        /// By whom.
        seat: Seat,
    },
    /// A surface is seen for a moment.
    Peek {
        /// Where.
        surface: Surface,
        /// Who stands there.
        wizards: Wizards,
    },
    /// A new turn: a short breath.
    Turn {
        /// Whose.
        seat: Seat,
    },
    /// The game is over.
    Over,
}

impl Motion {
    /// How an event moves; `view` is the position before it.
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
            Event::Played { seat, .. } | Event::Refreshed { seat } => Motion::Card { seat },
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

    /// How long it is usually seen, in milliseconds.
    pub const fn millis(self) -> u32 {
        match self {
            Motion::None => 0,
            Motion::Wizard { .. } => 620,
            Motion::Tower { .. } | Motion::Swap { .. } => 820,
            Motion::Castle { .. } => 900,
            Motion::Roll { .. } => 700,
            Motion::Card { .. } => 420,
            Motion::Flask { .. } | Motion::Imprison { .. } => 420,
            Motion::Spell { .. } => 650,
            Motion::Peek { .. } => 1500,
            Motion::Turn { .. } => 250,
            Motion::Over => 600,
        }
    }

    /// The way a piece went around the ring, for the trail it leaves.
    pub fn trail(self) -> Option<(Space, Space)> {
        match self {
            Motion::Wizard { from, to, .. } | Motion::Tower { from, to, .. } if from != to => {
                Some((from, to))
            }
            _ => None,
        }
    }
}

/// Where a tower's top is, for whoever draws a peek.
pub fn peek_space(view: &View, surface: Surface) -> Option<Space> {
    match surface.tower() {
        Some(tower) => find(view, tower).map(|(space, _)| space),
        None => space_of(view, surface),
    }
}
