//! A game on the screen.

pub mod actions;
mod back;
pub mod board;
mod clock;
mod cover;
pub mod hand;
pub mod local;
mod log;
mod over;
pub mod players;
pub mod prompt;
pub mod reference;
pub mod session;
mod show;
pub mod stack;
mod table_drawer;
pub mod targets;
mod tools;

use leptos::prelude::*;

use crate::context::cx;
use crate::device::page::px;
use crate::live::{Memo, RwSignal};
use crate::markup::{Markup, view};
use crate::parts::{Later, Show, line};
use actions::Actions;
use back::BotPlays;
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
use table_drawer::TableDrawer;
use targets::Targets;
use tools::{HintBox, Tools};

/// Height of the bar at the bottom of an upright screen, in pixels.
const BAR: f64 = 60.0;
/// Height of the line between players and board on an upright screen, in pixels.
const LINE: f64 = 40.0;

/// What is open besides the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Drawer {
    None,
    Log,
    Reference,
    Table,
}

/// The layout of the board for the window, if it begins so far down.
pub fn layout(size: (f64, f64), top: f64) -> art::Layout {
    let (w, h) = size;
    if w < h {
        art::Layout::fit(w, (h - BAR - top).max(300.0))
    } else {
        art::Layout::fit(w, h)
    }
}

/// How far the board is moved down on an upright screen; on others it fills everything.
pub fn top(size: (f64, f64)) -> f64 {
    if size.0 < size.1 { LINE } else { 0.0 }
}

/// The layout of the board where somebody explains: what is said stands above the back of the ring.
pub fn layout_below_coach(size: (f64, f64)) -> art::Layout {
    let (w, h) = size;
    if w < h {
        layout(size, top_below_coach(size))
    } else {
        art::Layout::below(w, h, h * 0.07)
    }
}

/// How far the board is moved down there on an upright screen.
pub fn top_below_coach(size: (f64, f64)) -> f64 {
    if size.0 < size.1 {
        LINE + (size.1 * 0.12).min(100.0)
    } else {
        0.0
    }
}

/// What lies beside the hand: the left edge and width of the places for tools and actions.
pub fn beside(layout: &art::Layout, players: usize) -> [(f64, f64); 2] {
    let cards = layout.hand_cards(3);
    let (first, last) = (cards[0], cards[2]);
    let seats = layout.seats(players);
    let low = layout.height - 40.0;
    let at_foot = |right: bool| {
        seats
            .iter()
            .find(|s| s.right == right && s.panel.y + s.panel.h > low)
            .map(|s| s.panel)
    };
    let left = at_foot(false).map_or(8.0, |p| p.x + p.w + 8.0);
    let right = at_foot(true).map_or(layout.width - 8.0, |p| p.x - 8.0);
    let from = last.x + last.w + 12.0;
    [
        (left, (first.x - 12.0 - left).max(96.0)),
        (from, (right - from).clamp(96.0, 210.0)),
    ]
}

/// A game on the screen.
#[component]
pub fn GameScreen(session: Session) -> Markup {
    let cx = cx();
    provide_context(session);
    let drawer = RwSignal::new(Drawer::None);
    let layout = Memo::new(move || layout(cx.size.get(), top(cx.size.get())));
    let upright = move || cx.size.with(|(w, h)| w < h);
    // Upright, what is to be done stands above the hand; otherwise beside it.
    let dock = move || {
        px(cx.size.get().1 - top(cx.size.get()) - layout.with(|l| l.hand_cards(3)[0].y) + 6.0)
    };
    let sides =
        Memo::new(move || beside(&layout.get(), session.model.with(|m| m.shown.players.len())));
    let over = move || {
        session
            .model
            .with(|m| !m.is_busy() && m.table.ending.is_some())
            && !session.aside.get()
    };
    // Numbers choose cards, Enter confirms, Escape takes back.
    let key = move |e: web_sys::KeyboardEvent| {
        if e.key() == "Escape" {
            drawer.set(Drawer::None);
            session.opened.set(None);
            session.hints.set(None);
            session.take_back();
        } else if let Ok(n @ 1..=4) = e.key().parse::<usize>() {
            let card = session
                .model
                .with_untracked(|m| m.shown.hand.as_ref().and_then(|h| h.get(n - 1).copied()));
            if let Some(card) = card {
                hand::choose(session, card);
            }
        }
    };
    session.set_off();
    // What is asked comes last: whoever reads it finds everything there.
    view! {
        <div class="game" class:upright=move || upright() style:--top=move || px(top(cx.size.get())) on:keydown=key>
            <Later turn=0>
            <Show when=move || session.cover.get().is_none() fallback=move || view! { <Cover session/> }>
                <Later turn=1><Board session layout/></Later>
                <Later turn=4><Players session layout/></Later>
                <main class="table">
                    {line(cx, "h1", "unseen", "title.name")}
                    <Later turn=8><Prompt session/></Later>
                    <BotPlays session/>
                    <div class="dock" style:bottom=move || dock()>
                        <Later turn=5><Actions session sides/></Later>
                    </div>
                    <Later turn=6><Targets session layout/></Later>
                    <Later turn=3><Hand session layout/></Later>
                    <Later turn=7><Tools session drawer sides/></Later>
                    <OpenedStack session/>
                    <HintBox session/>
                </main>
                <Show when=move || drawer.get() == Drawer::Log><LogDrawer session drawer/></Show>
                <Show when=move || drawer.get() == Drawer::Reference><Reference session drawer/></Show>
                <Show when=move || drawer.get() == Drawer::Table><TableDrawer session drawer/></Show>
                <Show when=over><Over session/></Show>
            </Show>
            </Later>
            <div class="unseen" aria-live="polite" id="live">{move || session.live.get()}</div>
        </div>
    }
}
