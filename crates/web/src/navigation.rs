//! Opens and leaves games and tables, and follows the address.

use std::rc::Rc;

use leptos::prelude::*;
use towers_client::{MyTable, NotReopened, Plan, Route, address};
use towers_table::{Command, OpenTable, OpenedTable};

use crate::context::{Cx, Request};
use crate::device::storage::shelf;
use crate::device::tabs::Tabs;
use crate::device::{http, page};
use crate::session::{Room, Session};
use crate::transport::local::Local;
use crate::transport::online::Online;

/// The open game or table.
#[derive(Clone, Copy)]
pub struct Navigation {
    cx: Cx,
    /// The game on this device, with its id.
    game: RwSignal<Option<(String, Session)>>,
    table: RwSignal<Option<Rc<Online>>, LocalStorage>,
    /// Whether a game is being opened.
    is_opening: StoredValue<bool>,
    /// The id of the game that was opened here and continues in another tab.
    elsewhere: RwSignal<Option<String>>,
    tabs: StoredValue<Option<Tabs>>,
}

impl Navigation {
    pub fn new(cx: Cx) -> Navigation {
        Navigation {
            cx,
            game: RwSignal::new(None),
            table: RwSignal::new_local(None),
            is_opening: StoredValue::new(false),
            elsewhere: RwSignal::new(None),
            tabs: StoredValue::new(None),
        }
    }

    /// The game on this device.
    pub fn game(self) -> Option<Session> {
        self.game
            .with(|game| game.as_ref().map(|(_, session)| *session))
    }

    /// The room around the table on the server.
    pub fn room(self) -> Option<Room> {
        self.table
            .with(|table| table.as_ref().map(|table| table.room))
    }

    /// The id of the game that continues in another tab.
    pub fn elsewhere(self) -> Option<String> {
        self.elsewhere.get()
    }

    /// Closes the game here if another tab has opened it. Otherwise both tabs would decide for its bots.
    fn hand_to_other_tab(self, id: String) {
        let is_here = self
            .game
            .with_untracked(|game| game.as_ref().is_some_and(|(open, _)| *open == id));
        if is_here {
            self.elsewhere.set(Some(id));
            self.leave_game();
        }
    }

    pub fn is_opening(self) -> bool {
        self.is_opening.get_value()
    }

    /// Starts following the address and the requests.
    pub fn follow(self) {
        let cx = self.cx;
        let changed = window_event_listener(leptos::ev::hashchange, move |_| {
            self.enter(Route::parse(&page::hash()));
        });
        on_cleanup(move || changed.remove());
        let tabs = Tabs::listen(move |id| self.hand_to_other_tab(id));
        self.tabs.set_value(Some(tabs));
        Effect::new(move |_| {
            if let Some(request) = cx.request.get() {
                cx.request.set(None);
                // Outside of the effect, which disposes of its children when it runs again.
                leptos::task::spawn_local(async move { self.open(request) });
            }
        });
        // Leaving a screen leaves its game or table. A table stays open while its settings are being changed.
        Effect::new(move |_| match cx.route.get() {
            Route::Game(_) | Route::Setup => {}
            Route::Table(_) | Route::Board(_) => self.leave_game(),
            _ => self.leave(),
        });
        if let Some(route) = Route::of_path(&page::path()) {
            page::replace_address(&format!("/{}", route.href()));
        }
        self.enter(Route::parse(&page::hash()));
    }

    /// Enters a route from the address, also after the browser's back button.
    fn enter(self, route: Route) {
        match route {
            Route::PlayNow => {
                page::replace_hash("");
                self.open(self.cx.quick_game());
            }
            Route::PlayDaily => {
                page::replace_hash("");
                self.open(self.cx.daily_game());
            }
            Route::Game(id) => {
                let is_open = self
                    .game
                    .with_untracked(|game| game.as_ref().is_some_and(|(open, _)| *open == id));
                if is_open {
                    self.cx.route.set(Route::Game(id));
                } else {
                    self.open(Request::Resume(id));
                }
            }
            Route::Table(ref id) | Route::Board(ref id) => {
                let open = self
                    .table
                    .with_untracked(|t| t.as_ref().map(|t| t.room.route()));
                if open.as_ref() == Some(&route) {
                    self.cx.route.set(route);
                } else if matches!(route, Route::Board(_)) {
                    self.open(Request::ShowBoard(id.clone()));
                } else {
                    self.open(Request::Visit(id.clone()));
                }
            }
            route => {
                if self.cx.route.with_untracked(|now| *now != route) {
                    self.cx.route.set(route);
                }
            }
        }
    }

    fn open(self, request: Request) {
        match request {
            Request::NewGame(_) | Request::Resume(_) if self.is_opening() => {}
            Request::NewGame(plan) => {
                self.open_game(None, async move |cx| Local::start(cx, plan).await);
            }
            Request::Resume(id) => {
                let fallback = Some(Route::Start);
                self.open_game(fallback, async move |cx: Cx| {
                    let resumed = Local::resume(cx, &id);
                    let is_earlier = matches!(resumed, Err(NotReopened::Earlier));
                    cx.failed.set(is_earlier.then(|| cx.t("net.earlier")));
                    resumed.ok()
                });
            }
            Request::NewTable(plan) => self.open_table(plan),
            Request::Visit(id) => self.visit(&id, None),
            Request::ShowBoard(id) => self.enter_table(Online::connect_board(self.cx, &id)),
            Request::Configure(settings) => {
                if let Some(room) = untrack(|| self.room()) {
                    room.send(Command::Configure {
                        settings: Box::new(settings),
                    });
                    self.cx.go(room.route());
                }
            }
        }
    }

    /// Opens a game on this device in steps to keep the page responsive. Goes to the fallback if the game does not
    /// exist.
    fn open_game(
        self,
        fallback: Option<Route>,
        open: impl AsyncFnOnce(Cx) -> Option<Rc<Local>> + 'static,
    ) {
        self.is_opening.set_value(true);
        leptos::task::spawn_local(async move {
            page::sleep(0).await;
            let table = open(self.cx).await;
            page::sleep(0).await;
            let game = table.and_then(|table| Some((table.id(), table.session()?)));
            page::sleep(0).await;
            self.is_opening.set_value(false);
            if let Some((id, session)) = game {
                self.leave();
                self.elsewhere.set(None);
                if let Some(tabs) = self.tabs.get_value() {
                    tabs.announce(&id);
                }
                self.game.set(Some((id.clone(), session)));
                self.cx.go(Route::Game(id));
            } else if let Some(route) = fallback {
                // If its screen is open, it stays, with the reason that it shows.
                page::set_hash(&route.to_string());
                self.enter(route);
            }
        });
    }

    /// Opens a table on the server and goes there.
    fn open_table(self, plan: Plan) {
        let cx = self.cx;
        cx.failed.set(None);
        // The name entered for the first seat becomes the person's name, here and at later tables.
        let typed = plan.host().map(|(_, name)| name.trim().to_string());
        if let Some(name) = typed.filter(|name| *name != cx.my_name()) {
            cx.prefer(|p| p.name = name);
        }
        let opening = OpenTable {
            name: cx.my_name(),
            settings: plan.settings.clone(),
        };
        leptos::task::spawn_local(async move {
            match http::post::<OpenedTable>(address::TABLES, &opening).await {
                Ok(opened) => {
                    shelf().keep_table(MyTable {
                        table: opened.table.clone(),
                        token: opened.token,
                        at: page::now(),
                        seat: None,
                    });
                    self.visit(&opened.table, Some(plan));
                }
                Err(why) if why.is_empty() => cx.failed.set(Some(cx.t("lobby.offline"))),
                Err(why) => cx.failed.set(Some(why)),
            }
        });
    }

    fn visit(self, id: &str, plan: Option<Plan>) {
        self.enter_table(Online::connect(self.cx, id, plan));
    }

    fn enter_table(self, table: Rc<Online>) {
        self.leave();
        let route = table.room.route();
        self.table.set(Some(table));
        self.cx.go(route);
    }

    /// Leaves the game or the table. Both can be resumed.
    fn leave(self) {
        self.leave_game();
        if self.table.with_untracked(Option::is_none) {
            return;
        }
        if let Some(table) = self.table.try_update(Option::take).flatten() {
            table.close();
            let words = self.cx.words;
            page::describe(
                words.with_untracked(|w| w.language().code()),
                &words.with_untracked(|w| w.get("title.page")),
            );
            page::icon("icon.svg");
        }
    }

    fn leave_game(self) {
        if self.game.with_untracked(Option::is_none) {
            return;
        }
        if let Some((_, session)) = self.game.try_update(Option::take).flatten() {
            session.close();
        }
    }
}
