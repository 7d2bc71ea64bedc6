//! The board view of a table: large and without hands, for a shared screen. It needs no input.

use leptos::prelude::*;
use towers_art::Layout;
use towers_table::Taken;

use super::room::ConnectionLine;
use super::share::Share;
use crate::context::cx;
use crate::game::board::Board;
use crate::game::log::LogPanel;
use crate::game::over::Over;
use crate::game::players::Players;
use crate::game::prompt::Prompt;
use crate::game::{arrangement, placed, zone};
use crate::session::{Room, Session};

#[component]
pub fn BoardScreen(room: Room) -> impl IntoView {
    view! {
        {move || match room.session.get() {
            Some(session) => view! { <Game session/> }.into_any(),
            None => view! { <Gathering room/> }.into_any(),
        }}
        <ConnectionLine room/>
    }
}

/// Before a game: how to join, and who has joined.
#[component]
fn Gathering(room: Room) -> impl IntoView {
    let cx = cx();
    let title = move || {
        let title = room.with(|t| t.map(|t| t.settings.title.clone()));
        match title.unwrap_or_default() {
            title if title.is_empty() => cx.t("room.title"),
            title => title,
        }
    };
    let seats = move || {
        let seats = room.with(|t| t.map(|t| t.seats.clone()).unwrap_or_default());
        let row = |seat: towers_table::SeatView| {
            let hat = towers_art::pieces::icon(
                "",
                "-24 -70 48 76",
                &towers_art::pieces::wizard(seat.colour, 0.0, 0.0, 1.0),
            );
            let name = match seat.taken {
                Taken::Open => cx.t("room.open"),
                _ => towers_client::names::seat_name(&seat),
            };
            view! { <li class="place"><span class="seat-hat" aria-hidden="true" inner_html=hat></span><b>{name}</b></li> }
        };
        seats.into_iter().map(row).collect_view()
    };
    view! {
        <div class="setup board-view">
            <main class="panel sheet">
                <h1>{title}</h1>
                <p class="about">{cx.text("board_view.about")}</p>
                <ul class="places">{seats}</ul>
                <Share room/>
            </main>
        </div>
    }
}

#[component]
fn Game(session: Session) -> impl IntoView {
    let cx = cx();
    provide_context(session);
    let layout = Memo::new(move |_| {
        let (w, h) = cx.size.get();
        Layout::board_view(w, h)
    });
    let players = Memo::new(move |_| session.model.with(|m| m.shown.players.len()));
    let log = Signal::derive(move || layout.with(|l| l.log(players.get())).unwrap_or_default());
    let has_log = Memo::new(move |_| layout.with(|l| l.zones.has_log));
    let pointed = RwSignal::new(None);
    let over = move || {
        session
            .model
            .with(|m| !m.is_busy() && m.table.ending.is_some())
    };
    session.start();
    view! {
        <div class=move || format!("game board-view {}", arrangement(layout))>
            <Board session layout pointed/>
            <Players session layout/>
            <main class="table">
                <h1 class="unseen">{cx.text("board_view.title")}</h1>
                <div class="prompt-zone" use:placed=zone(layout, |l| l.zones.prompt)><Prompt session/></div>
                <Show when=move || has_log.get()><LogPanel session pointed place=log/></Show>
            </main>
            <Show when=over><Over session/></Show>
            <div class="unseen" aria-live="polite" id="live">{move || session.live.get()}</div>
        </div>
    }
}
