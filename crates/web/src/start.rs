//! The first page.

use client::words::say;
use client::{Plan, SavedGame};
use leptos::prelude::*;
use rules::Mode;
use table::BotLevel;

use crate::context::{Cx, Purpose, Screen, cx};
use crate::device::page;
use crate::device::storage::shelf;
use crate::learn::page::Page;
use crate::parts::Show;

/// The first page.
#[component]
pub fn StartScreen() -> impl IntoView {
    let cx = cx();
    let games = RwSignal::new(shelf().games());
    let scenery = move || {
        let (w, h) = cx.size.get();
        let layout = art::Layout::fit(w, h);
        art::landscape::scenery(&layout)
    };
    let play_now = move |_| cx.begin(&Plan::against_bots(&cx.my_name(), 2, BotLevel::Apprentice));
    let set_up = move |plan: Plan| {
        cx.plan.set(plan);
        cx.purpose.set(Purpose::Here);
        cx.go(Screen::Setup);
    };
    let today = page::today();
    let best = shelf().daily(&today);
    let daily = {
        let today = today.clone();
        move |_| cx.begin(&client::daily::plan(&today, &cx.my_name()))
    };
    view! {
        <div class="start">
            <div class="backdrop" aria-hidden="true" inner_html=move || scenery()></div>
            <main>
                <header class="title">
                    <div class="emblem" aria-hidden="true" inner_html=emblem()></div>
                    <h1>{cx.text("title.name")}</h1>
                    <p>{cx.text("title.tag")}</p>
                </header>
                <div class="choices">
                    <button class="big primary" id="play-now" on:click=play_now>
                        <b>{cx.text("start.play")}</b>
                        <span>{cx.text("start.play_about")}</span>
                    </button>
                    <button class="big" id="new-game" on:click=move |_| set_up(Plan::against_bots(&cx.my_name(), 2, BotLevel::Apprentice))>
                        <b>{cx.text("start.new")}</b>
                        <span>{cx.text("start.new_about")}</span>
                    </button>
                    <button class="big" id="hot-seat" on:click=move |_| set_up(Plan::hot_seat(&cx.names(3)))>
                        <b>{cx.text("start.hot_seat")}</b>
                        <span>{cx.text("start.hot_seat_about")}</span>
                    </button>
                    <button class="big" id="online" on:click=move |_| cx.go(Screen::Lobby)>
                        <b>{cx.text("start.online")}</b>
                        <span>{cx.text("start.online_about")}</span>
                    </button>
                    <button class="big" id="solo" on:click=move |_| set_up(Plan::solo(&cx.my_name(), false))>
                        <b>{cx.text("start.solo")}</b>
                        <span>{cx.text("start.solo_about")}</span>
                    </button>
                    <button class="big" id="coop" on:click=move |_| set_up(coop(cx))>
                        <b>{cx.text("start.coop")}</b>
                        <span>{cx.text("start.coop_about")}</span>
                    </button>
                    <button class="big" id="daily" on:click=daily>
                        <b>{cx.text("start.daily")}</b>
                        <span>{move || match best {
                            Some(n) => cx.say(&say("start.daily_best").with("n", n)),
                            None => cx.say(&say("start.daily_about").with("day", today.as_str())),
                        }}</span>
                    </button>
                </div>
                <nav class="links panel" aria-label=cx.text("learn.more")>
                    <button class="plain" id="learn" on:click=move |_| cx.go(Screen::Page(Page::Lesson))>{cx.text("learn.title")}</button>
                    <button class="plain" id="puzzles" on:click=move |_| cx.go(Screen::Page(Page::Puzzles))>{cx.text("puzzle.title")}</button>
                    <button class="plain" id="rules" on:click=move |_| cx.go(Screen::Page(Page::Rules(None)))>{cx.text("rules.title")}</button>
                    <button class="plain" id="open-record" on:click=move |_| cx.go(Screen::Page(Page::Replay(None, None)))>{cx.text("replay.open")}</button>
                </nav>
                <Show when=move || games.with(|g| !g.is_empty())>
                    <section class="saved panel" aria-labelledby="saved-title">
                        <h2 id="saved-title">{cx.text("start.saved")}</h2>
                        <ul>
                            <For each=move || games.get() key=|g| (g.id.clone(), g.at) let:game>
                                <SavedRow game games/>
                            </For>
                        </ul>
                    </section>
                </Show>
                <footer>
                    <button class="plain" id="open-settings" on:click=move |_| cx.settings.set(true)>{cx.text("settings.title")}</button>
                    <p>{cx.text("title.fan")}</p>
                </footer>
            </main>
        </div>
    }
}

fn coop(cx: Cx) -> Plan {
    let mut plan = Plan::hot_seat(&cx.names(2));
    plan.set_mode(Mode::Coop, &[]);
    plan
}

/// The castle between two wizards.
fn emblem() -> String {
    use art::pieces::{castle, icon, wizard};
    let wizards =
        wizard(art::Colour::Blue, -74.0, 8.0, 0.9) + &wizard(art::Colour::Red, 74.0, 8.0, 0.9);
    icon("", "-110 -170 220 190", &(castle() + &wizards))
}

/// A kept game, to go on with or to forget.
#[component]
fn SavedRow(game: SavedGame, games: RwSignal<Vec<SavedGame>>) -> impl IntoView {
    let cx = cx();
    let id = StoredValue::new(game.id.clone());
    let who: Vec<String> = game
        .plan
        .seats
        .iter()
        .map(|(colour, sitter)| match sitter {
            client::Sitter::Person { name } => name.clone(),
            client::Sitter::Bot { .. } => client::names::bot_name(*colour).to_string(),
        })
        .collect();
    let who = who.join(", ");
    let over = game.over;
    let round = game.round;
    let mode = match (game.plan.daily.is_some(), game.plan.settings.options.mode) {
        (true, _) => "start.daily",
        (_, Mode::Solo) => "start.solo",
        (_, Mode::Coop) => "start.coop",
        _ => "mode.versus",
    };
    let forget = move |_| {
        shelf().forget(&id.get_value());
        games.set(shelf().games());
    };
    let state = move || {
        if over {
            cx.t("start.over")
        } else {
            cx.say(&say("start.round").with("n", round))
        }
    };
    view! {
        <li>
            <button class="row" on:click=move |_| {
                cx.resume(&id.get_value());
            }>
                <b>{cx.text(mode)}</b>
                " · "
                {move || state()}
                <small>{who.clone()}</small>
            </button>
            <button class="round" aria-label=cx.text("start.forget") on:click=forget>"×"</button>
        </li>
    }
}
