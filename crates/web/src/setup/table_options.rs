//! What a table on a server has besides: a title, whether everybody sees it, and clocks for those far away.

use client::words::say;
use leptos::prelude::*;
use table::Clock;

use crate::context::{Cx, cx};
use crate::markup::{Markup, view};
use crate::parts::{Alternatives, Choices, line};

/// The clocks to choose from: on one device, or with those far away.
pub fn clocks(online: bool) -> Vec<Clock> {
    let mut list = vec![
        Clock::None,
        Clock::Move { seconds: 30 },
        Clock::Move { seconds: 90 },
    ];
    if online {
        list.extend([
            Clock::Bank {
                seconds: 600,
                increment: 10,
            },
            Clock::Days { days: 1 },
            Clock::Days { days: 3 },
        ]);
    }
    list
}

/// A clock in words.
pub fn clock_words(cx: Cx, clock: Clock) -> String {
    let message = match clock {
        Clock::None => return cx.t("option.no_clock"),
        Clock::Move { seconds } => say("option.seconds").with("n", seconds),
        Clock::Bank { seconds, increment } => say("option.bank")
            .with("n", seconds / 60)
            .with("more", increment),
        Clock::Days { days } => say("option.days").with("n", days),
    };
    cx.say(&message)
}

/// The title of a table, and whether everybody sees it.
#[component]
pub fn TableOptions() -> Markup {
    let cx = cx();
    let plan = cx.plan;
    view! {
        <label class="field">
            {line(cx, "span", "", "room.table_title")}
            <input
                type="text" maxlength="40" id="table-title" autocomplete="off"
                prop:value=move || plan.with(|p| p.settings.title.clone())
                on:change:target=move |e| plan.update(|p| p.settings.title = e.target().value().trim().to_string())
            />
        </label>
        <Alternatives
            label=cx.text("room.public")
            about=cx.text("room.public_about")
            of=Choices::new(
                move || vec![(false, cx.t("room.by_link")), (true, cx.t("room.everybody"))],
                move || plan.with(|p| p.settings.public),
                move |on| plan.update(|p| p.settings.public = on),
            )
        />
    }
}
