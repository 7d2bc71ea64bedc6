//! A table, redacted for one viewer.

use serde::{Deserialize, Serialize};
use towers_rules::{Action, Actions, Colour, Seat, View, Viewer};

use crate::clock::{Decider, Waiting};
use crate::command::{PassAhead, is_false};
use crate::core::{Core, Stage};
use crate::event::{ChatLine, Ending};
use crate::fair::{Device, Draw};
use crate::ids::{Digest, Millis, PersonId, Seed};
use crate::level::BotLevel;
use crate::play::offered_actions;
use crate::seat::{Occupant, seats};
use crate::settings::{Clock, Settings};

/// The whole table, redacted for one viewer: enough for a new or resynchronizing client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "fields whose names say what they are")]
pub struct TableView {
    /// The id of the table, as in links.
    pub table: String,
    /// The number of the last event group that this view includes, counted for this viewer.
    pub number: u64,
    /// The time of that event group.
    pub at: Millis,
    pub stage: Stage,
    pub settings: Settings,
    /// The current host.
    pub host: Option<PersonId>,
    /// The seats, in order.
    pub seats: Vec<SeatView>,
    /// The identity of the viewer.
    pub you: You,
    /// The number of games begun here.
    pub games: u32,
    /// The server's commitment before the last game: the SHA-256 of its secret.
    pub commitment: Option<Digest>,
    /// Its commitment for the next game, while none is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_commitment: Option<Digest>,
    /// The server's secret of the last game, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Seed>,
    /// The contributions of people's devices to the last game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Device>,
    /// The running draw, in which devices reveal their numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// The seed of the last game, once it is over.
    pub seed: Option<Seed>,
    /// How the last game ended.
    pub ending: Option<Ending>,
    /// The last game.
    pub game: Option<Box<GameView>>,
    /// The last chat lines.
    pub chat: Vec<ChatLine>,
}

/// The identity of a viewer at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "fields whose names say what they are")]
pub struct You {
    /// Their id; `None` for a spectator.
    pub person: Option<PersonId>,
    pub seat: Option<Seat>,
    pub host: bool,
    /// How long they pass ahead, if they do.
    pub pass_ahead: Option<PassAhead>,
    /// Whether they are asked before and after every action.
    #[serde(default)]
    pub stops_everywhere: bool,
}

/// The public state of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "fields whose names say what they are")]
pub struct SeatView {
    pub colour: Colour,
    pub taken: Taken,
    /// Whether the host has muted them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
    /// The commitment of their device for the next game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Digest>,
    pub ready: bool,
    /// Whether they have been disconnected for a while.
    pub away: bool,
    /// The time since which they have been away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away_since: Option<Millis>,
    /// Whether they left the game.
    pub left: bool,
    /// The bot that plays for them.
    pub stand_in: Option<BotLevel>,
    /// Whether they agree to end the game.
    pub wants_end: bool,
    /// Whether they agree to another game.
    pub wants_rematch: bool,
}

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "fields whose names say what they are")]
pub enum Taken {
    Open,
    Person {
        person: PersonId,
        name: String,
        /// Whether a program plays for them.
        #[serde(default, skip_serializing_if = "is_false")]
        program: bool,
    },
    Bot {
        level: BotLevel,
    },
}

/// A game, redacted for a viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameView {
    /// The position.
    pub view: View,
    /// The open decision.
    pub waiting: Option<Waiting>,
    /// The legal actions of the viewer, if the decision is theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<Action>,
    /// The actions of the viewer as a partner out of turn (R12.2, R12.3).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<Action>,
    /// The remaining time of each player, if there is a bank. It does not yet include the time that the player to act has
    /// used since the decision opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banks: Option<Vec<Millis>>,
}

impl Core {
    pub(crate) fn you(&self, person: Option<PersonId>) -> You {
        let person = person.filter(|&id| self.person(id).is_some());
        let seat = person.and_then(|id| self.seat_of(id));
        You {
            person,
            seat,
            host: person.is_some() && person == self.host,
            pass_ahead: seat.and_then(|s| self.places[s.index()].pass_ahead),
            stops_everywhere: seat.is_some_and(|s| self.places[s.index()].stops_everywhere),
        }
    }

    pub(crate) fn view(&self, person: Option<PersonId>) -> TableView {
        TableView {
            table: self.id.clone(),
            number: self.number_for(person),
            at: self.at_for(person),
            stage: self.stage(),
            settings: Settings::clone(&self.settings),
            host: self.host,
            seats: self.seat_views(),
            you: self.you(person),
            games: self.games,
            commitment: self.commitment(),
            next_commitment: self.next_commitment(),
            secret: self.revealed_secret(),
            devices: self.devices(),
            draw: self.draw(),
            seed: self.revealed_seed(),
            ending: self.ending(),
            game: self.game_view(self.viewer(person)).map(Box::new),
            chat: self.chat.iter().cloned().collect(),
        }
    }

    pub(crate) fn commitment(&self) -> Option<Digest> {
        self.game.as_ref().map(|g| g.commitment)
    }

    /// The seed of the last game, once it is over.
    pub(crate) fn revealed_seed(&self) -> Option<Seed> {
        let over = self.game.as_ref().filter(|g| g.ending.is_some());
        over.map(|g| g.seed)
    }

    /// The server's secret of the last game, once it is over.
    pub(crate) fn revealed_secret(&self) -> Option<Seed> {
        let over = self.game.as_ref().filter(|g| g.ending.is_some());
        over.and_then(|g| g.secret)
    }

    /// The contributions of people's devices to the last game.
    pub(crate) fn devices(&self) -> Vec<Device> {
        let game = self.game.as_ref();
        game.map(|g| g.devices.clone()).unwrap_or_default()
    }

    pub(crate) fn ending(&self) -> Option<Ending> {
        self.game.as_ref().and_then(|g| g.ending)
    }

    pub(crate) fn seat_views(&self) -> Vec<SeatView> {
        let all = seats(&self.places);
        all.map(|(seat, _)| self.seat_view(seat)).collect()
    }

    fn seat_view(&self, seat: Seat) -> SeatView {
        let place = &self.places[seat.index()];
        let person = place.person().and_then(|id| self.person(id));
        SeatView {
            colour: place.colour,
            taken: match place.occupant {
                Occupant::Nobody => Taken::Open,
                Occupant::Person(person) => Taken::Person {
                    person,
                    name: self
                        .person(person)
                        .map(|p| p.name.clone())
                        .unwrap_or_default(),
                    program: self.person(person).is_some_and(|p| p.program),
                },
                Occupant::Bot(level) => Taken::Bot { level },
            },
            muted: person.is_some_and(|person| person.muted),
            commitment: person.and_then(|person| person.commitment),
            ready: place.ready,
            away: place.away,
            away_since: place.away_since,
            left: place.left,
            stand_in: place.stand_in,
            wants_end: place.wants_end,
            wants_rematch: place.wants_rematch,
        }
    }

    pub(crate) fn game_view(&self, viewer: Viewer) -> Option<GameView> {
        let game = self.game.as_ref()?;
        let (legal, optional) = self.choices(viewer);
        Some(GameView {
            view: game.state.view(viewer),
            waiting: self.waiting(),
            legal,
            optional,
            banks: self.banks(),
        })
    }

    /// The legal actions of a viewer if the decision is theirs, and those as a partner out of turn.
    pub(crate) fn choices(&self, viewer: Viewer) -> (Vec<Action>, Vec<Action>) {
        let (mut legal, mut optional) = (Vec::new(), Vec::new());
        if let (Some(game), Viewer::Seat(seat), Some(waiting)) =
            (&self.game, viewer, self.waiting())
        {
            let mut list = Actions::new();
            let plays = self.places[seat.index()].bot().is_none();
            if waiting.seat == seat && matches!(waiting.by, Decider::Person(_)) {
                legal = offered_actions(&game.state);
            } else if plays && game.state.partner_actions_into(&mut list) == Some(seat) {
                optional.extend(list.iter());
            }
        }
        (legal, optional)
    }

    /// The remaining time of each player, if there is a bank.
    pub(crate) fn banks(&self) -> Option<Vec<Millis>> {
        let game = self.game.as_ref()?;
        matches!(self.settings.clock, Clock::Bank { .. }).then(|| game.banks.clone())
    }
}
