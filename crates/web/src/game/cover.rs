//! The screen between two players at one device, without cards.

use leptos::prelude::*;
use towers_client::words::say;

use crate::backdrop::Backdrop;
use crate::context::cx;
use crate::session::Session;

/// Hides everything until the next player continues.
#[component]
pub fn Cover(session: Session) -> impl IntoView {
    let cx = cx();
    let who = move || {
        session
            .cover
            .get()
            .map(|p| session.name_of(p))
            .unwrap_or_default()
    };
    let hat = move || {
        let person = session.cover.get();
        let colour = session.model.with(|m| {
            let seat = m.table.seats.iter().find(|s| matches!(&s.taken, towers_table::Taken::Person { person: p, .. } if Some(*p) == person));
            seat.map_or(towers_rules::Colour::Blue, |s| s.colour)
        });
        towers_art::pieces::icon(
            "",
            "-24 -70 48 76",
            &towers_art::pieces::wizard(colour, 0.0, 0.0, 1.0),
        )
    };
    crate::device::focus::focus("#uncover");
    view! {
        <main class="cover">
            <Backdrop/>
            <div class="panel">
                <div class="cover-hat" aria-hidden="true" inner_html=move || hat()></div>
                <h1>{move || cx.say(&say("cover.title").with("who", who()))}</h1>
                <p>{cx.text("cover.about")}</p>
                <button class="big primary" id="uncover" on:click=move |_| session.uncover()>
                    <b>{move || cx.say(&say("cover.ready").with("who", who()))}</b>
                </button>
            </div>
        </main>
    }
}
