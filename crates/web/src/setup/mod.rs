//! Setting up a game: every setting, each with a line that explains it.

mod options;
mod seats;
pub use seats::level_key;
mod spells;

use leptos::prelude::*;
use rules::{Mode, Preset};
use table::BotLevel;

use crate::context::{Screen, cx};
use crate::dialog::Alternatives;
use options::{Details, Variants};
use seats::Seats;
use spells::SpellChoice;

/// What a preset is called.
fn preset_key(preset: Preset) -> &'static str {
    match preset {
        Preset::Capstone => "preset.capstone",
        Preset::Abacus1 => "preset.abacus1",
        Preset::Abacus2 => "preset.abacus2",
        Preset::Oya => "preset.oya",
    }
}

/// Setting up a game.
#[component]
pub fn SetupScreen() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let modes = move || {
        vec![
            (Mode::Versus, cx.t("mode.versus")),
            (Mode::Solo, cx.t("start.solo")),
            (Mode::Coop, cx.t("start.coop")),
        ]
    };
    let mode = Signal::derive(move || plan.with(|p| p.settings.options.mode));
    let about = move || match mode.get() {
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
    let start = move |_| {
        let plan = plan.get_untracked();
        cx.begin(&plan);
    };
    view! {
        <div class="setup">
            <main class="panel sheet">
                <div class="sheet-head">
                    <button class="plain" on:click=move |_| cx.go(Screen::Start)>"‹ " {move || cx.t("ui.back")}</button>
                    <h1>{move || cx.t("start.new")}</h1>
                </div>
                <Alternatives
                    label=Signal::derive(move || cx.t("setup.mode"))
                    about=Signal::derive(about)
                    of=Signal::derive(modes)
                    now=mode
                    set=move |m| plan.update(|p| p.set_mode(m, &[]))
                />
                <Show when=move || mode.get() != Mode::Solo>
                    <Alternatives
                        label=Signal::derive(move || cx.t("setup.players"))
                        of=Signal::derive(counts)
                        now=Signal::derive(move || plan.with(|p| p.seats.len()))
                        set=move |n| plan.update(|p| p.set_players(n, BotLevel::Apprentice, &[]))
                    />
                </Show>
                <Seats/>
                <Alternatives
                    label=Signal::derive(move || cx.t("setup.preset"))
                    about=Signal::derive(move || cx.t("setup.preset_about"))
                    of=Signal::derive(presets)
                    now=Signal::derive(move || plan.with(|p| p.settings.preset))
                    set=move |preset| plan.update(|p| p.set_preset(preset))
                />
                <SpellChoice/>
                <Variants/>
                <Details/>
            </main>
            <div class="sheet-foot">
                <button class="big primary" id="begin" disabled=move || !plan.with(client::Plan::is_playable) on:click=start>
                    <b>{move || cx.t("setup.begin")}</b>
                </button>
                <Show when=move || !plan.with(client::Plan::is_playable)>
                    <p role="alert">{move || cx.t("setup.names")}</p>
                </Show>
            </div>
        </div>
    }
}
