//! What every part of the client shares.

use std::ops::Deref;

use client::{Language, Message, Plan, Preferences, Speed, ThemeChoice, Words};
use leptos::prelude::*;
use table::BotLevel;

use crate::device::page;
use crate::device::storage::shelf;
use crate::game::local::Local;
use crate::game::session::Session;
use crate::learn::page::Page;
use crate::live::{Memo, RwSignal, StoredValue};
use crate::online::{self, Online};

/// Where a person is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Screen {
    /// The first page.
    Start,
    /// Setting up a game.
    Setup,
    /// In a game on this device.
    Game,
    /// On a page around the game.
    Page(Page),
    /// Where tables on the server are found.
    Lobby,
    /// At a table on the server.
    Table,
}

/// What a game is being set up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be played on this device.
    Here,
    /// To open a table on the server.
    Open,
    /// To change the settings of the table one is at.
    Change,
}

/// A game to be played on this device.
enum Wanted {
    New(Plan),
    Kept(String),
}

/// What every part of the client shares, as a reference: it goes into every closure of every screen, and is as small as can be.
#[derive(Clone, Copy)]
pub struct Cx(&'static Shared);

impl Deref for Cx {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        self.0
    }
}

/// What every part of the client shares, for as long as the page is there.
pub struct Shared {
    pub preferences: RwSignal<Preferences>,
    pub words: Memo<Words>,
    pub screen: RwSignal<Screen>,
    pub session: RwSignal<Option<Session>>,
    /// The game being set up.
    pub plan: RwSignal<Plan>,
    /// What it is set up for.
    pub purpose: RwSignal<Purpose>,
    /// The table on the server one is at.
    pub online: RwSignal<Option<Online>>,
    /// Why a table could not be opened.
    pub failed: RwSignal<Option<String>>,
    /// Whether the settings are open.
    pub settings: RwSignal<bool>,
    /// The size of the window.
    pub size: RwSignal<(f64, f64)>,
    /// Whether a game is on its way to the screen.
    coming: StoredValue<bool>,
    /// Who owns what outlives a screen, such as a game.
    owner: StoredValue<Owner>,
}

impl Cx {
    pub fn new() -> Cx {
        let preferences = RwSignal::new(shelf().preferences());
        let words = Memo::new(move || Words::of(preferences.with(language)));
        let me = preferences.with_untracked(|p| words.with_untracked(|w| own_name(p, w)));
        Cx(Box::leak(Box::new(Shared {
            preferences,
            words,
            screen: RwSignal::new(Screen::Start),
            session: RwSignal::new(None),
            plan: RwSignal::new(Plan::against_bots(&me, 2, BotLevel::Apprentice)),
            purpose: RwSignal::new(Purpose::Here),
            online: RwSignal::new(None),
            failed: RwSignal::new(None),
            settings: RwSignal::new(false),
            size: RwSignal::new(page::size()),
            coming: StoredValue::new(false),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        })))
    }

    /// A text of the chosen language.
    pub fn t(self, key: &'static str) -> String {
        self.words.with(|words| words.get(key))
    }

    /// A text that follows the chosen language.
    pub fn text(self, key: &'static str) -> Signal<String> {
        let words = self.words;
        Signal::derive(move || words.with(|words| words.get(key)))
    }

    /// A message in the chosen language.
    pub fn say(self, message: &Message) -> String {
        self.words.with(|words| words.say(message))
    }

    /// Changes a preference, and keeps it.
    pub fn prefer(self, change: impl FnOnce(&mut Preferences)) {
        self.preferences.update(change);
        self.preferences
            .with_untracked(|p| shelf().keep_preferences(p));
    }

    /// What the person at this device is called.
    pub fn my_name(self) -> String {
        self.preferences
            .with_untracked(|p| self.words.with_untracked(|w| own_name(p, w)))
    }

    /// Names for several persons at one device.
    pub fn names(self, count: usize) -> Vec<String> {
        let usual = |n: usize| {
            let message = client::words::say("name.player").with("n", n as u32);
            self.words.with_untracked(|w| w.say(&message))
        };
        let mine = self
            .preferences
            .with_untracked(|p| p.name.trim().to_string());
        (1..=count)
            .map(|n| {
                if n == 1 && !mine.is_empty() {
                    mine.clone()
                } else {
                    usual(n)
                }
            })
            .collect()
    }

    /// The class of the theme.
    pub fn theme(self) -> &'static str {
        let day = match self.preferences.with(|p| p.theme) {
            ThemeChoice::System => !page::matches("(prefers-color-scheme: dark)"),
            ThemeChoice::Day => true,
            ThemeChoice::Night => false,
        };
        if day { "wt-day" } else { "wt-night" }
    }

    /// How quickly moves are shown.
    pub fn speed(self) -> Speed {
        self.preferences.with_untracked(|p| p.speed)
    }

    /// Whether pieces should rather not fly about.
    pub fn is_still(self) -> bool {
        page::matches("(prefers-reduced-motion: reduce)")
    }

    /// Goes to a screen.
    pub fn go(self, screen: Screen) {
        let hash = match &screen {
            Screen::Start => String::new(),
            Screen::Setup => "new".into(),
            Screen::Page(page) => page.address(),
            Screen::Game => self
                .session
                .with_untracked(|s| s.as_ref().map_or(String::new(), |s| s.address())),
            Screen::Lobby => "tables".into(),
            Screen::Table => self.online.with_untracked(|o| {
                o.as_ref()
                    .map_or(String::new(), |o| format!("t/{}", o.id()))
            }),
        };
        self.screen.set(screen);
        page::set_hash(&hash);
    }

    /// Makes something that outlives the screen it is made on.
    pub fn keep<T>(self, make: impl FnOnce() -> T) -> T {
        self.owner.get_value().with(make)
    }

    /// Begins the game that is set up.
    pub fn begin(self, plan: Plan) {
        self.show_game(Wanted::New(plan));
    }

    /// Whether a game is on its way to the screen.
    pub fn is_coming(self) -> bool {
        self.coming.get_value()
    }

    /// Shows a game on this device step by step: the page can answer in between.
    fn show_game(self, wanted: Wanted) {
        if self.is_coming() {
            return;
        }
        self.coming.set_value(true);
        leptos::task::spawn_local(async move {
            page::sleep(0).await;
            let kept = matches!(wanted, Wanted::Kept(_));
            let game = match wanted {
                Wanted::New(plan) => Local::open(plan).await,
                Wanted::Kept(id) => Local::resume(&id),
            };
            page::sleep(0).await;
            let session = self.keep(|| Session::at(self, Local::new(game?)));
            page::sleep(0).await;
            self.coming.set_value(false);
            if let Some(session) = session {
                self.leave();
                self.session.set(Some(session));
                self.go(Screen::Game);
            } else if kept {
                self.go(Screen::Start);
            }
        });
    }

    /// A game against two bots, at once.
    pub fn play_now(self) {
        let level = BotLevel::Apprentice;
        self.begin(Plan::against_bots(&self.my_name(), 2, level));
    }

    /// The deal of the day.
    pub fn play_daily(self) {
        self.begin(client::daily::plan(&page::today(), &self.my_name()));
    }

    /// Goes on with a kept game; if it is not there any more, back to the start.
    pub fn resume(self, id: &str) {
        self.show_game(Wanted::Kept(id.into()));
    }

    /// Goes to a table on the server.
    pub fn visit(self, table: &str, plan: Option<Plan>) {
        self.leave();
        let online = self.keep(|| Online::visit(self, table, plan));
        self.online.set(Some(online));
        self.go(Screen::Table);
    }

    /// Sets up a table to be opened on the server.
    pub fn open_online(self, mut plan: Plan) {
        plan.settings.reaction_seconds = Some(20);
        self.plan.set(plan);
        self.purpose.set(Purpose::Open);
        self.go(Screen::Setup);
    }

    /// Changes the settings of the table one is at.
    pub fn change_settings(self, settings: table::Settings) {
        let mut plan = Plan::hot_seat(&self.names(usize::from(settings.seats).max(2)));
        plan.seats.truncate(settings.seats.into());
        plan.settings = settings;
        self.plan.set(plan);
        self.purpose.set(Purpose::Change);
        self.go(Screen::Setup);
    }

    /// Does what a game was set up for.
    pub fn set_up(self) {
        let mut plan = self.plan.get_untracked();
        if self.purpose.get_untracked() != Purpose::Here {
            plan.settings.reaction_seconds.get_or_insert(20);
        }
        match (self.purpose.get_untracked(), self.online.get_untracked()) {
            (Purpose::Here, _) => self.begin(plan),
            (Purpose::Change, Some(online)) => {
                online.say(table::Command::Configure {
                    settings: Box::new(plan.settings),
                });
                self.go(Screen::Table);
            }
            (Purpose::Open | Purpose::Change, _) => online::open(self, plan),
        }
    }

    /// Shows a game of the table one is at.
    pub fn show_session(self, make: impl FnOnce(Cx) -> Session) {
        self.end_session();
        let session = self.keep(|| make(self));
        self.session.set(Some(session));
        session.run();
    }

    /// Puts the game away; the table stays.
    pub fn end_session(self) {
        if let Some(session) = self.session.get_untracked() {
            session.close();
        }
        self.session.set(None);
    }

    /// What the person at this device is called; follows changes.
    pub fn followed_name(self) -> String {
        self.preferences
            .with(|p| self.words.with(|w| own_name(p, w)))
    }

    /// Leaves the game or the table; both are kept.
    pub fn leave(self) {
        self.end_session();
        if let Some(online) = self.online.get_untracked() {
            online.close();
            page::describe(
                self.words.with_untracked(|w| w.language().code()),
                &self.words.with_untracked(|w| w.get("title.page")),
            );
            page::icon("icon.svg");
        }
        self.online.set(None);
    }
}

/// What the person at this device is called: as they said, or a guest.
fn own_name(preferences: &Preferences, words: &Words) -> String {
    match preferences.name.trim() {
        "" => words.get("name.guest"),
        name => name.into(),
    }
}

/// The chosen language, or the browser's.
fn language(preferences: &Preferences) -> Language {
    preferences.language.unwrap_or_else(|| {
        let codes = page::languages();
        Language::best(codes.iter().map(String::as_str))
    })
}

/// The shared context.
pub fn cx() -> Cx {
    use_context::<Cx>().expect("the app provides it")
}
