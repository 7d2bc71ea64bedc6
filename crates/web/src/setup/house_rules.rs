//! Every rule that differs between the editions: its description, and the editions that use each value.

use leptos::prelude::*;
use towers_client::editions;
use towers_rules::{Field, Spell};

use super::editions::printed_or_not;
use crate::context::{Cx, cx};
use crate::parts::{Alternatives, Choices};

/// The values to choose from, with their names.
fn values(cx: Cx, field: Field) -> Vec<(&'static str, String)> {
    let offered = match field {
        Field::MaxRounds => &["null", "10", "20", "40"][..],
        _ => field.values(),
    };
    let named = |&value: &&'static str| {
        let name = cx
            .words
            .with(|words| editions::value_name(words, field, value));
        (value, name)
    };
    offered.iter().map(named).collect()
}

/// The description of a field, and the editions that use each value.
pub fn about(cx: Cx, field: Field) -> String {
    let mode = cx.plan.with(|p| p.settings.options.mode);
    cx.words.with(|words| editions::about(words, field, mode))
}

/// The cost of every spell.
#[component]
fn CostRows() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let row = move |spell: Spell| {
        view! {
            <Alternatives
                label=Signal::derive(move || cx.say(&towers_client::labels::spell(spell)))
                of=Choices::new(
                    || (1..=3u8).map(|n| (n, n.to_string())).collect(),
                    move || plan.with(|p| p.settings.options.costs.of(spell)),
                    move |n| plan.update(|p| p.set_field(Field::Costs, &format!("{spell}:{n}"))),
                )
            />
        }
    };
    view! {
        <h2>{move || cx.words.with(|words| editions::field_name(words, Field::Costs))}</h2>
        <p class="about" id="costs-about">{move || about(cx, Field::Costs)}</p>
        {Spell::ALL.map(row).into_iter().collect_view()}
    }
}

#[component]
fn Rule(field: Field) -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let now = move || plan.with(|p| p.settings.options.get(field));
    let chosen = move || {
        let value = now();
        let values = values(cx, field);
        values
            .into_iter()
            .map(|(v, _)| v)
            .find(|v| *v == value)
            .unwrap_or("")
    };
    view! {
        <Show when=move || plan.with(|p| editions::applies(field, &p.settings.options))>
            <Alternatives
                label=Signal::derive(move || cx.words.with_untracked(|words| editions::field_name(words, field)))
                about=Signal::derive(move || about(cx, field))
                of=Choices::new(
                    move || values(cx, field),
                    chosen,
                    move |value| plan.update(|p| p.set_field(field, value)),
                )
            />
        </Show>
    }
}

/// All individual rules, collapsed into one line.
#[component]
pub fn HouseRules() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let rules = editions::house_rule_fields().map(|field| match field {
        Field::Costs => view! { <CostRows/> }.into_any(),
        _ => view! { <Rule field/> }.into_any(),
    });
    view! {
        <div id="printed">{move || plan.with(|p| printed_or_not(cx, &p.settings))}</div>
        <details id="house-rules">
            <summary>{cx.text("setup.house_rules")}</summary>
            <p class="about">{cx.text("setup.house_rules_about")}</p>
            {rules.collect_view()}
        </details>
    }
}
