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
use crate::live::{RwSignal, StoredValue};
use crate::markup::{Markup, view};
use crate::online::Mine;
use crate::parts::{Later, Show, big, button, keyed, line};

/// The first page.
#[component]
pub fn StartScreen() -> Markup {
    let cx = cx();
    let games = RwSignal::new(shelf().games());
    let set_up = move |plan: Plan| {
        cx.plan.set(plan);
        cx.purpose.set(Purpose::Here);
        cx.go(Screen::Setup);
    };
    let mine = Mine::look();
    let online_about = Signal::derive(move || match mine.waiting() {
        0 => cx.t("start.online_about"),
        n => format!(
            "● {}",
            cx.say(&say("start.online_waits").with("n", n as u32))
        ),
    });
    let today = page::today();
    let daily = StoredValue::new(match shelf().daily(&today) {
        Some(n) => say("start.daily_best").with("n", n),
        None => say("start.daily_about").with("day", today.as_str()),
    });
    view! {
        <div class="start">
            <main>
                <header class="title">
                    <div class="emblem" aria-hidden="true" inner_html=emblem()></div>
                    {line(cx, "h1", "", "title.name")}
                    {line(cx, "p", "", "title.tag")}
                </header>
                <div class="choices">
                    {big("big primary", "play-now", cx.text("start.play"), cx.text("start.play_about"), move || cx.play_now())}
                    <Later turn=0>
                    {move || games.with(|all| all.iter().find(|g| !g.over).cloned()).map(|game| view! { <Continue game/> })}
                    {big("big", "new-game", cx.text("start.new"), cx.text("start.new_about"), move || set_up(Plan::against_bots(&cx.my_name(), 2, BotLevel::Apprentice)))}
                    {big("big", "hot-seat", cx.text("start.hot_seat"), cx.text("start.hot_seat_about"), move || set_up(Plan::hot_seat(&cx.names(3))))}
                    {big("big", "online", cx.text("start.online"), online_about, move || cx.go(Screen::Lobby))}
                    {big("big", "solo", cx.text("start.solo"), cx.text("start.solo_about"), move || set_up(Plan::solo(&cx.my_name(), false)))}
                    {big("big", "coop", cx.text("start.coop"), cx.text("start.coop_about"), move || set_up(coop(cx)))}
                    <button class="big" id="daily" on:click=move |_| cx.play_daily()>
                        {line(cx, "b", "", "start.daily")}
                        <span>{move || daily.with_value(|d| cx.say(d))}</span>
                    </button>
                    </Later>
                </div>
                <Later turn=1>
                <nav class="links panel" aria-label=cx.text("learn.more")>
                    {button(cx, "plain", "learn", "learn.title", move || cx.go(Screen::Page(Page::Lesson)))}
                    {button(cx, "plain", "puzzles", "puzzle.title", move || cx.go(Screen::Page(Page::Puzzles)))}
                    {button(cx, "plain", "rules", "rules.title", move || cx.go(Screen::Page(Page::Rules(None))))}
                    {button(cx, "plain", "open-record", "replay.open", move || cx.go(Screen::Page(Page::Replay(None, None))))}
                </nav>
                <Show when=move || games.with(|g| !g.is_empty())>
                    <section class="saved panel" aria-labelledby="saved-title">
                        <h2 id="saved-title">{cx.text("start.saved")}</h2>
                        <ul>
                            {keyed(move || games.get(), |g| format!("{} {}", g.id, g.at), move |game| view! { <SavedRow game games/> })}
                        </ul>
                    </section>
                </Show>
                <footer>
                    {button(cx, "plain", "open-settings", "settings.title", move || cx.settings.set(true))}
                    {line(cx, "p", "", "title.fan")}
                </footer>
                </Later>
            </main>
        </div>
    }
}

fn coop(cx: Cx) -> Plan {
    let mut plan = Plan::hot_seat(&cx.names(2));
    plan.set_mode(Mode::Coop);
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
fn Continue(game: SavedGame) -> Markup {
    let cx = cx();
    let (who, round, id) = (game.who(), game.round, game.id);
    let about = move || {
        let round = cx.say(&say("start.round").with("n", round));
        format!("{round} · {who}")
    };
    view! {
        <button class="big" id="continue" on:click=move |_| cx.resume(&id)>
            <b>{move || cx.t("start.continue")}</b>
            <span>{about}</span>
        </button>
    }
}

/// A kept game, to go on with or to forget.
#[component]
fn SavedRow(game: SavedGame, games: RwSignal<Vec<SavedGame>>) -> Markup {
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
                {line(cx, "b", "", mode)}
                " · "
                {move || state()}
                <small>{who.clone()}</small>
            </button>
            <button class="round" aria-label=cx.text("start.forget") on:click=forget>"×"</button>
        </li>
    }
}
