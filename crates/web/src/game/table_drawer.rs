//! The table during a game: its people, chat, the link, and ways to end the game.

use leptos::prelude::*;
use towers_client::Route;
use towers_table::{Command, Stage};

use super::Drawer;
use crate::context::cx;
use crate::parts::{AskFirst, Dialog};
use crate::session::{Room, Session};
use crate::talk::{CallsLink, ChatDrawer, ReportTable, SeatList};

/// The table during a game.
#[component]
pub fn TableDrawer(session: Session, drawer: RwSignal<Drawer>) -> impl IntoView {
    session.room().map(|room| view! { <AtTable room drawer/> })
}

#[component]
fn AtTable(room: Room, drawer: RwSignal<Drawer>) -> impl IntoView {
    let cx = cx();
    let playing = move || room.is(|r| r.stage == Stage::Playing && r.you.seat.is_some());
    let wants_end = move || {
        room.is(|r| {
            let seat = r.you.seat.and_then(|s| r.seats.get(s.index()));
            seat.is_some_and(|s| s.wants_end)
        })
    };
    let leave = move || {
        room.send(Command::Leave);
        cx.go(Route::Lobby);
    };
    let watching = move || room.others_watching();
    view! {
        <Dialog title=cx.text("tool.table") close=move || drawer.set(Drawer::None)>
            <SeatList room/>
            <Show when=move || watching().gt(&0)>
                <p class="about">{move || cx.say(&towers_client::words::say("room.watching").with("n", watching()))}</p>
            </Show>
            <Show when=move || !room.has_chat_panel.get()><ChatDrawer room/></Show>
            <p class="link">{room.link()}</p>
            <p><CallsLink room/></p>
            <ReportTable room/>
            <Show when=playing>
                <div class="buttons">
                    <button class="plain" id="wish-end" aria-pressed=move || if wants_end() { "true" } else { "false" }
                        on:click=move |_| room.send(Command::End { agree: !wants_end() })>
                        {cx.text("room.end")}
                    </button>
                    <AskFirst id="leave-table" label=cx.text("room.leave") question=cx.text("room.leave_ask") act=leave/>
                </div>
                <p class="about">{cx.text("room.leave_about")}</p>
            </Show>
        </Dialog>
    }
}
