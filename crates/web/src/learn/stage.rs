//! The board for lessons, puzzles and replays, with a panel for explanations.

use leptos::prelude::*;
use towers_art::Layout;
use towers_client::{Intent, Route};

use crate::context::cx;
use crate::game::actions::Actions;
use crate::game::board::Board;
use crate::game::hand::Hand;
use crate::game::look::LookDialog;
use crate::game::players::Players;
use crate::game::targets::Targets;
use crate::game::{arrangement, keys, placed, zone};
use crate::session::Session;

/// The board with hand and players, and a panel for explanations.
#[component]
pub fn Stage(
    /// The session on the board.
    session: Session,
    /// The title for screen readers.
    #[prop(into)]
    title: Signal<String>,
    /// The content of the panel.
    children: Children,
) -> impl IntoView {
    let cx = cx();
    provide_context(session);
    on_cleanup(move || session.close());
    keys::listen(session, || ());
    let layout = Memo::new(move |_| {
        let (w, h) = cx.size.get();
        Layout::with_coach(w, h)
    });
    // On small screens, the text makes room while the player makes a choice.
    let choosing = move || {
        let intent = session.model.with(|m| m.choice.intent());
        matches!(
            intent,
            Some(Intent::Card(_) | Intent::Spell(_) | Intent::Refresh)
        )
    };
    view! {
        <div class=move || format!("game staged wt-numbers {}", arrangement(layout))>
            <Board session layout/>
            <Players session layout/>
            <main class="table">
                <h1 class="unseen">{move || title.get()}</h1>
                <div class="prompt-zone" use:placed=zone(layout, |l| l.zones.prompt)>
                    <section class="coach panel" class:choosing=move || choosing()>{children()}</section>
                </div>
                <Hand session layout/>
                <Targets session layout/>
                <Actions session layout/>
                <LookDialog session/>
            </main>
            <div class="unseen" aria-live="polite" id="live">{move || session.live.get()}</div>
        </div>
    }
}

/// The preview, and why an action is not possible.
#[component]
pub fn Consequences(session: Session) -> impl IntoView {
    let cx = cx();
    let preview = move || session.model.with(|m| m.effects(None));
    let notice = move || {
        session.notice.get().map(|why| {
            let to = Route::Rules(Some(why.clause.into())).href();
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
