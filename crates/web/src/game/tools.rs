//! Buttons around the game: menu, log, reference, hint, replay.

use client::Model;
use leptos::prelude::*;

use super::Drawer;
use super::session::Session;
use super::targets::label;
use crate::context::{Screen, cx};
use crate::device::page::px;
use crate::live::{Memo, RwSignal};
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Dialog, Show, line, tool};

/// The buttons around the game.
#[component]
pub fn Tools(session: Session, drawer: RwSignal<Drawer>, sides: Memo<[(f64, f64); 2]>) -> Markup {
    let cx = cx();
    let toggle =
        move |which: Drawer| drawer.update(|d| *d = if *d == which { Drawer::None } else { which });
    let hints = session.has_hints();
    let mine = move || session.model.with(Model::is_mine);
    let news = move || {
        session.online().is_some_and(|online| {
            let said = online.room.with(|r| r.as_ref().map_or(0, |r| r.chat.len()));
            said > online.read.get()
        })
    };
    let leave = move |_| {
        cx.leave();
        cx.go(Screen::Start);
    };
    view! {
        <nav class="tools" style:left=move || px(sides.get()[0].0) style:width=move || px(sides.get()[0].1) aria-label=cx.text("tool.title")>
            <button class="tool" id="leave" on:click=leave><span aria-hidden="true">"⌂"</span>{cx.text("tool.leave")}</button>
            {tool(cx, "log", "☰", "tool.log", move || toggle(Drawer::Log))}
            {tool(cx, "reference", "?", "tool.help", move || toggle(Drawer::Reference))}
            <Show when=move || session.online().is_some()>
                <button class="tool" id="chat" class:news=move || news() on:click=move |_| toggle(Drawer::Table)>
                    <span aria-hidden="true">"✉"</span>{cx.text("tool.table")}
                </button>
            </Show>
            <Show when=move || hints>
                <button class="tool" id="hint" disabled=move || !mine() || session.thinking.get().is_some() on:click=move |_| session.ask_hint()>
                    <span aria-hidden="true">"✦"</span>{cx.text("tool.hint")}
                </button>
            </Show>
            <button class="tool" id="replay" disabled=move || !session.model.with(Model::can_replay) on:click=move |_| session.replay()>
                <span aria-hidden="true">"↺"</span>{cx.text("tool.replay")}
            </button>
            <Show when=move || session.aside.get()>
                {tool(cx, "result", "★", "tool.result", move || session.aside.set(false))}
            </Show>
            {tool(cx, "settings", "⚙", "tool.settings", move || cx.settings.set(true))}
        </nav>
    }
}

/// What a bot would do, and why.
#[component]
pub fn HintBox(session: Session) -> Markup {
    let cx = cx();
    let rows = move || {
        let hints = session.hints.get().unwrap_or_default();
        // A promise that is the same for all tells nothing.
        let differ = hints
            .windows(2)
            .any(|pair| (pair[0].win, pair[0].cards) != (pair[1].win, pair[1].cards));
        let row = move |hint: client::hint::Hint| {
            let (intent, picks) = session
                .model
                .with_untracked(|m| client::choice::parts(hint.action, m.own_colour()));
            let what = session.model.with_untracked(|m| {
                let mut words = vec![cx.say(&super::reference::intent_name(intent))];
                words.extend(picks.iter().map(|p| cx.say(&label(&m.shown, *p))));
                words.join(": ")
            });
            let mut why: Vec<String> = hint
                .why
                .iter()
                .take(3)
                .map(|w| cx.say(&w.message()))
                .collect();
            if let Some(n) = hint.win.filter(|_| differ) {
                why.push(cx.say(&client::words::say("hint.win").with("n", n)));
            }
            if let Some(n) = hint.cards.filter(|_| differ) {
                why.push(cx.say(&client::words::say("hint.cards").with("n", n)));
            }
            let take = move |_| {
                session.hints.set(None);
                session.choose(|c| c.begin(intent));
                for pick in &picks {
                    session.choose(|c| c.pick(*pick));
                }
            };
            view! {
                <button class="row" on:click=take>
                    <b>{what}</b>
                    <small>{why.join(" ")}</small>
                </button>
            }
        };
        hints.into_iter().map(row).collect_view()
    };
    view! {
        <Show when=move || session.hints.with(Option::is_some)>
            <Dialog title=cx.text("hint.title") close=move || session.hints.set(None)>
                {line(cx, "p", "about", "hint.about")}
                {move || rows()}
            </Dialog>
        </Show>
    }
}
