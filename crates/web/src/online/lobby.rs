//! The lobby: the viewer's tables, public tables, and a button for a new one.

use leptos::prelude::*;
use towers_client::lobby::{awaited, edition_in_words, players, rules_in_words, table_in};
use towers_client::words::say;
use towers_client::{MyTable, Plan, PlanKind, Route, address};
use towers_rules::Seat;
use towers_table::{BotLevel, Clock, Listing, Stage, Summary};

use super::mine::{Known, Mine, POLL_MILLIS};
use crate::context::{Cx, Purpose, Request, cx};
use crate::device::{http, page};
use crate::setup::clock_words;

#[component]
pub fn LobbyScreen() -> impl IntoView {
    let cx = cx();
    let public = RwSignal::new(None::<Result<Vec<Summary>, String>>);
    let mine = Mine::poll();
    let look = move || {
        leptos::task::spawn_local(async move {
            let list = http::get::<Listing>(address::TABLES).await;
            public.try_set(Some(list.map(|l| l.tables)));
        });
    };
    look();
    page::every(POLL_MILLIS, look);
    let link = RwSignal::new(String::new());
    let bad = RwSignal::new(false);
    let join = move || match table_in(&link.get_untracked()) {
        Some(table) => cx.request(Request::Visit(table)),
        None => bad.set(true),
    };
    let open = move |_| {
        let usual = || {
            let mut plan =
                Plan::against_bots(&cx.my_name(), 2, BotLevel::Apprentice).with_usual_memory();
            for seat in plan.seats.iter_mut().skip(1) {
                seat.1 = towers_client::Sitter::Person {
                    name: towers_client::names::bot_name(seat.0).into(),
                };
            }
            plan.settings.reaction_seconds = Some(20);
            plan
        };
        cx.set_up(cx.last_plan(PlanKind::Table, usual), Purpose::NewTable);
    };
    let href = move |path: &'static str| move || cx.page_link(path);
    let others = move || {
        public.get().map(|list| {
            list.map(|l| {
                l.into_iter()
                    .filter(|s| !mine.has(&s.table))
                    .collect::<Vec<_>>()
            })
        })
    };
    view! {
        <div class="setup lobby">
            <main class="panel sheet">
                <div class="sheet-head">
                    <button class="plain" id="lobby-back" on:click=move |_| cx.go(Route::Start)>"‹ " {cx.text("ui.back")}</button>
                    <h1>{cx.text("lobby.title")}</h1>
                </div>
                <button class="big primary" id="open-table" on:click=open>
                    <b>{cx.text("lobby.open")}</b>
                    <span>{cx.text("lobby.open_about")}</span>
                </button>
                <nav class="links" aria-label=cx.text("lobby.more")>
                    <a class="button" id="meet" href=href(address::MEET)>{cx.text("lobby.meet")}</a>
                    <a class="button" id="my-games" href=href(address::GAMES)>{cx.text("lobby.games")}</a>
                    <a class="button" id="circles" href=href(address::CIRCLES)>{cx.text("lobby.circles")}</a>
                </nav>
                <ul class="tables" id="invitations">
                    {move || mine.invitations().into_iter().map(|invitation| {
                        let text = say("lobby.invited").with("who", invitation.name);
                        view! { <li><button class="row now" on:click=move |_| cx.request(Request::Visit(invitation.table.clone()))>
                            <span>{cx.say(&text)}</span>
                        </button></li> }
                    }).collect_view()}
                </ul>
                <form class="join" on:submit=move |e| { e.prevent_default(); join(); }>
                    <label class="field">
                        <span>{cx.text("lobby.join")}</span>
                        <input type="text" id="join-link" autocomplete="off" placeholder=cx.text("lobby.link")
                            prop:value=move || link.get() on:input:target=move |e| { bad.set(false); link.set(e.target().value()); }/>
                    </label>
                    <button class="plain" type="submit" id="join">{cx.text("lobby.go")}</button>
                    <Show when=move || bad.get()><p class="why" role="alert">{cx.text("lobby.bad_link")}</p></Show>
                </form>
                <Show when=move || mine.any()>
                    <section aria-labelledby="mine-title">
                        <h2 id="mine-title">{cx.text("lobby.mine")}</h2>
                        <ul class="tables">
                            {move || mine.rows().into_iter().map(|(kept, known)| view! { <MyRow kept known mine/> }).collect_view()}
                        </ul>
                    </section>
                </Show>
                <section aria-labelledby="public-title">
                    <div class="sheet-head">
                        <h2 id="public-title">{cx.text("lobby.public")}</h2>
                        <button class="plain" id="look-again" on:click=move |_| { look(); mine.refresh(); }>{cx.text("lobby.again")}</button>
                    </div>
                    {move || match others() {
                        None => view! { <p class="about">{cx.t("net.connecting")}</p> }.into_any(),
                        Some(Err(_)) => view! { <p class="why" role="alert">{cx.t("lobby.offline")}</p> }.into_any(),
                        Some(Ok(list)) if list.is_empty() => view! { <p class="about">{cx.t("lobby.none")}</p> }.into_any(),
                        Some(Ok(list)) => view! {
                            <ul class="tables" id="public-tables">
                                {list.into_iter().map(|s| view! { <li><Row summary=s seat=None/></li> }).collect_view()}
                            </ul>
                        }.into_any(),
                    }}
                </section>
            </main>
        </div>
    }
}

/// One of the viewer's tables.
#[component]
fn MyRow(kept: MyTable, known: Known, mine: Mine) -> impl IntoView {
    let cx = cx();
    let id = StoredValue::new(kept.table.clone());
    let forget = move |_| mine.forget(&id.get_value());
    let row = match known {
        Known::Is(summary) => view! { <Row summary=*summary seat=kept.seat/> }.into_any(),
        Known::Asked => view! {
            <button class="row" on:click=move |_| cx.request(Request::Visit(id.get_value()))><b>{kept.table}</b></button>
        }
        .into_any(),
        Known::Gone => view! { <p class="row-text">{cx.text("net.no_table")}</p> }.into_any(),
    };
    view! {
        <li>
            {row}
            <button class="round" aria-label=cx.text("lobby.forget") on:click=forget>"×"</button>
        </li>
    }
}

/// A summary of a table, with a link to it.
#[component]
fn Row(
    summary: Summary,
    /// The viewer's seat, if any.
    seat: Option<Seat>,
) -> impl IntoView {
    let cx = cx();
    let table = summary.table.clone();
    let mine = summary.waits_for(seat);
    let title = if summary.title.is_empty() {
        players(&summary).join(", ")
    } else {
        summary.title.clone()
    };
    let state = state(cx, &summary, mine);
    let mut kinds = vec![cx.t(match summary.mode {
        towers_rules::Mode::Versus => "mode.versus",
        towers_rules::Mode::Solo => "start.solo",
        towers_rules::Mode::Coop => "start.coop",
    })];
    kinds.push(
        cx.words
            .with_untracked(|words| edition_in_words(&summary, words)),
    );
    if summary.teams {
        kinds.push(cx.t("option.teams"));
    }
    if summary.reactions {
        kinds.push(cx.t("option.reactions"));
    }
    if summary.rated {
        kinds.push(cx.t("room.rated"));
    }
    // Without a title, the names are already used as the title.
    if !summary.title.is_empty() {
        kinds.push(players(&summary).join(", "));
    }
    kinds.push(match summary.clock {
        Clock::None => cx.t("lobby.no_clock"),
        clock => clock_words(cx, clock),
    });
    let kinds = kinds.join(" · ");
    let rules = cx
        .words
        .with_untracked(|words| rules_in_words(&summary, words));
    let rules =
        (!rules.is_empty()).then(|| view! { <small class="rules">{rules.join(" · ")}</small> });
    view! {
        <button class="row" class:now=mine on:click=move |_| cx.request(Request::Visit(table.clone()))>
            <b>{title}</b>
            " · "
            <span>{state}</span>
            <small>{kinds}</small>
            {rules}
        </button>
    }
}

/// The state of a table: free seats, whose turn and the time left, or over.
fn state(cx: Cx, summary: &Summary, mine: bool) -> String {
    let whose = match summary.stage {
        Stage::Lobby => {
            return cx.say(&say("lobby.seats").with("n", summary.open_seats() as u32));
        }
        Stage::Over => return cx.t("start.over"),
        Stage::Playing if mine => cx.t("lobby.your_turn"),
        Stage::Playing => match awaited(summary) {
            Some(name) => cx.say(&say("lobby.turn").with("who", name)),
            None => return cx.t("lobby.playing"),
        },
    };
    let deadline = summary.waiting.and_then(|w| w.deadline);
    match deadline.and_then(|at| at.checked_sub(page::now())) {
        Some(left) => {
            let left = cx.say(&say("lobby.left").with("time", towers_client::clock::left(left)));
            format!("{whose} · {left}")
        }
        None => whose,
    }
}
