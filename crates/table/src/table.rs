//! The table: takes commands, answers with entries for the record, tells viewers what they may know.

use std::collections::VecDeque;

use rules::{Action, Actions, Event as GameEvent, Memory, Seat, State, View, Viewer};

use crate::clock::Waiting;
use crate::command::{Command, Who};
use crate::core::{Core, Log, Origin, Stage};
use crate::event::{Event, Happening, Seen};
use crate::ids::{Millis, PersonId, Seed};
use crate::lobby::clean_title;
use crate::record::{Entry, Header};
use crate::rejection::Rejection;
use crate::settings::Settings;
use crate::view::{GameView, TableView, You};

/// How many happenings are kept for those who come back.
pub const HISTORY: usize = 2048;
/// How many entries a table can have: nobody fills a disk by clicking.
pub const MAX_ENTRIES: u64 = 200_000;

/// One table as the authority. It has no clock, no randomness, no disk and no network: whoever
/// drives it says what time it is, gives it seeds, keeps its [entries](Entry) and passes on what
/// [viewers](Table::seen) may know.
///
/// ```
/// use table::{BotLevel, Command, Header, Hex, PersonId, Settings, Table, Who};
///
/// let header = Header::new("kitchen", Settings::default(), "Ann", "", 0);
/// let mut table = Table::create(&header)?;
/// let ann = Who::Person(PersonId(0));
/// let seed = Hex([7; 32]); // a real driver takes fresh random bytes for every command
/// table.submit(1, ann, Command::Sit { name: None, seat: None, colour: None, key: String::new() }, &seed)?;
/// table.submit(2, ann, Command::AddBot { seat: None, level: BotLevel::Adept }, &seed)?;
/// let entry = table.submit(3, ann, Command::Start, &seed)?;
/// assert_eq!(entry.commitment, Some(seed.commitment()));
/// assert!(table.waiting_for().is_some());
/// # Ok::<(), table::Rejection>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    core: Core,
    history: VecDeque<Happening>,
    /// The numbers of the happenings in which the last turns began.
    turns: VecDeque<u64>,
}

/// A command that was carried out on the side and waits to be stored.
#[derive(Clone, Debug)]
pub struct Prepared {
    core: Core,
    entry: Entry,
    happening: Happening,
}

impl Prepared {
    /// What has to be stored before [`Table::commit`].
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The table as it will be, without its log.
    pub fn preview(&self) -> Table {
        Table {
            core: self.core.clone(),
            history: VecDeque::new(),
            turns: VecDeque::new(),
        }
    }
}

impl Table {
    /// A new table. Its creator is its host, with number 0, and has no seat yet.
    pub fn create(header: &Header) -> Result<Table, Rejection> {
        header.settings.check()?;
        let mut settings = header.settings.clone();
        settings.title = clean_title(&settings.title)?;
        let mut core = Core {
            id: header.table.clone(),
            settings,
            people: Vec::new(),
            next_person: 0,
            host: None,
            places: Vec::new(),
            game: None,
            games: 0,
            chat: VecDeque::new(),
            number: 0,
            at: header.created,
            sum: header.sum(),
        };
        core.arrange(usize::from(core.settings.seats))?;
        let name = core.free_name(&header.host, None)?;
        core.host = Some(core.admit(name, &header.key));
        Ok(Table {
            core,
            history: VecDeque::new(),
            turns: VecDeque::new(),
        })
    }

    /// Carries out a command on the side: nothing changes before [`Table::commit`]. So a driver can
    /// store the entry first, and forget about it if that fails. `fresh` becomes the seed of a game
    /// if the command begins one, and has to be unpredictable then.
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
        // Clocks of machines can go back; that of a table cannot.
        core.at = core.at.max(now);
        core.number += 1;
        let mut log = Log::default();
        core.apply(by, &command, origin, &mut log)?;
        let Log {
            events,
            chance,
            seed,
            ending,
            changes_game,
        } = log;
        let mut entry = Entry {
            number: core.number,
            at: core.at,
            by,
            command,
            commitment: seed.map(|seed| seed.commitment()),
            seed,
            chance,
            over: ending,
            sum: core.sum,
        };
        entry.sum = entry.sum_after(&core.sum);
        core.sum = entry.sum;
        let happening = Happening {
            number: core.number,
            at: core.at,
            by,
            events,
            changes_game,
        };
        Ok(Prepared {
            core,
            entry,
            happening,
        })
    }

    /// Makes a prepared command count. It has to be the one prepared last.
    pub fn commit(&mut self, prepared: Prepared) -> Entry {
        let Prepared {
            core,
            entry,
            happening,
        } = prepared;
        if entry.seed.is_some() {
            // What came before belongs to another game, with other things to hide.
            self.history.clear();
            self.turns.clear();
        }
        self.core = core;
        let began = |e: &Event| matches!(e, Event::Game(GameEvent::TurnBegan { .. }));
        if happening.events.iter().any(began) {
            self.turns.push_back(happening.number);
            if self.turns.len() > self.core.places.len() + 1 {
                self.turns.pop_front();
            }
        }
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(happening);
        entry
    }

    /// Carries out a command at once. The entry is for the record.
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

    // ---- for whoever drives the table ----

    /// The table's name in links.
    pub fn id(&self) -> &str {
        &self.core.id
    }

    /// The number of the last entry.
    pub fn number(&self) -> u64 {
        self.core.number
    }

    /// When the last entry was written.
    pub fn at(&self) -> Millis {
        self.core.at
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.core.settings
    }

    /// Where the table stands.
    pub fn stage(&self) -> Stage {
        self.core.stage()
    }

    /// How many games were begun here.
    pub fn games(&self) -> u32 {
        self.core.games
    }

    /// The position of the last game, with everything that is hidden: not for viewers.
    pub fn state(&self) -> Option<&State> {
        self.core.game.as_ref().map(|game| &game.state)
    }

    /// The decision that is open. If a bot has to answer, the driver asks it and hands its action
    /// in as [`Who::Bot`].
    pub fn waiting_for(&self) -> Option<Waiting> {
        self.core.waiting()
    }

    /// When to hand in the next [`Command::Tick`].
    pub fn next_deadline(&self) -> Option<Millis> {
        self.core.waiting().and_then(|waiting| waiting.deadline)
    }

    /// Whether no person takes part any more, so that bots would play among themselves.
    pub fn is_abandoned(&self) -> bool {
        !self.core.places.iter().any(super::seat::Place::takes_part)
    }

    /// The person with this key.
    pub fn person_by_key(&self, key: &str) -> Option<PersonId> {
        let known = |p: &&crate::seat::Person| !key.is_empty() && p.key == key;
        self.core.people.iter().find(known).map(|p| p.id)
    }

    /// The people at the table with their seats.
    pub fn people(&self) -> impl Iterator<Item = (PersonId, &str, Option<Seat>)> {
        let people = self.core.people.iter();
        people.map(|p| (p.id, p.name.as_str(), self.core.seat_of(p.id)))
    }

    /// Whether a person has a seat and plays it: not away, not left, no bot in their place.
    pub fn takes_part(&self, person: PersonId) -> bool {
        let seat = self.core.seat_of(person);
        seat.is_some_and(|s| self.core.places[s.index()].takes_part())
    }

    /// Whether the person is marked as gone and nobody plays for them: when they are seen again,
    /// [`Command::Back`] is all that is missing.
    pub fn is_only_away(&self, person: PersonId) -> bool {
        let seat = self.core.seat_of(person);
        seat.is_some_and(|s| {
            let place = &self.core.places[s.index()];
            place.away && place.stand_in.is_none()
        })
    }

    /// What whoever plays a seat may do, if the open decision is theirs.
    pub fn legal(&self, seat: Seat) -> Vec<Action> {
        let mut list = Actions::new();
        if let (Some(state), Some(waiting)) = (self.state(), self.waiting_for())
            && waiting.seat == seat
        {
            state.legal_actions(&mut list);
        }
        list.iter().collect()
    }

    /// What a bot on a seat sees, and what it has heard since a number, as far as that is kept.
    pub fn bot_view(&self, seat: Seat, after: u64) -> Option<(View, Vec<GameEvent>)> {
        let state = self.state()?;
        let viewer = Viewer::Seat(seat);
        let heard = self.history.iter().filter(|h| h.number > after);
        let events = heard
            .flat_map(|h| &h.events)
            .filter_map(|event| match event {
                Event::Game(event) => Some(state.event_seen_by(*event, viewer)),
                Event::Table(_) => None,
            });
        Some((state.view(viewer), events.collect()))
    }

    /// What happened last in the game, with nothing left out: for whoever replays a game that is over.
    pub fn last_events(&self) -> impl Iterator<Item = GameEvent> + '_ {
        let last = self.history.back().map_or(&[][..], |h| &h.events);
        last.iter().filter_map(|event| match event {
            Event::Game(event) => Some(*event),
            Event::Table(_) => None,
        })
    }

    // ---- for viewers ----

    /// What somebody counts as in the rules: a seat, or a spectator.
    pub fn viewer(&self, person: Option<PersonId>) -> Viewer {
        self.core.viewer(person)
    }

    /// What somebody is at this table.
    pub fn you(&self, person: Option<PersonId>) -> You {
        self.core.you(person)
    }

    /// All that somebody may know about the table.
    pub fn view(&self, person: Option<PersonId>) -> TableView {
        self.core.view(person)
    }

    /// The game as somebody may see it.
    pub fn game_view(&self, person: Option<PersonId>) -> Option<GameView> {
        self.core.game_view(self.core.viewer(person))
    }

    /// What somebody is told of the last happening.
    pub fn seen(&self, person: Option<PersonId>) -> Option<Seen> {
        let viewer = self.core.viewer(person);
        let happening = self.history.back()?;
        let mut seen = happening.seen_by(self.state(), viewer);
        if happening.changes_game {
            seen.game = self.core.game_view(viewer).map(Box::new);
        }
        Some(seen)
    }

    /// What somebody missed who has seen everything up to a number; none: they need a fresh
    /// [view](Table::view).
    ///
    /// Where imprisoned wizards have to be remembered (R16.2), the log reaches back one round and no
    /// further while the game is on: coming back must not be a way to read up what was forgotten.
    pub fn since(&self, person: Option<PersonId>, number: u64) -> Option<Vec<Seen>> {
        if number > self.core.number {
            return None; // that was another table
        }
        let first = self.history.front()?.number;
        let round_ago = match &self.core.game {
            Some(game)
                if game.ending.is_none()
                    && game.state.options().memory == Memory::Strict
                    && self.turns.len() > self.core.places.len() =>
            {
                self.turns.front().copied().unwrap_or(first)
            }
            _ => first,
        };
        if number + 1 < first.max(round_ago) {
            return None;
        }
        let viewer = self.core.viewer(person);
        let missed = self.history.iter().filter(|h| h.number > number);
        let mut list: Vec<_> = missed.map(|h| h.seen_by(self.state(), viewer)).collect();
        if let Some(last) = list.last_mut() {
            last.game = self.core.game_view(viewer).map(Box::new);
        }
        Some(list)
    }
}

#[cfg(test)]
impl Table {
    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// Another position that some viewer cannot tell from the real one.
    pub(crate) fn set_state(&mut self, state: State) {
        if let Some(game) = &mut self.core.game {
            game.state = state;
        }
    }

    pub(crate) fn set_chance(&mut self, script: VecDeque<rules::Chance>) {
        if let Some(game) = &mut self.core.game {
            game.dice.script = script;
        }
    }

    pub(crate) fn forget(&mut self) {
        self.history.clear();
    }
}
