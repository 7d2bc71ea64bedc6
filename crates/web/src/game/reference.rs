//! The rules in a nutshell, cards and spells: one tap away.

use client::words::say;
use client::{Intent, labels};
use leptos::prelude::*;
use rules::Spell;

use super::Drawer;
use super::session::Session;
use crate::context::cx;
use crate::live::RwSignal;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Dialog, Show, line};

/// An intent in a word or two.
pub fn intent_name(intent: Intent) -> client::Message {
    match intent {
        Intent::Card(card) => labels::card(card),
        Intent::Roll => say("act.use_roll"),
        Intent::Spell(spell) => labels::spell(spell),
        Intent::Before(spell) => say("act.before").with("spell", labels::spell(spell)),
        Intent::After(spell) => say("act.after").with("spell", labels::spell(spell)),
        Intent::Reroll => say("act.reroll"),
        Intent::Refresh => say("act.refresh"),
        Intent::End => say("act.end"),
        Intent::Pass => say("act.pass"),
        Intent::Done => say("act.done"),
        Intent::Ask => say("act.ask"),
        Intent::Offer => say("act.offer"),
        Intent::Accept => say("act.accept"),
        Intent::Decline => say("act.decline"),
        Intent::Return => say("act.hand_over"),
        Intent::Give => say("act.give"),
        Intent::With => say("act.with"),
        Intent::More => say("act.more"),
    }
}

/// A spell with what it costs and does.
#[component]
pub fn SpellRow(spell: Spell, cost: u8) -> Markup {
    let cx = cx();
    view! {
        <li>
            <span aria-hidden="true" inner_html=art::pieces::spell::tile(client::picture::spell(spell), cost)></span>
            <div>
                <b>{move || cx.say(&labels::spell(spell))}</b>
                " · "
                {move || cx.say(&say("count.flasks").with("n", cost))}
                <p>{move || cx.say(&labels::spell_effect(spell))}</p>
            </div>
        </li>
    }
}

/// The rules in a nutshell, and the spells in play.
#[component]
pub fn Reference(session: Session, drawer: RwSignal<Drawer>) -> Markup {
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
            <ul class="help">{rules.map(|key| view! { {line(cx, "li", "", key)} }).into_iter().collect_view()}</ul>
            <Show when=move || !spells().is_empty()>
                {line(cx, "h3", "", "setup.spells")}
                <ul class="spell-list">{move || spells().into_iter().map(row).collect_view()}</ul>
            </Show>
            {line(cx, "p", "about", "help.keys")}
        </Dialog>
    }
}
