//! Events at a table, and how they are redacted for a viewer.

use serde::{Deserialize, Serialize};
use towers_rules::{Outcome, Seat, State, Viewer};

use crate::change::TableChange;
use crate::command::{Emote, PassAhead, Who};
use crate::fair::{Device, Draw};
use crate::ids::{Digest, Millis, PersonId, Seed};
use crate::level::BotLevel;
use crate::settings::Settings;
use crate::view::TableView;

/// An event of the game or of the table. Both have a field `event` with the kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Event"))]
#[serde(untagged)]
#[allow(missing_docs, reason = "fields whose names say what they are")]
pub enum AnyEvent {
    Game(towers_rules::Event),
    Table(TableEvent),
}

/// An event of the table, outside the rules of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "fields whose names say what they are")]
pub enum TableEvent {
    /// A person took a seat, or changed to another.
    Sat {
        /// The person who sat down.
        person: PersonId,
        name: String,
        /// Their new seat.
        seat: Seat,
        colour: towers_rules::Colour,
    },
    /// A program plays for a person, or no longer does.
    ProgramIs {
        /// The owner of the program.
        person: PersonId,
        /// Whether a program plays.
        program: bool,
    },
    /// A bot took a seat, or changed its level.
    BotSat { seat: Seat, level: BotLevel },
    /// A person left the table, or was removed.
    Left {
        /// The person who left.
        person: PersonId,
        /// Their seat, if they had one.
        seat: Option<Seat>,
        /// Whether the host removed them.
        removed: bool,
    },
    /// A bot was removed.
    BotLeft {
        /// The seat that is open now.
        seat: Seat,
    },
    /// The host changed.
    HostIs {
        /// The new host; `None` if there is nobody.
        person: Option<PersonId>,
    },
    /// The host muted or unmuted a person.
    MutedIs {
        /// The person concerned.
        person: PersonId,
        muted: bool,
    },
    /// The settings changed.
    Configured { settings: Box<Settings> },
    /// A person is ready, or no longer ready.
    ReadyIs { seat: Seat, ready: bool },
    /// A device committed to a number for the next game.
    Committed {
        /// The seat of the device's owner.
        seat: Seat,
        /// The hash of the number.
        commitment: Digest,
    },
    /// A game was started. It begins when the devices have revealed their numbers; this event is repeated after each
    /// of them.
    Drawing(Draw),
    /// A game began.
    Started {
        /// The number of the game at this table, counted from 1.
        game: u32,
        /// The commitment published before the game: to the server's secret, or to the seed if there is no secret.
        commitment: Digest,
        /// The colours of the seats.
        colours: Vec<towers_rules::Colour>,
        /// The contributions of people's devices.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        devices: Vec<Device>,
    },
    /// A person has been disconnected for a while.
    WentAway { seat: Seat },
    /// A bot took over for a person.
    StoodIn {
        seat: Seat,
        level: BotLevel,
        why: StandInReason,
    },
    /// The bot made its one move for a person, who decides again.
    MoveMade { seat: Seat },
    /// A person took their seat back.
    CameBack { seat: Seat },
    /// The table passed for a person whose time in a reaction window was up, or ended the casts of somebody absent.
    PassedFor { seat: Seat },
    /// A person passes ahead, or no longer does. Only they receive this.
    PassAheadIs {
        seat: Seat,
        /// The duration; `None` if they no longer pass ahead.
        until: Option<PassAhead>,
    },
    /// A person is asked before and after every action, or no longer is. Only they receive this.
    StopsAre {
        seat: Seat,
        /// Whether they are asked in every window.
        everywhere: bool,
    },
    /// A chat message.
    Said(ChatLine),
    /// A person sent an emote.
    Emoted {
        /// The sender.
        person: PersonId,
        /// The emote to show.
        emote: Emote,
    },
    /// A person agrees to end the game, or no longer does.
    EndWished { seat: Seat, agree: bool },
    /// A person agrees to another game.
    RematchWished { seat: Seat },
    /// The clock of the open decision was restarted.
    Reopened,
    /// The game is over, and the source of its chance is revealed.
    GameOver {
        /// How it ended.
        ending: Ending,
        /// The seed of its chance.
        seed: Seed,
        /// The server's secret, if there is one. It is the commitment to the next secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<Seed>,
    },
}

/// Why a bot plays for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StandInReason {
    /// Their time was up too many times.
    TimeUp,
    /// Their time was up: the bot makes one move.
    OneMove,
    /// They left.
    Left,
    /// They were away, and somebody at the table replaced them.
    Away,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By the rules.
    Played(Outcome),
    /// Everybody agreed to end it: nobody wins.
    Agreed,
}

/// A chat message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatLine {
    /// The sender.
    pub person: PersonId,
    /// The name of the sender at that time.
    pub name: String,
    /// The message; empty in published records.
    pub text: String,
    /// The time at which it was sent.
    pub at: Millis,
}

/// The events of one entry, unredacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventGroup {
    /// The number of the entry.
    pub number: u64,
    /// The time of the entry.
    pub at: Millis,
    /// The sender of the command.
    pub by: Who,
    /// The events, in order.
    pub events: Vec<AnyEvent>,
    /// The only person who receives them; `None` for everybody.
    pub only_for: Option<PersonId>,
}

/// The events of one entry, redacted for a viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seen {
    /// A number without gaps for this viewer. Entries sent only to another person are not counted.
    pub number: u64,
    /// The time of the entry.
    pub at: Millis,
    /// The sender of the command; `None` if the viewer receives none of its events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// The events, redacted for the viewer.
    pub events: Vec<AnyEvent>,
    /// The changes of the viewer's view, besides its number and time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Box<TableChange>>,
    /// The whole view, if much has changed: at the start of a game, with new settings, and with the last of the
    /// missed events after a reconnect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<TableView>>,
}

impl Seen {
    /// Whether the position, the open decision or the clocks changed.
    pub fn changes_game(&self) -> bool {
        self.view.is_some() || self.changed.as_ref().is_some_and(|c| c.game.is_some())
    }
}

impl AnyEvent {
    /// The event, redacted for a viewer; `None` if they do not receive it.
    pub(crate) fn seen_by(&self, state: Option<&State>, viewer: Viewer) -> Option<AnyEvent> {
        match self {
            // Without a state, redaction is impossible: nobody receives the event.
            AnyEvent::Game(event) => state.map(|s| AnyEvent::Game(s.event_seen_by(*event, viewer))),
            AnyEvent::Table(event) => {
                let is_for_viewer = match event.only_for() {
                    Some(seat) => viewer == Viewer::Seat(seat),
                    None => true,
                };
                is_for_viewer.then(|| AnyEvent::Table(event.clone()))
            }
        }
    }
}

impl TableEvent {
    /// The only seat that receives it; `None` for everybody.
    fn only_for(&self) -> Option<Seat> {
        // List every kind, so that adding one fails to compile here.
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

/// The only seat that receives these events; `None` if another one receives any of them.
pub(crate) fn only_for(events: &[AnyEvent]) -> Option<Seat> {
    let seat = |event: &AnyEvent| match event {
        AnyEvent::Game(_) => None,
        AnyEvent::Table(event) => event.only_for(),
    };
    let first = seat(events.first()?)?;
    let same = |event: &AnyEvent| seat(event) == Some(first);
    events.iter().all(same).then_some(first)
}

impl EventGroup {
    /// Whether a person receives this entry at all.
    pub(crate) fn is_told_to(&self, person: Option<PersonId>) -> bool {
        self.only_for.is_none() || self.only_for == person
    }

    /// Whether only the game changes, and not seats or settings: it has no events of the table.
    pub(crate) fn is_in_game(&self) -> bool {
        let is_of_game = |event: &AnyEvent| matches!(event, AnyEvent::Game(_));
        !self.events.is_empty() && self.events.iter().all(is_of_game)
    }

    /// The events redacted for a viewer, without changes of the view. The number is that of the entry.
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
