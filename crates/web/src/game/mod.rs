//! A game on the screen.

pub mod actions;
mod back;
pub mod board;
mod card_drag;
mod clock;
mod cover;
mod gesture;
pub mod hand;
pub mod keys;
pub mod log;
pub mod look;
pub mod over;
mod peek;
pub mod players;
pub mod prompt;
pub mod reference;
mod sound_question;
mod table_drawer;
pub mod targets;
mod tools;
mod under;

use leptos::prelude::*;
use towers_art::Layout;
use towers_art::geometry::{Rect, Shape};
use wasm_bindgen::JsCast;

use crate::context::cx;
use crate::device::page::px;
use crate::device::paint::PaintStage;
use crate::parts::Later;
use crate::session::Session;
use crate::talk::{self, ChatBubble, ChatPanel};
use actions::Actions;
use back::BotPlays;
use board::Board;
use cover::Cover;
use hand::Hand;
use log::{LogDrawer, LogPanel};
use look::LookDialog;
use over::Over;
use players::Players;
use prompt::Prompt;
use reference::Reference;
use sound_question::SoundQuestion;
use table_drawer::TableDrawer;
use targets::Targets;
use tools::{HintBox, Tools};

/// The drawer that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Drawer {
    None,
    Log,
    Reference,
    Table,
}

/// Positions an element in a rectangle of the layout: `use:placed=rect`.
pub fn placed(element: web_sys::Element, rect: Signal<Rect>) {
    let Ok(element) = element.dyn_into::<web_sys::HtmlElement>() else {
        return;
    };
    Effect::new(move |_| {
        let (rect, style) = (rect.get(), element.style());
        for (name, value) in [
            ("left", rect.x),
            ("top", rect.y),
            ("width", rect.w),
            ("height", rect.h),
        ] {
            // Setting a well-known property does not fail.
            let _ = style.set_property(name, &px(value));
        }
    });
}

/// A rectangle of the layout, as a signal.
pub fn zone(layout: Memo<Layout>, of: fn(&Layout) -> Rect) -> Signal<Rect> {
    Signal::derive(move || layout.with(of))
}

/// The CSS classes for the layout of a game.
pub fn arrangement(layout: Memo<Layout>) -> String {
    layout.with(|l| {
        let shape = match l.shape {
            Shape::Portrait => "upright",
            Shape::Landscape if l.zones.is_low() => "lying low",
            Shape::Landscape => "lying",
        };
        let log = if l.zones.has_log { " with-log" } else { "" };
        format!("{shape}{log}")
    })
}

#[component]
pub fn GameScreen(session: Session) -> impl IntoView {
    let cx = cx();
    provide_context(session);
    let drawer = RwSignal::new(Drawer::None);
    let layout = Memo::new(move |_| {
        let (w, h) = cx.size.get();
        Layout::fit(w, h)
    });
    let players = Memo::new(move |_| session.model.with(|m| m.shown.players.len()));
    // At a table on a server, log and chat share the column beside the board.
    let column = Signal::derive(move || layout.with(|l| l.log(players.get())).unwrap_or_default());
    let room = session.room();
    let has_chat = Memo::new(move |_| room.is_some() && talk::fits(column.get()));
    let log = Signal::derive(move || {
        let column = column.get();
        let part = if has_chat.get() { 0.5 } else { 1.0 };
        Rect {
            h: column.h * part,
            ..column
        }
    });
    let chat = Signal::derive(move || {
        let Rect { x, y, w, h } = column.get();
        Rect {
            x,
            y: y + h * 0.5 + 4.0,
            w,
            h: h * 0.5 - 4.0,
        }
    });
    let pointed = RwSignal::new(None);
    let has_log = Memo::new(move |_| layout.with(|l| l.zones.has_log));
    let over = move || {
        session
            .model
            .with(|m| !m.is_busy() && m.table.ending.is_some())
            && !session.aside.get()
    };
    keys::listen(session, move || drawer.set(Drawer::None));
    // Close the drawer behind the result.
    Effect::new(move |_| {
        if over() {
            drawer.set(Drawer::None);
        }
    });
    session.start();
    // The prompt comes last, so that everything it mentions already exists.
    view! {
        <div class=move || format!("game {}", arrangement(layout))>
            <Later stage=PaintStage::Frame>
            <Show when=move || session.cover.get().is_none() fallback=move || view! { <Cover session/> }>
                <Later stage=PaintStage::Ground><Board session layout pointed=pointed/></Later>
                <Later stage=PaintStage::Players><Players session layout/></Later>
                <main class="table">
                    <h1 class="unseen">{cx.text("title.name")}</h1>
                    <Later stage=PaintStage::Prompt>
                        <div class="prompt-zone" use:placed=zone(layout, |l| l.zones.prompt)><Prompt session/></div>
                    </Later>
                    <BotPlays session layout/>
                    // In the order of play, which is the order of the Tab key.
                    <Later stage=PaintStage::Hand><Hand session layout/></Later>
                    <Later stage=PaintStage::Targets><Targets session layout/></Later>
                    <Later stage=PaintStage::Actions><Actions session layout/></Later>
                    <Later stage=PaintStage::Tools><Tools session drawer layout/></Later>
                    <Show when=move || has_log.get()><LogPanel session pointed place=log/></Show>
                    {room.map(|room| view! {
                        <Show when=move || has_chat.get()>
                            <div class="chat-panel panel" use:placed=chat><ChatPanel room/></div>
                        </Show>
                        <ChatBubble room open=move || drawer.set(Drawer::Table)/>
                    })}
                    <LookDialog session/>
                    <HintBox session/>
                </main>
                <Show when=move || drawer.get() == Drawer::Log><LogDrawer session drawer/></Show>
                <Show when=move || drawer.get() == Drawer::Reference><Reference session drawer/></Show>
                <Show when=move || drawer.get() == Drawer::Table><TableDrawer session drawer/></Show>
                <Later stage=PaintStage::Play><SoundQuestion layout/></Later>
                <Show when=over><Over session/></Show>
            </Show>
            </Later>
            <div class="unseen" aria-live="polite" id="live">{move || session.live.get()}</div>
        </div>
    }
}
