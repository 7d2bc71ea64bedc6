//! Variants, and settings that are not rules.

use leptos::prelude::*;
use towers_client::Plan;
use towers_rules::{Field, Memory, Seat};
use towers_table::Start;

use crate::context::{Cx, Purpose, cx};
use crate::parts::{Alternatives, Choices};

/// A setting that is on or off.
#[component]
pub fn Switch(
    label: &'static str,
    about: &'static str,
    get: fn(&Plan) -> bool,
    set: fn(&mut Plan, bool),
) -> impl IntoView {
    let cx = cx();
    view! {
        <Alternatives
            label=cx.text(label)
            about=cx.text(about)
            of=Choices::new(
                move || vec![(false, cx.t("ui.off")), (true, cx.t("ui.on"))],
                move || cx.plan.with(get),
                move |on| cx.plan.update(|p| {
                set(p, on);
                p.repair();
            }),
            )
        />
    }
}

fn memory_name(cx: Cx, memory: Memory) -> String {
    cx.words
        .with(|words| towers_client::editions::value_name(words, Field::Memory, memory.name()))
}

/// The most important settings: teams, reactions, memory, hints.
#[component]
pub fn Variants() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    view! {
        <Show when=move || plan.with(Plan::may_have_teams)>
            <Switch
                label="option.teams"
                about="option.teams_about"
                get=|p| p.settings.options.teams
                set=|p, on| p.settings.options.teams = on
            />
        </Show>
        <Show when=move || plan.with(Plan::may_have_reactions)>
            <Switch
                label="option.reactions"
                about="option.reactions_about"
                get=|p| p.settings.options.reactions
                set=Plan::set_reactions
            />
        </Show>
        <Alternatives
            label=Signal::derive(move || cx.words.with_untracked(|words| towers_client::editions::field_name(words, Field::Memory)))
            about=Signal::derive(move || super::house_rules::about(cx, Field::Memory))
            of=Choices::new(
                move || [Memory::Assisted, Memory::Strict].map(|m| (m, memory_name(cx, m))).to_vec(),
                move || plan.with(|p| p.settings.options.memory),
                move |m| plan.update(|p| p.settings.options.memory = m),
            )
        />
        // Players on a server have their own computer to ask.
        <Show when=move || cx.purpose.get() == Purpose::Here>
            <Switch label="option.hints" about="option.hints_about" get=|p| p.hints set=|p, on| p.hints = on/>
        </Show>
    }
}

/// Advanced settings.
#[component]
pub fn Details() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let starts = move || {
        let mut list = vec![(Start::Random, cx.t("option.random"))];
        let seats = plan.with(|p| p.seats.clone());
        list.extend(seats.iter().enumerate().map(|(i, (c, s))| {
            let name = match s {
                towers_client::Sitter::Person { name } => name.clone(),
                towers_client::Sitter::Bot { .. } => towers_client::names::bot_name(*c).to_string(),
            };
            (Start::Seat(Seat(i as u8)), name)
        }));
        list
    };
    let clocks = move || {
        super::table_options::clocks(cx.purpose.get() != Purpose::Here)
            .into_iter()
            .map(|clock| (clock, super::table_options::clock_words(cx, clock)))
            .collect::<Vec<_>>()
    };
    view! {
        <details>
            <summary>{cx.text("setup.details")}</summary>
            <Alternatives
                label=cx.text("option.start")
                about=cx.text("option.start_about")
                of=Choices::new(
                    starts,
                    move || plan.with(|p| p.settings.start),
                    move |s| plan.update(|p| {
                    p.settings.start = s;
                    p.settings.options.start_setup = if s == Start::Random { towers_rules::Selection::Random } else { towers_rules::Selection::Chosen };
                }),
                )
            />
            <Alternatives
                label=cx.text("option.clock")
                about=cx.text("option.clock_about")
                of=Choices::new(
                    clocks,
                    move || plan.with(|p| p.settings.clock),
                    move |c| plan.update(|p| p.settings.clock = c),
                )
            />
        </details>
    }
}
