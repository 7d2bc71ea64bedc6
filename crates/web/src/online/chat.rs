//! Talk at a table.

use art::pieces::Sign;
use leptos::prelude::*;
use table::{Command, Emote, Stage};

use super::Online;
use crate::context::cx;
use crate::live::{RwSignal, follow};
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Show, line};

const EMOTES: [(Emote, Sign, &str); 8] = [
    (Emote::Hello, Sign::Hello, "emote.hello"),
    (Emote::WellPlayed, Sign::Star, "emote.well_played"),
    (Emote::Oops, Sign::Oops, "emote.oops"),
    (Emote::Thinking, Sign::Thinking, "emote.thinking"),
    (Emote::Hurry, Sign::Hourglass, "emote.hurry"),
    (Emote::Wow, Sign::Sparkle, "emote.wow"),
    (Emote::Laugh, Sign::Laugh, "emote.laugh"),
    (Emote::Thanks, Sign::Heart, "emote.thanks"),
];

/// An emote as a sign and as the key of its words.
pub fn sign(emote: Emote) -> (Sign, &'static str) {
    EMOTES
        .into_iter()
        .find(|(e, ..)| *e == emote)
        .map_or((Sign::Hello, "emote.hello"), |(_, sign, key)| (sign, key))
}

/// What was said, and a line to say something.
#[component]
pub fn ChatDrawer(online: Online) -> Markup {
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
    follow(move || online.read.set(lines().len()));
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
        let (sign, key) = sign(emote);
        let picture = art::pieces::sign(sign);
        Some(view! {
            <li class="emote-line">
                <b>{name.unwrap_or_default()}</b>
                <span aria-hidden="true" inner_html=picture></span>
                {cx.t(key)}
            </li>
        })
    };
    view! {
        <section class="chat" aria-labelledby="chat-title">
            <h2 id="chat-title">{cx.text("chat.title")}</h2>
            <Show when=move || !silent() fallback=move || view! { {line(cx, "p", "about", "chat.silent")} }>
                <ul class="lines" aria-live="polite" tabindex="0" aria-label=cx.text("chat.title")>
                    {move || lines().into_iter().map(|(name, text)| view! { <li><b>{name}</b>": "{text}</li> }).collect_view()}
                    {shown}
                </ul>
                <Show when=at_table fallback=move || view! { {line(cx, "p", "about", "chat.sit")} }>
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
                                <button class="round" aria-label=cx.text(key) title=cx.text(key) on:click=move |_| online.say(Command::Emote { emote }) inner_html=art::pieces::sign(sign)></button>
                            })
                            .into_iter()
                            .collect_view()}
                    </div>
                </Show>
            </Show>
        </section>
    }
}
