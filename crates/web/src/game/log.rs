//! The log, with a recap of what happened since one's own last turn.

use client::Model;
use client::model::Line;
use leptos::prelude::*;

use super::Drawer;
use super::session::Session;
use crate::context::cx;
use crate::live::RwSignal;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Dialog, line};

/// The log in words.
#[component]
pub fn LogDrawer(session: Session, drawer: RwSignal<Drawer>) -> Markup {
    let cx = cx();
    let row = move |line: &Line| {
        let text = cx.say(&line.message);
        let class = if line.turn.is_some() { "turn" } else { "" };
        view! { <li class=class>{text}</li> }
    };
    let recap = move || {
        session
            .model
            .with(|m| m.recap().iter().map(row).collect_view())
    };
    // The last turns, the newest first.
    let all = move || {
        let turn = move |lines: &[Line]| lines.iter().map(row).collect_view();
        session
            .model
            .with(|m| m.turns().take(60).map(turn).collect_view())
    };
    view! {
        <Dialog title=cx.text("log.title") close=move || drawer.set(Drawer::None)>
            {line(cx, "h3", "", "log.recap")}
            <ul class="lines recap">{move || recap()}</ul>
            <button class="plain" disabled=move || !session.model.with(Model::can_replay) on:click=move |_| {
                drawer.set(Drawer::None);
                session.replay();
            }>{cx.text("tool.replay")}</button>
            {line(cx, "h3", "", "log.all")}
            <ul class="lines" id="log-lines">{move || all()}</ul>
        </Dialog>
    }
}
