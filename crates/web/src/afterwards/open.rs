//! Finding a record: on this device, on the server, in a file, or pasted.

use client::words::say;
use leptos::prelude::*;
use study::replay::Replay;
use table::Record;

use crate::context::{Screen, cx};
use crate::device::page;
use crate::device::storage::shelf;
use crate::learn::page::Page;
use crate::live::RwSignal;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, line};

/// A record with the game in it.
#[derive(Clone)]
pub struct Opened {
    /// Its name: of a kept game, of a table, or empty for a file.
    pub id: String,
    /// The record as it is published.
    pub text: String,
    /// The game.
    pub replay: Replay,
}

impl Opened {
    /// Reads a record.
    pub fn read(id: &str, text: &str) -> Result<Opened, String> {
        Ok(Opened {
            id: id.into(),
            text: text.into(),
            replay: Replay::open(text).map_err(|e| e.to_string())?,
        })
    }
}

/// The record of a kept game or of a table on the server.
pub async fn find(id: &str) -> Option<String> {
    if let Some((_, table)) = shelf().game(id) {
        let record: Option<Record> = table.record().published();
        return record.map(|r| r.to_text());
    }
    page::load(&format!("/api/tables/{id}/record")).await
}

/// Opens a record from a file, from the clipboard, or from the games on this device.
#[component]
pub fn OpenScreen(
    /// What to do with it.
    opened: RwSignal<Option<Opened>>,
    /// Why the last one could not be opened.
    problem: RwSignal<Option<String>>,
) -> Markup {
    let cx = cx();
    let read = move |text: String| match Opened::read("", &text) {
        Ok(record) => {
            problem.set(None);
            opened.set(Some(record));
        }
        Err(why) => problem.set(Some(why)),
    };
    let pasted = RwSignal::new(String::new());
    let choose = move |e: leptos::ev::Event| {
        leptos::task::spawn_local(async move {
            if let Some(text) = page::chosen_file(&e).await {
                read(text);
            }
        });
    };
    let games = shelf().games().into_iter().filter(|g| g.over);
    let rows = games
        .map(|game| {
            let who = game.who();
            let id = game.id.clone();
            let round = game.round;
            view! {
                <li>
                    <button class="row" on:click=move |_| cx.go(Screen::Page(Page::Replay(Some(id.clone()), None)))>
                        <b>{who}</b>
                        <small>{move || cx.say(&say("start.round").with("n", round))}</small>
                    </button>
                </li>
            }
        })
        .collect_view();
    view! {
        <div class="reading">
            <header class="reading-head">
                <button class="round" aria-label=cx.text("ui.back") on:click=move |_| cx.go(Screen::Start)>"‹"</button>
                {line(cx, "h1", "", "replay.open")}
            </header>
            <main class="sheet">
                {line(cx, "p", "about", "replay.about")}
                {move || problem.get().map(|why| view! { <p class="why" role="alert">{cx.say(&say("replay.unreadable").with("why", why))}</p> })}
                <label class="file">
                    {cx.text("replay.file")}
                    <input type="file" class="unseen" id="record-file" accept=".jsonl,.json,.txt" on:change=choose/>
                </label>
                <label class="field">
                    {line(cx, "span", "", "replay.paste")}
                    <textarea id="record-text" rows="4" on:input:target=move |e| pasted.set(e.target().value())></textarea>
                </label>
                <button class="primary" id="record-open" disabled=move || pasted.with(|p| p.trim().is_empty()) on:click=move |_| read(pasted.get_untracked())>
                    {cx.text("replay.open_text")}
                </button>
                <section class="topic">
                    {line(cx, "h2", "", "replay.here")}
                    <ul>{rows}</ul>
                </section>
            </main>
        </div>
    }
}
