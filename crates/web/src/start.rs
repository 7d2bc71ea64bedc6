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

/// The first page.
#[component]
pub fn StartScreen() -> impl IntoView {
    let cx = cx();
    let games = RwSignal::new(shelf().games());
    let set_up = move |plan: Plan| {
        cx.plan.set(plan);
        cx.purpose.set(Purpose::Here);
        cx.go(Screen::Setup);
    };
    let today = page::today();
    let best = shelf().daily(&today);
    view! {
        <div class="start">
            <main>
                <header class="title">
                    <div class="emblem" aria-hidden="true" inner_html=emblem()></div>
                    <h1>{move || cx.t("title.name")}</h1>
                    <p>{move || cx.t("title.tag")}</p>
                </header>
                <div class="choices">
                    <button class="big primary" id="play-now" on:click=move |_| cx.play_now()>
                        <b>{move || cx.t("start.play")}</b>
                        <span>{move || cx.t("start.play_about")}</span>
                    </button>
                    {move || games.with(|all| all.iter().find(|g| !g.over).cloned()).map(|game| view! { <Continue game/> })}
                    <button class="big" id="new-game" on:click=move |_| set_up(Plan::against_bots(&cx.my_name(), 2, BotLevel::Apprentice))>
                        <b>{move || cx.t("start.new")}</b>
                        <span>{move || cx.t("start.new_about")}</span>
                    </button>
                    <button class="big" id="hot-seat" on:click=move |_| set_up(Plan::hot_seat(&cx.names(3)))>
                        <b>{move || cx.t("start.hot_seat")}</b>
                        <span>{move || cx.t("start.hot_seat_about")}</span>
                    </button>
                    <button class="big" id="online" on:click=move |_| cx.go(Screen::Lobby)>
                        <b>{move || cx.t("start.online")}</b>
                        <span>{move || cx.t("start.online_about")}</span>
                    </button>
                    <button class="big" id="solo" on:click=move |_| set_up(Plan::solo(&cx.my_name(), false))>
                        <b>{move || cx.t("start.solo")}</b>
                        <span>{move || cx.t("start.solo_about")}</span>
                    </button>
                    <button class="big" id="coop" on:click=move |_| set_up(coop(cx))>
                        <b>{move || cx.t("start.coop")}</b>
                        <span>{move || cx.t("start.coop_about")}</span>
                    </button>
                    <button class="big" id="daily" on:click=move |_| cx.play_daily()>
                        <b>{move || cx.t("start.daily")}</b>
                        <span>{move || match best {
                            Some(n) => cx.say(&say("start.daily_best").with("n", n)),
                            None => cx.say(&say("start.daily_about").with("day", today.as_str())),
                        }}</span>
                    </button>
                </div>
                <nav class="links panel" aria-label=move || cx.t("learn.more")>
                    <button class="plain" id="learn" on:click=move |_| cx.go(Screen::Page(Page::Lesson))>{move || cx.t("learn.title")}</button>
                    <button class="plain" id="puzzles" on:click=move |_| cx.go(Screen::Page(Page::Puzzles))>{move || cx.t("puzzle.title")}</button>
                    <button class="plain" id="rules" on:click=move |_| cx.go(Screen::Page(Page::Rules(None)))>{move || cx.t("rules.title")}</button>
                    <button class="plain" id="open-record" on:click=move |_| cx.go(Screen::Page(Page::Replay(None, None)))>{move || cx.t("replay.open")}</button>
                </nav>
                <Show when=move || games.with(|g| !g.is_empty())>
                    <section class="saved panel" aria-labelledby="saved-title">
                        <h2 id="saved-title">{move || cx.t("start.saved")}</h2>
                        <ul>
                            <For each=move || games.get() key=|g| (g.id.clone(), g.at) let:game>
                                <SavedRow game games/>
                            </For>
                        </ul>
                    </section>
                </Show>
                <footer>
                    <button class="plain" id="open-settings" on:click=move |_| cx.settings.set(true)>{move || cx.t("settings.title")}</button>
                    <p>{move || cx.t("title.fan")}</p>
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

/// The last game that is not over, to go on with.
#[component]
fn Continue(game: SavedGame) -> impl IntoView {
    let cx = cx();
    let (who, round, id) = (game.who(), game.round, game.id);
    let about = move || {
        let round = cx.say(&say("start.round").with("n", round));
        format!("{round} · {who}")
    };
    view! {
        <button class="big" id="continue" on:click=move |_| { cx.resume(&id); }>
            <b>{move || cx.t("start.continue")}</b>
            <span>{about}</span>
        </button>
    }
}

/// A kept game, to go on with or to forget.
#[component]
fn SavedRow(game: SavedGame, games: RwSignal<Vec<SavedGame>>) -> impl IntoView {
    let cx = cx();
    let id = StoredValue::new(game.id.clone());
    let who = game.who();
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
                <b>{move || cx.t(mode)}</b>
                " · "
                {state}
                <small>{who.clone()}</small>
            </button>
            <button class="round" aria-label=move || cx.t("start.forget") on:click=forget>"×"</button>
        </li>
    }
}
