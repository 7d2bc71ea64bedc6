//! The real board for lessons, puzzles and replays, with somebody who explains.

use client::{Intent, Message};
use leptos::prelude::*;

use crate::context::cx;
use crate::device::page::px;
use crate::game::actions::Actions;
use crate::game::board::Board;
use crate::game::hand::Hand;
use crate::game::players::Players;
use crate::game::session::Session;
use crate::game::stack::OpenedStack;
use crate::game::targets::Targets;
use crate::game::{beside, layout_below_coach, top_below_coach as top};
use crate::live::Memo;
use crate::markup::{Markup, Once, view};
use crate::parts::CollectView;

/// The board with hand and players, and a panel for whatever is to be said.
#[component]
pub fn Stage(
    /// What is played.
    session: Session,
    /// The title for those who listen.
    #[prop(into)]
    title: Signal<String>,
    /// What is said.
    children: Once,
) -> Markup {
    let cx = cx();
    provide_context(session);
    on_cleanup(move || session.close());
    let layout = Memo::new(move || layout_below_coach(cx.size.get()));
    let upright = move || cx.size.with(|(w, h)| w < h);
    let dock = move || {
        let size = cx.size.get();
        let hand = layout.with(|l| l.hand_cards(3)[0].y);
        px(size.1 - top(size) - hand + 6.0)
    };
    let sides =
        Memo::new(move || beside(&layout.get(), session.model.with(|m| m.shown.players.len())));
    // Where there is little room, what was read makes way for what is being done.
    let choosing = move || {
        let intent = session.model.with(|m| m.choice.intent());
        matches!(
            intent,
            Some(Intent::Card(_) | Intent::Spell(_) | Intent::Refresh)
        )
    };
    view! {
        <div class="game staged wt-numbers" class:upright=move || upright() style:--top=move || px(top(cx.size.get()))>
            <Board session layout/>
            <Players session layout/>
            <main class="table">
                <h1 class="unseen">{move || title.get()}</h1>
                <section class="coach panel" class:choosing=move || choosing()>{children.show()}</section>
                <div class="dock" style:bottom=move || dock()>
                    <Actions session sides/>
                </div>
                <Targets session layout/>
                <Hand session layout/>
                <OpenedStack session/>
            </main>
            <div class="unseen" aria-live="polite" id="live">{move || session.live.get()}</div>
        </div>
    }
}

/// What would happen, and why something cannot be done.
#[component]
pub fn Consequences(session: Session) -> Markup {
    let cx = cx();
    let preview = move || -> Vec<Message> {
        let lines = session.model.with(|m| m.preview().map(|p| p.lines));
        lines.unwrap_or_default()
    };
    let notice = move || {
        session.notice.get().map(|why| {
            let to = format!("#rules/{}", why.clause);
            view! {
                <p class="why" role="alert">
                    {cx.say(&why.message)} " "
                    <a href=to target="_blank" rel="noopener">{why.clause}</a>
                </p>
            }
        })
    };
    view! {
        <ul class="preview">
            {move || preview().iter().map(|l| view! { <li class=l.key.replace('.', "-")>{cx.say(l)}</li> }).collect_view()}
        </ul>
        {move || notice()}
    }
}
