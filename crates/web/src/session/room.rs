//! The room around a table on a server: people, chat, and the state of the connection.

use leptos::prelude::*;
use towers_client::Route;
use towers_client::link::ClosedForGood;
use towers_rules::Seat;
use towers_table::{Command, Emote, PersonId, TableView, Taken};

use super::Session;
use crate::context::Cx;
use crate::device::page;
use crate::device::storage::shelf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    Connecting,
    Open,
    /// The connection broke; the client is reconnecting.
    Lost,
    Closed(ClosedForGood),
}

/// The room around a table.
#[derive(Clone, Copy)]
pub struct Room {
    id: StoredValue<String>,
    /// Whether this is the board view, which shows the table on a shared screen and nobody's hand.
    pub is_board: bool,
    /// The table while no game is on the screen. During a game, the session's model holds the only copy.
    lobby: RwSignal<Option<TableView>>,
    /// The game on the screen.
    pub session: RwSignal<Option<Session>>,
    pub connection: RwSignal<Connection>,
    /// Whether the person of each seat is connected, and the number of spectators.
    pub presence: RwSignal<(Vec<bool>, u32)>,
    /// Since when the person of each seat has been disconnected, as observed by this page.
    absent_since: RwSignal<Vec<Option<u64>>>,
    /// Why a command was refused.
    pub notice: RwSignal<Option<String>>,
    /// The last emote, for a few seconds.
    pub emote: RwSignal<Option<(PersonId, Emote)>>,
    /// The people the viewer has muted at this table.
    muted: RwSignal<Vec<PersonId>>,
    /// The number of chat lines that have been read.
    pub lines_read: RwSignal<usize>,
    /// Whether the chat is shown beside the board.
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
        page::link(&Route::Table(self.id()))
    }

    /// Whether the viewer has muted a person.
    pub fn is_muted(self, person: PersonId) -> bool {
        self.muted.with(|muted| muted.contains(&person))
    }

    /// Mutes or unmutes a person for the viewer only, and stores it on this device.
    pub fn mute(self, person: PersonId, is_muted: bool) {
        self.muted.update(|muted| {
            muted.retain(|p| *p != person);
            if is_muted {
                muted.push(person);
            }
            shelf().keep_muted(&self.id(), muted);
        });
    }

    /// A name to take a seat with. Guests get a name that is unique at the table.
    pub fn free_name(self, name: String, is_guest: bool) -> String {
        if !is_guest {
            return name;
        }
        let seats = self.table().map(|table| table.seats).unwrap_or_default();
        towers_client::names::free_name(&name, &seats)
    }

    pub fn send(self, command: Command) {
        self.notice.set(None);
        self.send.run(command);
    }

    /// Reads the table reactively.
    pub fn with<T>(self, look: impl FnOnce(Option<&TableView>) -> T) -> T {
        match self.session.get() {
            Some(session) => session.model.with(|model| look(Some(&model.table))),
            None => self.lobby.with(|table| look(table.as_ref())),
        }
    }

    /// Whether a condition holds for the table; false while the table is unknown.
    pub fn is(self, holds: impl FnOnce(&TableView) -> bool) -> bool {
        self.with(|table| table.is_some_and(holds))
    }

    /// A copy of the table, without tracking.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is not general over lifetimes"
    )]
    pub fn table(self) -> Option<TableView> {
        untrack(|| self.with(|table| table.cloned()))
    }

    /// Updates the table in the game or in the lobby. Returns the result of `in_game` or `in_lobby`; `None` while the
    /// table is unknown.
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

    /// Whether the viewer may let a bot play for an absent player: the host, or every player if the host is away.
    pub fn may_replace(self) -> bool {
        self.is(|table| {
            let host = table.seats.iter().find(|place| {
                matches!(place.taken, Taken::Person { person, .. } if Some(person) == table.host)
            });
            let is_gone = host.is_some_and(|place| place.away || place.stand_in.is_some());
            table.you.host || (is_gone && table.you.seat.is_some())
        })
    }

    /// Updates who is connected.
    pub fn set_presence(self, seats: Vec<bool>, watching: u32) {
        self.absent_since.update(|since| {
            since.resize(seats.len(), None);
            for (since, here) in since.iter_mut().zip(&seats) {
                *since = (!here).then(|| since.unwrap_or_else(page::now));
            }
        });
        self.presence.set((seats, watching));
    }

    /// How many others watch.
    pub fn others_watching(self) -> u32 {
        let own = self.is(|table| table.you.seat.is_none());
        let all = self.presence.with(|(_, watching)| *watching);
        all.saturating_sub(own.into())
    }

    /// Since when the person of a seat has been disconnected, or away according to the table; `None` if they are
    /// present or the seat is not a person's.
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
