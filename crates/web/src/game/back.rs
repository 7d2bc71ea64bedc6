//! The notice that a bot plays for the viewer, with a button to take the seat back.

use leptos::prelude::*;
use towers_art::Layout;
use towers_table::{Command, Stage};

use super::{placed, zone};
use crate::context::cx;
use crate::session::Session;

/// The notice that a bot plays for the viewer.
#[component]
pub fn BotPlays(session: Session, layout: Memo<Layout>) -> impl IntoView {
    let cx = cx();
    let plays = move || {
        session.model.with(|m| {
            let seat = m.me().and_then(|s| m.table.seats.get(s.index()));
            m.table.stage == Stage::Playing
                && seat.is_some_and(|s| s.stand_in.is_some() || s.left || s.away)
        })
    };
    view! {
        <Show when=plays>
            <div class="bot-plays panel" role="alert" use:placed=zone(layout, |l| l.zones.hand)>
                <p>{cx.text("room.bot_plays")}</p>
                <button class="primary" id="back" on:click=move |_| session.command(Command::Back)>{cx.text("room.back")}</button>
            </div>
        </Show>
    }
}
