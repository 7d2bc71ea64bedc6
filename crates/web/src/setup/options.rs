//! Variants and details of the rules.

use client::Plan;
use leptos::prelude::*;
use rules::{CoopHands, Memory, Mode, Seat, SoloDeck, TeamEnd};
use table::Start;

use crate::context::{Purpose, cx};
use crate::dialog::Alternatives;

/// A setting that is on or off.
#[component]
fn Switch(
    label: &'static str,
    about: &'static str,
    get: fn(&Plan) -> bool,
    set: fn(&mut Plan, bool),
) -> impl IntoView {
    let cx = cx();
    view! {
        <Alternatives
            label=Signal::derive(move || cx.t(label))
            about=Signal::derive(move || cx.t(about))
            of=Signal::derive(move || vec![(false, cx.t("ui.off")), (true, cx.t("ui.on"))])
            now=Signal::derive(move || cx.plan.with(get))
            set=move |on| cx.plan.update(|p| {
                set(p, on);
                p.repair();
            })
        />
    }
}

/// What changes the game most: teams, reactions, memory, hands, hints.
#[component]
pub fn Variants() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let mode = move || plan.with(|p| p.settings.options.mode);
    view! {
        <Show when=move || plan.with(Plan::may_have_teams)>
            <Switch
                label="option.teams"
                about="option.teams_about"
                get=|p| p.settings.options.teams
                set=|p, on| {
                    p.settings.options.teams = on;
                    p.settings.options.memory = p.usual_memory();
                }
            />
        </Show>
        <Show when=move || plan.with(Plan::may_have_reactions)>
            <Switch
                label="option.reactions"
                about="option.reactions_about"
                get=|p| p.settings.options.reactions
                set=|p, on| {
                    p.settings.options.reactions = on;
                    p.settings.options.memory = p.usual_memory();
                }
            />
        </Show>
        <Alternatives
            label=Signal::derive(move || cx.t("option.memory"))
            about=Signal::derive(move || cx.t("option.memory_about"))
            of=Signal::derive(move || vec![(Memory::Assisted, cx.t("option.assisted")), (Memory::Strict, cx.t("option.strict"))])
            now=Signal::derive(move || plan.with(|p| p.settings.options.memory))
            set=move |m| plan.update(|p| p.settings.options.memory = m)
        />
        <Show when=move || mode() == Mode::Coop>
            <Alternatives
                label=Signal::derive(move || cx.t("option.hands"))
                about=Signal::derive(move || cx.t("option.hands_about"))
                of=Signal::derive(move || vec![(CoopHands::Shared, cx.t("option.shared")), (CoopHands::Private, cx.t("option.private"))])
                now=Signal::derive(move || plan.with(|p| p.settings.options.coop_hands))
                set=move |h| plan.update(|p| p.settings.options.coop_hands = h)
            />
        </Show>
        <Switch label="option.hints" about="option.hints_about" get=|p| p.hints set=|p, on| p.hints = on/>
    }
}

/// Details that most tables leave as they are.
#[component]
pub fn Details() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    let mode = move || plan.with(|p| p.settings.options.mode);
    let versus = move || mode() == Mode::Versus;
    let rounds = move || {
        let mut list = vec![(None, cx.t("option.no_limit"))];
        list.extend([10u16, 20, 40].map(|n| (Some(n), n.to_string())));
        list
    };
    let starts = move || {
        let mut list = vec![(Start::Random, cx.t("option.random"))];
        let seats = plan.with(|p| p.seats.clone());
        list.extend(seats.iter().enumerate().map(|(i, (c, s))| {
            let name = match s {
                client::Sitter::Person { name } => name.clone(),
                client::Sitter::Bot { .. } => client::names::bot_name(*c).to_string(),
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
            <summary>{move || cx.t("setup.details")}</summary>
            <Alternatives
                label=Signal::derive(move || cx.t("option.start"))
                about=Signal::derive(move || cx.t("option.start_about"))
                of=Signal::derive(starts)
                now=Signal::derive(move || plan.with(|p| p.settings.start))
                set=move |s| plan.update(|p| {
                    p.settings.start = s;
                    p.settings.options.start_setup = if s == Start::Random { rules::Choice::Random } else { rules::Choice::Chosen };
                })
            />
            <Switch
                label="option.decline"
                about="option.decline_about"
                get=|p| p.settings.options.may_decline
                set=|p, on| p.settings.options.may_decline = on
            />
            <Show when=move || plan.with(|p| p.settings.options.reactions)>
                <Switch
                    label="option.free"
                    about="option.free_about"
                    get=|p| p.settings.options.free_any_time
                    set=|p, on| p.settings.options.free_any_time = on
                />
            </Show>
            <Show when=move || plan.with(|p| p.settings.options.teams)>
                <Alternatives
                    label=Signal::derive(move || cx.t("option.team_end"))
                    about=Signal::derive(move || cx.t("option.team_end_about"))
                    of=Signal::derive(move || vec![(TeamEnd::Round, cx.t("option.round")), (TeamEnd::AtOnce, cx.t("option.at_once"))])
                    now=Signal::derive(move || plan.with(|p| p.settings.options.team_end))
                    set=move |e| plan.update(|p| p.settings.options.team_end = e)
                />
            </Show>
            <Show when=move || !versus()>
                <Switch
                    label="option.refresh"
                    about="option.refresh_about"
                    get=|p| p.settings.options.solo_refresh
                    set=|p, on| p.settings.options.solo_refresh = on
                />
                <Alternatives
                    label=Signal::derive(move || cx.t("option.deck"))
                    about=Signal::derive(move || cx.t("option.deck_about"))
                    of=Signal::derive(move || vec![(SoloDeck::Lose, cx.t("option.lose")), (SoloDeck::Renew, cx.t("option.renew"))])
                    now=Signal::derive(move || plan.with(|p| p.settings.options.solo_deck))
                    set=move |d| plan.update(|p| p.settings.options.solo_deck = d)
                />
            </Show>
            <Alternatives
                label=Signal::derive(move || cx.t("option.rounds"))
                about=Signal::derive(move || cx.t("option.rounds_about"))
                of=Signal::derive(rounds)
                now=Signal::derive(move || plan.with(|p| p.settings.options.max_rounds))
                set=move |r| plan.update(|p| p.settings.options.max_rounds = r)
            />
            <Alternatives
                label=Signal::derive(move || cx.t("option.clock"))
                about=Signal::derive(move || cx.t("option.clock_about"))
                of=Signal::derive(clocks)
                now=Signal::derive(move || plan.with(|p| p.settings.clock))
                set=move |c| plan.update(|p| p.settings.clock = c)
            />
        </details>
    }
}
