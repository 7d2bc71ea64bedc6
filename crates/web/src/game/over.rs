//! The end of a game.

use leptos::prelude::*;
use towers_art::pieces::{castle, icon, wizard};
use towers_client::result::{rating, rating_key, rating_range, standings};
use towers_client::words::say;
use towers_client::{Route, address};
use towers_rules::{Colour, EndReason, Flasks, Mode, Rating};
use towers_table::Taken;

use crate::context::cx;
use crate::device::page;
use crate::device::storage::shelf;
use crate::parts::{ShareButton, VerdictLine};
use crate::session::Session;

/// The number of pieces of confetti for a win.
const CONFETTI: usize = 36;

/// The winner, the rating, and what to do next.
#[component]
pub fn Over(session: Session) -> impl IntoView {
    let cx = cx();
    let (title, why) = session.model.with_untracked(|m| {
        let outcome = m.shown.outcome;
        let title = outcome.map_or(say("over.agreed"), |o| {
            towers_client::log::over(&o, &m.shown, &m.names)
        });
        // A solo game without spells has none.
        let has_flasks = m
            .shown
            .players
            .iter()
            .any(|p| p.flasks != Flasks::default());
        let why = outcome.map(|o| match o.why {
            EndReason::Finished if has_flasks => say("over.finished"),
            EndReason::Finished => say("over.all_home"),
            EndReason::Stuck => say("over.stuck"),
            EndReason::Deck => say("over.deck"),
            EndReason::Rounds => say("over.rounds"),
        });
        let why = why.or_else(|| Some(say("over.agreed_about")));
        (title, why)
    });
    // Confetti in the colours of the winners, whose wizards stand before the castle.
    let (confetti, winners) = session.model.with_untracked(|m| {
        let winners = m.shown.outcome.map(|o| o.winners);
        let won = |(i, _): &(usize, &towers_rules::PlayerView)| {
            winners.is_some_and(|w| w.contains(towers_rules::Seat(*i as u8)))
        };
        let colours: Vec<Colour> = m
            .shown
            .players
            .iter()
            .enumerate()
            .filter(won)
            .map(|(_, p)| p.colour)
            .collect();
        let pieces = if colours.is_empty() { 0 } else { CONFETTI };
        let confetti: Vec<String> = (0..pieces)
            .map(|i| format!("wt-{}", colours[i % colours.len()].letter()))
            .collect();
        let apart = 60.0 / colours.len().max(2) as f64;
        let first = apart * (1.0 - colours.len() as f64) / 2.0;
        let winners: String = (0_u8..)
            .zip(&colours)
            .map(|(i, c)| wizard(*c, first + apart * f64::from(i), 14.0, 0.8))
            .collect();
        (confetti, winners)
    });
    let rated = session.model.with_untracked(|m| rating(&m.shown));
    let mut rows = session
        .model
        .with_untracked(|m| standings(&m.shown, &m.names));
    for row in &mut rows {
        if session
            .model
            .with_untracked(|m| m.names.is_reader(row.seat))
        {
            row.name = cx.t("name.you");
        }
    }
    // A game that was ended by agreement has no standings.
    let has_standings = !rows.is_empty()
        && session
            .model
            .with_untracked(|m| m.shown.options.mode == Mode::Versus);
    let shares = session.model.with_untracked(|m| {
        let day = session.daily()?;
        let outcome = m.shown.outcome?;
        Some(towers_client::daily::share(
            &day,
            outcome.score.unwrap_or(0),
            !outcome.winners.is_empty(),
        ))
    });
    let room = session.room();
    let verdict = room.and_then(|room| {
        let fair = shelf().fair_play(&room.id());
        session.model.with_untracked(|m| fair.judge_end(&m.table))
    });
    let drawing = move || session.model.with(|m| m.table.draw.is_some());
    // On a server, every player has to ask for a rematch.
    let wished = move || {
        room.is_some()
            && session.model.with(|m| {
                let seat = m.me().and_then(|s| m.table.seats.get(s.index()));
                seat.is_some_and(|s| s.wants_rematch)
            })
    };
    let watches = move || room.is_some() && session.model.with(|m| m.me().is_none());
    let wishes = move || {
        session.model.with(|m| {
            let names = m
                .table
                .seats
                .iter()
                .enumerate()
                .filter(|(_, s)| s.wants_rematch);
            let names: Vec<_> = names
                .map(|(i, _)| m.names.of(towers_rules::Seat(i as u8)))
                .collect();
            (!names.is_empty()).then(|| cx.say(&say("over.wishes").with("who", names.join(", "))))
        })
    };
    let is_daily = shares.is_some();
    let is_with_others = session.model.with_untracked(|m| {
        let people = m
            .table
            .seats
            .iter()
            .filter(|s| matches!(s.taken, Taken::Person { .. }));
        people.count() > 1
    });
    let title_text = title.clone();
    crate::device::focus::focus("#again");
    let put_aside = move || {
        session.aside.set(true);
        crate::device::focus::focus("#result");
    };
    view! {
        <div class="veil"></div>
        <div class="confetti" aria-hidden="true">
            {(0..).zip(confetti).map(|(i, class)| view! { <i class=class style:left=format!("{}%", (i * 37 + 38) % 97)></i> }).collect_view()}
        </div>
        <div class="dialog over panel" role="dialog" aria-modal="true" aria-labelledby="over-title" on:keydown=move |e| if e.key() == "Escape" { put_aside() }>
            <div class="emblem" aria-hidden="true" inner_html=icon("", "-70 -170 140 190", &(castle() + &winners))></div>
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
            <Show when=move || has_standings>
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
                <ShareButton id="share" class="plain" copy="daily.copy"
                    text=move |()| cx.say(&text) + " " + &page::link(&Route::PlayDaily)/>
            })}
            {verdict.map(|verdict| view! { <VerdictLine verdict/> })}
            {move || wishes().map(|text| view! { <p class="about">{text}</p> })}
            <Show when=drawing><p class="about" role="status">{cx.text("room.drawing")}</p></Show>
            {is_daily.then(|| view! {
                <a class="plain button" id="board" href=move || cx.page_link(address::SCORES)>{cx.text("over.board")}</a>
            })}
            {room.filter(|_| is_with_others).map(|room| view! {
                <a class="plain button" id="circle" href=move || cx.page_link(&address::circles_for(&room.id()))>
                    {cx.text("over.circle")}
                </a>
            })}
            {room.map(|room| view! {
                <a class="plain button" id="record" href=address::record(&room.id()) download="wandering-towers.jsonl">
                    {cx.text("over.record")}
                </a>
            })}
            <div class="buttons">
                <button class="primary" id="again" disabled=move || wished() || watches() on:click=move |_| session.again()>
                    {move || cx.t(if wished() { "over.waiting" } else { "over.again" })}
                </button>
                <button class="plain" id="look-back" on:click=move |_| {
                    cx.go(Route::Replay(session.record_id(), None));
                }>{cx.text("over.look_back")}</button>
                <button class="plain" id="look-aside" on:click=move |_| put_aside()>{cx.text("over.look")}</button>
                <button class="plain" id="to-start" on:click=move |_| {
                    if let Some(room) = room {
                        room.back_to_lobby(cx);
                    } else {
                        cx.go(Route::Start);
                    }
                }>{move || cx.t(if room.is_some() { "room.title" } else { "over.start" })}</button>
            </div>
        </div>
    }
}
