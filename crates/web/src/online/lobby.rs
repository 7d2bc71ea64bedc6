//! Where tables are found: one's own, those of others, and a new one.

use client::lobby::{Listing, Summary, table_in};
use client::words::say;
use client::{MyTable, Plan};
use leptos::prelude::*;
use table::{BotLevel, Stage};

use super::http;
use crate::context::{Cx, Screen, cx};
use crate::device::storage::shelf;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Show, button, line};

/// What is known of one's own table.
#[derive(Clone, PartialEq)]
enum Known {
    Asked,
    Is(Box<Summary>),
    Gone,
}

/// Where tables are found.
#[component]
pub fn LobbyScreen() -> Markup {
    let cx = cx();
    let public = RwSignal::new(None::<Result<Vec<Summary>, String>>);
    let mine = RwSignal::new(Vec::<(MyTable, Known)>::new());
    let look = move || {
        leptos::task::spawn_local(async move {
            let list = http::get::<Listing>("/api/tables").await;
            let _ = public.try_set(Some(list.map(|l| l.tables)));
        });
        let tables = shelf().tables();
        mine.set(tables.iter().map(|t| (t.clone(), Known::Asked)).collect());
        for kept in tables.into_iter().take(20) {
            leptos::task::spawn_local(async move {
                let asked = http::get::<Summary>(&format!("/api/tables/{}", kept.table)).await;
                let known = match asked {
                    Ok(summary) => Known::Is(Box::new(summary)),
                    Err(why) if why.is_empty() => Known::Asked,
                    Err(_) => Known::Gone,
                };
                let _ = mine.try_update(|list| {
                    if let Some(row) = list.iter_mut().find(|(t, _)| t.table == kept.table) {
                        row.1 = known;
                    }
                });
            });
        }
    };
    look();
    let link = RwSignal::new(String::new());
    let bad = RwSignal::new(false);
    let join = move || match table_in(&link.get_untracked()) {
        Some(table) => cx.visit(&table, None),
        None => bad.set(true),
    };
    let open = move |_| {
        let mut plan = Plan::against_bots(&cx.table_name(), 2, BotLevel::Apprentice);
        for seat in plan.seats.iter_mut().skip(1) {
            seat.1 = client::Sitter::Person {
                name: client::names::bot_name(seat.0).into(),
            };
        }
        cx.open_online(plan);
    };
    let others = move || {
        let own: Vec<String> = mine.with(|l| l.iter().map(|(t, _)| t.table.clone()).collect());
        public.get().map(|list| {
            list.map(|l| {
                l.into_iter()
                    .filter(|s| !own.contains(&s.table))
                    .collect::<Vec<_>>()
            })
        })
    };
    view! {
        <div class="setup lobby">
            <main class="panel sheet">
                <div class="sheet-head">
                    <button class="plain" id="lobby-back" on:click=move |_| cx.go(Screen::Start)>"‹ " {cx.text("ui.back")}</button>
                    {line(&cx, "h1", "", "lobby.title")}
                </div>
                <button class="big primary" id="open-table" on:click=open>
                    {line(&cx, "b", "", "lobby.open")}
                    {line(&cx, "span", "", "lobby.open_about")}
                </button>
                <form class="join" on:submit=move |e| { e.prevent_default(); join(); }>
                    <label class="field">
                        {line(&cx, "span", "", "lobby.join")}
                        <input type="text" id="join-link" autocomplete="off" placeholder=cx.text("lobby.link")
                            prop:value=move || link.get() on:input:target=move |e| { bad.set(false); link.set(e.target().value()); }/>
                    </label>
                    <button class="plain" type="submit" id="join">{cx.text("lobby.go")}</button>
                    <Show when=move || bad.get()><p class="why" role="alert">{cx.text("lobby.bad_link")}</p></Show>
                </form>
                <Show when=move || mine.with(|m| !m.is_empty())>
                    <section aria-labelledby="mine-title">
                        <h2 id="mine-title">{cx.text("lobby.mine")}</h2>
                        <ul class="tables">
                            {move || mine.get().into_iter().map(|(kept, known)| view! { <MyRow kept known mine/> }).collect_view()}
                        </ul>
                    </section>
                </Show>
                <section aria-labelledby="public-title">
                    <div class="sheet-head">
                        <h2 id="public-title">{cx.text("lobby.public")}</h2>
                        {button(&cx, "plain", "look-again", "lobby.again", move || look())}
                    </div>
                    {move || match others() {
                        None => view! { <p class="about">{cx.t("net.connecting")}</p> },
                        Some(Err(_)) => view! { <p class="why" role="alert">{cx.t("lobby.offline")}</p> },
                        Some(Ok(list)) if list.is_empty() => view! { <p class="about">{cx.t("lobby.none")}</p> },
                        Some(Ok(list)) => view! {
                            <ul class="tables" id="public-tables">
                                {list.into_iter().map(|s| view! { <li><Row table=s.table.clone() summary=s/></li> }).collect_view()}
                            </ul>
                        },
                    }}
                </section>
            </main>
        </div>
    }
}

/// One of one's own tables.
#[component]
fn MyRow(kept: MyTable, known: Known, mine: RwSignal<Vec<(MyTable, Known)>>) -> Markup {
    let cx = cx();
    let id = StoredValue::new(kept.table.clone());
    let forget = move |_| {
        shelf().forget_table(&id.get_value());
        mine.update(|list| list.retain(|(t, _)| t.table != id.get_value()));
    };
    let row = match known {
        Known::Is(summary) => view! { <Row table=kept.table summary=*summary/> },
        Known::Asked => view! {
            <button class="row" on:click=move |_| cx.visit(&id.get_value(), None)><b>{kept.table}</b></button>
        },
        Known::Gone => view! { {line(&cx, "p", "row-text", "net.no_table")} },
    };
    view! {
        <li>
            {row}
            <button class="round" aria-label=cx.text("lobby.forget") on:click=forget>"×"</button>
        </li>
    }
}

/// A table in a few words; a click leads there.
#[component]
fn Row(table: String, summary: Summary) -> Markup {
    let cx = cx();
    let title = if summary.title.is_empty() {
        summary.names().join(", ")
    } else {
        summary.title.clone()
    };
    let state = state(cx, &summary);
    let who = summary.names().join(", ");
    let mut kinds = vec![cx.t(match summary.mode {
        rules::Mode::Versus => "mode.versus",
        rules::Mode::Solo => "start.solo",
        rules::Mode::Coop => "start.coop",
    })];
    if summary.teams {
        kinds.push(cx.t("option.teams"));
    }
    if summary.reactions {
        kinds.push(cx.t("option.reactions"));
    }
    let kinds = kinds.join(" · ");
    view! {
        <button class="row" on:click=move |_| cx.visit(&table, None)>
            <b>{title}</b>
            " · "
            {state}
            <small>{kinds} " · " {who}</small>
        </button>
    }
}

/// Where a table stands: free seats, whose turn, or over.
fn state(cx: Cx, summary: &Summary) -> String {
    match summary.stage {
        Stage::Lobby => cx.say(&say("lobby.seats").with("n", summary.open_seats() as u32)),
        Stage::Playing => match summary.awaited() {
            Some(name) => cx.say(&say("lobby.turn").with("who", name)),
            None => cx.t("lobby.playing"),
        },
        Stage::Over => cx.t("start.over"),
    }
}
