//! A table on a server: the room around it before a game, the game itself, and what became of the connection.

use client::link::Gone;
use leptos::prelude::*;
use table::{Command, Stage, Taken};

use super::seats::SeatList;
use super::share::Share;
use super::{ChatDrawer, Connection, Online, call};
use crate::context::{Screen, cx};
use crate::game::GameScreen;
use crate::markup::{Markup, view};
use crate::parts::{Show, button, line};
use crate::setup::summary;

/// A table on a server.
#[component]
pub fn TableScreen(online: Online) -> Markup {
    let cx = cx();
    let game = move || cx.session.get();
    view! {
        {move || match game() {
            Some(session) => view! { <GameScreen session/> },
            None => view! { <Room online/> },
        }}
        <ConnectionLine online/>
    }
}

/// How the connection is, if it is not well.
#[component]
fn ConnectionLine(online: Online) -> Markup {
    let cx = cx();
    let text = move || match online.connection.get() {
        Connection::Connecting => Some(cx.t("net.connecting")),
        Connection::Lost => Some(cx.t("net.lost")),
        // In the room it says so itself.
        Connection::Gone(why) if cx.session.with(Option::is_some) => Some(cx.t(gone_key(why))),
        Connection::Open | Connection::Gone(_) => None,
    };
    view! {
        <div class="net" role="status" id="net" class:quiet=move || text().is_none()>{text}</div>
    }
}

fn gone_key(why: Gone) -> &'static str {
    match why {
        Gone::NoTable => "net.no_table",
        Gone::Full => "net.full",
        Gone::Refused => "net.refused",
    }
}

/// The room around a table where no game is going on.
#[component]
fn Room(online: Online) -> Markup {
    let cx = cx();
    let look =
        move |f: fn(&table::TableView) -> bool| online.room.with(|r| r.as_ref().is_some_and(f));
    let known = move || online.room.with(Option::is_some);
    let host = move || look(|r| r.you.host);
    let seated = move || look(|r| r.you.seat.is_some());
    let full = move || look(|r| r.seats.iter().all(|s| s.taken != Taken::Open));
    let ready = move || {
        look(|r| {
            r.you
                .seat
                .is_some_and(|s| r.seats.get(s.index()).is_some_and(|p| p.ready))
        })
    };
    let title = move || {
        let title = online
            .room
            .with(|r| r.as_ref().map(|r| r.settings.title.clone()))
            .unwrap_or_default();
        if title.is_empty() {
            cx.t("room.title")
        } else {
            title
        }
    };
    let words = move || {
        online.room.with(|r| {
            r.as_ref()
                .map(|r| summary(cx, &r.settings))
                .unwrap_or_default()
        })
    };
    let watching = move || online.present.with(|(_, n)| *n);
    let change = move |_| {
        if let Some(settings) = online
            .room
            .with_untracked(|r| r.as_ref().map(|r| r.settings.clone()))
        {
            cx.change_settings(settings);
        }
    };
    let leave = move |_| {
        cx.leave();
        cx.go(Screen::Lobby);
    };
    let lost = move || match online.connection.get() {
        Connection::Gone(why) => Some(cx.t(gone_key(why))),
        _ => None,
    };
    let stand = move |_| online.say(Command::Leave);
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
                    <Show when=move || !seated()>
                        <label class="field">
                            {line(cx, "span", "", "room.name")}
                            <input
                                type="text" maxlength="20" id="room-name" autocomplete="nickname"
                                prop:value=move || cx.followed_name()
                                on:change:target=move |e| cx.prefer(|p| p.name = e.target().value())
                            />
                        </label>
                    </Show>
                    <SeatList online/>
                    <Show when=move || watching().gt(&0)>
                        <p class="about">{move || cx.say(&client::words::say("room.watching").with("n", watching()))}</p>
                    </Show>
                    {move || online.notice.get().map(|why| view! { <p class="why" role="alert">{why}</p> })}
                    <div class="buttons">
                        <Show when=seated>
                            <button class="plain" id="ready" aria-pressed=move || if ready() { "true" } else { "false" }
                                on:click=move |_| online.say(Command::Ready { ready: !ready() })>
                                {cx.text("room.i_am_ready")}
                            </button>
                            <button class="plain" id="stand-up" on:click=stand>{cx.text("room.stand_up")}</button>
                        </Show>
                        <Show when=host>
                            <button class="plain" id="change-settings" on:click=change>{cx.text("room.change")}</button>
                        </Show>
                        <Show when=call::may_ask>
                            {button(cx, "plain", "", "room.notify", move || call::ask())}
                        </Show>
                    </div>
                    <Share online/>
                    <ChatDrawer online/>
                </Show>
            </main>
            <Show when=host>
                <footer class="sheet-foot">
                    <button class="big primary" id="start" disabled=move || !full() on:click=move |_| online.say(Command::Start)>
                        {line(cx, "b", "", "setup.begin")}
                    </button>
                    <Show when=move || !full()>
                        {line(cx, "p", "", "room.wait_seats")}
                    </Show>
                </footer>
            </Show>
            <Show when=move || known() && !host() && look(|r| r.stage == Stage::Lobby)>
                <footer class="sheet-foot">{line(cx, "p", "", "room.wait_host")}</footer>
            </Show>
        </div>
    }
}
