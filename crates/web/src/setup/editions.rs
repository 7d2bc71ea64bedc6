//! Choosing the edition, with its special rules, and whether the table is played as printed.

use leptos::prelude::*;
use towers_client::editions;
use towers_rules::Preset;

use crate::context::{Cx, cx};

/// The printed editions to choose from.
#[component]
pub fn EditionChoice() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let choice = move |preset: Preset| {
        let on = move || plan.with(|p| p.settings.preset == preset);
        view! {
            <button
                type="button"
                class="edition"
                data-edition=preset.name()
                aria-pressed=move || if on() { "true" } else { "false" }
                on:click=move |_| plan.update(|p| p.set_preset(preset))
            >
                <b>{cx.text(editions::edition(preset))}</b>
                {editions::about_edition(preset).map(|key| view! { <small>{cx.text(key)}</small> }).into_iter().collect_view()}
            </button>
        }
    };
    view! {
        <fieldset class="alternatives">
            <legend>{cx.text("setup.preset")}</legend>
            <p class="about">{cx.text("setup.preset_about")}</p>
            <div class="editions">{Preset::ALL.map(choice).into_iter().collect_view()}</div>
            // On narrow screens only the chosen edition is described.
            <ul class="edition-now about">
                {move || editions::about_edition(plan.with(|p| p.settings.preset)).map(|key| view! { <li>{cx.text(key)}</li> }).into_iter().collect_view()}
            </ul>
        </fieldset>
    }
}

/// "As printed", or the house rules in words.
pub fn printed_or_not(cx: Cx, settings: &towers_table::Settings) -> AnyView {
    let rules = cx
        .words
        .with(|words| editions::house_rules(words, settings));
    if rules.is_empty() {
        return view! { <p class="about as-printed">{cx.t("setup.as_printed")}</p> }.into_any();
    }
    view! {
        <div class="house-rules">
            <p class="about">{cx.t("setup.departs")}</p>
            <ul>{rules.into_iter().map(|rule| view! { <li>{rule}</li> }).collect_view()}</ul>
        </div>
    }
    .into_any()
}
