//! A table on a server.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use gloo_events::EventListener;
use leptos::prelude::*;
use towers_client::link::{ClosedForGood, LinkUpdate, Reconnect};
use towers_client::reason::Reason;
use towers_client::words::say;
use towers_client::{FairPlay, Link, Model, MyTable, Plan, Sitter};
use towers_rules::Seat;
use towers_table::{
    AnyEvent, ClientMessage, Command, Decider, Millis, Refusal, Seen, ServerMessage, Stage,
    TableEvent, TableView,
};

use super::socket::Socket;
use crate::call;
use crate::context::Cx;
use crate::device::page;
use crate::device::storage::shelf;
use crate::session::{Connection, Room, Session, Transport};

/// The timeout for an answer before the connection counts as lost, in milliseconds.
const ANSWER_TIMEOUT: u32 = 8_000;
/// How long an emote is shown, in milliseconds.
const EMOTE_DURATION: u32 = 4_000;

/// A table on a server. Dropping it closes the connection.
pub struct Online {
    cx: Cx,
    pub room: Room,
    link: RefCell<Link>,
    /// This device's contribution to the dice, and its notes about them.
    fair: RefCell<FairPlay>,
    socket: RefCell<Option<Socket>>,
    /// The current connection attempt; events of earlier ones are ignored.
    attempt: Cell<u32>,
    /// The seating plan of a table that was just opened.
    plan: RefCell<Option<Plan>>,
    /// Whether the viewer is giving up the seat.
    is_leaving: Cell<bool>,
    /// The decision for which the viewer was called last.
    called_for: Cell<Option<u64>>,
    listeners: RefCell<Vec<EventListener>>,
    owner: Owner,
}

impl Online {
    /// Connects to a table; with a plan if it was just opened.
    pub fn connect(cx: Cx, id: &str, plan: Option<Plan>) -> Rc<Online> {
        let mine = shelf().tables().into_iter().find(|t| t.table == id);
        Online::connect_with(cx, id, mine.map(|t| t.token), plan, false)
    }

    /// Connects the board view of a table. It never has a seat, even if somebody plays on this device.
    pub fn connect_board(cx: Cx, id: &str) -> Rc<Online> {
        Online::connect_with(cx, id, None, None, true)
    }

    fn connect_with(
        cx: Cx,
        id: &str,
        token: Option<String>,
        plan: Option<Plan>,
        is_board: bool,
    ) -> Rc<Online> {
        let owner = Owner::new();
        let online = Rc::new_cyclic(|me: &Weak<Online>| {
            let room = owner.with(|| {
                let me = StoredValue::new_local(me.clone());
                let send = Callback::new(move |command| {
                    if let Some(online) = me.get_value().upgrade() {
                        online.send_command(command);
                    }
                });
                Room::new(id, is_board, send)
            });
            Online {
                cx,
                room,
                link: RefCell::new(Link::new(token)),
                fair: RefCell::new(shelf().fair_play(id)),
                socket: RefCell::new(None),
                attempt: Cell::new(0),
                plan: RefCell::new(plan),
                is_leaving: Cell::new(false),
                called_for: Cell::new(None),
                listeners: RefCell::new(Vec::new()),
                owner,
            }
        });
        if is_board {
            online.open_socket();
        } else {
            let online = Rc::downgrade(&online);
            leptos::task::spawn_local(async move {
                page::session().await;
                Online::current(&online, 0, Online::open_socket);
            });
        }
        online.follow_network();
        online
    }

    /// Closes the connection. The seat at the table is kept.
    pub fn close(self: Rc<Self>) {
        self.room.end_game();
        self.attempt.set(u32::MAX);
        self.socket.take();
        self.listeners.take();
        leptos::task::spawn_local(async move {
            // Wait until the screen of the room is gone.
            page::sleep(0).await;
            self.owner.cleanup();
        });
    }

    fn is_closed(&self) -> bool {
        self.attempt.get() == u32::MAX
    }

    fn send_command(self: &Rc<Self>, command: Command) {
        self.is_leaving.set(command == Command::Leave);
        let message = self.link.borrow_mut().command(command);
        self.send_message(&message);
        let (online, attempt) = (Rc::downgrade(self), self.attempt.get());
        leptos::task::spawn_local(async move {
            page::sleep(ANSWER_TIMEOUT).await;
            if let Some(online) = online.upgrade()
                && online.attempt.get() == attempt
                && !online.is_closed()
                && online.link.borrow().is_waiting()
            {
                online.lose(None);
            }
        });
    }

    fn send_message(&self, message: &ClientMessage) {
        if let (Ok(text), Some(socket)) = (serde_json::to_string(message), &*self.socket.borrow()) {
            socket.send(&text);
        }
    }

    /// Runs `act` if this table is still open and the attempt is the current one.
    fn current(me: &Weak<Online>, attempt: u32, act: impl FnOnce(&Rc<Online>)) {
        if let Some(online) = me.upgrade().filter(|o| o.attempt.get() == attempt) {
            act(&online);
        }
    }

    fn open_socket(self: &Rc<Self>) {
        let attempt = self.attempt.get() + 1;
        self.attempt.set(attempt);
        let [on_open, on_text, on_close] = [(); 3].map(|()| Rc::downgrade(self));
        let socket = Socket::connect(
            &self.room.id(),
            self.room.is_board,
            move || {
                Online::current(&on_open, attempt, |online| {
                    let hello = online.link.borrow().hello();
                    online.send_message(&hello);
                });
            },
            move |text| {
                Online::current(&on_text, attempt, |online| {
                    if let Ok(message) = serde_json::from_str(&text) {
                        online.receive(message);
                    }
                });
            },
            move |code| Online::current(&on_close, attempt, |online| online.lose(code)),
        );
        let failed = socket.is_none();
        self.socket.replace(socket);
        if failed {
            self.lose(None);
        }
    }

    /// Handles a lost connection: reconnects after a pause, or gives up.
    fn lose(self: &Rc<Self>, code: Option<u16>) {
        let reconnect = self.link.borrow_mut().closed(code, page::random().0[0]);
        let millis = match reconnect {
            Reconnect::Never(why) => {
                self.room.connection.set(Connection::Closed(why));
                if why == ClosedForGood::Outdated {
                    page::reload_once();
                }
                return;
            }
            Reconnect::AfterMillis(millis) => millis,
        };
        self.room.connection.set(Connection::Lost);
        let attempt = self.attempt.get() + 1;
        self.attempt.set(attempt);
        let online = Rc::downgrade(self);
        leptos::task::spawn_local(async move {
            page::sleep(millis).await;
            Online::current(&online, attempt, Online::open_socket);
        });
    }

    /// Reconnects at once when the network is back or the page becomes visible. Disconnects when the page is frozen: a
    /// browser may keep its connections open, and the player would count as present and not be called.
    fn follow_network(self: &Rc<Self>) {
        let listen = |target: &web_sys::EventTarget, event: &'static str, act: fn(&Rc<Online>)| {
            let online = Rc::downgrade(self);
            EventListener::new(target, event, move |_| {
                if let Some(online) = online.upgrade() {
                    act(&online);
                }
            })
        };
        let retry = |online: &Rc<Online>| {
            if online.room.connection.get_untracked() == Connection::Lost {
                online.open_socket();
            }
        };
        let lose = |online: &Rc<Online>| {
            let is_closed = matches!(
                online.room.connection.get_untracked(),
                Connection::Closed(_)
            );
            if online.socket.take().is_some() && !is_closed {
                online.lose(None);
            }
        };
        self.listeners.replace(vec![
            listen(&page::window(), "online", retry),
            listen(&page::window(), "offline", lose),
            listen(&page::window(), "pagehide", lose),
            listen(&page::window(), "pageshow", retry),
            listen(&page::document(), "freeze", lose),
            listen(&page::document(), "visibilitychange", retry),
        ]);
    }

    fn receive(self: &Rc<Self>, message: ServerMessage) {
        let received = self.link.borrow_mut().receive(page::now(), message);
        match received {
            LinkUpdate::Welcome { token, you } => {
                self.fair.borrow_mut().reconnected();
                if let Some(token) = token.filter(|_| !self.room.is_board) {
                    shelf().keep_table(MyTable {
                        table: self.room.id(),
                        token,
                        at: page::now(),
                        seat: None,
                    });
                }
                let mine = you.clone();
                self.room
                    .update(|model| model.table.you = *mine, |table| table.you = *you);
                self.room.connection.set(Connection::Open);
                let table = self.room.table();
                let waiting = table.and_then(|table| table.game?.waiting);
                let open = waiting.map(|waiting| waiting.decision);
                let repeated = self.link.borrow_mut().repeat(open);
                for message in &repeated {
                    self.send_message(message);
                }
            }
            LinkUpdate::Snapshot(table) => {
                self.show_table(*table);
                self.play_fair(true);
            }
            LinkUpdate::Update(seen) => {
                self.apply(&seen);
                self.play_fair(false);
            }
            LinkUpdate::Gap => self.send_message(&ClientMessage::View),
            LinkUpdate::Refused(why) => self.refuse(&why),
            LinkUpdate::Presence => {
                let link = self.link.borrow();
                self.room.set_presence(link.present.clone(), link.watching);
            }
            LinkUpdate::Nothing => {}
        }
    }

    fn refuse(&self, why: &Refusal) {
        let text = self.cx.say(&towers_client::refusal::words(why));
        self.room.notice.set(Some(text));
        if let Some(session) = self.room.session.get_untracked() {
            session.refuse(why);
        }
    }

    /// Notes the server's commitment and contributes this device's number to the dice.
    fn play_fair(self: &Rc<Self>, is_snapshot: bool) {
        let Some(table) = self.room.table() else {
            return;
        };
        let before = self.fair.borrow().clone();
        let command = self
            .fair
            .borrow_mut()
            .follow(&table, is_snapshot, page::random);
        if *self.fair.borrow() != before {
            shelf().keep_fair_play(&self.room.id(), &self.fair.borrow());
        }
        if let Some(command) = command {
            self.send_command(command);
        }
    }

    /// Shows a snapshot of the table.
    fn show_table(self: &Rc<Self>, table: TableView) {
        self.report_removal(&table);
        self.keep_seat(table.you.seat);
        self.seat_plan(&table);
        match self.room.session.get_untracked() {
            Some(session) => {
                session.model.update(|model| model.resync(table));
                session.run();
            }
            None if table.game.is_some() && table.stage != Stage::Lobby => self.show_game(table),
            None => self.room.show_lobby(table),
        }
    }

    fn keep_seat(&self, seat: Option<Seat>) {
        if !self.room.is_board {
            shelf().keep_seat(&self.room.id(), seat);
        }
    }

    /// Applies events to the table and shows them.
    fn apply(self: &Rc<Self>, seen: &Seen) {
        match self.room.session.get_untracked() {
            Some(session) => session.receive(seen),
            None => {
                self.room.update(|_| (), |table| table.apply(seen));
            }
        }
        let you = untrack(|| self.room.with(|table| table.map(|table| table.you.seat)));
        if let Some(seat) = you {
            self.keep_seat(seat);
        }
        let mut has_started = false;
        for event in &seen.events {
            match event {
                AnyEvent::Table(TableEvent::Emoted { person, emote }) => {
                    let room = self.room;
                    room.emote.set(Some((*person, *emote)));
                    leptos::task::spawn_local(async move {
                        page::sleep(EMOTE_DURATION).await;
                        room.emote.try_set(None);
                    });
                }
                AnyEvent::Table(TableEvent::Started { .. }) => has_started = true,
                AnyEvent::Table(TableEvent::MoveMade { seat }) if you == Some(Some(*seat)) => {
                    self.report_bot_move();
                }
                _ => {}
            }
        }
        if has_started {
            if let Some(table) = self.room.table().filter(|t| t.game.is_some()) {
                self.show_game(table);
            }
        } else if let Some(session) = self.room.session.get_untracked() {
            session.run();
        }
    }

    /// Tells the viewer that a bot made a move for them.
    fn report_bot_move(&self) {
        if let Some(session) = self.room.session.get_untracked() {
            let most = session.model.with_untracked(|m| m.table.settings.time_outs);
            session.say_why(Some(Reason {
                message: say("show.bot_moved").with("n", most),
                clause: "",
            }));
        }
    }

    fn show_game(self: &Rc<Self>, table: TableView) {
        if let Some(model) = Model::new(table) {
            let game = Rc::new(OnlineGame(Rc::downgrade(self)));
            self.room.show_game(Session::detached(self.cx, game, model));
        }
    }

    /// Informs the viewer if they lost their seat without giving it up.
    fn report_removal(&self, table: &TableView) {
        let had_seat = untrack(|| self.room.is(|t| t.you.person.is_some()));
        if had_seat && table.you.person.is_none() && !self.is_leaving.get() {
            self.room.notice.set(Some(self.cx.t("room.removed")));
        }
        self.is_leaving.set(false);
    }

    /// At a table that was just opened: seats the host and the bots of the plan.
    fn seat_plan(&self, table: &TableView) {
        if !table.you.host {
            return;
        }
        let Some(plan) = self.plan.take() else {
            return;
        };
        let mut is_seated = false;
        for (i, (colour, sitter)) in plan.seats.iter().enumerate() {
            let seat = Some(Seat(i as u8));
            match sitter {
                Sitter::Person { .. } if !is_seated => {
                    is_seated = true;
                    self.room.send(Command::Sit {
                        name: None,
                        seat,
                        colour: Some(*colour),
                        key: String::new(),
                        program: false,
                    });
                }
                Sitter::Bot { level } => self.room.send(Command::AddBot {
                    seat,
                    level: *level,
                }),
                Sitter::Person { .. } => {}
            }
        }
    }

    /// Called when all events have been shown: marks the thinking bot, and notifies the player if it is their turn.
    fn settle(&self, session: Session) {
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
        // One call per decision.
        if mine.is_some() && self.called_for.get() != mine {
            call::call(self.cx, &self.room.route());
        }
        self.called_for.set(mine);
    }
}

/// The transport of a game at a table on a server. The table outlives it.
struct OnlineGame(Weak<Online>);

impl Transport for OnlineGame {
    fn send(&self, _session: Session, command: Command) {
        if let Some(online) = self.0.upgrade() {
            online.room.send(command);
        }
    }

    fn proceed(self: Rc<Self>, session: Session) -> LocalBoxFuture<'static, bool> {
        async move {
            if let Some(online) = self.0.upgrade().filter(|_| session.is_open()) {
                online.settle(session);
            }
            session.model.try_with_untracked(Model::is_busy) == Some(true)
        }
        .boxed_local()
    }

    fn now(&self) -> Millis {
        let online = self.0.upgrade();
        let offset = online.map_or(0, |online| online.link.borrow().clock_offset);
        page::now().saturating_add_signed(offset)
    }

    fn record_id(&self) -> String {
        self.room().map(Room::id).unwrap_or_default()
    }

    fn rematch(&self, session: Session) {
        self.send(session, Command::Rematch);
    }

    fn room(&self) -> Option<Room> {
        Some(self.0.upgrade()?.room)
    }
}
