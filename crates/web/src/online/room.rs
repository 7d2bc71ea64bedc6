//! A table on a server: the room before a game, the game itself, and the state of the connection.

use leptos::prelude::*;
use towers_client::link::ClosedForGood;
use towers_client::{Plan, Route};
use towers_rules::Seat;
use towers_table::{BotLevel, Command, NAME_CHARS, Stage, Taken};

use super::around::Around;
use super::share::Share;
use crate::call;
use crate::context::{Purpose, cx};
use crate::game::GameScreen;
use crate::session::{Connection, Room};
use crate::setup::{printed_or_not, summary};
use crate::talk::{CallsLink, ChatDrawer, ReportTable, SeatList};

/// A table on a server.
#[component]
pub fn TableScreen(room: Room) -> impl IntoView {
    view! {
        {move || match room.session.get() {
            Some(session) => view! { <GameScreen session/><Around room/> }.into_any(),
            None => view! { <Lobby room/> }.into_any(),
        }}
        <ConnectionLine room/>
    }
}

/// The state of the connection, unless it is open.
#[component]
pub fn ConnectionLine(room: Room) -> impl IntoView {
    let cx = cx();
    let text = move || match room.connection.get() {
        Connection::Connecting => Some(cx.t("net.connecting")),
        Connection::Lost => Some(cx.t("net.lost")),
        // Outside of a game, the room shows this itself.
        Connection::Closed(why) if room.session.with(Option::is_some) => {
            Some(cx.t(closed_key(why)))
        }
        Connection::Open | Connection::Closed(_) => None,
    };
    view! {
        <div class="net" role="status" id="net" class:quiet=move || text().is_none()>{text}</div>
    }
}

fn closed_key(why: ClosedForGood) -> &'static str {
    match why {
        ClosedForGood::NoSuchTable => "net.no_table",
        ClosedForGood::Full => "net.full",
        ClosedForGood::Refused => "net.refused",
        ClosedForGood::Outdated => "net.outdated",
        ClosedForGood::Earlier => "net.earlier",
    }
}

/// The room of a table without a running game.
#[component]
fn Lobby(room: Room) -> impl IntoView {
    let cx = cx();
    let look = move |f: fn(&towers_table::TableView) -> bool| room.is(f);
    let known = move || room.with(|r| r.is_some());
    let host = move || look(|r| r.you.host);
    let seated = move || look(|r| r.you.seat.is_some());
    let full = move || look(|r| r.seats.iter().all(|s| s.taken != Taken::Open));
    let invites = move || host() && !full();
    let is_full_for_me = move || !seated() && full();
    let ready = move || {
        look(|r| {
            r.you
                .seat
                .is_some_and(|s| r.seats.get(s.index()).is_some_and(|p| p.ready))
        })
    };
    let title = move || {
        let title = room
            .with(|r| r.map(|r| r.settings.title.clone()))
            .unwrap_or_default();
        if title.is_empty() {
            cx.t("room.title")
        } else {
            title
        }
    };
    let words = move || room.with(|r| r.map(|r| summary(cx, &r.settings)).unwrap_or_default());
    let watching = move || room.others_watching();
    let change = move |_| {
        if let Some(table) = room.table() {
            let settings = table.settings;
            let mut plan = Plan::hot_seat(&cx.names(usize::from(settings.seats).max(2)));
            plan.seats.truncate(settings.seats.into());
            plan.settings = settings;
            cx.set_up(plan, Purpose::Change(room.id()));
        }
    };
    let leave = move |_| cx.go(Route::Lobby);
    let lost = move || match room.connection.get() {
        Connection::Closed(why) => Some(cx.t(closed_key(why))),
        _ => None,
    };
    let stand = move |_| room.send(Command::Leave);
    let fill = move |_| {
        let seats = room.table().map(|table| table.seats).unwrap_or_default();
        for (seat, _) in (0..).zip(seats).filter(|(_, s)| s.taken == Taken::Open) {
            room.send(Command::AddBot {
                seat: Some(Seat(seat)),
                level: BotLevel::Apprentice,
            });
        }
    };
    view! {
        <div class="setup room">
            <main class="panel sheet">
                <div class="sheet-head">
                    <button class="plain" id="room-back" on:click=leave>"‹ " {cx.text("lobby.title")}</button>
                    <h1>{move || title()}</h1>
                </div>
                {move || lost().map(|why| view! {
                    <p class="why" role="alert" id="room-lost">{why}</p>
                    <p class="about">{cx.t("room.lost_about")}</p>
                    <button class="primary" id="net-leave" on:click=leave>{cx.t("lobby.title")}</button>
                })}
                <Show when=known>
                    <p class="about" id="room-settings">{move || words()}</p>
                    {move || room.with(|r| r.map(|r| printed_or_not(cx, &r.settings)))}
                    <Show when=is_full_for_me>
                        <p class="note" role="status" id="room-full">{cx.text("room.full")}</p>
                    </Show>
                    <Show when=move || !seated() && !full()>
                        <label class="field">
                            <span>{cx.text("room.name")}</span>
                            <input
                                type="text" maxlength=NAME_CHARS id="room-name" autocomplete="nickname"
                                placeholder=cx.text("name.guest")
                                prop:value=move || cx.preferences.with(|p| p.name.clone())
                                on:input:target=move |e| cx.prefer(|p| p.name = e.target().value())
                            />
                        </label>
                    </Show>
                    <SeatList room/>
                    <Show when=move || watching().gt(&0)>
                        <p class="about">{move || cx.say(&towers_client::words::say("room.watching").with("n", watching()))}</p>
                    </Show>
                    <Show when=move || look(|r| r.draw.is_some())>
                        <p class="about" role="status" id="drawing">{cx.text("room.drawing")}</p>
                    </Show>
                    {move || room.notice.get().map(|why| view! { <p class="why" role="alert">{why}</p> })}
                    // While seats are free, the link comes first.
                    <Show when=invites><Share room/></Show>
                    <div class="buttons">
                        <Show when=seated>
                            <button class="plain" id="ready" aria-pressed=move || if ready() { "true" } else { "false" }
                                on:click=move |_| room.send(Command::Ready { ready: !ready() })>
                                {cx.text("room.i_am_ready")}
                            </button>
                            <button class="plain" id="stand-up" on:click=stand>{cx.text("room.stand_up")}</button>
                        </Show>
                        <Show when=host>
                            <button class="plain" id="change-settings" on:click=change>{cx.text("room.change")}</button>
                        </Show>
                        <Show when=call::may_ask>
                            <button class="plain" on:click=move |_| call::ask()>{cx.text("room.notify")}</button>
                        </Show>
                        <CallsLink room/>
                    </div>
                    <Show when=move || !invites()><Share room/></Show>
                    <ChatDrawer room/>
                    <ReportTable room/>
                </Show>
            </main>
            <Show when=host>
                <footer class="sheet-foot">
                    <button class="big primary" id="start" disabled=move || !full() || look(|r| r.draw.is_some()) on:click=move |_| room.send(Command::Start)>
                        <b>{cx.text("setup.begin")}</b>
                    </button>
                    <Show when=move || !full()>
                        <p>{cx.text("room.wait_seats")}</p>
                        <button class="plain" id="fill-seats" on:click=fill>{cx.text("room.fill")}</button>
                    </Show>
                </footer>
            </Show>
            <Show when=move || known() && !host() && look(|r| r.stage == Stage::Lobby)>
                <footer class="sheet-foot"><p>{cx.text("room.wait_host")}</p></footer>
            </Show>
        </div>
    }
}
