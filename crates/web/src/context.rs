//! State shared by the whole client: preferences, texts, the route, and requests.

use leptos::prelude::*;
use towers_client::sound::SoundEffect;
use towers_client::{
    Language, Message, Plan, PlanKind, Preferences, Route, Sitter, Sound, Speed, ThemeChoice,
    Words, address,
};
use towers_rules::Seat;
use towers_table::{BotLevel, Settings, Start};

use crate::device::storage::shelf;
use crate::device::{http, page, sound};

/// The purpose of a game setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A game on this device.
    Here,
    /// A new table on the server.
    NewTable,
    /// The settings of a table on the server, by its id.
    Change(String),
}

/// A request to open something. The navigation handles it; the route changes once it is ready to be shown.
#[derive(Clone, Debug)]
pub enum Request {
    /// Starts a game on this device.
    NewGame(Plan),
    /// Resumes a stored game, by its id.
    Resume(String),
    /// Opens a table on the server and seats the players of the plan.
    NewTable(Plan),
    /// Goes to a table on the server, by its id.
    Visit(String),
    /// Shows the board view of a table on the server, by its id.
    ShowBoard(String),
    /// Changes the settings of the open table.
    Configure(Settings),
}

/// State shared by the whole client. The signals are owned by the root of the page.
#[derive(Clone, Copy)]
pub struct Cx {
    pub preferences: RwSignal<Preferences>,
    /// The texts of the chosen language. The screen is rebuilt when they change. Its parts do not subscribe to them,
    /// since a signal keeps its subscribers after their screen is gone.
    pub words: RwSignal<Words>,
    /// The current screen. [`Cx::go`] changes it together with the address.
    pub route: RwSignal<Route>,
    pub request: RwSignal<Option<Request>>,
    /// The game setup being edited.
    pub plan: RwSignal<Plan>,
    /// The purpose of the setup.
    pub purpose: RwSignal<Purpose>,
    /// Why a game or a table could not be opened.
    pub failed: RwSignal<Option<String>>,
    /// Whether the settings are open.
    pub settings: RwSignal<bool>,
    /// The size of the window in pixels.
    pub size: RwSignal<(f64, f64)>,
}

impl Cx {
    pub fn new(words: Words) -> Cx {
        let preferences = RwSignal::new(shelf().preferences());
        let words = RwSignal::new(words);
        follow_language(preferences, words);
        let me = preferences.with_untracked(|p| words.with_untracked(|w| own_name(p, w)));
        Cx {
            preferences,
            words,
            route: RwSignal::new(Route::Start),
            request: RwSignal::new(None),
            plan: RwSignal::new(
                Plan::against_bots(&me, 2, BotLevel::Apprentice).with_usual_memory(),
            ),
            purpose: RwSignal::new(Purpose::Here),
            failed: RwSignal::new(None),
            settings: RwSignal::new(false),
            size: RwSignal::new(page::size()),
        }
    }

    /// A text of the chosen language.
    pub fn t(self, key: &'static str) -> String {
        self.words.with_untracked(|words| words.get(key))
    }

    /// A text of the chosen language as a signal, for properties that may change.
    pub fn text(self, key: &'static str) -> Signal<String> {
        Signal::stored(self.t(key))
    }

    /// A message in the chosen language.
    pub fn say(self, message: &Message) -> String {
        self.words.with_untracked(|words| words.say(message))
    }

    /// Changes the preferences and stores them.
    pub fn prefer(self, change: impl FnOnce(&mut Preferences)) {
        self.preferences.update(change);
        self.preferences
            .with_untracked(|p| shelf().keep_preferences(p));
    }

    /// The name of the person at this device.
    pub fn my_name(self) -> String {
        self.preferences
            .with_untracked(|p| self.words.with_untracked(|w| own_name(p, w)))
    }

    /// Whether the person at this device has not entered a name.
    pub fn is_guest(self) -> bool {
        self.preferences
            .with_untracked(|p| p.name.trim().is_empty())
    }

    /// Default names for several persons at one device.
    pub fn names(self, count: usize) -> Vec<String> {
        let usual = |n: usize| {
            let message = towers_client::words::say("name.player").with("n", n as u32);
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

    /// The CSS class of the theme.
    pub fn theme(self) -> &'static str {
        let day = match self.preferences.with(|p| p.theme) {
            ThemeChoice::System => !page::matches("(prefers-color-scheme: dark)"),
            ThemeChoice::Day => true,
            ThemeChoice::Night => false,
        };
        if day { "wt-day" } else { "wt-night" }
    }

    pub fn speed(self) -> Speed {
        self.preferences.with_untracked(|p| p.speed)
    }

    /// The volume of sound effects between 0 and 1; `None` if they are off.
    pub fn volume(self) -> Option<f32> {
        self.preferences.with_untracked(|p| {
            (p.sound == Sound::On).then(|| f32::from(p.volume.min(100)) / 100.0)
        })
    }

    /// Turns sound on, with a sample, or off. The player is not asked again.
    pub fn set_sound(self, on: bool) {
        self.prefer(|p| {
            p.sound = if on { Sound::On } else { Sound::Off };
            p.asks_sound = false;
        });
        self.sample_sound();
    }

    /// Plays a sound effect if sounds are on.
    pub fn play(self, effect: SoundEffect) {
        if let Some(volume) = self.volume() {
            sound::play(effect, volume);
        }
    }

    /// Plays a sample at the current volume.
    pub fn sample_sound(self) {
        self.play(SoundEffect::YourTurn);
    }

    /// Whether the player prefers reduced motion.
    pub fn is_still(self) -> bool {
        page::matches("(prefers-reduced-motion: reduce)")
    }

    /// Goes to a screen. Games and tables that are not open yet are opened by a [`Request`].
    pub fn go(self, route: Route) {
        page::set_hash(&route.to_string());
        self.route.set(route);
    }

    pub fn request(self, request: Request) {
        self.request.set(Some(request));
    }

    /// A game against two bots. The person starts (R3.5), so that nobody waits for the bots' program to load.
    pub fn quick_game(self) -> Request {
        let mut plan = Plan::against_bots(&self.my_name(), 2, BotLevel::Apprentice);
        plan.settings.start = Start::Seat(Seat(0));
        Request::NewGame(plan)
    }

    /// The address of a page of the server in the language of the player.
    pub fn page_link(self, path: &str) -> String {
        self.words
            .with(|w| address::in_language(path, w.language().code()))
    }

    /// The deal of the day.
    pub fn daily_game(self) -> Request {
        let plan = towers_client::daily::plan(&page::today(), &self.my_name());
        Request::NewGame(plan)
    }

    /// The last setup of a game of this kind, or the default. The person at this device gets the name from the
    /// preferences.
    pub fn last_plan(self, kind: PlanKind, usual: impl FnOnce() -> Plan) -> Plan {
        let Some(mut plan) = shelf().last_plan(kind) else {
            return usual();
        };
        if let Some(Sitter::Person { name }) = plan.host_mut() {
            let mine = self
                .preferences
                .with_untracked(|p| p.name.trim().to_string());
            if !mine.is_empty() {
                *name = mine;
            }
        }
        plan
    }

    /// Sets up a game or a table.
    pub fn set_up(self, plan: Plan, purpose: Purpose) {
        self.plan.set(plan);
        self.purpose.set(purpose);
        self.go(Route::Setup);
    }
}

/// The name from the preferences, or the name for guests.
fn own_name(preferences: &Preferences, words: &Words) -> String {
    match preferences.name.trim() {
        "" => words.get("name.guest"),
        name => name.into(),
    }
}

/// The texts of the initial language.
pub async fn first_words() -> Option<Words> {
    load_words(language(&shelf().preferences())).await
}

/// Loads the texts of another language when it is chosen.
fn follow_language(preferences: RwSignal<Preferences>, words: RwSignal<Words>) {
    let chosen = Memo::new(move |_| preferences.with(language));
    Effect::new(move |_| {
        let language = chosen.get();
        if words.with_untracked(Words::language) == language {
            return;
        }
        leptos::task::spawn_local(async move {
            let loaded = load_words(language).await;
            // Another language may have been chosen meanwhile.
            if let Some(loaded) = loaded.filter(|_| chosen.get_untracked() == language) {
                words.set(loaded);
            }
        });
    });
}

/// The texts of a language; `None` if they cannot be fetched.
async fn load_words(language: Language) -> Option<Words> {
    let address = page::meta(&format!("texts-{}", language.code()))?;
    let file = http::text(&address).await?;
    Some(Words::parse(language, &file))
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
