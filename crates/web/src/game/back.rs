//! A bot plays for the one who looks: they may take their seat back.

use leptos::prelude::*;
use table::{Command, Stage};

use super::session::Session;
use crate::context::cx;
use crate::markup::{Markup, view};
use crate::parts::{Show, button, line};

/// A bot plays for the one who looks.
#[component]
pub fn BotPlays(session: Session) -> Markup {
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
            <div class="bot-plays panel" role="alert">
                {line(cx, "p", "", "room.bot_plays")}
                {button(cx, "primary", "back", "room.back", move || session.command(Command::Back))}
            </div>
        </Show>
    }
}
