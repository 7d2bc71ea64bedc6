//! Talk at a table.

use leptos::prelude::*;
use table::{Command, Emote, Stage};

use super::Online;
use crate::context::cx;
use crate::parts::{CollectView, Show, line};

const EMOTES: [(Emote, &str, &str); 8] = [
    (Emote::Hello, "👋", "emote.hello"),
    (Emote::WellPlayed, "👏", "emote.well_played"),
    (Emote::Oops, "🙈", "emote.oops"),
    (Emote::Thinking, "🤔", "emote.thinking"),
    (Emote::Hurry, "⏳", "emote.hurry"),
    (Emote::Wow, "✨", "emote.wow"),
    (Emote::Laugh, "😄", "emote.laugh"),
    (Emote::Thanks, "💜", "emote.thanks"),
];

/// An emote as a sign.
pub fn sign(emote: Emote) -> &'static str {
    EMOTES
        .into_iter()
        .find(|(e, ..)| *e == emote)
        .map_or("", |(_, sign, _)| sign)
}

/// What was said, and a line to say something.
#[component]
pub fn ChatDrawer(online: Online) -> impl IntoView {
    let cx = cx();
    let silent = move || {
        online.room.with(|r| {
            r.as_ref()
                .is_some_and(|r| r.settings.is_silent() && r.stage == Stage::Playing)
        })
    };
    let at_table = move || {
        online
            .room
            .with(|r| r.as_ref().is_some_and(|r| r.you.person.is_some()))
    };
    let lines = move || {
        online.room.with(|r| {
            r.as_ref()
                .map(|r| {
                    r.chat
                        .iter()
                        .map(|l| (l.name.clone(), l.text.clone()))
                        .collect::<Vec<_>>()
                })
                .unwrap_or_default()
        })
    };
    Effect::new(move |_| online.read.set(lines().len()));
    let text = RwSignal::new(String::new());
    let say = move || {
        let words = text.get_untracked().trim().to_string();
        if !words.is_empty() {
            online.say(Command::Chat { text: words });
            text.set(String::new());
        }
    };
    let shown = move || {
        let (person, emote) = online.emote.get()?;
        let name = online.room.with(|r| {
            r.as_ref()?.seats.iter().find_map(|s| match &s.taken {
                table::Taken::Person { person: p, name } if *p == person => Some(name.clone()),
                _ => None,
            })
        });
        Some(format!("{} {}", name.unwrap_or_default(), sign(emote)))
    };
    view! {
        <section class="chat" aria-labelledby="chat-title">
            <h2 id="chat-title">{cx.text("chat.title")}</h2>
            <Show when=move || !silent() fallback=move || view! { {line(&cx, "p", "about", "chat.silent")} }>
                <ul class="lines" aria-live="polite" tabindex="0" aria-label=cx.text("chat.title")>
                    {move || lines().into_iter().map(|(name, text)| view! { <li><b>{name}</b>": "{text}</li> }).collect_view()}
                    {move || shown().map(|s| view! { <li class="emote-line">{s}</li> })}
                </ul>
                <Show when=at_table fallback=move || view! { {line(&cx, "p", "about", "chat.sit")} }>
                    <form class="chat-form" on:submit=move |e| { e.prevent_default(); say(); }>
                        <input
                            type="text" maxlength="300" id="chat-text" autocomplete="off"
                            aria-label=cx.text("chat.say")
                            prop:value=move || text.get()
                            on:input:target=move |e| text.set(e.target().value())
                        />
                        <button class="plain" type="submit" id="chat-send">{cx.text("chat.send")}</button>
                    </form>
                    <div class="emotes" role="group" aria-label=cx.text("chat.emotes")>
                        {EMOTES
                            .map(|(emote, sign, key)| view! {
                                <button class="round" aria-label=cx.text(key) title=cx.text(key) on:click=move |_| online.say(Command::Emote { emote })>{sign}</button>
                            })
                            .into_iter()
                            .collect_view()}
                    </div>
                </Show>
            </Show>
        </section>
    }
}
