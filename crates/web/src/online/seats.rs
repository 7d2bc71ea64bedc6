//! The seats of a table on a server, and what can be done about them.

use client::words::say;
use leptos::prelude::*;
use rules::{Colour, Seat};
use table::{BotLevel, Command, SeatView, Stage, Taken};

use super::Online;
use crate::context::cx;
use crate::live::Memo;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Show, button};
use crate::setup::level_key;

/// The seats of a table, with buttons for what the viewer may do.
#[component]
pub fn SeatList(online: Online) -> Markup {
    let seats = Memo::new(move || {
        online.room.with(|r| {
            r.as_ref()
                .map(|r| r.seats.iter().cloned().enumerate().collect::<Vec<_>>())
                .unwrap_or_default()
        })
    });
    view! {
        <ul class="places">
            {move || seats.get().into_iter().map(|(i, place)| view! { <Place online index=i place/> }).collect_view()}
        </ul>
    }
}

/// One seat.
#[component]
fn Place(online: Online, index: usize, place: SeatView) -> Markup {
    let cx = cx();
    let seat = Seat(index as u8);
    let look =
        |f: fn(&table::TableView) -> bool| move || online.room.with(|r| r.as_ref().is_some_and(f));
    let host = look(|r| r.you.host);
    let before = look(|r| r.stage != Stage::Playing);
    let playing = look(|r| r.stage == Stage::Playing);
    let mine = move || {
        online
            .room
            .with(|r| r.as_ref().is_some_and(|r| r.you.seat == Some(seat)))
    };
    let seated = look(|r| r.you.seat.is_some());
    let here = move || {
        online
            .present
            .with(|(seats, _)| seats.get(index) == Some(&true))
    };
    let hat = art::pieces::icon(
        "",
        "-24 -70 48 76",
        &art::pieces::wizard(client::picture::colour(place.colour), 0.0, 0.0, 1.0),
    );
    let bot = match place.taken {
        Taken::Bot { level } => Some(level),
        _ => None,
    };
    let person = matches!(place.taken, Taken::Person { .. });
    let open = matches!(place.taken, Taken::Open);
    let name = match &place.taken {
        Taken::Person { name, .. } => name.clone(),
        Taken::Bot { .. } => client::names::bot_name(place.colour).to_string(),
        Taken::Open => String::new(),
    };
    let stand_in = place.stand_in;
    let (away, ready) = (place.away, place.ready);
    let state = move || {
        if open {
            return cx.t("room.open");
        }
        if let Some(level) = bot {
            return cx.t(level_key(level));
        }
        if let Some(level) = stand_in {
            return cx.say(&say("room.stands_in").with("level", cx.t(level_key(level))));
        }
        let key = match (away || !here(), ready && before()) {
            (true, _) => "room.away",
            (false, true) => "room.ready",
            (false, false) => "room.here",
        };
        cx.t(key)
    };
    let sit = move |_| {
        online.say(Command::Sit {
            name: Some(cx.my_name()),
            seat: Some(seat),
            colour: None,
            key: String::new(),
        });
    };
    let set_level = move |value: String| {
        if let Some(level) = BotLevel::ALL.into_iter().find(|l| l.name() == value) {
            online.say(Command::AddBot {
                seat: Some(seat),
                level,
            });
        } else {
            online.say(Command::Remove { seat });
        }
    };
    let label = move |key: &'static str| cx.say(&say(key).with("n", index as u32 + 1));
    view! {
        <li class="place" data-seat=index.to_string()>
            <span class="seat-hat" aria-hidden="true" inner_html=hat></span>
            <span class="who">
                <b>{name}</b>
                <small>{move || state()}</small>
            </span>
            <Show when=move || open && before()>
                <button class="plain sit" on:click=sit>
                    {move || cx.t(if seated() { "room.move_here" } else { "room.sit" })}
                </button>
            </Show>
            <Show when=move || host() && before() && !person>
                <select aria-label=move || label("setup.who") class="bot-level" on:change:target=move |e| set_level(e.target().value())>
                    <option value="" selected=open>{cx.text("room.open")}</option>
                    {BotLevel::ALL
                        .map(|level| view! {
                            <option value=level.name() selected=bot == Some(level)>{move || cx.t(level_key(level))}</option>
                        })
                        .into_iter()
                        .collect_view()}
                </select>
            </Show>
            <Show when=move || host() && before() && person && !mine()>
                {button(cx, "plain", "", "room.remove", move || online.say(Command::Remove { seat }))}
            </Show>
            <Show when=move || playing() && away && stand_in.is_none() && !mine()>
                <button class="plain replace" on:click=move |_| online.say(Command::Replace { seat, level: None })>
                    {cx.text("room.replace")}
                </button>
            </Show>
            <Show when=move || mine() && before()>
                <ColourChoice online seat/>
            </Show>
        </li>
    }
}

/// The colours that nobody else has.
#[component]
fn ColourChoice(online: Online, seat: Seat) -> Markup {
    let cx = cx();
    let (now, free) = online.room.with_untracked(|r| {
        let seats = r.as_ref().map(|r| r.seats.clone()).unwrap_or_default();
        let now = seats.get(seat.index()).map(|s| s.colour);
        let taken = |c: Colour| {
            seats
                .iter()
                .any(|s| s.colour == c && Some(c) != now && s.taken != Taken::Open)
        };
        let free: Vec<_> = Colour::ALL.into_iter().filter(|c| !taken(*c)).collect();
        (now, free)
    });
    let choose = move |value: String| {
        let colour = value.chars().next().and_then(Colour::from_letter);
        online.say(Command::Sit {
            name: None,
            seat: Some(seat),
            colour,
            key: String::new(),
        });
    };
    view! {
        <select
            aria-label=move || cx.say(&say("setup.colour").with("n", u32::from(seat.0) + 1))
            on:change:target=move |e| choose(e.target().value())
        >
            {free
                .into_iter()
                .map(|c| view! {
                    <option value=c.letter().to_string() selected=now == Some(c)>{move || cx.say(&client::labels::colour(c))}</option>
                })
                .collect_view()}
        </select>
    }
}
