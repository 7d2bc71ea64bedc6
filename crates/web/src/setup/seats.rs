//! The seats: colours, players, names.

use leptos::prelude::*;
use towers_client::Sitter;
use towers_client::labels::level_key;
use towers_rules::Colour;
use towers_table::{BotLevel, NAME_CHARS};

use crate::context::{Purpose, cx};

/// A row for each seat: colour, kind of player, and name.
#[component]
pub fn Seats() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    // Only several people share a device.
    let about = move || match cx.purpose.get() {
        Purpose::Here if plan.with(|p| p.persons() < 2) => String::new(),
        Purpose::Here => cx.t("setup.seats_about"),
        Purpose::NewTable | Purpose::Change(_) => cx.t("room.open_about"),
    };
    view! {
        <fieldset class="seats">
            <legend>{cx.text("setup.seats")}</legend>
            <p class="about">{move || about()}</p>
            <ul>
                <For each=move || 0..plan.with(|p| p.seats.len()) key=|seat| *seat let:seat><SeatRow seat/></For>
            </ul>
        </fieldset>
    }
}

#[component]
fn SeatRow(seat: usize) -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let sitter = move || plan.with(|p| p.seats.get(seat).map(|(_, s)| s.clone()));
    let colour = move || plan.with(|p| p.seats.get(seat).map_or(Colour::Blue, |(c, _)| *c));
    let hat = move || {
        let c = colour();
        towers_art::pieces::icon(
            "",
            "-24 -70 48 76",
            &towers_art::pieces::wizard(c, 0.0, 0.0, 1.0),
        )
    };
    let is_person = move || sitter().is_some_and(|s| s.is_person());
    let is_host = move || plan.with(|p| p.host().is_some_and(|(host, _)| host == seat));
    // At least one person is required.
    let needed = move || is_person() && plan.with(|p| p.persons() == 1);
    let kind = move || match sitter() {
        Some(Sitter::Bot { level }) => level.name(),
        _ => "person",
    };
    let set_kind = move |value: String| {
        let level = BotLevel::ALL.into_iter().find(|l| l.name() == value);
        let name = cx.names(seat + 1).pop().unwrap_or_default();
        plan.update(|p| {
            p.seats[seat].1 = match level {
                Some(level) => Sitter::Bot { level },
                None => Sitter::Person { name },
            };
            p.repair();
        });
    };
    let set_name =
        move |value: String| plan.update(|p| p.seats[seat].1 = Sitter::Person { name: value });
    let name = move || match sitter() {
        Some(Sitter::Person { name }) => name,
        _ => towers_client::names::bot_name(colour()).to_string(),
    };
    let label =
        move |key: &'static str| cx.say(&towers_client::words::say(key).with("n", seat as u32 + 1));
    view! {
        <li class="seat-row">
            <span class="seat-hat" aria-hidden="true" inner_html=move || hat()></span>
            <select
                aria-label=move || label("setup.colour")
                prop:value=move || colour().letter().to_string()
                on:change:target=move |e| {
                    let letter = e.target().value().chars().next();
                    if let Some(c) = letter.and_then(Colour::from_letter) {
                        plan.update(|p| p.set_colour(seat, c));
                    }
                }
            >
                {Colour::ALL
                    .map(|c| {
                        view! {
                            <option value=c.letter().to_string() selected=move || colour() == c>
                                {move || cx.say(&towers_client::labels::colour(c))}
                            </option>
                        }
                    })
                    .into_iter()
                    .collect_view()}
            </select>
            <select aria-label=move || label("setup.who") prop:value=move || kind() on:change:target=move |e| set_kind(e.target().value())>
                <option value="person" selected=move || is_person()>{cx.text("setup.person")}</option>
                {BotLevel::ALL
                    .map(|level| {
                        view! {
                            <option value=level.name() disabled=move || needed() selected=move || kind() == level.name()>
                                {move || cx.t(level_key(level))}
                            </option>
                        }
                    })
                    .into_iter()
                    .collect_view()}
            </select>
            <Show when=move || cx.purpose.get() == Purpose::Here || is_host() || !is_person() fallback=move || view! { <span class="about">{cx.text("room.open_about")}</span> }>
            <input
                type="text"
                maxlength=NAME_CHARS
                aria-label=move || label("setup.name")
                prop:value=move || name()
                disabled=move || !is_person()
                on:input:target=move |e| set_name(e.target().value())
            />
            </Show>
        </li>
    }
}
