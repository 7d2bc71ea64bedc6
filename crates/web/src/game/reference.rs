//! A short reference: rules, cards and spells.

use leptos::prelude::*;
use towers_client::labels;
use towers_client::words::say;
use towers_rules::Spell;

use super::Drawer;
use super::actions::StopsSwitch;
use crate::context::cx;
use crate::parts::Dialog;
use crate::session::Session;

/// A spell with its cost and effect.
#[component]
pub fn SpellRow(spell: Spell, cost: u8) -> impl IntoView {
    let cx = cx();
    view! {
        <li>
            <span aria-hidden="true" inner_html=towers_art::pieces::spell::tile(spell, cost)></span>
            <div>
                <b>{move || cx.say(&labels::spell(spell))}</b>
                " · "
                {move || cx.say(&say("count.flasks").with("n", cost))}
                <p>{move || cx.say(&labels::spell_effect(spell))}</p>
            </div>
        </li>
    }
}

/// The switch for the memory aid, if the table allows it.
#[component]
pub fn MemorySwitch(session: Session) -> impl IntoView {
    let cx = cx();
    let on = move || session.model.with(|m| !m.is_unaided());
    view! {
        <button
            class="plain"
            id="memory-aid"
            aria-pressed=move || if on() { "true" } else { "false" }
            on:click=move |_| session.set_memory_aid(!on())
        >
            {cx.text("memory.aid")}
        </button>
    }
}

/// The rules in brief, and the spells in play.
#[component]
pub fn Reference(session: Session, drawer: RwSignal<Drawer>) -> impl IntoView {
    let cx = cx();
    let spells = move || {
        session
            .model
            .with(|m| m.shown.spells.iter().collect::<Vec<_>>())
    };
    let row = move |spell: Spell| {
        let cost = session.model.with(|m| m.shown.options.costs.of(spell));
        view! { <SpellRow spell cost/> }
    };
    let settings = move || {
        session
            .model
            .with(|m| Some(m.table.settings.clone()).filter(|_| !m.table.seats.is_empty()))
    };
    let edition = move || {
        let settings = settings().unwrap_or_default();
        cx.words
            .with(|words| towers_client::editions::edition_line(words, &settings))
    };
    let rules = [
        "help.goal",
        "help.turn",
        "help.wizard",
        "help.tower",
        "help.flask",
        "help.castle",
        "help.refresh",
        "help.end",
    ];
    view! {
        <Dialog title=cx.text("help.title") close=move || drawer.set(Drawer::None)>
            <ul class="help">{rules.map(|key| view! { <li>{cx.text(key)}</li> }).into_iter().collect_view()}</ul>
            <Show when=move || !spells().is_empty()>
                <h3>{cx.text("setup.spells")}</h3>
                <ul class="spell-list">{move || spells().into_iter().map(row).collect_view()}</ul>
            </Show>
            <h3>{cx.text("setup.preset")}</h3>
            <p id="edition">{move || edition()}</p>
            {move || settings().map(|s| crate::setup::printed_or_not(cx, &s))}
            <Show when=move || session.model.with(towers_client::Model::has_memory_aid)>
                <MemorySwitch session/>
            </Show>
            <Show when=move || session.model.with(|m| m.shown.options.reactions && m.me().is_some())>
                <StopsSwitch session/>
            </Show>
            <p class="about">{cx.text("help.keys")}</p>
        </Dialog>
    }
}
