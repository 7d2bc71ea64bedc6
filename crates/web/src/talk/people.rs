//! The menu of a person at a table: mute them for the viewer or, as host, for all; remove them; make them host; report
//! the table.

use leptos::prelude::*;
use towers_client::address;
use towers_client::words::say;
use towers_rules::Seat;
use towers_table::{Command, NewReport, PersonId, REPORT_CHARS, Stage};

use crate::context::cx;
use crate::device::http;
use crate::parts::close_details;
use crate::session::Room;

/// The menu of a person other than the viewer.
#[component]
pub fn PersonMenu(room: Room, seat: Seat, person: PersonId, name: String) -> impl IntoView {
    let cx = cx();
    let is_host = move || room.is(|r| r.you.host);
    let before = move || room.is(|r| r.stage != Stage::Playing);
    let is_silenced =
        move || room.is(|r| r.seats.get(seat.index()).is_some_and(|place| place.muted));
    let is_muted = move || room.is_muted(person);
    let silence = move |_| {
        room.send(Command::Mute {
            person,
            muted: !is_silenced(),
        });
    };
    view! {
        <details class="person-menu" on:keydown=move |e| close_details(&e)>
            <summary class="plain" aria-label=move || cx.say(&say("people.menu").with("who", name.as_str()))>"⋯"</summary>
            <div class="buttons">
                <button class="plain mute" on:click=move |_| room.mute(person, !is_muted())>
                    {move || cx.t(if is_muted() { "people.unmute" } else { "people.mute" })}
                </button>
                <Show when=is_host>
                    <button class="plain silence" on:click=silence>
                        {move || cx.t(if is_silenced() { "people.unsilence" } else { "people.silence" })}
                    </button>
                    <button class="plain make-host" on:click=move |_| room.send(Command::HandOver { person })>{cx.text("people.host")}</button>
                    <Show when=before>
                        <button class="plain ban" on:click=move |_| room.send(Command::Ban { seat })>{cx.text("people.ban")}</button>
                    </Show>
                </Show>
            </div>
        </details>
    }
}

/// The status of a report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReportState {
    Open,
    Sent,
    Failed,
}

/// A form to report a table to the operator of the server.
#[component]
pub fn ReportTable(room: Room) -> impl IntoView {
    let cx = cx();
    let reason = RwSignal::new(String::new());
    let report = RwSignal::new(ReportState::Open);
    let send = move || {
        let text = reason.get_untracked().trim().to_string();
        if text.is_empty() {
            return;
        }
        leptos::task::spawn_local(async move {
            let path = address::report(&room.id());
            let is_sent = http::send(&path, &NewReport { reason: text }).await;
            report.try_set(if is_sent {
                ReportState::Sent
            } else {
                ReportState::Failed
            });
        });
    };
    view! {
        <details class="report" id="report" on:keydown=move |e| close_details(&e)>
            <summary>{cx.text("report.title")}</summary>
            <Show when=move || report.get() != ReportState::Sent fallback=move || view! { <p class="about" role="status" id="reported">{cx.text("report.done")}</p> }>
                <form class="chat-form" on:submit=move |e| { e.prevent_default(); send(); }>
                    <input
                        type="text" maxlength=REPORT_CHARS id="report-reason" autocomplete="off"
                        aria-label=cx.text("report.reason") placeholder=cx.text("report.reason")
                        on:input:target=move |e| reason.set(e.target().value())
                    />
                    <button class="plain" type="submit" id="report-send">{cx.text("report.send")}</button>
                </form>
                <Show when=move || report.get() == ReportState::Failed>
                    <p class="why" role="alert">{cx.text("report.failed")}</p>
                </Show>
            </Show>
        </details>
    }
}
