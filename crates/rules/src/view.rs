//! What a viewer may know (§16).
//!
//! A [`View`] is its own type, filled field by field: what is hidden has no place in it. It is built
//! by taking every part of a state apart, so that something new cannot leak by default.

use serde::Serialize;
use wire::Deserialize;

use crate::card::Card;
use crate::counts::{Flasks, Wizards};
use crate::event::Event;
use crate::hand::Hand;
use crate::ids::{Colour, Seat, Space, Surface, Tower};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::pile::Pile;
use crate::spell::SpellSet;
use crate::state::State;
use crate::turn::Turn;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Viewer {
    /// A player.
    Seat(Seat),
    /// Somebody who only watches.
    Spectator,
}

/// A position as a viewer knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Who looks.
    pub viewer: Viewer,
    /// The table's rules.
    pub options: Options,
    /// The spells in play.
    pub spells: SpellSet,
    /// The starting player.
    pub start: Seat,
    /// The sixteen spaces, each from the ground up.
    pub spaces: Vec<Vec<Level>>,
    /// The castle's space.
    pub castle: Space,
    /// The hand the viewer plays from, sorted; a spectator sees only a shared one.
    pub hand: Option<Vec<Card>>,
    /// The players, by seat.
    pub players: Vec<PlayerView>,
    /// How many cards the draw pile has.
    pub draw: u8,
    /// The discard pile, sorted.
    pub discard: Vec<Card>,
    /// Cards discarded during the game.
    pub score: u16,
    /// The round.
    pub round: u16,
    /// Whether someone has finished (R11.2).
    pub is_final: bool,
    /// The turn so far.
    pub turn: Turn,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
}

/// A surface of a space: the ground first, then the top of each tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// The tower whose top this is; none for the ground.
    pub tower: Option<Tower>,
    /// Who stands there; none if that is out of sight (R16.2).
    pub wizards: Option<Wizards>,
}

/// What everyone knows about a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerView {
    /// The colour.
    pub colour: Colour,
    /// How many cards the player plays from.
    pub cards: u8,
    /// The flasks the player pays with.
    pub flasks: Flasks,
    /// How many of the player's wizards are home.
    pub home: u8,
}

impl State {
    /// What a viewer may know.
    ///
    /// ```
    /// use rules::{Seat, Viewer};
    /// let state = rules::examples::opening();
    /// let view = state.view(Viewer::Seat(Seat(1)));
    /// assert_eq!(view.hand.unwrap().len(), 3);
    /// assert_eq!(state.view(Viewer::Spectator).hand, None);
    /// ```
    #[inline]
    pub fn view(&self, viewer: Viewer) -> View {
        let spaces = Space::all().map(|space| self.levels(space)).collect();
        let discard = self.discard_pile();
        View {
            viewer,
            options: self.options(),
            spells: self.spells,
            start: self.start,
            spaces,
            castle: self.castle(),
            hand: self.hand_seen_by(viewer).map(|hand| hand.iter().collect()),
            players: self.seats().map(|seat| self.player_view(seat)).collect(),
            draw: self.draw.len(),
            discard: discard
                .iter()
                .flat_map(|(card, n)| std::iter::repeat_n(card, n.into()))
                .collect(),
            score: self.discarded,
            round: self.round,
            is_final: self.is_final(),
            turn: self.turn_seen_by(viewer),
            outcome: self.outcome(),
        }
    }

    #[inline]
    fn levels(&self, space: Space) -> Vec<Level> {
        let ground = (None, Surface::ground(space));
        let tops = self.towers(space).map(|tower| (Some(tower), tower.top()));
        std::iter::once(ground)
            .chain(tops)
            .map(|(tower, surface)| Level {
                tower,
                wizards: self.shows(surface).then(|| self.wizards(surface)),
            })
            .collect()
    }

    /// Whether views show who stands on a surface (R16.2).
    #[inline]
    fn shows(&self, surface: Surface) -> bool {
        self.rules.assisted() || self.board.is_exposed(surface)
    }

    #[inline]
    fn hand_seen_by(&self, viewer: Viewer) -> Option<Hand> {
        match viewer {
            Viewer::Seat(seat) if seat.0 < self.seats => Some(self.hand(seat)),
            Viewer::Seat(_) | Viewer::Spectator => self.shares_hand().then(|| self.hand(Seat(0))),
        }
    }

    #[inline]
    fn player_view(&self, seat: Seat) -> PlayerView {
        PlayerView {
            colour: self.colour(seat),
            cards: self.hand(seat).len(),
            flasks: self.flasks(seat),
            home: self.home(self.owner(seat)),
        }
    }

    #[inline]
    fn turn_seen_by(&self, viewer: Viewer) -> Turn {
        // Every field is named, so that a new one has to be thought about here.
        let Turn {
            phase,
            active,
            actor,
            played,
            cast,
            card,
            rolls_left,
            rolled,
            exchanged,
            gave,
            offered,
            declared,
            claim,
            claimant,
            claim_cast,
            riders,
            ends,
            owed,
            why,
        } = self.turn;
        Turn {
            offered: offered.filter(|_| self.are_partners(viewer, active)),
            phase,
            active,
            actor,
            played,
            cast,
            card,
            rolls_left,
            rolled,
            exchanged,
            gave,
            declared,
            claim,
            claimant,
            claim_cast,
            riders,
            ends,
            owed,
            why,
        }
    }

    /// Whether the viewer is this seat or its partner.
    #[inline]
    fn are_partners(&self, viewer: Viewer, seat: Seat) -> bool {
        match viewer {
            Viewer::Seat(looks) => looks == seat || self.partner(seat) == Some(looks),
            Viewer::Spectator => false,
        }
    }

    /// What a viewer hears of an event: all of it, but for cards that are not theirs to know (R16.3).
    #[inline]
    pub fn event_seen_by(&self, event: Event, viewer: Viewer) -> Event {
        match event {
            Event::Drew { seat, card } => {
                let known = self.shares_hand() || viewer == Viewer::Seat(seat);
                Event::Drew {
                    seat,
                    card: card.filter(|_| known),
                }
            }
            Event::Offered { seat, card } => Event::Offered {
                seat,
                card: card.filter(|_| self.are_partners(viewer, seat)),
            },
            Event::HandedOver { from, to, card } => Event::HandedOver {
                from,
                to,
                card: card.filter(|_| self.are_partners(viewer, from)),
            },
            Event::StartDrawn { .. }
            | Event::SpellsDrawn { .. }
            | Event::Reshuffled
            | Event::TurnBegan { .. }
            | Event::Played { .. }
            | Event::Rolled { .. }
            | Event::Refreshed { .. }
            | Event::Discarded { .. }
            | Event::Declared { .. }
            | Event::Passed { .. }
            | Event::Claimed { .. }
            | Event::Prevented { .. }
            | Event::NothingMoved { .. }
            | Event::SpellCast { .. }
            | Event::PiggybackCast { .. }
            | Event::WizardMoved { .. }
            | Event::TowerMoved { .. }
            | Event::Uncovered { .. }
            | Event::Imprisoned { .. }
            | Event::FlaskFilled { .. }
            | Event::Peeked { .. }
            | Event::NobodyFreed { .. }
            | Event::TowersSwapped { .. }
            | Event::CastleMoved { .. }
            | Event::Asked { .. }
            | Event::Declined { .. }
            | Event::Gave { .. }
            | Event::TurnEnded { .. }
            | Event::Over { .. } => event,
        }
    }
}

impl View {
    /// The seat that is to act, if it is a player's turn.
    #[inline]
    pub fn to_act(&self) -> Option<Seat> {
        let decides = !self.turn.phase.is_chance() && self.outcome.is_none();
        decides.then_some(self.turn.actor)
    }

    /// The seat that looks.
    #[inline]
    pub fn seat(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        }
    }

    /// The discard pile as a multiset.
    #[inline]
    pub fn discard_pile(&self) -> Pile {
        self.discard.iter().copied().collect()
    }
}
