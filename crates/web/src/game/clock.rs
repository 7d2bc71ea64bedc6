//! How much time is left for the open decision.

use leptos::prelude::*;

use super::session::{Session, Way};
use crate::context::cx;
use crate::device::page;
use crate::live::RwSignal;
use crate::markup::{Markup, view};

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
            <p class="clock" class:urgent=left < 10_000 role="timer" aria-label=cx.text("clock.left")>{client::clock::left(left)}</p>
        })}
    }
}
