//! A link to the server's page of notification settings.

use leptos::prelude::*;
use towers_client::address;

use crate::context::cx;
use crate::session::Room;

/// A link for a person with a seat.
#[component]
pub fn CallsLink(room: Room) -> impl IntoView {
    let cx = cx();
    let href = move || cx.page_link(&address::calls(&room.id()));
    view! {
        <Show when=move || room.is(|r| r.you.seat.is_some())>
            <a class="button" id="calls" href=href>{cx.text("room.calls")}</a>
        </Show>
    }
}
