//! The seats of a table on a server, with the viewer's actions for each.

use leptos::prelude::*;
use towers_client::labels::level_key;
use towers_client::words::say;
use towers_rules::{Colour, Seat};
use towers_table::{BotLevel, Command, NAME_CHARS, SeatView, Stage, Taken};

use super::people::PersonMenu;
use crate::context::{Cx, cx};
use crate::device::page;
use crate::parts::AskFirst;
use crate::session::Room;

/// How often the duration of an absence is updated, in milliseconds.
const AWAY_PERIOD: u32 = 10_000;

/// The duration of an absence, in words.
pub fn away_words(cx: Cx, since: u64) -> String {
    let minutes = page::now().saturating_sub(since) / 60_000;
    match u32::try_from(minutes).unwrap_or(u32::MAX) {
        0 => cx.t("room.away_now"),
        n @ 1..60 => cx.say(&say("room.away_minutes").with("n", n)),
        n => cx.say(&say("room.away_hours").with("n", n / 60)),
    }
}

/// A signal that ticks periodically, to update durations.
pub fn away_clock() -> RwSignal<u32> {
    let clock = RwSignal::new(0_u32);
    page::every(AWAY_PERIOD, move || {
        clock.try_update(|n| *n = n.wrapping_add(1));
    });
    clock
}

/// Takes a seat, with the typed name or one that is free.
fn sit(cx: Cx, room: Room, seat: Seat) {
    room.send(Command::Sit {
        name: Some(room.free_name(cx.my_name(), cx.is_guest())),
        seat: Some(seat),
        colour: None,
        key: String::new(),
        program: false,
    });
}

/// Takes the first free seat.
pub fn sit_anywhere(cx: Cx, room: Room) {
    let seats = room.table().map(|table| table.seats).unwrap_or_default();
    let free = seats.iter().position(|seat| seat.taken == Taken::Open);
    if let Some(seat) = free {
        sit(cx, room, Seat(seat as u8));
    }
}

/// The seats of a table, with buttons for the viewer's actions.
#[component]
pub fn SeatList(room: Room) -> impl IntoView {
    let seats = Memo::new(move |_| {
        room.with(|r| {
            r.map(|r| r.seats.iter().cloned().enumerate().collect::<Vec<_>>())
                .unwrap_or_default()
        })
    });
    view! {
        <ul class="places">
            {move || seats.get().into_iter().map(|(i, place)| view! { <Place room index=i place/> }).collect_view()}
        </ul>
    }
}

#[component]
fn Place(room: Room, index: usize, place: SeatView) -> impl IntoView {
    let cx = cx();
    let seat = Seat(index as u8);
    let look = |f: fn(&towers_table::TableView) -> bool| move || room.is(f);
    let host = look(|r| r.you.host);
    let before = look(|r| r.stage != Stage::Playing);
    let playing = look(|r| r.stage == Stage::Playing);
    let mine = move || room.is(|r| r.you.seat == Some(seat));
    let seated = look(|r| r.you.seat.is_some());
    let clock = away_clock();
    let away_since = move || room.away_since(seat);
    let hat = towers_art::pieces::icon(
        "",
        "-24 -70 48 76",
        &towers_art::pieces::wizard(place.colour, 0.0, 0.0, 1.0),
    );
    let bot = match place.taken {
        Taken::Bot { level } => Some(level),
        _ => None,
    };
    let person = matches!(place.taken, Taken::Person { .. });
    let program = matches!(place.taken, Taken::Person { program: true, .. });
    let open = matches!(place.taken, Taken::Open);
    let menu = match &place.taken {
        Taken::Person { person, name, .. } => Some((*person, name.clone())),
        Taken::Bot { .. } | Taken::Open => None,
    };
    let name = match &place.taken {
        Taken::Person { name, .. } => name.clone(),
        Taken::Bot { .. } => towers_client::names::bot_name(place.colour).to_string(),
        Taken::Open => String::new(),
    };
    let stand_in = place.stand_in;
    let ready = place.ready;
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
        if let Some(since) = away_since() {
            clock.track();
            return away_words(cx, since);
        }
        cx.t(match ready && before() {
            true => "room.ready",
            false if program => "room.program",
            false if mine() => "name.you",
            false => "room.here",
        })
    };
    let remove = move || room.send(Command::Remove { seat });
    let replace =
        move || playing() && person && stand_in.is_none() && !mine() && room.may_replace();
    let shown_name = towers_client::names::marked_name(&name, program);
    let own_name = StoredValue::new(name);
    let rename = move |value: String| {
        let name = value.trim().to_string();
        if !name.is_empty() && own_name.with_value(|own| *own != name) {
            cx.prefer(|p| p.name.clone_from(&name));
            room.send(Command::Sit {
                name: Some(name),
                seat: Some(seat),
                colour: None,
                program,
                key: String::new(),
            });
        }
    };
    let set_level = move |value: String| {
        if let Some(level) = BotLevel::ALL.into_iter().find(|l| l.name() == value) {
            room.send(Command::AddBot {
                seat: Some(seat),
                level,
            });
        } else {
            room.send(Command::Remove { seat });
        }
    };
    let label = move |key: &'static str| cx.say(&say(key).with("n", index as u32 + 1));
    view! {
        <li class="place" class:away=move || away_since().is_some() data-seat=index.to_string()>
            <span class="seat-hat" aria-hidden="true" inner_html=hat></span>
            <span class="who">
                <Show when=move || mine() && before() fallback=move || view! { <b>{shown_name.clone()}</b> }>
                    <b class="unseen">{own_name.get_value()}</b>
                    <input
                        type="text" maxlength=NAME_CHARS class="own-name" autocomplete="nickname"
                        aria-label=cx.text("room.name")
                        prop:value=own_name.get_value()
                        on:change:target=move |e| rename(e.target().value())
                    />
                </Show>
                <small>{move || state()}</small>
            </span>
            <Show when=move || open && before()>
                <button class="plain sit" on:click=move |_| sit(cx, room, seat)>
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
                <AskFirst id="remove" label=cx.text("room.remove") question=cx.text("room.remove_ask") act=remove/>
            </Show>
            <Show when=move || replace() && away_since().is_some()>
                <button class="plain replace" on:click=move |_| room.send(Command::Replace { seat, level: None })>
                    {cx.text("room.replace")}
                </button>
            </Show>
            <Show when=move || mine() && before()>
                <ColourChoice room seat program/>
            </Show>
            {menu.map(|(person, name)| view! {
                <Show when=move || !mine()><PersonMenu room seat person name=name.clone()/></Show>
            })}
        </li>
    }
}

/// The free colours.
#[component]
fn ColourChoice(room: Room, seat: Seat, program: bool) -> impl IntoView {
    let cx = cx();
    let (now, free) = {
        let seats = room.table().map(|r| r.seats).unwrap_or_default();
        let now = seats.get(seat.index()).map(|s| s.colour);
        let taken = |c: Colour| {
            seats
                .iter()
                .any(|s| s.colour == c && Some(c) != now && s.taken != Taken::Open)
        };
        let free: Vec<_> = Colour::ALL.into_iter().filter(|c| !taken(*c)).collect();
        (now, free)
    };
    let choose = move |value: String| {
        let colour = value.chars().next().and_then(Colour::from_letter);
        room.send(Command::Sit {
            name: None,
            seat: Some(seat),
            colour,
            key: String::new(),
            program,
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
                    <option value=c.letter().to_string() selected=now == Some(c)>{move || cx.say(&towers_client::labels::colour(c))}</option>
                })
                .collect_view()}
        </select>
    }
}
