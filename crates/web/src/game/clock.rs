//! How much time is left for the open decision.

use leptos::prelude::*;

use super::session::{Session, Way};
use crate::context::cx;
use crate::device::page;
use crate::live::RwSignal;
use crate::markup::{Markup, view};

/// Milliseconds as a person reads them.
pub fn words(left: u64) -> String {
    let seconds = left.div_ceil(1000);
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    if hours >= 48 {
        format!("{} d", hours / 24)
    } else if hours > 0 {
        format!("{hours}:{:02} h", minutes % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

/// How much time is left for the open decision, if it is limited.
#[component]
pub fn ClockLine(session: Session) -> Markup {
    let cx = cx();
    let now = RwSignal::new(page::now());
    leptos::task::spawn_local(async move {
        while session.is_alive() {
            page::sleep(500).await;
            let here = match session.way {
                Way::Local(_) | Way::Script(_) => page::now(),
                Way::Online(online) => online.now(),
            };
            if now.try_update(|now| *now = here).is_none() {
                return;
            }
        }
    });
    let left = move || {
        session.model.with(|m| {
            let deadline = m.table.game.as_ref()?.waiting?.deadline?;
            Some(deadline.saturating_sub(now.get()))
        })
    };
    view! {
        {move || left().map(|left| view! {
            <p class="clock" class:urgent=left < 10_000 role="timer" aria-label=cx.text("clock.left")>{words(left)}</p>
        })}
    }
}
