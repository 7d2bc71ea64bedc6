//! The table: executes commands and returns entries for the record.

mod viewing;

use std::collections::VecDeque;
use std::sync::Arc;

use towers_rules::{Action, Event as GameEvent, Seat, State};

use crate::clock::Waiting;
use crate::command::{Command, Who};
use crate::core::{Core, Log, Origin, Stage};
use crate::event::{AnyEvent, Ending, EventGroup};
use crate::fair::{Device, Draw};
use crate::ids::{Millis, PersonId, Seed};
use crate::lobby::clean_title;
use crate::play::offered_actions;
use crate::record::{Entry, Header};
use crate::rejection::Rejection;
use crate::settings::Settings;
use crate::update::PublicViews;

/// The number of event groups kept for clients that reconnect.
pub const HISTORY: usize = 2048;
/// The maximum number of entries of a table, so that nobody can fill the disk.
pub const MAX_ENTRIES: u64 = 200_000;

/// The authority over one table. It has no clock, no randomness, no disk and no network: its driver passes in the
/// time and seeds, stores its [entries](Entry) and sends [viewers](Table::seen) what they may know.
///
/// ```
/// use towers_table::{BotLevel, Command, Header, Hex, PersonId, Settings, Table, Who};
///
/// let header = Header::new("kitchen", Settings::default(), "Ann", "", 0);
/// let mut table = Table::create(&header)?;
/// let ann = Who::Person(PersonId(0));
/// let seed = Hex([7; 32]); // a real driver takes fresh random bytes for every command
/// table.submit(1, ann, Command::Sit { name: None, seat: None, colour: None, key: String::new(), program: false}, &seed)?;
/// table.submit(2, ann, Command::AddBot { seat: None, level: BotLevel::Adept }, &seed)?;
/// let entry = table.submit(3, ann, Command::Start, &seed)?;
/// assert_eq!(entry.commitment, Some(seed.commitment()));
/// assert!(table.waiting_for().is_some());
/// # Ok::<(), towers_table::Rejection>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    core: Core,
    /// The state before the last command, for computing changes.
    before: Option<Box<Core>>,
    /// The views of a spectator before and after the last command, once they were needed.
    public_views: PublicViews,
    history: VecDeque<EventGroup>,
    /// The numbers of the entries in which the last turns began.
    turns: VecDeque<u64>,
}

/// A command that was executed on a copy of the table and waits to be stored.
#[derive(Clone, Debug)]
pub struct Prepared {
    table: Table,
    entry: Entry,
    line: String,
    group: EventGroup,
}

impl Prepared {
    /// The entry to be stored before [`Table::commit`].
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The entry as a line of a record, like [`Entry::to_line`].
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The table after the command, without its log.
    pub fn preview(&self) -> &Table {
        &self.table
    }

    /// Whether only the game changes, and not seats or settings.
    pub fn is_in_game(&self) -> bool {
        self.group.is_in_game()
    }
}

impl Table {
    /// Creates a table. Its creator is the host, has number 0 and no seat yet.
    pub fn create(header: &Header) -> Result<Table, Rejection> {
        header.settings.check()?;
        let mut settings = header.settings.clone();
        settings.title = clean_title(&settings.title)?;
        let mut core = Core {
            id: header.table.clone(),
            settings: Arc::new(settings),
            people: Arc::default(),
            next_person: 0,
            host: None,
            owner: None,
            banned: Vec::new(),
            places: Vec::new(),
            game: None,
            games: 0,
            chain: header.chain(),
            drawing_since: None,
            chat: Arc::default(),
            number: 0,
            at: header.created,
            private_entries: 0,
            public_at: header.created,
            sum: header.sum(),
            is_replayed: false,
            version: header.record,
        };
        core.resize(usize::from(core.settings.seats))?;
        let name = core.free_name(&header.host, None)?;
        core.host = Some(core.admit(name, &header.key));
        // In earlier versions the host role did not return.
        core.owner = core.host.filter(|_| core.version >= 3);
        Ok(Table {
            core,
            before: None,
            public_views: PublicViews::default(),
            history: VecDeque::new(),
            turns: VecDeque::new(),
        })
    }

    /// Executes a command on a copy: nothing changes before [`Table::commit`]. So a driver can store the entry first,
    /// and drop it if that fails. At a table without secrets, `fresh` becomes the seed if the command begins a game,
    /// so it has to be unpredictable.
    pub fn prepare(
        &self,
        now: Millis,
        by: Who,
        command: Command,
        fresh: &Seed,
    ) -> Result<Prepared, Rejection> {
        self.derive(now, by, command, Origin::Fresh(fresh))
    }

    pub(crate) fn derive(
        &self,
        now: Millis,
        by: Who,
        command: Command,
        origin: Origin,
    ) -> Result<Prepared, Rejection> {
        if self.core.number >= MAX_ENTRIES {
            return Err(Rejection::WornOut);
        }
        let mut core = self.core.clone();
        // The clock of a machine can go back; that of a table must not.
        core.at = core.at.max(now);
        core.number += 1;
        core.is_replayed = matches!(origin, Origin::Recorded { .. });
        let mut log = Log::default();
        core.apply(by, &command, origin, &mut log)?;
        let Log {
            events,
            chance,
            seed,
            secret,
            commitment,
            ending,
        } = log;
        let mut entry = Entry {
            number: core.number,
            at: core.at,
            by,
            command,
            commitment,
            secret,
            seed,
            chance,
            over: ending,
            sum: core.sum,
        };
        let line = entry.seal(&core.sum, core.version);
        core.sum = entry.sum;
        let group = EventGroup {
            number: core.number,
            at: core.at,
            by,
            only_for: core.count_entry(&events),
            events,
        };
        let table = Table {
            core,
            before: None,
            public_views: PublicViews::default(),
            history: VecDeque::new(),
            turns: VecDeque::new(),
        };
        Ok(Prepared {
            table,
            entry,
            line,
            group,
        })
    }

    /// Applies a prepared command. It has to be the one prepared last.
    pub fn commit(&mut self, prepared: Prepared) -> Entry {
        let Prepared {
            table: Table { core, .. },
            entry,
            group,
            line: _,
        } = prepared;
        if entry.seed.is_some() {
            // The earlier history belongs to another game, with other hidden information.
            self.history.clear();
            self.turns.clear();
        }
        self.before = Some(Box::new(std::mem::replace(&mut self.core, core)));
        self.public_views.advance();
        let began = |e: &AnyEvent| matches!(e, AnyEvent::Game(GameEvent::TurnBegan { .. }));
        if group.events.iter().any(began) {
            self.turns.push_back(group.number);
            if self.turns.len() > self.core.places.len() + 1 {
                self.turns.pop_front();
            }
        }
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(group);
        entry
    }

    /// Executes a command at once. The returned entry is for the record.
    pub fn submit(
        &mut self,
        now: Millis,
        by: Who,
        command: Command,
        fresh: &Seed,
    ) -> Result<Entry, Rejection> {
        let prepared = self.prepare(now, by, command, fresh)?;
        Ok(self.commit(prepared))
    }

    // ---- for the driver ----

    /// The id of the table, as in links.
    pub fn id(&self) -> &str {
        &self.core.id
    }

    /// The number of the last entry. It is not sent to viewers: see [`Table::number_for`].
    pub fn number(&self) -> u64 {
        self.core.number
    }

    /// The number of the last event group that a viewer received. It counts only those, so that it does not reveal
    /// the existence of others.
    pub fn number_for(&self, person: Option<PersonId>) -> u64 {
        self.core.number_for(person)
    }

    /// The time of the last entry.
    pub fn at(&self) -> Millis {
        self.core.at
    }

    /// The settings of the current game, or of the next one.
    pub fn settings(&self) -> &Settings {
        &self.core.settings
    }

    /// The stage of the table.
    pub fn stage(&self) -> Stage {
        self.core.stage()
    }

    /// The running draw, in which devices reveal their numbers.
    pub fn draw(&self) -> Option<Draw> {
        self.core.draw()
    }

    /// The contributions of people's devices to the last game.
    pub fn devices(&self) -> &[Device] {
        self.core.game.as_ref().map_or(&[], |game| &game.devices)
    }

    /// How the last game ended; `None` if it is running.
    pub fn ending(&self) -> Option<Ending> {
        self.core.ending()
    }

    /// The number of games begun here.
    pub fn games(&self) -> u32 {
        self.core.games
    }

    /// The unredacted position of the last game: not for viewers.
    pub fn state(&self) -> Option<&State> {
        self.core.game.as_ref().map(|game| &game.state)
    }

    /// The open decision. If a bot has to answer, the driver asks it and submits its action as [`Who::Bot`].
    pub fn waiting_for(&self) -> Option<Waiting> {
        self.core.waiting()
    }

    /// The time at which to submit the next [`Command::Tick`].
    pub fn next_deadline(&self) -> Option<Millis> {
        self.core.next_deadline()
    }

    /// Whether no person takes part any more, so that only bots would play.
    pub fn is_abandoned(&self) -> bool {
        !self.core.places.iter().any(super::seat::Place::takes_part)
    }

    /// The person with this key.
    pub fn person_by_key(&self, key: &str) -> Option<PersonId> {
        let known = |p: &&crate::seat::Person| !key.is_empty() && p.key == key;
        self.core.people.iter().find(known).map(|p| p.id)
    }

    /// The key of a person.
    pub fn key_of(&self, person: PersonId) -> Option<&str> {
        let mut people = self.core.people.iter();
        people.find(|p| p.id == person).map(|p| p.key.as_str())
    }

    /// The people at the table with their seats.
    pub fn people(&self) -> impl Iterator<Item = (PersonId, &str, Option<Seat>)> {
        let people = self.core.people.iter();
        people.map(|p| (p.id, p.name.as_str(), self.core.seat_of(p.id)))
    }

    /// The current host.
    pub fn host(&self) -> Option<PersonId> {
        self.core.host
    }

    /// Whether somebody else is host in place of this person, who has not left. When they reconnect, the driver
    /// returns the role by [`Command::NewHost`].
    pub fn is_replaced_host(&self, person: PersonId) -> bool {
        self.core.owner == Some(person)
            && self.core.host != Some(person)
            && self.core.person(person).is_some()
            && !self.core.has_left(person)
    }

    /// Whether a person has a seat and plays it: not away, not left, no bot in their place.
    pub fn takes_part(&self, person: PersonId) -> bool {
        let seat = self.core.seat_of(person);
        seat.is_some_and(|s| self.core.places[s.index()].takes_part())
    }

    /// Whether the person is only marked as away, without a bot in their place. When they reconnect,
    /// [`Command::Back`] is sufficient.
    pub fn is_only_away(&self, person: PersonId) -> bool {
        let seat = self.core.seat_of(person);
        seat.is_some_and(|s| {
            let place = &self.core.places[s.index()];
            place.away && place.stand_in.is_none()
        })
    }

    /// The legal actions of a seat, if the open decision is theirs.
    pub fn legal(&self, seat: Seat) -> Vec<Action> {
        match (self.state(), self.waiting_for()) {
            (Some(state), Some(waiting)) if waiting.seat == seat => offered_actions(state),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
impl Table {
    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// Replaces the position by one that looks the same to some viewer.
    pub(crate) fn set_state(&mut self, state: State) {
        if let Some(game) = &mut self.core.game {
            game.state = state;
        }
        self.public_views = PublicViews::default();
    }

    pub(crate) fn set_chance(&mut self, script: VecDeque<towers_rules::Chance>) {
        if let Some(game) = &mut self.core.game {
            game.dice.script = script;
        }
    }

    pub(crate) fn drop_history(&mut self) {
        self.history.clear();
    }
}
