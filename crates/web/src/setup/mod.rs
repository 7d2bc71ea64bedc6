//! The setup screen: every setting with a line that explains it.

mod editions;
mod house_rules;
mod options;
mod seats;
pub use editions::printed_or_not;
pub use table_options::clock_words;

mod spells;
mod table_options;

use leptos::prelude::*;
use towers_client::{Plan, PlanKind, Route};
use towers_rules::Mode;
use towers_table::BotLevel;

use crate::context::{Cx, Purpose, Request, cx};
use crate::device::storage::shelf;
use crate::parts::{Alternatives, Choices};
use editions::EditionChoice;
use house_rules::HouseRules;
use options::{Details, Variants};
use seats::Seats;
use spells::SpellChoice;
use table_options::TableOptions;

/// A short summary of the settings of a table.
pub fn summary(cx: Cx, settings: &towers_table::Settings) -> String {
    let options = &settings.options;
    let mut words = vec![
        cx.t(match options.mode {
            Mode::Versus => "mode.versus",
            Mode::Solo => "start.solo",
            Mode::Coop => "start.coop",
        }),
        cx.words
            .with(|words| towers_client::editions::edition_line(words, settings)),
    ];
    for (on, key) in [
        (options.teams, "option.teams"),
        (options.reactions, "option.reactions"),
        (settings.rated, "room.rated"),
    ] {
        if on {
            words.push(cx.t(key));
        }
    }
    words.push(
        cx.words
            .with(|words| towers_client::editions::spells(words, settings.spells)),
    );
    if settings.clock != towers_table::Clock::None {
        words.push(clock_words(cx, settings.clock));
    }
    words.join(" · ")
}

#[component]
pub fn SetupScreen() -> impl IntoView {
    let cx = cx();
    on_cleanup(move || cx.failed.set(None));
    let plan = cx.plan;
    let modes = move || {
        let name = |mode| match mode {
            Mode::Versus => "mode.versus",
            Mode::Solo => "start.solo",
            Mode::Coop => "start.coop",
        };
        let modes = plan.with(Plan::modes);
        modes.into_iter().map(|m| (m, cx.t(name(m)))).collect()
    };
    let mode = move || plan.with(|p| p.settings.options.mode);
    let about = move || match mode() {
        Mode::Versus => cx.t("mode.versus_about"),
        Mode::Solo => cx.t("mode.solo_about"),
        Mode::Coop => cx.t("mode.coop_about"),
    };
    let counts = move || (2..=6usize).map(|n| (n, n.to_string())).collect::<Vec<_>>();
    let back = move |_| {
        cx.go(match cx.purpose.get_untracked() {
            Purpose::Here => Route::Start,
            Purpose::NewTable => Route::Lobby,
            Purpose::Change(id) => Route::Table(id),
        });
    };
    let playable = move || {
        let possible = match cx.purpose.get() {
            Purpose::Here => Plan::is_playable,
            Purpose::NewTable | Purpose::Change(_) => Plan::can_be_opened,
        };
        plan.with(possible)
    };
    let title = move || {
        cx.t(match cx.purpose.get() {
            Purpose::Here => "start.new",
            Purpose::NewTable => "lobby.open",
            Purpose::Change(_) => "room.change",
        })
    };
    let begin = move || {
        cx.t(match cx.purpose.get() {
            Purpose::Here => "setup.begin",
            Purpose::NewTable => "lobby.open",
            Purpose::Change(_) => "room.change_done",
        })
    };
    let done = move || {
        let mut plan = plan.get_untracked();
        let purpose = cx.purpose.get_untracked();
        if purpose != Purpose::Here {
            plan.settings.title = plan.settings.title.trim().into();
            plan.settings.reaction_seconds.get_or_insert(20);
        }
        match purpose {
            Purpose::Here => shelf().keep_plan(PlanKind::of(&plan), &plan),
            Purpose::NewTable => shelf().keep_plan(PlanKind::Table, &plan),
            Purpose::Change(_) => {}
        }
        cx.request(match purpose {
            Purpose::Here => Request::NewGame(plan),
            Purpose::NewTable => Request::NewTable(plan),
            Purpose::Change(_) => Request::Configure(plan.settings),
        });
    };
    view! {
        <div class="setup">
            <main class="panel sheet">
                <div class="sheet-head">
                    <button class="plain" on:click=back>"‹ " {cx.text("ui.back")}</button>
                    <h1>{move || title()}</h1>
                </div>
                <Alternatives
                    label=cx.text("setup.mode")
                    about=Signal::derive(about)
                    of=Choices::new(
                        modes,
                        move || mode(),
                        move |m| plan.update(|p| p.set_mode(m)),
                    )
                />
                <Show when=move || mode() != Mode::Solo>
                    <Alternatives
                        label=cx.text("setup.players")
                        of=Choices::new(
                            counts,
                            move || plan.with(|p| p.seats.len()),
                            move |n| plan.update(|p| p.set_players(n, BotLevel::Apprentice, &cx.names(n))),
                        )
                    />
                </Show>
                // What everybody decides comes first, the rulebooks after it.
                <Show when=move || !matches!(cx.purpose.get(), Purpose::Change(_))><Seats/></Show>
                <Show when=move || cx.purpose.get() != Purpose::Here><TableOptions/></Show>
                <EditionChoice/>
                <SpellChoice/>
                <Variants/>
                <HouseRules/>
                <Details/>
            </main>
            <footer class="sheet-foot">
                <button class="big primary" id="begin" disabled=move || !playable() on:click=move |_| done()>
                    <b>{move || begin()}</b>
                </button>
                <Show when=move || !playable()>
                    <p role="alert">{cx.text("setup.names")}</p>
                </Show>
                {move || cx.failed.get().map(|why| view! { <p class="why" role="alert">{why}</p> })}
            </footer>
        </div>
    }
}
