//! A game on the screen.

mod actions;
mod board;
mod cover;
mod hand;
mod log;
mod over;
mod players;
mod prompt;
mod reference;
pub mod session;
mod stack;
mod targets;
mod tools;

use leptos::prelude::*;

use crate::context::cx;
use actions::Actions;
use board::Board;
use cover::Cover;
use hand::Hand;
use log::LogDrawer;
use over::Over;
use players::Players;
use prompt::Prompt;
use reference::Reference;
use session::Session;
use stack::OpenedStack;
use targets::Targets;
use tools::{HintBox, Tools};

/// Height of the bar at the bottom of an upright screen, in pixels.
const BAR: f64 = 60.0;

/// What is open besides the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Drawer {
    None,
    Log,
    Reference,
}

/// The layout of the board for the window.
pub fn layout(size: (f64, f64)) -> art::Layout {
    let (w, h) = size;
    if w < h {
        art::Layout::fit(w, (h - BAR).max(300.0))
    } else {
        art::Layout::fit(w, h)
    }
}

/// A game on the screen.
#[component]
pub fn GameScreen(session: Session) -> impl IntoView {
    let cx = cx();
    provide_context(session);
    let drawer = RwSignal::new(Drawer::None);
    let layout = Memo::new(move |_| layout(cx.size.get()));
    let upright = move || cx.size.with(|(w, h)| w < h);
    // Upright, what is to be done stands above the hand.
    let dock = move || {
        format!(
            "{:.0}px",
            cx.size.get().1 - layout.with(|l| l.hand_cards(3)[0].y) + 6.0
        )
    };
    let over = move || {
        session
            .model
            .with(|m| !m.is_busy() && m.table.ending.is_some())
            && !session.aside.get()
    };
    // Numbers choose cards, Enter confirms, Escape takes back.
    let key = move |e: web_sys::KeyboardEvent| {
        if e.key() == "Escape" {
            session.opened.set(None);
            session.hints.set(None);
            session.choose(|c| {
                c.reset();
                true
            });
        } else if let Ok(n @ 1..=4) = e.key().parse::<usize>() {
            let card = session
                .model
                .with_untracked(|m| m.shown.hand.as_ref().and_then(|h| h.get(n - 1).copied()));
            if let Some(card) = card {
                hand::choose(session, card);
            }
        }
    };
    view! {
        <div class="game" class:upright=upright on:keydown=key>
            <Show when=move || session.cover.get().is_none() fallback=move || view! { <Cover session/> }>
                <h1 class="unseen">{move || cx.t("title.name")}</h1>
                <Board session layout/>
                <Players session layout/>
                <main class="table">
                    <div class="dock" style:bottom=dock>
                        <Prompt session/>
                        <Actions session/>
                    </div>
                    <Targets session layout/>
                    <Hand session layout/>
                    <Tools session drawer/>
                    <OpenedStack session/>
                    <HintBox session/>
                </main>
                <Show when=move || drawer.get() == Drawer::Log><LogDrawer session drawer/></Show>
                <Show when=move || drawer.get() == Drawer::Reference><Reference session drawer/></Show>
                <Show when=over><Over session/></Show>
            </Show>
            <div class="unseen" aria-live="polite" id="live">{move || session.live.get()}</div>
        </div>
    }
}
