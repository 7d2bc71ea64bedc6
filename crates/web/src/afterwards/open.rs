//! Opening a record: from this device, the server, a file, or the clipboard.

use leptos::prelude::*;
use towers_client::words::say;
use towers_client::{Route, address};
use towers_study::replay::Replay;

use crate::context::{Cx, cx};
use crate::device::storage::shelf;
use crate::device::{http, page};

/// A record with its game.
#[derive(Clone)]
pub struct OpenedRecord {
    /// The id of a stored game or of a table; empty for a file.
    pub id: String,
    /// The record as it is published.
    pub text: String,
    pub replay: Replay,
}

impl OpenedRecord {
    /// Parses a record, and opens its game with this entry, or the last one.
    pub fn read(cx: Cx, id: &str, text: &str, entry: Option<u64>) -> Result<OpenedRecord, String> {
        let replay = Replay::open(text, entry).map_err(|why| {
            if why.is_earlier() {
                cx.t("net.earlier")
            } else {
                why.to_string()
            }
        })?;
        Ok(OpenedRecord {
            id: id.into(),
            text: text.into(),
            replay,
        })
    }
}

/// The record of a stored game or of a table on the server. That of an unfinished game is not shown, but says why.
pub async fn find(id: &str) -> Option<String> {
    if let Some(record) = shelf().record(id) {
        return Some(record.published().unwrap_or(record).to_text());
    }
    http::text(&address::record(id)).await
}

/// Opens a record from a file, from the clipboard, or from the games on this device.
#[component]
pub fn OpenScreen(
    /// Receives the record.
    opened: RwSignal<Option<OpenedRecord>>,
    /// Why the last record could not be opened.
    problem: RwSignal<Option<String>>,
) -> impl IntoView {
    let cx = cx();
    let read = move |text: String| match OpenedRecord::read(cx, "", &text, None) {
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
            let who = cx.words.with_untracked(|w| game.who(w));
            let id = game.id.clone();
            let round = game.round;
            view! {
                <li>
                    <button class="row" on:click=move |_| cx.go(Route::Replay(id.clone(), None))>
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
                <button class="round" aria-label=cx.text("ui.back") on:click=move |_| cx.go(Route::Start)>"‹"</button>
                <h1>{cx.text("replay.open")}</h1>
            </header>
            <main class="sheet">
                <p class="about">{cx.text("replay.about")}</p>
                {move || problem.get().map(|why| view! { <p class="why" role="alert">{cx.say(&say("replay.unreadable").with("why", why))}</p> })}
                <label class="file">
                    {cx.text("replay.file")}
                    <input type="file" class="unseen" id="record-file" accept=".jsonl,.json,.txt" on:change=choose/>
                </label>
                <label class="field">
                    <span>{cx.text("replay.paste")}</span>
                    <textarea id="record-text" rows="4" on:input:target=move |e| pasted.set(e.target().value())></textarea>
                </label>
                <button class="primary" id="record-open" disabled=move || pasted.with(|p| p.trim().is_empty()) on:click=move |_| read(pasted.get_untracked())>
                    {cx.text("replay.open_text")}
                </button>
                <section class="topic">
                    <h2>{cx.text("replay.here")}</h2>
                    <ul>{rows}</ul>
                </section>
            </main>
        </div>
    }
}
