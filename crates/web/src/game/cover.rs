//! The screen between two players at one device: no cards are seen.

use client::words::say;
use leptos::prelude::*;

use super::session::Session;
use crate::backdrop::Backdrop;
use crate::context::cx;
use crate::markup::{Markup, view};
use crate::parts::line;

/// Nobody sees anything until the next player says so.
#[component]
pub fn Cover(session: Session) -> Markup {
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
            let seat = m.table.seats.iter().find(|s| matches!(&s.taken, table::Taken::Person { person: p, .. } if Some(*p) == person));
            seat.map_or(rules::Colour::Blue, |s| s.colour)
        });
        art::pieces::icon(
            "",
            "-24 -70 48 76",
            &art::pieces::wizard(client::picture::colour(colour), 0.0, 0.0, 1.0),
        )
    };
    crate::device::focus::focus("#uncover");
    view! {
        <main class="cover">
            <Backdrop/>
            <div class="panel">
                <div class="cover-hat" aria-hidden="true" inner_html=move || hat()></div>
                <h1>{move || cx.say(&say("cover.title").with("who", who()))}</h1>
                {line(cx, "p", "", "cover.about")}
                <button class="big primary" id="uncover" on:click=move |_| session.uncover()>
                    <b>{move || cx.say(&say("cover.ready").with("who", who()))}</b>
                </button>
            </div>
        </main>
    }
}
