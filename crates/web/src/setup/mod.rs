//! Setting up a game: every setting, each with a line that explains it.

mod options;
mod seats;
pub use seats::level_key;
mod spells;
mod table_options;

use leptos::prelude::*;
use rules::{Mode, Preset};
use table::BotLevel;

use crate::context::{Cx, Purpose, Screen, cx};
use crate::markup::{Markup, view};
use crate::parts::{Alternatives, Choices, Show, line};
use options::{Details, Variants};
use seats::Seats;
use spells::SpellChoice;
use table_options::TableOptions;

/// What a preset is called.
fn preset_key(preset: Preset) -> &'static str {
    match preset {
        Preset::Capstone => "preset.capstone",
        Preset::Abacus1 => "preset.abacus1",
        Preset::Abacus2 => "preset.abacus2",
        Preset::Oya => "preset.oya",
    }
}

/// The settings of a table in a few words.
pub fn summary(cx: Cx, settings: &table::Settings) -> String {
    let options = &settings.options;
    let mut words = vec![
        cx.t(match options.mode {
            Mode::Versus => "mode.versus",
            Mode::Solo => "start.solo",
            Mode::Coop => "start.coop",
        }),
        cx.t(preset_key(settings.preset)),
    ];
    for (on, key) in [
        (options.teams, "option.teams"),
        (options.reactions, "option.reactions"),
        (options.memory == rules::Memory::Strict, "option.strict"),
    ] {
        if on {
            words.push(cx.t(key));
        }
    }
    match settings.spells {
        rules::Spells::Random(n) => words.push(format!("{} {n}", cx.t("spells.random"))),
        rules::Spells::Chosen(set) => {
            words.extend(set.iter().map(|s| cx.say(&client::labels::spell(s))));
        }
    }
    if settings.clock != table::Clock::None {
        words.push(table_options::clock_words(cx, settings.clock));
    }
    words.join(" · ")
}

/// Setting up a game.
#[component]
pub fn SetupScreen() -> Markup {
    let cx = cx();
    let plan = cx.plan;
    let modes = move || {
        vec![
            (Mode::Versus, cx.t("mode.versus")),
            (Mode::Solo, cx.t("start.solo")),
            (Mode::Coop, cx.t("start.coop")),
        ]
    };
    let mode = move || plan.with(|p| p.settings.options.mode);
    let about = move || match mode() {
        Mode::Versus => cx.t("mode.versus_about"),
        Mode::Solo => cx.t("mode.solo_about"),
        Mode::Coop => cx.t("mode.coop_about"),
    };
    let counts = move || (2..=6usize).map(|n| (n, n.to_string())).collect::<Vec<_>>();
    let presets = move || {
        plan.with(|p| p.presets().collect::<Vec<_>>())
            .into_iter()
            .map(|p| (p, cx.t(preset_key(p))))
            .collect::<Vec<_>>()
    };
    let back = move |_| {
        cx.go(match cx.purpose.get_untracked() {
            Purpose::Here => Screen::Start,
            Purpose::Open => Screen::Lobby,
            Purpose::Change => Screen::Table,
        });
    };
    let begin = move || {
        cx.t(match cx.purpose.get() {
            Purpose::Here => "setup.begin",
            Purpose::Open => "lobby.open",
            Purpose::Change => "room.change_done",
        })
    };
    view! {
        <div class="setup">
            <main class="panel sheet">
                <div class="sheet-head">
                    <button class="plain" on:click=back>"‹ " {cx.text("ui.back")}</button>
                    {line(cx, "h1", "", "start.new")}
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
                <Show when=move || cx.purpose.get() != Purpose::Here><TableOptions/></Show>
                <Show when=move || cx.purpose.get() != Purpose::Change><Seats/></Show>
                <Alternatives
                    label=cx.text("setup.preset")
                    about=cx.text("setup.preset_about")
                    of=Choices::new(
                        presets,
                        move || plan.with(|p| p.settings.preset),
                        move |preset| plan.update(|p| p.set_preset(preset)),
                    )
                />
                <SpellChoice/>
                <Variants/>
                <Details/>
            </main>
            <footer class="sheet-foot">
                <button class="big primary" id="begin" disabled=move || !plan.with(client::Plan::is_playable) on:click=move |_| cx.set_up()>
                    <b>{move || begin()}</b>
                </button>
                <Show when=move || !plan.with(client::Plan::is_playable)>
                    <p role="alert">{cx.text("setup.names")}</p>
                </Show>
                {move || cx.failed.get().map(|why| view! { <p class="why" role="alert">{why}</p> })}
            </footer>
        </div>
    }
}
