//! Variants and details of the rules.

use client::Plan;
use leptos::prelude::*;
use rules::{CoopHands, Memory, Mode, Seat, SoloDeck, TeamEnd};
use table::Start;

use crate::context::{Purpose, cx};
use crate::markup::{Markup, view};
use crate::parts::{Alternatives, Choices, Show, line};

/// A setting that is on or off.
#[component]
fn Switch(
    label: &'static str,
    about: &'static str,
    get: fn(&Plan) -> bool,
    set: fn(&mut Plan, bool),
) -> Markup {
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

/// What changes the game most: teams, reactions, memory, hands, hints.
#[component]
pub fn Variants() -> Markup {
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
            label=cx.text("option.memory")
            about=cx.text("option.memory_about")
            of=Choices::new(
                move || vec![(Memory::Assisted, cx.t("option.assisted")), (Memory::Strict, cx.t("option.strict"))],
                move || plan.with(|p| p.settings.options.memory),
                move |m| plan.update(|p| p.settings.options.memory = m),
            )
        />
        <Show when=move || mode() == Mode::Coop>
            <Alternatives
                label=cx.text("option.hands")
                about=cx.text("option.hands_about")
                of=Choices::new(
                    move || vec![(CoopHands::Shared, cx.t("option.shared")), (CoopHands::Private, cx.t("option.private"))],
                    move || plan.with(|p| p.settings.options.coop_hands),
                    move |h| plan.update(|p| p.settings.options.coop_hands = h),
                )
            />
        </Show>
        // Those who play on a server have a computer of their own to ask.
        <Show when=move || cx.purpose.get() == Purpose::Here>
            <Switch label="option.hints" about="option.hints_about" get=|p| p.hints set=|p, on| p.hints = on/>
        </Show>
    }
}

/// Details that most tables leave as they are.
#[component]
pub fn Details() -> Markup {
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
            {line(cx, "summary", "", "setup.details")}
            <Alternatives
                label=cx.text("option.start")
                about=cx.text("option.start_about")
                of=Choices::new(
                    starts,
                    move || plan.with(|p| p.settings.start),
                    move |s| plan.update(|p| {
                    p.settings.start = s;
                    p.settings.options.start_setup = if s == Start::Random { rules::Choice::Random } else { rules::Choice::Chosen };
                }),
                )
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
                    label=cx.text("option.team_end")
                    about=cx.text("option.team_end_about")
                    of=Choices::new(
                        move || vec![(TeamEnd::Round, cx.t("option.round")), (TeamEnd::AtOnce, cx.t("option.at_once"))],
                        move || plan.with(|p| p.settings.options.team_end),
                        move |e| plan.update(|p| p.settings.options.team_end = e),
                    )
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
                    label=cx.text("option.deck")
                    about=cx.text("option.deck_about")
                    of=Choices::new(
                        move || vec![(SoloDeck::Lose, cx.t("option.lose")), (SoloDeck::Renew, cx.t("option.renew"))],
                        move || plan.with(|p| p.settings.options.solo_deck),
                        move |d| plan.update(|p| p.settings.options.solo_deck = d),
                    )
                />
            </Show>
            <Alternatives
                label=cx.text("option.rounds")
                about=cx.text("option.rounds_about")
                of=Choices::new(
                    rounds,
                    move || plan.with(|p| p.settings.options.max_rounds),
                    move |r| plan.update(|p| p.settings.options.max_rounds = r),
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
