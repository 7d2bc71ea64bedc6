//! The end of a game.

use client::result::{rating, rating_key, rating_range, standings};
use client::words::say;
use leptos::prelude::*;
use rules::{Mode, Rating, Why};

use super::session::Session;
use crate::context::{Screen, cx};
use crate::device::page;
use crate::learn::page::Page;
use crate::live::RwSignal;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Show, button};

/// Who won, how well, and what next.
#[component]
pub fn Over(session: Session) -> Markup {
    let cx = cx();
    let (title, why) = session.model.with_untracked(|m| {
        let outcome = m.shown.outcome;
        let title = outcome.map_or(say("over.agreed"), |o| {
            client::log::over(&o, &m.shown, &m.names)
        });
        let why = outcome.map(|o| match o.why {
            Why::Finished => say("over.finished"),
            Why::Stuck => say("over.stuck"),
            Why::Deck => say("over.deck"),
            Why::Rounds => say("over.rounds"),
        });
        (title, why)
    });
    let versus = session
        .model
        .with_untracked(|m| m.shown.options.mode == Mode::Versus);
    let rated = session.model.with_untracked(|m| rating(&m.shown));
    let rows = session
        .model
        .with_untracked(|m| standings(&m.shown, &m.names));
    let shares = session.model.with_untracked(|m| {
        let day = session.saved()?.plan.daily?;
        let outcome = m.shown.outcome?;
        Some(client::daily::share(
            &day,
            outcome.score.unwrap_or(0),
            !outcome.winners.is_empty(),
        ))
    });
    let online = session.online();
    // Online, everybody has to wish for another game.
    let wished = move || {
        online.is_some()
            && session.model.with(|m| {
                let seat = m.me().and_then(|s| m.table.seats.get(s.index()));
                seat.is_some_and(|s| s.wants_rematch)
            })
    };
    let watches = move || online.is_some() && session.model.with(|m| m.me().is_none());
    let wishes = move || {
        session.model.with(|m| {
            let names = m
                .table
                .seats
                .iter()
                .enumerate()
                .filter(|(_, s)| s.wants_rematch);
            let names: Vec<_> = names
                .map(|(i, _)| m.names.of(rules::Seat(i as u8)))
                .collect();
            (!names.is_empty()).then(|| cx.say(&say("over.wishes").with("who", names.join(", "))))
        })
    };
    let copied = RwSignal::new(false);
    let title_text = title.clone();
    crate::device::focus::focus("#again");
    view! {
        <div class="veil"></div>
        <div class="dialog over panel" role="dialog" aria-modal="true" aria-labelledby="over-title">
            <div class="emblem" aria-hidden="true" inner_html=art::pieces::icon("", "-70 -170 140 190", &art::pieces::castle())></div>
            <h2 id="over-title">{move || cx.say(&title_text)}</h2>
            {why.map(|w| view! { <p>{move || cx.say(&w)}</p> })}
            {rated.map(|now| view! {
                <ol class="ratings" aria-label=cx.text("rating.title")>
                    {Rating::ALL.map(|r| view! {
                        <li class:now=r == now aria-current=(r == now).then_some("true")>
                            <span>{rating_range(r)}</span>
                            <b>{move || cx.t(rating_key(r))}</b>
                        </li>
                    }).into_iter().collect_view()}
                </ol>
            })}
            <Show when=move || versus>
                <table class="standings">
                    <thead><tr>
                        <th scope="col">{cx.text("over.player")}</th>
                        <th scope="col">{cx.text("over.home")}</th>
                        <th scope="col">{cx.text("over.full")}</th>
                        <th scope="col">{cx.text("over.spent")}</th>
                    </tr></thead>
                    <tbody>
                        {rows.iter().map(|row| view! {
                            <tr class:winner=row.winner>
                                <th scope="row">{row.name.clone()} {row.winner.then_some(" ★")}</th>
                                <td>{row.home}</td>
                                <td>{row.flasks.full}</td>
                                <td>{row.flasks.spent}</td>
                            </tr>
                        }).collect_view()}
                    </tbody>
                </table>
            </Show>
            {shares.map(|text| view! {
                <button class="plain" id="share" on:click=move |_| {
                    page::copy(&cx.say(&text));
                    copied.set(true);
                }>
                    {move || cx.t(if copied.get() { "daily.copied" } else { "daily.copy" })}
                </button>
            })}
            {move || wishes().map(|text| view! { <p class="about">{text}</p> })}
            {online.map(|o| view! {
                <a class="plain button" id="record" href=format!("/api/tables/{}/record", o.id()) download=format!("{}.jsonl", o.id())>
                    {cx.text("over.record")}
                </a>
            })}
            <div class="buttons">
                <button class="primary" id="again" disabled=move || wished() || watches() on:click=move |_| session.again()>
                    {move || cx.t(if wished() { "over.waiting" } else { "over.again" })}
                </button>
                <button class="plain" id="look-back" on:click=move |_| {
                    let id = session.record_name();
                    cx.leave();
                    cx.go(Screen::Page(Page::Replay(Some(id), None)));
                }>{cx.text("over.look_back")}</button>
                {button(cx, "plain", "look-aside", "over.look", move || session.aside.set(true))}
                <button class="plain" id="to-start" on:click=move |_| {
                    if let Some(online) = online {
                        online.to_room();
                    } else {
                        cx.leave();
                        cx.go(Screen::Start);
                    }
                }>{move || cx.t(if online.is_some() { "room.title" } else { "over.start" })}</button>
            </div>
        </div>
    }
}
