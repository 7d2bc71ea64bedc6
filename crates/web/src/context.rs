//! What every part of the client shares.

use client::{Language, Message, Plan, Preferences, Speed, ThemeChoice, Words};
use leptos::prelude::*;

use crate::device::page;
use crate::device::storage::shelf;
use crate::game::session::Session;
use crate::learn::page::Page;

/// Where a person is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Screen {
    /// The first page.
    Start,
    /// Setting up a game.
    Setup,
    /// In a game.
    Game,
    /// On a page around the game.
    Page(Page),
}

/// What every part of the client shares; it is `Copy`, so that it can be used everywhere.
#[derive(Clone, Copy)]
pub struct Cx {
    pub preferences: RwSignal<Preferences>,
    pub words: Memo<Words>,
    pub screen: RwSignal<Screen>,
    pub session: RwSignal<Option<Session>>,
    /// The game being set up.
    pub plan: RwSignal<Plan>,
    /// Whether the settings are open.
    pub settings: RwSignal<bool>,
    /// The size of the window.
    pub size: RwSignal<(f64, f64)>,
    /// Who owns what outlives a screen, such as a game.
    owner: StoredValue<Owner>,
}

impl Cx {
    pub fn new() -> Cx {
        let preferences = RwSignal::new(shelf().preferences());
        let words = Memo::new(move |_| Words::of(preferences.with(language)));
        Cx {
            preferences,
            words,
            screen: RwSignal::new(Screen::Start),
            session: RwSignal::new(None),
            plan: RwSignal::new(Plan::against_bots("1", 2, table::BotLevel::Apprentice)),
            settings: RwSignal::new(false),
            size: RwSignal::new(page::size()),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        }
    }

    /// A text of the chosen language.
    pub fn t(self, key: &'static str) -> String {
        self.words.with(|words| words.get(key))
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
        let name = self
            .preferences
            .with_untracked(|p| p.name.trim().to_string());
        if name.is_empty() {
            self.words.with_untracked(|w| w.get("name.you"))
        } else {
            name
        }
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
            Screen::Game => self.session.with_untracked(|s| {
                s.as_ref()
                    .map_or(String::new(), |s| format!("game/{}", s.id()))
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
    pub fn begin(self, plan: &Plan) {
        let owner = self.owner.get_value();
        if let Some(session) = owner.with(|| Session::open(self, plan)) {
            self.leave();
            self.session.set(Some(session));
            self.go(Screen::Game);
            session.run();
        }
    }

    /// Goes on with a kept game.
    pub fn resume(self, id: &str) -> bool {
        let owner = self.owner.get_value();
        let Some(session) = owner.with(|| Session::resume(self, id)) else {
            return false;
        };
        self.leave();
        self.session.set(Some(session));
        self.go(Screen::Game);
        session.run();
        true
    }

    /// Leaves the game; it is kept.
    pub fn leave(self) {
        if let Some(session) = self.session.get_untracked() {
            session.close();
        }
        self.session.set(None);
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
