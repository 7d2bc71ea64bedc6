//! Views: what a viewer may know (§16).
//!
//! A [`View`] is its own type, filled field by field: hidden information has no place in it. It is built by
//! destructuring the state, so that a new field cannot leak by default.

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
use crate::turn_view::TurnView;
use crate::values::Memory;

/// The addressee of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Viewer {
    /// A player, who knows the cards of that seat.
    Seat(Seat),
    /// Somebody without a seat, who knows what everybody knows.
    Spectator,
}

/// A position as one viewer knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct View {
    /// Whose view this is.
    pub viewer: Viewer,
    /// The table's rules.
    pub options: Options,
    /// The spells in play.
    pub spells: SpellSet,
    /// The starting player.
    pub start: Seat,
    /// The sixteen spaces, each from the ground up.
    pub spaces: Vec<Vec<SurfaceView>>,
    /// The space on which the castle stands, whatever is under it.
    pub castle: Space,
    /// The hand the viewer plays from, sorted; a spectator sees only a shared hand.
    pub hand: Option<Vec<Card>>,
    /// The players, by seat.
    pub players: Vec<PlayerView>,
    /// The number of cards in the draw pile.
    pub draw: u8,
    /// The discard pile, sorted.
    pub discard: Vec<Card>,
    /// The number of cards discarded during the game.
    pub score: u16,
    /// The round, counted from 1.
    pub round: u16,
    /// Whether a player has finished (R11.2).
    pub is_final: bool,
    /// The turn so far.
    pub turn: TurnView,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
}

/// The parts of a [`View`] that are not the same for everybody. See there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalView {
    /// See [`View::hand`].
    pub hand: Option<Vec<Card>>,
    /// See [`View::turn`].
    pub turn: TurnView,
}

/// A surface of a space: the ground first, then the top of each tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceView {
    /// The tower whose top this is; none for the ground.
    pub tower: Option<Tower>,
    /// The wizards standing there; `None` if they are out of sight (R16.2).
    pub wizards: Option<Wizards>,
}

/// The public information about a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerView {
    /// The colour of the seat and its wizards.
    pub colour: Colour,
    /// The number of cards in the hand the player plays from.
    pub cards: u8,
    /// The flasks the player pays with.
    pub flasks: Flasks,
    /// How many wizards of the player are home.
    pub home: u8,
}

impl State {
    /// The position as a viewer may know it.
    ///
    /// ```
    /// use towers_rules::{Seat, Viewer};
    /// let state = towers_rules::examples::opening();
    /// let view = state.view(Viewer::Seat(Seat(1)));
    /// assert_eq!(view.hand.unwrap().len(), 3);
    /// assert_eq!(state.view(Viewer::Spectator).hand, None);
    /// ```
    pub fn view(&self, viewer: Viewer) -> View {
        let spaces = Space::all().map(|space| self.levels(space)).collect();
        let discard = self.discard_pile();
        // Nothing else depends on the viewer.
        let PersonalView { hand, turn } = self.personal_view(viewer);
        View {
            viewer,
            options: self.options(),
            spells: self.spells,
            start: self.start,
            spaces,
            castle: self.castle(),
            hand,
            players: self.seats().map(|seat| self.player_view(seat)).collect(),
            draw: self.draw.len(),
            discard: discard
                .iter()
                .flat_map(|(card, n)| std::iter::repeat_n(card, n.into()))
                .collect(),
            score: self.discarded,
            round: self.round,
            is_final: self.is_final(),
            turn,
            outcome: self.outcome(),
        }
    }

    /// The parts of a [view](State::view) that are not the same for everybody.
    pub fn personal_view(&self, viewer: Viewer) -> PersonalView {
        PersonalView {
            hand: self.hand_seen_by(viewer).map(|hand| hand.iter().collect()),
            turn: self.turn_seen_by(viewer),
        }
    }

    fn levels(&self, space: Space) -> Vec<SurfaceView> {
        let ground = (None, Surface::ground(space));
        let tops = self.towers(space).map(|tower| (Some(tower), tower.top()));
        std::iter::once(ground)
            .chain(tops)
            .map(|(tower, surface)| SurfaceView {
                tower,
                wizards: self.shows(surface).then(|| self.wizards(surface)),
            })
            .collect()
    }

    /// Whether views show who stands on a surface (R16.2).
    fn shows(&self, surface: Surface) -> bool {
        self.rules.memory() == Memory::Assisted || self.board.is_exposed(surface)
    }

    fn hand_seen_by(&self, viewer: Viewer) -> Option<Hand> {
        match viewer {
            Viewer::Seat(seat) if seat.0 < self.seats => Some(self.hand(seat)),
            Viewer::Seat(_) | Viewer::Spectator => self.shares_hand().then(|| self.hand(Seat(0))),
        }
    }

    fn player_view(&self, seat: Seat) -> PlayerView {
        PlayerView {
            colour: self.colour(seat),
            cards: self.hand(seat).len(),
            flasks: self.flasks(seat),
            home: self.home(self.owner(seat)),
        }
    }

    /// Whether the viewer is this seat or its partner.
    fn are_partners(&self, viewer: Viewer, seat: Seat) -> bool {
        match viewer {
            Viewer::Seat(looks) => looks == seat || self.partner(seat) == Some(looks),
            Viewer::Spectator => false,
        }
    }

    /// An event as a viewer may see it: cards hidden from the viewer are removed (R16.3).
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
                card: card.filter(|_| viewer == Viewer::Seat(seat)),
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
    /// The seat to act, if a player is to act.
    pub fn to_act(&self) -> Option<Seat> {
        let decides = !self.turn.phase.is_chance() && self.outcome.is_none();
        decides.then_some(self.turn.actor)
    }

    /// The viewer's seat; `None` for a spectator.
    pub fn seat(&self) -> Option<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        }
    }

    /// The discard pile as a multiset.
    pub fn discard_pile(&self) -> Pile {
        self.discard.iter().copied().collect()
    }
}
