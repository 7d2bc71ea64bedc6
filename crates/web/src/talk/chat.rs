//! Chat at a table: in the room, beside the board, and as a bubble on small screens.

use leptos::prelude::*;
use towers_art::geometry::Rect;
use towers_art::pieces::Sign;
use towers_client::names::name_of_person;
use towers_client::sound::SoundEffect;
use towers_table::{CHAT_CHARS, Command, Emote, Stage};

use crate::context::cx;
use crate::device::page;
use crate::session::Room;

/// How long a bubble is shown, in milliseconds.
const BUBBLE_DURATION: u32 = 8_000;
/// The minimum height of the chat panel in pixels.
const MIN_PANEL: f64 = 190.0;

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

/// The icon and the text key of an emote.
pub fn sign(emote: Emote) -> (Sign, &'static str) {
    EMOTES
        .into_iter()
        .find(|(e, ..)| *e == emote)
        .map_or((Sign::Hello, "emote.hello"), |(_, sign, key)| (sign, key))
}

/// The chat lines, with a field to write one.
#[component]
pub fn ChatDrawer(room: Room) -> impl IntoView {
    let cx = cx();
    let silent = move || room.is(|r| r.settings.is_silent() && r.stage == Stage::Playing);
    let at_table = move || room.is(|r| r.you.person.is_some());
    let lines = move || {
        room.with(|r| {
            r.map(|r| {
                r.chat
                    .iter()
                    .filter(|l| !room.is_muted(l.person))
                    .map(|l| {
                        let name = name_of_person(&r.seats, l.person);
                        (name.unwrap_or_else(|| l.name.clone()), l.text.clone())
                    })
                    .collect::<Vec<_>>()
            })
            .unwrap_or_default()
        })
    };
    Effect::new(move |_| room.lines_read.set(lines().len()));
    let text = RwSignal::new(String::new());
    // A sent line stays in the field until the table has accepted it.
    let own_lines = Memo::new(move |_| {
        room.with(|r| {
            let r = r?;
            let me = r.you.person?;
            let mut own = r.chat.iter().filter(|line| line.person == me);
            own.next_back().map(|line| line.at)
        })
    });
    let is_sent = StoredValue::new(false);
    Effect::new(move |before: Option<Option<u64>>| {
        let last = own_lines.get();
        if before.is_some_and(|before| before != last) && is_sent.get_value() {
            is_sent.set_value(false);
            text.set(String::new());
        }
        last
    });
    let say = move || {
        let words = text.get_untracked().trim().to_string();
        if !words.is_empty() {
            is_sent.set_value(true);
            room.send(Command::Chat { text: words });
        }
    };
    let refused = move || {
        let why = room.notice.get();
        why.filter(|_| is_sent.get_value() && room.session.with(Option::is_some))
    };
    let shown = move || {
        let (person, emote) = room.emote.get().filter(|(p, _)| !room.is_muted(*p))?;
        let name = room.with(|r| name_of_person(&r?.seats, person));
        let (sign, key) = sign(emote);
        let picture = towers_art::pieces::sign(sign);
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
            <Show when=move || !silent() fallback=move || view! { <p class="about">{cx.text("chat.silent")}</p> }>
                <ul class="lines" aria-live="polite" tabindex="0" aria-label=cx.text("chat.title")>
                    {move || lines().into_iter().map(|(name, text)| view! { <li><b>{name}</b>": "{text}</li> }).collect_view()}
                    {shown}
                </ul>
                <Show when=at_table fallback=move || view! { <p class="about">{cx.text("chat.sit")}</p> }>
                    <form class="chat-form" on:submit=move |e| { e.prevent_default(); say(); }>
                        <input
                            type="text" maxlength=CHAT_CHARS id="chat-text" autocomplete="off"
                            aria-label=cx.text("chat.say")
                            prop:value=move || text.get()
                            on:input:target=move |e| text.set(e.target().value())
                        />
                        <button class="plain" type="submit" id="chat-send">{cx.text("chat.send")}</button>
                    </form>
                    {move || refused().map(|why| view! { <p class="why" role="alert" id="chat-refused">{why}</p> })}
                    <div class="emotes" role="group" aria-label=cx.text("chat.emotes")>
                        {EMOTES
                            .map(|(emote, sign, key)| view! {
                                <button class="round" aria-label=cx.text(key) title=cx.text(key) on:click=move |_| room.send(Command::Emote { emote }) inner_html=towers_art::pieces::sign(sign)></button>
                            })
                            .into_iter()
                            .collect_view()}
                    </div>
                </Show>
            </Show>
        </section>
    }
}

/// Whether the chat fits below the log in this part of the column beside the board.
pub fn fits(column: Rect) -> bool {
    column.h >= 2.0 * MIN_PANEL
}

/// The chat beside the board.
#[component]
pub fn ChatPanel(room: Room) -> impl IntoView {
    room.has_chat_panel.set(true);
    on_cleanup(move || {
        room.has_chat_panel.try_set(false);
    });
    view! { <ChatDrawer room/> }
}

/// The last chat line, if the chat is not on the screen. A tap opens the chat.
#[component]
pub fn ChatBubble(room: Room, #[prop(into)] open: Callback<()>) -> impl IntoView {
    let cx = cx();
    let shown = RwSignal::new(None::<(String, String)>);
    let lines = Memo::new(move |_| {
        room.with(|r| {
            let r = r?;
            let last = r.chat.last().filter(|l| r.you.person != Some(l.person));
            last.map(|l| (l.at, l.name.clone(), l.text.clone()))
        })
    });
    Effect::new(move |before: Option<Option<u64>>| {
        let last = lines.get();
        let at = last.as_ref().map(|(at, ..)| *at);
        // Lines from before the viewer joined are not new.
        if before.is_some_and(|before| before != at) {
            if last.is_some() && !page::is_hidden() {
                cx.play(SoundEffect::Chat);
            }
            shown.set(last.map(|(_, name, text)| (name, text)));
            leptos::task::spawn_local(async move {
                page::sleep(BUBBLE_DURATION).await;
                if lines.try_get_untracked().flatten().map(|(at, ..)| at) == at {
                    shown.try_set(None);
                }
            });
        }
        at
    });
    let bubble = move |(name, text): (String, String)| {
        let press = move |_| {
            shown.set(None);
            open.run(());
        };
        view! {
            <button class="bubble" id="chat-bubble" on:click=press>
                <b>{name}</b>" "{text}
            </button>
        }
    };
    move || {
        let hidden = room.has_chat_panel.get();
        shown.get().filter(|_| !hidden).map(bubble)
    }
}
