//! What happens at a table, and what a viewer hears of it.

use serde::{Deserialize, Serialize};
use towers_rules::{Outcome, Seat, State, Viewer};

use crate::change::TableChange;
use crate::command::{Emote, PassAhead, Who};
use crate::fair::{Device, Draw};
use crate::ids::{Digest, Millis, PersonId, Seed};
use crate::level::BotLevel;
use crate::settings::Settings;
use crate::view::TableView;

/// Something that happened: in the game, or around it. Both have a field `event` with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Event {
    /// In the game.
    Game(towers_rules::Event),
    /// Around it.
    Table(TableEvent),
}

/// Something that happened around the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TableEvent {
    /// A person took a seat, or changed to another.
    Sat {
        /// Who.
        person: PersonId,
        /// What they are called.
        name: String,
        /// Where.
        seat: Seat,
        /// In which colour.
        colour: towers_rules::Colour,
    },
    /// A program plays for a person, or no longer.
    ProgramIs {
        /// For whom.
        person: PersonId,
        /// Whether.
        program: bool,
    },
    /// A bot took a seat, or changed its level.
    BotSat {
        /// Where.
        seat: Seat,
        /// How strong.
        level: BotLevel,
    },
    /// A person left the table, or was asked to.
    Left {
        /// Who.
        person: PersonId,
        /// From where, if they had a seat.
        seat: Option<Seat>,
        /// Whether the host removed them.
        removed: bool,
    },
    /// A bot was taken away.
    BotLeft {
        /// From where.
        seat: Seat,
    },
    /// Somebody else is host now, or nobody.
    HostIs {
        /// Who.
        person: Option<PersonId>,
    },
    /// The host does not let a person talk, or does again.
    MutedIs {
        /// Whom.
        person: PersonId,
        /// Whether they are silenced.
        muted: bool,
    },
    /// The settings changed.
    Configured {
        /// What they are now.
        settings: Box<Settings>,
    },
    /// A person is ready, or no longer.
    ReadyIs {
        /// Where.
        seat: Seat,
        /// Whether.
        ready: bool,
    },
    /// A device committed to a number for the next game.
    Committed {
        /// Of whoever sits there.
        seat: Seat,
        /// The hash of the number.
        commitment: Digest,
    },
    /// A game was started; it begins when the devices have revealed their numbers. Told again whenever one has.
    Drawing(Draw),
    /// A game began.
    Started {
        /// Which game of this table, counted from 1.
        game: u32,
        /// The commitment that was published before: to the server's secret, or to the seed where there is none.
        commitment: Digest,
        /// The colours of the seats.
        colours: Vec<towers_rules::Colour>,
        /// What the device of every person contributed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        devices: Vec<Device>,
    },
    /// A person has been gone for a while.
    WentAway {
        /// Where.
        seat: Seat,
    },
    /// A bot plays on for a person.
    StoodIn {
        /// Where.
        seat: Seat,
        /// How strong.
        level: BotLevel,
        /// Why.
        why: StandInReason,
    },
    /// The bot has made its one move for a person, who decides again.
    MoveMade {
        /// Where.
        seat: Seat,
    },
    /// A person is back and plays again.
    CameBack {
        /// Where.
        seat: Seat,
    },
    /// The table passed for a person whose time in the window was up.
    PassedFor {
        /// Where.
        seat: Seat,
    },
    /// A person passes ahead, or no longer; only they hear of it.
    PassAheadIs {
        /// Where.
        seat: Seat,
        /// For how long.
        until: Option<PassAhead>,
    },
    /// A person is asked before and after every action, or no longer; only they hear of it.
    StopsAre {
        /// Where.
        seat: Seat,
        /// Whether they are asked everywhere.
        everywhere: bool,
    },
    /// A person said something.
    Said(ChatLine),
    /// A person showed something quick.
    Emoted {
        /// Who.
        person: PersonId,
        /// What.
        emote: Emote,
    },
    /// A person wishes to end the game, or no longer.
    EndWished {
        /// Where.
        seat: Seat,
        /// Whether.
        agree: bool,
    },
    /// A person wishes for another game.
    RematchWished {
        /// Where.
        seat: Seat,
    },
    /// The clock of the open decision started anew.
    Reopened,
    /// The game is over, and where its chance came from can be known.
    GameOver {
        /// How.
        ending: Ending,
        /// Where its chance came from.
        seed: Seed,
        /// The server's secret, which is the commitment to the next one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<Seed>,
    },
}

/// Why a bot plays on for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StandInReason {
    /// Their time was up too often.
    TimeUp,
    /// Their time was up: the bot makes one move.
    OneMove,
    /// They left.
    Left,
    /// They were away, and somebody at the table asked for it.
    Away,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By the rules.
    Played(Outcome),
    /// Everybody wished to end it: nobody wins.
    Agreed,
}

/// Something a person said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatLine {
    /// Who.
    pub person: PersonId,
    /// What they were called then.
    pub name: String,
    /// What; empty where a record was published without it.
    pub text: String,
    /// When.
    pub at: Millis,
}

/// The events of one entry, unredacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventGroup {
    /// The number of the entry.
    pub number: u64,
    /// When it was written.
    pub at: Millis,
    /// Who sent the command.
    pub by: Who,
    /// The events, in order.
    pub events: Vec<Event>,
    /// The only person who is told of them; none if everybody is.
    pub only_for: Option<PersonId>,
}

/// The events of one entry as a viewer is told of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seen {
    /// Counts what this viewer was told, without gaps. Entries that only another person is told of are not counted.
    pub number: u64,
    /// When the entry was written.
    pub at: Millis,
    /// Who sent the command; none if no event of it is for the viewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// What happened, as far as the viewer may know.
    pub events: Vec<Event>,
    /// What changed in the viewer's view, besides its number and time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Box<TableChange>>,
    /// The whole table as it is now, where much has changed: when a game or new settings begin, and
    /// with the last of what somebody missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<TableView>>,
}

impl Seen {
    /// Whether the position, the open decision or the clocks have changed.
    pub fn changes_game(&self) -> bool {
        self.view.is_some() || self.changed.as_ref().is_some_and(|c| c.game.is_some())
    }
}

impl Event {
    /// What a viewer hears: all of it, part of it, or nothing.
    pub(crate) fn seen_by(&self, state: Option<&State>, viewer: Viewer) -> Option<Event> {
        match self {
            // Without a state nobody can tell who may know what, so nobody is told.
            Event::Game(event) => state.map(|s| Event::Game(s.event_seen_by(*event, viewer))),
            Event::Table(event) => {
                let is_for_viewer = match event.only_for() {
                    Some(seat) => viewer == Viewer::Seat(seat),
                    None => true,
                };
                is_for_viewer.then(|| Event::Table(event.clone()))
            }
        }
    }
}

impl TableEvent {
    /// The only seat that is told of it; none if everybody is.
    fn only_for(&self) -> Option<Seat> {
        // Every kind is named, so that a new one has to be decided here.
        match self {
            TableEvent::PassAheadIs { seat, .. } | TableEvent::StopsAre { seat, .. } => Some(*seat),
            TableEvent::Sat { .. }
            | TableEvent::ProgramIs { .. }
            | TableEvent::BotSat { .. }
            | TableEvent::Left { .. }
            | TableEvent::BotLeft { .. }
            | TableEvent::HostIs { .. }
            | TableEvent::MutedIs { .. }
            | TableEvent::Configured { .. }
            | TableEvent::ReadyIs { .. }
            | TableEvent::Committed { .. }
            | TableEvent::Drawing(_)
            | TableEvent::Started { .. }
            | TableEvent::WentAway { .. }
            | TableEvent::StoodIn { .. }
            | TableEvent::MoveMade { .. }
            | TableEvent::CameBack { .. }
            | TableEvent::PassedFor { .. }
            | TableEvent::Said(_)
            | TableEvent::Emoted { .. }
            | TableEvent::EndWished { .. }
            | TableEvent::RematchWished { .. }
            | TableEvent::Reopened
            | TableEvent::GameOver { .. } => None,
        }
    }
}

/// The only seat that is told of some events; none if anybody else is told of one of them.
pub(crate) fn only_for(events: &[Event]) -> Option<Seat> {
    let seat = |event: &Event| match event {
        Event::Game(_) => None,
        Event::Table(event) => event.only_for(),
    };
    let first = seat(events.first()?)?;
    let same = |event: &Event| seat(event) == Some(first);
    events.iter().all(same).then_some(first)
}

impl EventGroup {
    /// Whether a person is told that there was anything at all.
    pub(crate) fn is_told_to(&self, person: Option<PersonId>) -> bool {
        self.only_for.is_none() || self.only_for == person
    }

    /// What a viewer is told of it, without what it changed. The number is that of the entry.
    pub(crate) fn seen_by(&self, state: Option<&State>, viewer: Viewer) -> Seen {
        let events: Vec<_> = self
            .events
            .iter()
            .filter_map(|event| event.seen_by(state, viewer))
            .collect();
        let hidden = events.is_empty() && !self.events.is_empty();
        Seen {
            number: self.number,
            at: self.at,
            by: (!hidden).then_some(self.by),
            events,
            changed: None,
            view: None,
        }
    }
}
