//! The root component of the client.

use leptos::prelude::*;
use towers_art::pieces::SHELF_COUNT;
use towers_client::{Route, Words};

use crate::afterwards::replay::ReplayScreen;
use crate::backdrop::Backdrop;
use crate::context::{Cx, Request, cx};
use crate::device::{layers, page};
use crate::game::GameScreen;
use crate::learn::lesson::LessonScreen;
use crate::learn::puzzle::PuzzleScreen;
use crate::learn::puzzles::PuzzlesScreen;
use crate::learn::rules::RulesScreen;
use crate::navigation::Navigation;
use crate::online::{BoardScreen, DeviceScreen, LobbyScreen, TableScreen};
use crate::settings::Settings;
use crate::setup::SetupScreen;
use crate::start::StartScreen;

#[component]
pub fn App(
    /// The texts of the initial language.
    words: Words,
) -> impl IntoView {
    let cx = Cx::new(words);
    provide_context(cx);
    let navigation = Navigation::new(cx);
    let is_ready = RwSignal::new(false);
    let shelves = [(); SHELF_COUNT].map(|()| RwSignal::new(String::new()));
    let owner = Owner::current().unwrap_or_default();
    leptos::task::spawn_local(open(cx, navigation, owner, is_ready, shelves));
    view! {
        {shelves.into_iter().map(|shelf| view! { <div class="defs" aria-hidden="true" inner_html=move || shelf.get()></div> }).collect_view()}
        <Show when=move || is_ready.get()><Screens navigation/></Show>
    }
}

/// Keeps the language, theme and size of the page up to date.
fn follow_page(cx: Cx) {
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        if cx.size.get_untracked() != page::size() {
            cx.size.set(page::size());
        }
    });
    on_cleanup(move || resized.remove());
    layers::follow();
    Effect::new(move |_| {
        cx.words
            .with(|w| page::describe(w.language().code(), &w.get("title.page")));
    });
    Effect::new(move |_| {
        let numbers = if cx.preferences.with(|p| p.numbers) {
            " wt-numbers"
        } else {
            ""
        };
        let still = if cx.is_still() { " wt-still" } else { "" };
        page::dress(&format!("{}{numbers}{still}", cx.theme()));
    });
    // Scroll to the top when the screen changes.
    Effect::new(move |_| {
        cx.route.track();
        page::window().scroll_to_with_x_and_y(0.0, 0.0);
    });
}

/// Opens the page in steps to keep it responsive: address, drawings, screen. The first page needs few drawings, so the
/// others are loaded last.
async fn open(
    cx: Cx,
    navigation: Navigation,
    owner: Owner,
    is_ready: RwSignal<bool>,
    shelves: [RwSignal<String>; SHELF_COUNT],
) {
    page::sleep(0).await;
    owner.with(|| follow_page(cx));
    page::sleep(0).await;
    owner.with(|| navigation.follow());
    while navigation.is_opening() {
        page::sleep(0).await;
    }
    let first = match cx.route.get_untracked() {
        Route::Start => 2,
        _ => SHELF_COUNT,
    };
    let mut filled = shelves.into_iter().zip(towers_art::pieces::shelves());
    for (shelf, drawings) in filled.by_ref().take(first) {
        page::sleep(0).await;
        shelf.set(drawings);
    }
    page::sleep(0).await;
    is_ready.set(true);
    page::ready();
    for (shelf, drawings) in filled {
        page::sleep(60).await;
        shelf.set(drawings);
    }
}

/// Shows that the game continues in another tab, with a button to take it back.
#[component]
fn Elsewhere(id: String) -> impl IntoView {
    let cx = cx();
    view! {
        <div class="setup">
            <main class="panel sheet" id="elsewhere">
                <h1>{cx.text("tabs.title")}</h1>
                <p>{cx.text("tabs.about")}</p>
                <div class="buttons">
                    <button class="primary" id="play-here" on:click=move |_| cx.request(Request::Resume(id.clone()))>{cx.text("tabs.here")}</button>
                    <button class="plain" on:click=move |_| cx.go(Route::Start)>{cx.text("over.start")}</button>
                </div>
            </main>
        </div>
    }
}

/// The current screen with its backdrop and overlays.
#[component]
fn Screens(navigation: Navigation) -> impl IntoView {
    let cx = cx();
    let is_game = move || {
        cx.route.with(|route| matches!(route, Route::Game(_))) && navigation.game().is_some()
    };
    let route = move || {
        cx.words.track();
        cx.route.get()
    };
    let settings = move || {
        cx.words.track();
        cx.settings.get().then(|| view! { <Settings/> })
    };
    view! {
        <Show when=move || !is_game()><Backdrop/></Show>
        {move || match route() {
            Route::Start | Route::PlayNow | Route::PlayDaily => view! { <StartScreen/> }.into_any(),
            Route::Setup => view! { <SetupScreen/> }.into_any(),
            Route::Game(_) => match (navigation.game(), navigation.elsewhere()) {
                (Some(session), _) => view! { <GameScreen session/> }.into_any(),
                (None, Some(id)) => view! { <Elsewhere id/> }.into_any(),
                (None, None) => view! { <StartScreen/> }.into_any(),
            },
            Route::Lobby => view! { <LobbyScreen/> }.into_any(),
            Route::Table(_) => navigation.room().map_or_else(
                || view! { <LobbyScreen/> }.into_any(),
                |room| view! { <TableScreen room/> }.into_any(),
            ),
            Route::Board(_) => navigation.room().map_or_else(
                || view! { <LobbyScreen/> }.into_any(),
                |room| view! { <BoardScreen room/> }.into_any(),
            ),
            Route::Device(words) => view! { <DeviceScreen words/> }.into_any(),
            Route::Lesson => view! { <LessonScreen/> }.into_any(),
            Route::Rules(anchor) => view! { <RulesScreen anchor/> }.into_any(),
            Route::Puzzles => view! { <PuzzlesScreen/> }.into_any(),
            Route::Puzzle(key) => view! { <PuzzleScreen key_name=key/> }.into_any(),
            Route::Records => view! { <ReplayScreen id=None entry=None/> }.into_any(),
            Route::Replay(id, entry) => view! { <ReplayScreen id=Some(id) entry/> }.into_any(),
        }}
        {settings}
    }
}
