//! The spells in play.

use leptos::prelude::*;
use towers_rules::{Spell, SpellSet, Spells};

use crate::context::cx;
use crate::parts::{Alternatives, Choices};

/// How the spells are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    None,
    Beginner,
    All,
    Chosen,
    Random,
}

/// The spells in play.
#[component]
pub fn SpellChoice() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let picking = RwSignal::new(false);
    let how = move || match plan.with(|p| p.settings.spells) {
        Spells::Random(_) => How::Random,
        Spells::Chosen(_) if picking.get() => How::Chosen,
        Spells::Chosen(SpellSet::NONE) => How::None,
        Spells::Chosen(SpellSet::BEGINNER) => How::Beginner,
        Spells::Chosen(SpellSet::ALL) => How::All,
        Spells::Chosen(_) => How::Chosen,
    };
    let ways = move || {
        vec![
            (How::None, cx.t("spells.none")),
            (How::Beginner, cx.t("spells.beginner")),
            (How::Chosen, cx.t("spells.chosen")),
            (How::Random, cx.t("spells.random")),
            (How::All, cx.t("spells.all")),
        ]
    };
    let set = move |way: How| {
        picking.set(way == How::Chosen);
        plan.update(|p| {
            p.settings.spells = match way {
                How::None => Spells::Chosen(SpellSet::NONE),
                How::Beginner => Spells::Chosen(SpellSet::BEGINNER),
                How::All => Spells::Chosen(SpellSet::ALL),
                How::Chosen => Spells::Chosen(p.chosen_spells().unwrap_or(SpellSet::BEGINNER)),
                How::Random => Spells::Random(3),
            };
            p.repair();
        });
    };
    let drawn = move || match plan.with(|p| p.settings.spells) {
        Spells::Random(k) => k,
        Spells::Chosen(set) => set.len(),
    };
    view! {
        <Alternatives
            label=cx.text("setup.spells")
            about=cx.text("setup.spells_about")
            of=Choices::new(
                ways,
                move || how(),
                set,
            )
        />
        <Show when=move || how() == How::Random>
            <Alternatives
                label=cx.text("spells.count")
                of=Choices::new(
                    move || (1..=8u8).map(|k| (k, k.to_string())).collect::<Vec<_>>(),
                    move || drawn(),
                    move |k| plan.update(|p| p.settings.spells = Spells::Random(k)),
                )
            />
        </Show>
        <Show when=move || matches!(how(), How::Chosen | How::All | How::Beginner)>
            <div class="spell-grid">
                {Spell::ALL
                    .map(|spell| {
                        let on = move || plan.with(|p| p.chosen_spells().is_some_and(|s| s.contains(spell)));
                        let cost = move || plan.with(|p| p.settings.options.costs.of(spell));
                        let tile = move || towers_art::pieces::spell::tile(spell, cost());
                        view! {
                            <div class="spell-option" class:on=move || on()>
                                <button
                                    type="button"
                                    class="spell-toggle"
                                    aria-pressed=move || if on() { "true" } else { "false" }
                                    on:click=move |_| {
                                        picking.set(true);
                                        plan.update(|p| p.toggle_spell(spell));
                                    }
                                >
                                    <span aria-hidden="true" inner_html=move || tile()></span>
                                    <b>{move || cx.say(&towers_client::labels::spell(spell))}</b>
                                    <small>{move || cx.say(&towers_client::labels::spell_effect(spell))}</small>
                                </button>
                            </div>
                        }
                    })
                    .into_iter()
                    .collect_view()}
            </div>
        </Show>
    }
}
