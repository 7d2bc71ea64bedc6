//! The remaining time of the open decision.

use leptos::prelude::*;

use crate::context::cx;
use crate::device::page;
use crate::session::Session;

/// The remaining time of the open decision, if it is limited.
#[component]
pub fn ClockLine(session: Session) -> impl IntoView {
    let cx = cx();
    let now = RwSignal::new(page::now());
    leptos::task::spawn_local(async move {
        loop {
            page::sleep(500).await;
            let Some(time) = session.now() else { return };
            if now.try_set(time).is_some() {
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
            <p class="clock" class:urgent=left < 10_000 role="timer" aria-label=cx.text("clock.left")>{towers_client::clock::left(left)}</p>
        })}
    }
}
