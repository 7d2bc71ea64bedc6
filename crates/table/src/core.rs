//! The state of a table, and how a command changes it.

use std::collections::VecDeque;
use std::sync::Arc;

use towers_rules::{Chance, Seat, State, Viewer};

use crate::command::{Command, Who};
use crate::dice::Dice;
use crate::event::{AnyEvent, ChatLine, Ending, TableEvent, only_for};
use crate::fair::{Chain, Device};
use crate::ids::{Digest, Millis, PersonId, Seed, Sum};
use crate::rejection::Rejection;
use crate::seat::{Occupant, Person, Place, seats};
use crate::settings::Settings;

/// The stage of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// No game yet.
    Lobby,
    /// A game is running.
    Playing,
    /// A game is over; another one can begin.
    Over,
}

/// A running or finished game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub state: State,
    pub dice: Dice,
    pub seed: Seed,
    /// The server's commitment: to its secret, or to the seed at a table without secrets.
    pub commitment: Digest,
    /// The server's secret.
    pub secret: Option<Seed>,
    /// The contributions of people's devices.
    pub devices: Vec<Device>,
    /// The number of the open decision. It changes when the offered choices change.
    pub decisions: u64,
    /// The time at which the open decision opened.
    pub since: Millis,
    /// The remaining time of each player, if there is a bank.
    pub banks: Vec<Millis>,
    pub ending: Option<Ending>,
}

/// The whole state of a table except its log. It is small enough to be copied for every command, so that a refused
/// command has no effect and an accepted one can be stored before it takes effect. What changes rarely is shared by the
/// copies.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub id: String,
    pub settings: Arc<Settings>,
    pub people: Arc<Vec<Person>>,
    pub next_person: u32,
    pub host: Option<PersonId>,
    /// The person to whom the host role returns when they come back.
    pub owner: Option<PersonId>,
    /// The keys of banned people.
    pub banned: Vec<String>,
    pub places: Vec<Place>,
    pub game: Option<Game>,
    pub games: u32,
    /// The server's secrets. `None` at a table on a device and at one of an earlier version: there, the driver draws
    /// a seed when a game begins.
    pub chain: Option<Chain>,
    /// The time since which devices are asked for their numbers.
    pub drawing_since: Option<Millis>,
    pub chat: Arc<VecDeque<ChatLine>>,
    /// The number of the last entry.
    pub number: u64,
    /// The time of the last entry.
    pub at: Millis,
    /// The number of entries that only one person received.
    pub private_entries: u64,
    /// The time of the last entry that everybody received.
    pub public_at: Millis,
    /// The checksum of the last entry.
    pub sum: Sum,
    /// Whether the current command is replayed from a record.
    pub is_replayed: bool,
    /// The version of the record format, on which checksums depend.
    pub version: u8,
}

/// The results of a command besides the new core.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub events: Vec<AnyEvent>,
    pub chance: Vec<Chance>,
    pub seed: Option<Seed>,
    pub secret: Option<Seed>,
    pub commitment: Option<Digest>,
    pub ending: Option<Ending>,
}

impl Log {
    pub fn tell(&mut self, event: TableEvent) {
        self.events.push(AnyEvent::Table(event));
    }
}

/// Whether a command is new or replayed from a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin<'a> {
    /// New; if it begins a game at a table without secrets, this seed is used.
    Fresh(&'a Seed),
    /// From a record, possibly a published one without chat. If the command begins a game, the record has its seed,
    /// and the secret if there is one.
    Recorded {
        seed: Option<Seed>,
        secret: Option<Seed>,
    },
}

impl Core {
    /// Carries out a command. After an error this core is inconsistent and has to be discarded.
    pub fn apply(
        &mut self,
        by: Who,
        command: &Command,
        origin: Origin,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        match command {
            Command::Sit {
                name,
                seat,
                colour,
                key,
                program,
            } => {
                self.check_not_banned(key)?;
                let person = self.sit(by, name.as_deref(), *seat, *colour, key, log)?;
                self.mark_program(person, *program, log);
                Ok(())
            }
            Command::Leave => self.leave(by, origin, log),
            Command::Ready { ready } => self.ready(by, *ready, log),
            Command::Configure { settings } => self.configure(by, settings, log),
            Command::AddBot { seat, level } => self.add_bot(by, *seat, *level, log),
            Command::Remove { seat } => self.remove(by, *seat, log),
            Command::Start => {
                self.check_host(by)?;
                self.start(origin, log)
            }
            Command::Act { action, decision } => self.act(by, *action, *decision, origin, log),
            Command::PassAhead { until } => self.pass_ahead(by, *until, log),
            Command::Stops { everywhere } => self.set_stops(by, *everywhere, log),
            Command::Chat { text } => self.say(by, text, origin, log),
            Command::Emote { emote } => self.emote(by, *emote, log),
            Command::Replace { seat, level } => self.replace(by, *seat, *level, log),
            Command::Back => self.back(by, log),
            Command::End { agree } => self.end(by, *agree, log),
            Command::Rematch => self.rematch(by, origin, log),
            Command::Tick => self.tick(by, origin, log),
            Command::Away { seat } => self.mark_away(by, *seat, log),
            Command::NewHost { person } => self.new_host(by, *person, log),
            Command::Reopen => self.reopen(by, log),
            Command::Mute { person, muted } => self.mute(by, *person, *muted, log),
            Command::Ban { seat } => self.ban(by, *seat, log),
            Command::HandOver { person } => self.hand_over(by, *person, log),
            Command::Commit { commitment } => self.commit_number(by, *commitment, log),
            Command::Reveal { number } => self.reveal_number(by, *number, origin, log),
        }
    }

    // ---- people and seats ----

    pub fn person(&self, id: PersonId) -> Option<&Person> {
        self.people.iter().find(|p| p.id == id)
    }

    pub fn person_mut(&mut self, id: PersonId) -> Option<&mut Person> {
        Arc::make_mut(&mut self.people)
            .iter_mut()
            .find(|p| p.id == id)
    }

    pub fn seat_of(&self, id: PersonId) -> Option<Seat> {
        seats(&self.places)
            .find(|(_, place)| place.person() == Some(id))
            .map(|(seat, _)| seat)
    }

    pub fn viewer(&self, person: Option<PersonId>) -> Viewer {
        let seat = person.and_then(|id| self.seat_of(id));
        // A seat added after the last game did not take part in it.
        let played = |seat: &Seat| match &self.game {
            Some(game) => seat.0 < game.state.players(),
            None => true,
        };
        match seat.filter(played) {
            Some(seat) => Viewer::Seat(seat),
            None => Viewer::Spectator,
        }
    }

    pub fn place(&self, seat: Seat) -> Result<&Place, Rejection> {
        self.places.get(seat.index()).ok_or(Rejection::NoSuchSeat)
    }

    pub fn place_mut(&mut self, seat: Seat) -> Result<&mut Place, Rejection> {
        self.places
            .get_mut(seat.index())
            .ok_or(Rejection::NoSuchSeat)
    }

    // ---- numbering per viewer ----

    /// Counts the entry that was just applied. Returns the only person who receives it, if there is one.
    pub fn count_entry(&mut self, events: &[AnyEvent]) -> Option<PersonId> {
        let seat = only_for(events);
        let person = seat.and_then(|seat| self.place(seat).ok()?.person());
        let at = self.at;
        match person.and_then(|id| self.person_mut(id)) {
            Some(person) => {
                person.private_entries += 1;
                person.private_at = at;
                self.private_entries += 1;
            }
            None => self.public_at = at,
        }
        person
    }

    /// The number of entries that a person received. It does not reveal that there were others.
    pub fn number_for(&self, person: Option<PersonId>) -> u64 {
        let person = person.and_then(|id| self.person(id));
        let own = person.map_or(0, |person| person.private_entries);
        self.number - (self.private_entries - own)
    }

    /// The time of the last entry that a person received.
    pub fn at_for(&self, person: Option<PersonId>) -> Millis {
        let person = person.and_then(|id| self.person(id));
        let own = person.map_or(0, |person| person.private_at);
        self.public_at.max(own)
    }

    // ---- permissions ----

    pub fn stage(&self) -> Stage {
        match &self.game {
            None => Stage::Lobby,
            Some(game) if game.ending.is_none() => Stage::Playing,
            Some(_) => Stage::Over,
        }
    }

    /// Requires a sender who is known at the table.
    pub fn check_person(&self, by: Who) -> Result<PersonId, Rejection> {
        match by {
            Who::Person(id) if self.person(id).is_some() => Ok(id),
            Who::Person(_) => Err(Rejection::Unknown),
            Who::Stranger | Who::Bot(_) | Who::House => Err(Rejection::NotSeated),
        }
    }

    /// Requires a sender with a seat.
    pub fn check_seated(&self, by: Who) -> Result<(PersonId, Seat), Rejection> {
        let id = self.check_person(by)?;
        let seat = self.seat_of(id).ok_or(Rejection::NotSeated)?;
        Ok((id, seat))
    }

    pub fn check_host(&self, by: Who) -> Result<PersonId, Rejection> {
        match by {
            Who::Person(id) if self.host == Some(id) => Ok(id),
            _ => Err(Rejection::NotHost),
        }
    }

    pub fn check_house(by: Who) -> Result<(), Rejection> {
        if by == Who::House {
            Ok(())
        } else {
            Err(Rejection::NotForPlayers)
        }
    }

    pub fn check_no_game(&self) -> Result<(), Rejection> {
        if self.stage() == Stage::Playing || self.drawing_since.is_some() {
            Err(Rejection::GameOn)
        } else {
            Ok(())
        }
    }

    /// The running game.
    pub fn playing(&mut self) -> Result<&mut Game, Rejection> {
        match &mut self.game {
            Some(game) if game.ending.is_none() => Ok(game),
            _ => Err(Rejection::NoGame),
        }
    }

    /// Appoints a host if there is none, preferably somebody with a seat.
    pub fn find_host(&mut self, log: &mut Log) {
        let stays = |core: &Core, id| core.person(id).is_some() && !core.has_left(id);
        if self.host.is_some_and(|id| stays(self, id)) {
            return;
        }
        let seated = self.places.iter().filter_map(Place::person);
        let next = seated
            .chain(self.people.iter().map(|p| p.id))
            .find(|&id| stays(self, id));
        if self.host != next {
            self.host = next;
            log.tell(TableEvent::HostIs { person: next });
        }
    }

    /// Replaces a host who has been disconnected for a while.
    pub fn new_host(&mut self, by: Who, person: PersonId, log: &mut Log) -> Result<(), Rejection> {
        Core::check_house(by)?;
        self.person(person).ok_or(Rejection::Unknown)?;
        if self.host == Some(person) {
            return Err(Rejection::NotDue);
        }
        self.host = Some(person);
        log.tell(TableEvent::HostIs {
            person: Some(person),
        });
        Ok(())
    }

    /// Whether a person has left the running game, in which their seat is kept.
    pub fn has_left(&self, id: PersonId) -> bool {
        self.seat_of(id)
            .is_some_and(|seat| self.places[seat.index()].left)
    }

    /// Whether all seats are taken.
    pub fn is_full(&self) -> bool {
        self.places.iter().all(|p| p.occupant != Occupant::Nobody)
    }
}
