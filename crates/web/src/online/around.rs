//! Notices around a game at a table: spectators, absent players, proposals to end the game.

use leptos::prelude::*;
use towers_art::Layout;
use towers_client::names::seat_name;
use towers_client::words::say;
use towers_rules::Seat;
use towers_table::{Command, Stage, TableView, Taken};

use crate::context::cx;
use crate::game::placed;
use crate::session::Room;
use crate::talk::{away_clock, away_words};

fn name(table: &TableView, seat: usize) -> Option<String> {
    let seat = table.seats.get(seat)?;
    matches!(seat.taken, Taken::Person { .. }).then(|| seat_name(seat))
}

/// The notices around a game, beside the board.
#[component]
pub fn Around(room: Room) -> impl IntoView {
    let cx = cx();
    let place = Signal::derive(move || {
        let (w, h) = cx.size.get();
        Layout::fit(w, h).zones.notices()
    });
    view! {
        <div class="around" use:placed=place>
            <Watching room/>
            <EndWish room/>
            <Away room/>
        </div>
    }
}

/// Shows spectators that they are watching.
#[component]
fn Watching(room: Room) -> impl IntoView {
    let cx = cx();
    let watches = move || room.is(|t| t.you.seat.is_none() && t.stage == Stage::Playing);
    view! {
        <Show when=watches>
            <p class="note panel" role="status" id="watching">{cx.text("room.you_watch")}</p>
        </Show>
    }
}

/// Asks everybody when a player proposes to end the game.
#[component]
fn EndWish(room: Room) -> impl IntoView {
    let cx = cx();
    let wishes = Memo::new(move |_| {
        room.with(|t| {
            let wished = |t: &TableView| {
                let seats = t.seats.iter().enumerate();
                let wishing = seats.filter(|(_, s)| s.wants_end);
                wishing.filter_map(|(i, _)| name(t, i)).collect::<Vec<_>>()
            };
            t.filter(|t| t.stage == Stage::Playing)
                .map(wished)
                .unwrap_or_default()
        })
    });
    let agrees = move || {
        room.is(|t| {
            let own = t.you.seat.and_then(|s| t.seats.get(s.index()));
            own.is_some_and(|s| s.wants_end)
        })
    };
    let seated = move || room.is(|t| t.you.seat.is_some());
    // A refusal is valid until another player makes the proposal.
    let declined = RwSignal::new(Vec::new());
    let shown = move || wishes.with(|w| !w.is_empty() && declined.with(|d| d != w));
    let said = move || {
        let key = if agrees() {
            "room.end_waits"
        } else {
            "room.end_asked"
        };
        wishes.with(|w| cx.say(&say(key).with("who", w.join(", "))))
    };
    let answer = move |agree: bool| {
        if !agree {
            declined.set(wishes.get_untracked());
        }
        room.send(Command::End { agree });
    };
    view! {
        <Show when=shown>
            <div class="note panel" role="alertdialog" aria-labelledby="end-asked" id="end-wish">
                <p id="end-asked">{said}</p>
                <Show when=move || seated() && !agrees()>
                    <div class="buttons">
                        <button class="primary" id="end-yes" on:click=move |_| answer(true)>{cx.text("room.end_yes")}</button>
                        <button class="plain" id="end-no" on:click=move |_| answer(false)>{cx.text("room.end_no")}</button>
                    </div>
                </Show>
                <Show when=agrees>
                    <button class="plain" id="end-take-back" on:click=move |_| answer(false)>{cx.text("room.end_no")}</button>
                </Show>
            </div>
        </Show>
    }
}

/// The absent players and since when, with a button to let a bot play for them if the viewer may.
#[component]
fn Away(room: Room) -> impl IntoView {
    let cx = cx();
    let clock = away_clock();
    let gone = move || {
        clock.track();
        let waited = room.with(|t| {
            let Some(t) = t.filter(|t| t.stage == Stage::Playing) else {
                return Vec::new();
            };
            let seats = t.seats.iter().enumerate();
            let waited = seats
                .filter(|(i, s)| s.stand_in.is_none() && t.you.seat.map(Seat::index) != Some(*i));
            waited
                .filter_map(|(i, _)| Some((Seat(i as u8), name(t, i)?)))
                .collect::<Vec<_>>()
        });
        let since = |(seat, name): (Seat, String)| Some((seat, name, room.away_since(seat)?));
        waited.into_iter().filter_map(since).collect::<Vec<_>>()
    };
    let row = move |(seat, name, since): (Seat, String, u64)| {
        view! {
            <div class="note panel" role="status" data-away=seat.0.to_string()>
                <p><b>{name}</b> ": " {away_words(cx, since)}</p>
                <Show when=move || room.may_replace()>
                    <button class="plain" on:click=move |_| room.send(Command::Replace { seat, level: None })>{cx.text("room.replace")}</button>
                </Show>
            </div>
        }
    };
    move || gone().into_iter().map(row).collect_view()
}
