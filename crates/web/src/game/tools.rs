//! Buttons around the game: menu, log, reference, hint, replay.

use leptos::prelude::*;
use towers_client::preview::preview;
use towers_client::words::say;
use towers_client::{Model, Route};

use super::{Drawer, placed, zone};
use crate::context::cx;
use crate::parts::{Dialog, ToolButton};
use crate::session::Session;

/// The buttons around the game.
#[component]
pub fn Tools(
    session: Session,
    drawer: RwSignal<Drawer>,
    layout: Memo<towers_art::Layout>,
) -> impl IntoView {
    let cx = cx();
    let toggle =
        move |which: Drawer| drawer.update(|d| *d = if *d == which { Drawer::None } else { which });
    let hints = session.has_hints();
    let mine = move || session.model.with(Model::is_mine);
    let news = move || {
        session.room().is_some_and(|room| {
            let lines = room.with(|table| table.map_or(0, |table| table.chat.len()));
            lines > room.lines_read.get()
        })
    };
    let leave = move |_| cx.go(Route::Start);
    view! {
        <nav class="tools" use:placed=zone(layout, |l| l.zones.tools) aria-label=cx.text("tool.title")>
            <button class="tool" id="leave" on:click=leave><span aria-hidden="true">"⌂"</span>{cx.text("tool.leave")}</button>
            <ToolButton id="log" sign="☰" label=cx.text("tool.log") press=move || toggle(Drawer::Log)/>
            <ToolButton id="reference" sign="?" label=cx.text("tool.help") press=move || toggle(Drawer::Reference)/>
            <Show when=move || session.room().is_some()>
                <button class="tool" id="chat" class:news=move || news() on:click=move |_| toggle(Drawer::Table)>
                    <span aria-hidden="true">"✉"</span>{cx.text("tool.table")}
                </button>
            </Show>
            <Show when=move || hints>
                <button class="tool" id="hint" disabled=move || !mine() || session.thinking.get().is_some() on:click=move |_| session.ask_hint()>
                    <span aria-hidden="true">"✦"</span>{cx.text("tool.hint")}
                </button>
            </Show>
            <button class="tool" id="replay" disabled=move || !session.model.with(Model::can_replay) on:click=move |_| session.replay()>
                <span aria-hidden="true">"↺"</span>{cx.text("tool.replay")}
            </button>
            <Show when=move || session.aside.get()>
                <ToolButton id="result" sign="★" label=cx.text("tool.result") press=move || session.aside.set(false)/>
            </Show>
            <ToolButton id="settings" sign="⚙" label=cx.text("tool.settings") press=move || cx.settings.set(true)/>
        </nav>
    }
}

/// The hints of a bot, with its reasons.
#[component]
pub fn HintBox(session: Session) -> impl IntoView {
    let cx = cx();
    let rows = move || {
        let hints = session.hints.get().unwrap_or_default();
        // Show the estimates only if they differ.
        let differ = hints
            .windows(2)
            .any(|pair| (pair[0].win, pair[0].cards) != (pair[1].win, pair[1].cards));
        let row = move |hint: towers_client::hint::Hint| {
            let (intent, picks) = session
                .model
                .with_untracked(|m| towers_client::choice::parts(hint.action, m.own_colour()));
            let what = session.model.with_untracked(|m| {
                let mut words = vec![cx.say(&towers_client::labels::intent(intent))];
                words.extend(
                    picks
                        .iter()
                        .map(|p| cx.say(&towers_client::target::label(&m.shown, *p))),
                );
                words.join(": ")
            });
            // The effects of this move, apart from the reasons, which cover the whole turn.
            let now = session.model.with_untracked(|m| {
                let preview = m.me().and_then(|me| preview(&m.shown, me, hint.action));
                let lines = preview.map(|p| p.lines).unwrap_or_default();
                lines
                    .iter()
                    .map(|l| cx.say(l))
                    .collect::<Vec<_>>()
                    .join(" ")
            });
            let mut turn: Vec<String> = hint
                .why
                .iter()
                .take(3)
                .map(|w| cx.say(&w.message()))
                .collect();
            if turn.is_empty() {
                turn.push(cx.t("hint.quiet"));
            }
            if let Some(n) = hint.win.filter(|_| differ) {
                turn.push(cx.say(&say("hint.win").with("n", n)));
            }
            if let Some(n) = hint.cards.filter(|_| differ) {
                turn.push(cx.say(&say("hint.cards").with("n", n)));
            }
            let take = move |_| {
                session.hints.set(None);
                session.choose(|c| c.begin(intent));
                for pick in &picks {
                    session.choose(|c| c.pick(*pick));
                }
            };
            view! {
                <button class="row" on:click=take>
                    <b>{what}</b>
                    {(!now.is_empty()).then(|| view! { <small class="hint-now"><i>{cx.t("hint.now")}</i>" "{now}</small> })}
                    <small class="hint-turn"><i>{cx.t("hint.turn")}</i>" "{turn.join(" ")}</small>
                </button>
            }
        };
        hints.into_iter().map(row).collect_view()
    };
    view! {
        <Show when=move || session.hints.with(Option::is_some)>
            <Dialog title=cx.text("hint.title") close=move || session.hints.set(None)>
                <p class="about">{cx.text("hint.about")}</p>
                {move || rows()}
            </Dialog>
        </Show>
    }
}
