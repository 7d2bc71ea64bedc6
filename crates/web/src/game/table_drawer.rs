//! The table during a game: who is there, talk, the link, and ways to end it.

use leptos::prelude::*;
use table::{Command, Stage};

use super::Drawer;
use super::session::Session;
use crate::context::{Screen, cx};
use crate::live::RwSignal;
use crate::markup::{IntoMarkup, Markup, view};
use crate::online::{ChatDrawer, Online, SeatList};
use crate::parts::{Dialog, Show, line};

/// The table during a game.
#[component]
pub fn TableDrawer(session: Session, drawer: RwSignal<Drawer>) -> Markup {
    session
        .online()
        .map(|online| view! { <AtTable online drawer/> })
        .into_markup()
}

#[component]
fn AtTable(online: Online, drawer: RwSignal<Drawer>) -> Markup {
    let cx = cx();
    let look =
        move |f: fn(&table::TableView) -> bool| online.room.with(|r| r.as_ref().is_some_and(f));
    let playing = move || look(|r| r.stage == Stage::Playing && r.you.seat.is_some());
    let wants_end = move || {
        look(|r| {
            let seat = r.you.seat.and_then(|s| r.seats.get(s.index()));
            seat.is_some_and(|s| s.wants_end)
        })
    };
    let leave = move |_| {
        online.say(Command::Leave);
        cx.go(Screen::Lobby);
    };
    let watching = move || online.present.with(|(_, n)| *n);
    view! {
        <Dialog title=cx.text("tool.table") close=move || drawer.set(Drawer::None)>
            <SeatList online/>
            <Show when=move || watching().gt(&0)>
                <p class="about">{move || cx.say(&client::words::say("room.watching").with("n", watching()))}</p>
            </Show>
            <ChatDrawer online/>
            <p class="link">{online.address()}</p>
            <Show when=playing>
                <div class="buttons">
                    <button class="plain" id="wish-end" aria-pressed=move || if wants_end() { "true" } else { "false" }
                        on:click=move |_| online.say(Command::End { agree: !wants_end() })>
                        {cx.text("room.end")}
                    </button>
                    <button class="plain" id="leave-table" on:click=leave>{cx.text("room.leave")}</button>
                </div>
                {line(cx, "p", "about", "room.leave_about")}
            </Show>
        </Dialog>
    }
}
