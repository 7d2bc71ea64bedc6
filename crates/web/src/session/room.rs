//! The room around a table on a server: its people, their talk, and the state of the connection.

use leptos::prelude::*;
use towers_client::Route;
use towers_client::link::ClosedForGood;
use towers_rules::Seat;
use towers_table::{Command, Emote, PersonId, TableView, Taken};

use super::Session;
use crate::context::Cx;
use crate::device::page;
use crate::device::storage::shelf;

/// The state of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    Connecting,
    Open,
    /// It broke, and is tried again.
    Lost,
    Closed(ClosedForGood),
}

/// The room around a table.
#[derive(Clone, Copy)]
pub struct Room {
    id: StoredValue<String>,
    /// Whether this is the board view: it shows the table to everybody in a room, and nobody's hand.
    pub is_board: bool,
    /// The table while no game is on the screen. During a game it is part of the session's model, so that there is only one.
    lobby: RwSignal<Option<TableView>>,
    /// The game on the screen.
    pub session: RwSignal<Option<Session>>,
    pub connection: RwSignal<Connection>,
    /// For each seat, whether its person is connected; and how many others watch.
    pub presence: RwSignal<(Vec<bool>, u32)>,
    /// Since when the person of each seat has not been connected, as far as this page has seen it.
    absent_since: RwSignal<Vec<Option<u64>>>,
    /// Why a command was refused.
    pub notice: RwSignal<Option<String>>,
    /// The emote that was sent last, for a few seconds.
    pub emote: RwSignal<Option<(PersonId, Emote)>>,
    /// Whom the viewer does not want to hear at this table.
    muted: RwSignal<Vec<PersonId>>,
    /// How many lines of the chat have been read.
    pub lines_read: RwSignal<usize>,
    /// Whether the chat stands beside the board.
    pub has_chat_panel: RwSignal<bool>,
    send: Callback<Command>,
}

impl Room {
    /// A room whose commands are sent by `send`.
    pub fn new(id: &str, is_board: bool, send: Callback<Command>) -> Room {
        Room {
            id: StoredValue::new(id.into()),
            is_board,
            lobby: RwSignal::new(None),
            session: RwSignal::new(None),
            connection: RwSignal::new(Connection::Connecting),
            presence: RwSignal::new((Vec::new(), 0)),
            absent_since: RwSignal::new(Vec::new()),
            notice: RwSignal::new(None),
            emote: RwSignal::new(None),
            muted: RwSignal::new(shelf().muted(id)),
            lines_read: RwSignal::new(0),
            has_chat_panel: RwSignal::new(false),
            send,
        }
    }

    /// The id of the table.
    pub fn id(self) -> String {
        self.id.get_value()
    }

    pub fn route(self) -> Route {
        if self.is_board {
            Route::Board(self.id())
        } else {
            Route::Table(self.id())
        }
    }

    /// The link to share.
    pub fn link(self) -> String {
        let origin = page::window().location().origin().unwrap_or_default();
        format!("{origin}/t/{}", self.id())
    }

    /// Whether the viewer does not want to hear somebody.
    pub fn is_muted(self, person: PersonId) -> bool {
        self.muted.with(|muted| muted.contains(&person))
    }

    /// Mutes somebody for the viewer alone, or hears them again. This device remembers it.
    pub fn mute(self, person: PersonId, is_muted: bool) {
        self.muted.update(|muted| {
            muted.retain(|p| *p != person);
            if is_muted {
                muted.push(person);
            }
            shelf().keep_muted(&self.id(), muted);
        });
    }

    /// A name to sit down with: guests get one that nobody at the table has.
    pub fn free_name(self, name: String, is_guest: bool) -> String {
        if !is_guest {
            return name;
        }
        let seats = self.table().map(|table| table.seats).unwrap_or_default();
        towers_client::names::free_name(&name, &seats)
    }

    /// Sends a command to the table.
    pub fn send(self, command: Command) {
        self.notice.set(None);
        self.send.run(command);
    }

    /// Looks at the table, and follows it.
    pub fn with<T>(self, look: impl FnOnce(Option<&TableView>) -> T) -> T {
        match self.session.get() {
            Some(session) => session.model.with(|model| look(Some(&model.table))),
            None => self.lobby.with(|table| look(table.as_ref())),
        }
    }

    /// Whether something holds for the table; not if it is not known.
    pub fn is(self, holds: impl FnOnce(&TableView) -> bool) -> bool {
        self.with(|table| table.is_some_and(holds))
    }

    /// The table as it is now.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is not general over lifetimes"
    )]
    pub fn table(self) -> Option<TableView> {
        untrack(|| self.with(|table| table.cloned()))
    }

    /// Changes the table, wherever it is. Returns what `in_game` or `in_lobby` does, nothing if the table is not known yet.
    pub fn update<T>(
        self,
        in_game: impl FnOnce(&mut towers_client::Model) -> T,
        in_lobby: impl FnOnce(&mut TableView) -> T,
    ) -> Option<T> {
        match self.session.get_untracked() {
            Some(session) => session.model.try_update(in_game),
            None => self
                .lobby
                .try_update(|table| table.as_mut().map(in_lobby))
                .flatten(),
        }
    }

    /// Whether the viewer may let a bot play for somebody who is away: the host may, and everybody with a seat if the host is away.
    pub fn may_replace(self) -> bool {
        self.is(|table| {
            let host = table.seats.iter().find(|place| {
                matches!(place.taken, Taken::Person { person, .. } if Some(person) == table.host)
            });
            let is_gone = host.is_some_and(|place| place.away || place.stand_in.is_some());
            table.you.host || (is_gone && table.you.seat.is_some())
        })
    }

    /// Takes in who is connected.
    pub fn set_presence(self, seats: Vec<bool>, watching: u32) {
        self.absent_since.update(|since| {
            since.resize(seats.len(), None);
            for (since, here) in since.iter_mut().zip(&seats) {
                *since = (!here).then(|| since.unwrap_or_else(page::now));
            }
        });
        self.presence.set((seats, watching));
    }

    /// Since when the person of a seat is not there: not connected, or away by the table's word. None if they are here, or if the seat is
    /// not a person's.
    pub fn away_since(self, seat: Seat) -> Option<u64> {
        let absent = self
            .absent_since
            .with(|since| since.get(seat.index()).copied().flatten());
        self.with(|table| {
            let place = table?.seats.get(seat.index())?;
            if !matches!(place.taken, Taken::Person { .. }) {
                return None;
            }
            match (place.away_since, absent) {
                (Some(away), Some(absent)) => Some(away.min(absent)),
                (away, absent) => away.or(absent),
            }
        })
    }

    /// Shows the table without a game.
    pub fn show_lobby(self, table: TableView) {
        self.lobby.set(Some(table));
    }

    /// Shows a game at this table.
    pub fn show_game(self, session: Session) {
        self.end_game();
        self.session.set(Some(session));
        self.lobby.set(None);
        session.run();
    }

    /// Goes back from a game to the lobby of its table.
    pub fn end_game(self) {
        if let Some(session) = self.session.get_untracked() {
            self.lobby.set(self.table());
            self.session.set(None);
            session.close();
        }
    }

    /// Leaves the game that is over, and stays at the table.
    pub fn back_to_lobby(self, cx: Cx) {
        self.end_game();
        cx.go(self.route());
    }
}
