//! A table on a server, as this page knows it.

use std::ops::Deref;

use client::link::{Gone, Heard, Next};
use client::{Link, Model, MyTable, Plan, Sitter};
use rules::Seat;
use table::{
    ClientMessage, Command, Decider, Emote, Event, PersonId, Refusal, Seen, Stage, TableEvent,
    TableView,
};
use wasm_bindgen::prelude::*;

use super::call;
use super::socket::Socket;
use crate::context::{Cx, Screen};
use crate::device::page;
use crate::device::storage::shelf;
use crate::game::session::{Session, Way};
use crate::live::{RwSignal, StoredValue};

/// How long an answer may take before the connection counts as lost, in milliseconds.
const PATIENCE: u32 = 8_000;

/// How the connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// It is being made.
    Connecting,
    /// It is there.
    Open,
    /// It broke, and is tried again.
    Lost,
    /// It will not come back.
    Gone(Gone),
}

/// A table on a server, as a reference: it goes into every closure of its screens, and is as small as can be.
#[derive(Clone, Copy)]
pub struct Online(&'static Joined);

impl Deref for Online {
    type Target = Joined;

    fn deref(&self) -> &Joined {
        self.0
    }
}

/// A table on a server. These handles are never given back; what they lead to is, when its owner goes.
pub struct Joined {
    cx: Cx,
    id: StoredValue<String>,
    link: StoredValue<Link>,
    socket: StoredValue<Option<Socket>>,
    /// The table as it is now.
    pub room: RwSignal<Option<TableView>>,
    /// How the connection is.
    pub connection: RwSignal<Connection>,
    /// For each seat, whether its person is connected; and how many others watch.
    pub present: RwSignal<(Vec<bool>, u32)>,
    /// Why the table refused something, where there is no game to say it.
    pub notice: RwSignal<Option<String>>,
    /// What somebody just showed.
    pub emote: RwSignal<Option<(PersonId, Emote)>>,
    /// How many lines of talk have been read.
    pub read: RwSignal<usize>,
    /// Who is to sit where once the table is open.
    plan: StoredValue<Option<Plan>>,
    alive: StoredValue<bool>,
    /// Whether the viewer gives up their seat.
    leaving: StoredValue<bool>,
    /// The decision for which the viewer was called.
    called: StoredValue<Option<u64>>,
    /// Which attempt to connect is the latest.
    attempt: StoredValue<u32>,
}

impl Online {
    /// Goes to a table; with a plan if it was just opened.
    pub fn visit(cx: Cx, id: &str, plan: Option<Plan>) -> Online {
        let token = shelf()
            .tables()
            .into_iter()
            .find(|t| t.table == id)
            .map(|t| t.token);
        let online = Online(Box::leak(Box::new(Joined {
            cx,
            id: StoredValue::new(id.into()),
            link: StoredValue::new(Link::new(token)),
            socket: StoredValue::new(None),
            room: RwSignal::new(None),
            connection: RwSignal::new(Connection::Connecting),
            present: RwSignal::new((Vec::new(), 0)),
            notice: RwSignal::new(None),
            emote: RwSignal::new(None),
            read: RwSignal::new(0),
            plan: StoredValue::new(plan),
            alive: StoredValue::new(true),
            leaving: StoredValue::new(false),
            called: StoredValue::new(None),
            attempt: StoredValue::new(0),
        })));
        online.connect();
        online.follow_network();
        online
    }

    /// The table's name in links.
    pub fn id(self) -> String {
        self.id.get_value()
    }

    /// The link to share.
    pub fn address(self) -> String {
        let origin = page::window().location().origin().unwrap_or_default();
        format!("{origin}/t/{}", self.id())
    }

    /// The server's clock, in milliseconds since 1970.
    pub fn now(self) -> u64 {
        let ahead = self.link.with_value(|l| l.ahead);
        page::now().saturating_add_signed(ahead)
    }

    /// Leaves the page of the table, not the table.
    pub fn close(self) {
        self.alive.set_value(false);
        self.socket.set_value(None);
    }

    /// Says something to the table.
    pub fn say(self, command: Command) {
        self.notice.set(None);
        self.leaving.set_value(command == Command::Leave);
        let mut message = None;
        self.link.update_value(|l| message = Some(l.say(command)));
        if let Some(message) = message {
            self.send(&message);
        }
        let attempt = self.attempt.get_value();
        leptos::task::spawn_local(async move {
            page::sleep(PATIENCE).await;
            let same = self.attempt.try_get_value() == Some(attempt);
            if same && self.is_alive() && self.link.with_value(Link::is_waiting) {
                self.lost(1006);
            }
        });
    }

    fn is_alive(self) -> bool {
        self.alive.try_get_value() == Some(true)
    }

    fn send(self, message: &ClientMessage) {
        if let Ok(text) = serde_json::to_string(message) {
            self.socket.with_value(|s| {
                if let Some(socket) = s {
                    socket.say(&text);
                }
            });
        }
    }

    fn connect(self) {
        self.attempt.update_value(|a| *a += 1);
        let attempt = self.attempt.get_value();
        let current = move || self.is_alive() && self.attempt.try_get_value() == Some(attempt);
        let opened = move || {
            if current() {
                let mut hello = None;
                self.link.update_value(|l| hello = Some(l.opened()));
                if let Some(hello) = hello {
                    self.send(&hello);
                }
            }
        };
        let heard = move |text: String| {
            if current()
                && let Ok(message) = table::read(&text)
            {
                self.hear(message);
            }
        };
        let closed = move |code: u16| {
            if current() {
                self.lost(code);
            }
        };
        let socket = Socket::connect(&self.id(), opened, heard, closed);
        let failed = socket.is_none();
        self.socket.set_value(socket);
        if failed {
            self.lost(1006);
        }
    }

    fn lost(self, code: u16) {
        let mut next = Next::Retry(1000);
        self.link.update_value(|l| next = l.closed(code));
        match next {
            Next::GiveUp(why) => self.connection.set(Connection::Gone(why)),
            Next::Retry(millis) => {
                self.connection.set(Connection::Lost);
                self.attempt.update_value(|a| *a += 1);
                let attempt = self.attempt.get_value();
                leptos::task::spawn_local(async move {
                    page::sleep(millis).await;
                    if self.is_alive() && self.attempt.try_get_value() == Some(attempt) {
                        self.connect();
                    }
                });
            }
        }
    }

    /// When the network comes back, or the page is looked at again, nothing is waited for.
    fn follow_network(self) {
        let retry = move || {
            if self.is_alive() && self.connection.get_untracked() == Connection::Lost {
                self.connect();
            }
        };
        let gone = move || {
            if self.is_alive() && self.connection.get_untracked() == Connection::Open {
                self.socket.set_value(None);
                self.lost(1006);
            }
        };
        let listen = |target: &web_sys::EventTarget, name: &str, then: Box<dyn Fn()>| {
            let closure = Closure::<dyn Fn()>::wrap(then);
            let _ = target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
            closure.forget();
        };
        listen(&page::window(), "online", Box::new(retry));
        listen(&page::window(), "offline", Box::new(gone));
        listen(&page::document(), "visibilitychange", Box::new(retry));
    }

    fn hear(self, message: table::ServerMessage) {
        let welcome = matches!(message, table::ServerMessage::Welcome { .. });
        let mut heard = Heard::Nothing;
        self.link
            .update_value(|l| heard = l.hear(page::now(), message));
        if welcome {
            self.connection.set(Connection::Open);
            let mut again = Vec::new();
            self.link.update_value(|l| again = l.again());
            for message in &again {
                self.send(message);
            }
        }
        match heard {
            Heard::Token(token) => shelf().keep_table(MyTable {
                table: self.id(),
                token,
                at: page::now(),
                seat: None,
            }),
            Heard::Anew => self.anew(),
            Heard::Happened(seen, stale) => {
                self.happened(*seen);
                if stale {
                    self.send(&ClientMessage::View);
                }
            }
            Heard::Refused(why) => self.refused(why),
            Heard::Presence => self
                .present
                .set(self.link.with_value(|l| (l.present.clone(), l.watching))),
            Heard::Accepted | Heard::Nothing => {}
        }
    }

    fn refused(self, why: Refusal) {
        if let Some(session) = self.session() {
            session.refused(why);
        } else {
            let words = self.cx.say(&client::refusal::words(&why));
            self.notice.set(Some(words));
        }
    }

    fn session(self) -> Option<Session> {
        let session = self.cx.session.get_untracked()?;
        let here = session.online().is_some_and(|o| o.id() == self.id());
        here.then_some(session)
    }

    /// The table is known as it is.
    fn anew(self) {
        let Some(view) = self.link.with_value(|l| l.room.clone()) else {
            return;
        };
        self.tell_removed(&view);
        self.enter(Some(view.clone()));
        self.settle_in(&view);
        match self.session() {
            Some(session) if view.game.is_some() => {
                let same = session.model.with_untracked(|m| {
                    m.table.games == view.games
                        && m.table.you == view.you
                        && m.table.number >= view.number
                });
                if same {
                    // Only what is around the game may be new; what is being shown is not disturbed.
                    session
                        .model
                        .update(|m| m.table.seats.clone_from(&view.seats));
                } else {
                    session.model.update(|m| m.refresh(view));
                }
                session.run();
            }
            _ if view.game.is_some() && view.stage != Stage::Lobby => self.begin(view),
            _ => {}
        }
    }

    /// Whoever had a seat, did not give it up and has none any more was removed.
    fn tell_removed(self, view: &TableView) {
        let was_here = self
            .room
            .with_untracked(|r| r.as_ref().is_some_and(|r| r.you.person.is_some()));
        if was_here && view.you.person.is_none() && !self.leaving.get_value() {
            self.notice.set(Some(self.cx.t("room.removed")));
        }
        self.leaving.set_value(false);
    }

    /// The room is like this now.
    fn enter(self, view: Option<TableView>) {
        if let Some(view) = &view {
            shelf().keep_seat(&self.id(), view.you.seat);
        }
        self.room.set(view);
    }

    fn begin(self, view: TableView) {
        if let Some(model) = Model::new(view) {
            self.cx
                .show_session(|cx| Session::new(cx, Way::Online(self), model));
        }
    }

    fn happened(self, seen: Seen) {
        let view = self.link.with_value(|l| l.room.clone());
        self.enter(view.clone());
        for event in &seen.events {
            match event {
                Event::Table(TableEvent::Emoted { person, emote }) => {
                    self.emote.set(Some((*person, *emote)));
                    leptos::task::spawn_local(async move {
                        page::sleep(4000).await;
                        self.emote.set(None);
                    });
                }
                Event::Table(TableEvent::Started { .. }) => {
                    if let Some(view) = view.filter(|v| v.game.is_some()) {
                        self.begin(view);
                    }
                    return;
                }
                _ => {}
            }
        }
        if let Some(session) = self.session() {
            session.model.update(|m| m.receive(&seen));
            session.run();
        }
    }

    /// What the host planned is done as soon as the table is there: sit down, and let bots sit down.
    fn settle_in(self, view: &TableView) {
        let Some(plan) = self.plan.get_value().filter(|_| view.you.host) else {
            return;
        };
        self.plan.set_value(None);
        let mut seated = false;
        for (i, (colour, sitter)) in plan.seats.iter().enumerate() {
            let seat = Some(Seat(i as u8));
            match sitter {
                Sitter::Person { .. } if !seated => {
                    seated = true;
                    self.say(Command::Sit {
                        name: None,
                        seat,
                        colour: Some(*colour),
                        key: String::new(),
                    });
                }
                Sitter::Bot { level } => self.say(Command::AddBot {
                    seat,
                    level: *level,
                }),
                Sitter::Person { .. } => {}
            }
        }
    }

    /// Everything was shown: who is thinking, and is it the viewer's turn?
    pub fn shown(self, session: Session) {
        let (bot, mine) = session.model.with_untracked(|m| {
            let waiting = m.table.game.as_ref().and_then(|g| g.waiting);
            let bot = waiting.filter(|w| matches!(w.by, Decider::Bot(_)));
            let mine = waiting.filter(|_| m.is_mine());
            (bot.map(|w| w.seat), mine.map(|w| w.decision))
        });
        session.thinking.set(bot);
        if mine.is_some() {
            session.announce();
        }
        call::mark(self.cx, mine.is_some());
        // Talk and people who come and go are no reason to call again.
        if mine.is_some() && self.called.get_value() != mine {
            call::out(self.cx, &self.id());
        }
        self.called.set_value(mine);
    }

    /// Goes back to the room from a game that is over.
    pub fn to_room(self) {
        self.cx.end_session();
        self.cx.go(Screen::Table);
    }
}
