//! The whole client.

use art::pieces::SHELF_COUNT;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use crate::backdrop::Backdrop;
use crate::context::{Cx, Screen, cx};
use crate::device::page;
use crate::game::GameScreen;
use crate::learn::page::Page;
use crate::live::{RwSignal, follow};
use crate::markup::{Markup, view};
use crate::online::{LobbyScreen, TableScreen};
use crate::parts::{CollectView, Show};
use crate::settings::Settings;
use crate::setup::SetupScreen;
use crate::start::StartScreen;

/// The whole client.
#[component]
pub fn App() -> Markup {
    let cx = Cx::new();
    provide_context(cx);
    let opened = RwSignal::new(false);
    let shelves = [(); SHELF_COUNT].map(|()| RwSignal::new(String::new()));
    leptos::task::spawn_local(open(cx, opened, shelves));
    view! {
        {shelves.into_iter().map(|shelf| view! { <div class="defs" aria-hidden="true" inner_html=move || shelf.get()></div> }).collect_view()}
        <Show when=move || opened.get()><Screens/></Show>
    }
}

/// What the page as a whole follows: language, theme, size, and the screen.
fn follow_page(cx: Cx) {
    follow_window(cx);
    follow(move || {
        page::describe(cx.words.with(|w| w.language().code()), &cx.t("title.page"));
    });
    follow(move || {
        let numbers = if cx.preferences.with(|p| p.numbers) {
            " wt-numbers"
        } else {
            ""
        };
        let still = if cx.is_still() { " wt-still" } else { "" };
        page::dress(&format!("{}{numbers}{still}", cx.theme()));
    });
    // A new screen begins at its top.
    follow(move || {
        cx.screen.track();
        page::window().scroll_to_with_x_and_y(0.0, 0.0);
    });
}

/// Where the address leads, the drawings, and the screen: one after the other, so that the page can answer in between. The
/// first screen has an emblem and no other pieces, so there most drawings come last.
async fn open(cx: Cx, opened: RwSignal<bool>, shelves: [RwSignal<String>; SHELF_COUNT]) {
    page::sleep(0).await;
    cx.keep(|| follow_page(cx));
    page::sleep(0).await;
    follow_address(cx);
    while cx.is_coming() {
        page::sleep(0).await;
    }
    let first = match cx.screen.get_untracked() {
        Screen::Start => 2,
        _ => SHELF_COUNT,
    };
    let mut filled = shelves.into_iter().zip(art::pieces::shelves());
    for (shelf, drawings) in filled.by_ref().take(first) {
        page::sleep(0).await;
        shelf.set(drawings);
    }
    page::sleep(0).await;
    opened.set(true);
    page::ready();
    for (shelf, drawings) in filled {
        page::sleep(60).await;
        shelf.set(drawings);
    }
}

/// The screen, and what is behind and before it.
#[component]
fn Screens() -> Markup {
    let cx = cx();
    view! {
        <Show when=move || cx.screen.with(|s| *s != Screen::Game)><Backdrop/></Show>
        {move || match cx.screen.get() {
            Screen::Start => view! { <StartScreen/> },
            Screen::Setup => view! { <SetupScreen/> },
            Screen::Page(page) => crate::learn::page::show(page),
            Screen::Lobby => view! { <LobbyScreen/> },
            Screen::Table => cx.online.get().map_or_else(
                || view! { <LobbyScreen/> },
                |online| view! { <TableScreen online/> },
            ),
            Screen::Game => cx.session.get().map_or_else(
                || view! { <StartScreen/> },
                |session| view! { <GameScreen session/> },
            ),
        }}
        <Show when=move || cx.settings.get()><Settings/></Show>
    }
}

/// Knows the size of the window.
fn follow_window(cx: Cx) {
    let resized = Closure::<dyn Fn()>::new(move || {
        if cx.size.get_untracked() != page::size() {
            cx.size.set(page::size());
        }
    });
    let _ =
        page::window().add_event_listener_with_callback("resize", resized.as_ref().unchecked_ref());
    resized.forget();
}

/// The address leads to a game or a screen, also with the browser's back button.
fn follow_address(cx: Cx) {
    let go = move || {
        let hash = page::hash();
        let hash = hash.trim_start_matches('#');
        if let Some(id) = hash.strip_prefix("game/") {
            let open = cx
                .session
                .with_untracked(|s| s.as_ref().is_some_and(|s| s.address() == hash));
            if open {
                cx.screen.set(Screen::Game);
            } else {
                cx.resume(id);
            }
        } else if let Some(table) = hash.strip_prefix("t/") {
            let there = cx
                .online
                .with_untracked(|o| o.as_ref().is_some_and(|o| o.id() == table));
            if there {
                cx.screen.set(Screen::Table);
            } else {
                cx.visit(table, None);
            }
        } else if hash == "play" {
            page::replace_hash("");
            cx.play_now();
        } else if hash == "daily" {
            page::replace_hash("");
            cx.play_daily();
        } else if hash == "tables" {
            cx.leave();
            cx.screen.set(Screen::Lobby);
        } else if hash == "new" {
            cx.screen.set(Screen::Setup);
        } else if let Some(page) = Page::of(hash) {
            let there = cx
                .screen
                .with_untracked(|s| *s == Screen::Page(page.clone()));
            if !there {
                cx.leave();
                cx.screen.set(Screen::Page(page));
            }
        } else if cx.screen.get_untracked() != Screen::Start {
            cx.leave();
            cx.screen.set(Screen::Start);
        }
    };
    let changed = Closure::<dyn Fn()>::new(go);
    let _ = page::window()
        .add_event_listener_with_callback("hashchange", changed.as_ref().unchecked_ref());
    changed.forget();
    page::take_table();
    go();
}
