//! The first page.

use leptos::prelude::*;
use towers_client::words::say;
use towers_client::{Plan, PlanKind, Route, SavedGame, address};
use towers_rules::Mode;
use towers_table::BotLevel;

use crate::context::{Cx, Purpose, Request, cx};
use crate::device::page;
use crate::device::paint::PaintStage;
use crate::device::storage::shelf;
use crate::learn::lesson;
use crate::online::Mine;
use crate::parts::{LargeButton, Later};

#[component]
pub fn StartScreen() -> impl IntoView {
    let cx = cx();
    let games = RwSignal::new(shelf().games());
    on_cleanup(move || cx.failed.set(None));
    let set_up = move |kind: PlanKind, usual: &dyn Fn() -> Plan| {
        cx.set_up(cx.last_plan(kind, usual), Purpose::Here);
    };
    let list = move |over: bool| {
        let games = games.get().into_iter();
        games.filter(|g| g.over == over).collect::<Vec<_>>()
    };
    let has = move |over: bool| games.with(|g| g.iter().any(|g| g.over == over));
    let mine = Mine::poll();
    let online_about = Signal::derive(move || match mine.waiting() {
        0 => match mine.invitations().first() {
            Some(first) => format!(
                "● {}",
                cx.say(&say("lobby.invited").with("who", first.name.as_str()))
            ),
            None => cx.t("start.online_about"),
        },
        n => format!(
            "● {}",
            cx.say(&say("start.online_waits").with("n", n as u32))
        ),
    });
    let is_newcomer = games.with_untracked(Vec::is_empty) && !mine.any();
    let offer = lesson::offer().filter(|_| is_newcomer);
    let today = page::today();
    let about_today = || {
        let language = cx.words.with_untracked(|w| w.language().code());
        say("start.daily_about").with("day", page::today_in(language))
    };
    let best = shelf().daily(&today);
    let daily =
        StoredValue::new(best.map_or_else(about_today, |n| say("start.daily_best").with("n", n)));
    view! {
        <div class="start">
            <main>
                <header class="title">
                    <div class="emblem" aria-hidden="true" inner_html=emblem()></div>
                    <h1>{cx.text("title.name")}</h1>
                    <p>{cx.text("title.tag")}</p>
                </header>
                {move || cx.failed.get().map(|why| view! { <p class="why panel" role="alert">{why}</p> })}
                <div class="choices">
                    <LargeButton class="big primary" id="play-now" label=cx.text("start.play") about=cx.text("start.play_about") press=move || cx.request(cx.quick_game())/>
                    <Later stage=PaintStage::Frame>
                    {offer.map(|key| view! {
                        <LargeButton class="big invites" id="learn-first" label=cx.text(key) about=cx.text("start.learn_about") press=move || cx.go(Route::Lesson)/>
                    })}
                    {move || games.with(|all| all.iter().find(|g| !g.over).cloned()).map(|game| view! { <Continue game/> })}
                    <LargeButton class="big" id="new-game" label=cx.text("start.new") about=cx.text("start.new_about") press=move || set_up(PlanKind::Bots, &|| Plan::against_bots(&cx.my_name(), 2, BotLevel::Apprentice).with_usual_memory())/>
                    <LargeButton class="big" id="hot-seat" label=cx.text("start.hot_seat") about=cx.text("start.hot_seat_about") press=move || set_up(PlanKind::HotSeat, &|| Plan::hot_seat(&cx.names(3)).with_usual_memory())/>
                    <LargeButton class="big" id="online" label=cx.text("start.online") about=online_about press=move || cx.go(Route::Lobby)/>
                    <LargeButton class="big" id="solo" label=cx.text("start.solo") about=cx.text("start.solo_about") press=move || set_up(PlanKind::Solo, &|| Plan::solo(&cx.my_name(), false))/>
                    <LargeButton class="big" id="coop" label=cx.text("start.coop") about=cx.text("start.coop_about") press=move || set_up(PlanKind::Coop, &|| coop(cx))/>
                    <button class="big" id="daily" on:click=move |_| cx.request(cx.daily_game())>
                        <b>{cx.text("start.daily")}</b>
                        <span>{move || daily.with_value(|d| cx.say(d))}</span>
                    </button>
                    </Later>
                </div>
                <Later stage=PaintStage::BelowFold>
                <nav class="links panel" aria-label=cx.text("learn.more")>
                    <button class="plain" id="learn" on:click=move |_| cx.go(Route::Lesson)>{cx.text("learn.title")}</button>
                    <button class="plain" id="puzzles" on:click=move |_| cx.go(Route::Puzzles)>{cx.text("puzzle.title")}</button>
                    <button class="plain" id="rules" on:click=move |_| cx.go(Route::Rules(None))>{cx.text("rules.title")}</button>
                    <a class="button" id="me" href=move || cx.page_link(address::ME)>{cx.text("start.me")}</a>
                    <button class="plain" id="open-record" on:click=move |_| cx.go(Route::Records)>{cx.text("replay.open")}</button>
                </nav>
                <Show when=move || has(false)>
                    <section class="saved panel" aria-labelledby="saved-title">
                        <h2 id="saved-title">{cx.text("start.saved")}</h2>
                        <ul>
                            <For each=move || list(false) key=|g| format!("{} {}", g.id, g.at) let:game><SavedRow game games/></For>
                        </ul>
                    </section>
                </Show>
                <Show when=move || has(true)>
                    <section class="saved panel" aria-labelledby="finished-title" id="finished">
                        <h2 id="finished-title">{cx.text("start.finished")}</h2>
                        <ul>
                            <For each=move || list(true) key=|g| format!("{} {}", g.id, g.at) let:game><SavedRow game games/></For>
                        </ul>
                    </section>
                </Show>
                <footer>
                    <button class="plain" id="open-settings" on:click=move |_| cx.settings.set(true)>{cx.text("settings.title")}</button>
                    <p>{cx.text("title.fan")}</p>
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
    use towers_art::pieces::{castle, icon, wizard};
    let wizards = wizard(towers_rules::Colour::Blue, -74.0, 8.0, 0.9)
        + &wizard(towers_rules::Colour::Red, 74.0, 8.0, 0.9);
    icon("", "-110 -170 220 190", &(castle() + &wizards))
}

/// The last unfinished game, with a link to resume it.
#[component]
fn Continue(game: SavedGame) -> impl IntoView {
    let cx = cx();
    let (who, round, id) = (
        cx.words.with_untracked(|w| game.who(w)),
        game.round,
        game.id,
    );
    let about = move || {
        let round = cx.say(&say("start.round").with("n", round));
        format!("{round} · {who}")
    };
    view! {
        <button class="big" id="continue" on:click=move |_| cx.request(Request::Resume(id.clone()))>
            <b>{move || cx.t("start.continue")}</b>
            <span>{about}</span>
        </button>
    }
}

/// A stored game, with buttons to resume or remove it.
#[component]
fn SavedRow(game: SavedGame, games: RwSignal<Vec<SavedGame>>) -> impl IntoView {
    let cx = cx();
    let id = StoredValue::new(game.id.clone());
    let who = cx.words.with_untracked(|w| game.who(w));
    let (over, round, at) = (game.over, game.round, game.at);
    let ending = game.ending();
    let when = move || cx.words.with(|w| page::date(at, w.language().code()));
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
            cx.say(&ending)
        } else {
            cx.say(&say("start.round").with("n", round))
        }
    };
    view! {
        <li>
            <button class="row" on:click=move |_| {
                cx.request(Request::Resume(id.get_value()));
            }>
                <b>{cx.text(mode)}</b>
                " · "
                {move || state()}
                <small>{who.clone()} " · " <time>{when}</time></small>
            </button>
            <button class="round" aria-label=cx.text("start.forget") on:click=forget>"×"</button>
        </li>
    }
}
