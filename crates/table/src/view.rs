//! A table as somebody sees it.

use rules::{Action, Actions, Colour, Seat, View, Viewer};
use serde::Serialize;
use wire::Deserialize;

use crate::clock::{Decider, Waiting};
use crate::command::PassAhead;
use crate::core::{Core, Stage};
use crate::event::{ChatLine, Ending};
use crate::ids::{Digest, Millis, PersonId, Seed};
use crate::seat::{Occupant, seats};
use crate::settings::{BotLevel, Clock, Settings};

/// All that somebody may know about a table: enough to begin with, or to begin anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableView {
    /// The table's name in links.
    pub table: String,
    /// The number of the last happening this view includes.
    pub number: u64,
    /// When that was.
    pub at: Millis,
    /// Where the table stands.
    pub stage: Stage,
    /// The settings.
    pub settings: Settings,
    /// Who is host.
    pub host: Option<PersonId>,
    /// The seats, in order.
    pub seats: Vec<SeatView>,
    /// Who looks.
    pub you: You,
    /// How many games were begun here.
    pub games: u32,
    /// What the table commits to for the last game: the SHA-256 of its seed.
    pub commitment: Option<Digest>,
    /// The seed of the last game, once it is over.
    pub seed: Option<Seed>,
    /// How the last game ended.
    pub ending: Option<Ending>,
    /// The last game.
    pub game: Option<Box<GameView>>,
    /// What was said last.
    pub chat: Vec<ChatLine>,
}

/// Whoever looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct You {
    /// Their number; none: somebody who only watches.
    pub person: Option<PersonId>,
    /// Their seat.
    pub seat: Option<Seat>,
    /// Whether they are host.
    pub host: bool,
    /// Whether they pass ahead.
    pub pass_ahead: Option<PassAhead>,
}

/// A seat as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    /// Its colour.
    pub colour: Colour,
    /// Who has it.
    pub taken: Taken,
    /// Whether they are ready.
    pub ready: bool,
    /// Whether they have been gone for a while.
    pub away: bool,
    /// Whether they left the game.
    pub left: bool,
    /// The bot that plays for them.
    pub stand_in: Option<BotLevel>,
    /// Whether they wish to end the game.
    pub wants_end: bool,
    /// Whether they wish for another one.
    pub wants_rematch: bool,
}

wire::tagged! {
    "kind";
    /// Who has a seat.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Taken {
        /// Nobody yet.
        Open,
        /// A person.
        Person {
            /// Who.
            person: PersonId,
            /// What they are called.
            name: String,
        },
        /// A bot.
        Bot {
            /// How strong.
            level: BotLevel,
        },
    }
}

/// A game as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameView {
    /// The position.
    pub view: View,
    /// The decision that is open.
    pub waiting: Option<Waiting>,
    /// What the viewer may do, if the decision is theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<Action>,
    /// What the viewer may do as a partner out of turn (R12.2, R12.3).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<Action>,
    /// What is left of everybody's time, where there is a bank; that of the one who decides ran on
    /// since the decision is open.
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
        }
    }

    pub(crate) fn view(&self, person: Option<PersonId>) -> TableView {
        let over = self.game.as_ref().filter(|g| g.ending.is_some());
        TableView {
            table: self.id.clone(),
            number: self.number,
            at: self.at,
            stage: self.stage(),
            settings: self.settings.clone(),
            host: self.host,
            seats: seats(&self.places)
                .map(|(s, _)| self.seat_view(s))
                .collect(),
            you: self.you(person),
            games: self.games,
            commitment: self.game.as_ref().map(|g| g.commitment),
            seed: over.map(|g| g.seed),
            ending: over.and_then(|g| g.ending),
            game: self.game_view(self.viewer(person)).map(Box::new),
            chat: self.chat.iter().cloned().collect(),
        }
    }

    fn seat_view(&self, seat: Seat) -> SeatView {
        let place = &self.places[seat.index()];
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
                },
                Occupant::Bot(level) => Taken::Bot { level },
            },
            ready: place.ready,
            away: place.away,
            left: place.left,
            stand_in: place.stand_in,
            wants_end: place.wants_end,
            wants_rematch: place.wants_rematch,
        }
    }

    pub(crate) fn game_view(&self, viewer: Viewer) -> Option<GameView> {
        let game = self.game.as_ref()?;
        let waiting = self.waiting();
        let (mut legal, mut optional) = (Vec::new(), Vec::new());
        if let (Viewer::Seat(seat), Some(waiting)) = (viewer, waiting) {
            let mut list = Actions::new();
            let plays = self.places[seat.index()].bot().is_none();
            if waiting.seat == seat && matches!(waiting.by, Decider::Person(_)) {
                game.state.legal_actions(&mut list);
                legal.extend(list.iter());
            } else if plays && game.state.partner_actions(&mut list) == Some(seat) {
                optional.extend(list.iter());
            }
        }
        Some(GameView {
            view: game.state.view(viewer),
            waiting,
            legal,
            optional,
            banks: matches!(self.settings.clock, Clock::Bank { .. }).then(|| game.banks.clone()),
        })
    }
}
