//! Additional settings of a table on a server: title, visibility, and clocks for remote players.

use leptos::prelude::*;
use towers_client::words::say;
use towers_rules::Mode;
use towers_table::{Clock, TITLE_CHARS};

use super::options::Switch;
use crate::context::{Cx, cx};
use crate::parts::{Alternatives, Choices};

/// The available clocks: for one device, or for players on a server.
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

/// The title of a table, whether it is public, and whether it is rated.
#[component]
pub fn TableOptions() -> impl IntoView {
    let cx = cx();
    let plan = cx.plan;
    view! {
        <label class="field">
            <span>{cx.text("room.table_title")}</span>
            <input
                type="text" maxlength=TITLE_CHARS id="table-title" autocomplete="off"
                prop:value=move || plan.with(|p| p.settings.title.clone())
                on:input:target=move |e| plan.update(|p| p.settings.title = e.target().value())
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
        <Show when=move || plan.with(|p| p.settings.options.mode == Mode::Versus)>
            <Switch label="room.rated" about="room.rated_about" get=|p| p.settings.rated set=|p, on| p.settings.rated = on/>
        </Show>
    }
}
