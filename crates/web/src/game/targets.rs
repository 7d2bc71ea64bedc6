//! The possible picks as buttons, and the board in words, for keyboards and screen readers.

use leptos::prelude::*;
use towers_client::{Intent, Model, Pick, shown, target};
use towers_rules::Space;

use crate::context::cx;
use crate::device::focus;
use crate::device::page::px;
use crate::session::Session;

/// The possible picks on the board, in ring order.
pub fn ring(m: &Model) -> Vec<Pick> {
    if m.is_mine() {
        target::around(&m.shown, &m.choice.targets())
    } else {
        Vec::new()
    }
}

/// The last pick, or the held piece, if it is in the ring.
pub fn current(m: &Model, ring: &[Pick]) -> Option<Pick> {
    let picked = m.choice.picks().last().or(m.choice.held().first());
    picked.copied().filter(|p| ring.contains(p))
}

/// The id of a pick in the page.
fn code(pick: Pick) -> String {
    match pick {
        Pick::Wizard(space, colour) => format!("w{}{}", space.number(), colour.letter()),
        Pick::Tower(tower) => format!("t{}", tower.letter()),
        Pick::Space(space) => format!("s{}", space.number()),
        other => format!("{other:?}"),
    }
}

/// Chooses the next or previous piece around the ring.
pub fn walk(session: Session, forwards: bool) {
    let next = session.model.with_untracked(|m| {
        let ring = ring(m);
        let at = focus::value("data-pick");
        let focused = at.and_then(|at| ring.iter().copied().find(|p| code(*p) == at));
        let now = current(m, &ring);
        // A focused piece that is not yet chosen comes first.
        match (focused, now) {
            (Some(pick), now) if now != Some(pick) && m.choice.takes_one_pick() => Some(pick),
            (focused, now) => target::next(&ring, focused.or(now), forwards),
        }
    });
    let Some(pick) = next else { return };
    let (is_first, is_single) = session
        .model
        .with_untracked(|m| (m.choice.is_piece_first(), m.choice.takes_one_pick()));
    if is_first || is_single {
        choose(session, pick);
    }
    focus_on(pick);
}

/// Moves the focus to the first available item, in the order of play.
pub fn focus_first() {
    focus::focus_now(
        ".hand .card:enabled, .target[tabindex='0'], #confirm, .actions .buttons button",
    );
}

/// Moves the focus to the button of a piece.
pub fn focus_on(pick: Pick) {
    focus::focus_now(&format!(".target[data-pick='{}']", code(pick)));
}

/// Picks a piece for the current intent, or holds it. Unlike a tap, it never releases a held piece.
pub fn choose(session: Session, pick: Pick) -> bool {
    let piece = session
        .model
        .with_untracked(|m| target::standing_for(&m.shown, pick));
    let offers = session.model.with_untracked(|m| m.choice.alternatives());
    let meant = piece.iter().copied().find(|p| offers.contains(p));
    match meant {
        Some(pick) => session.choose(|c| c.pick(pick)),
        None => session.choose(|c| c.hold(&piece)),
    }
}

/// Buttons over the possible picks. Pointers use the pieces themselves.
#[component]
pub fn Targets(session: Session, layout: Memo<towers_art::Layout>) -> impl IntoView {
    let cx = cx();
    let picks = Memo::new(move |_| session.model.with(ring));
    // The Tab key reaches one of them; arrows move between them.
    let stop = Memo::new(move |_| {
        let list = picks.get();
        session
            .model
            .with(|m| current(m, &list))
            .or(list.first().copied())
    });
    // After a roll its button is gone, so the focus moves to the pieces that can use the roll.
    let rolled = Memo::new(move |_| {
        session.model.with(|m| {
            let is_roll = m.is_mine() && m.choice.intent() == Some(Intent::Roll);
            m.decision().filter(|_| is_roll)
        })
    });
    Effect::new(move |_| {
        if rolled.get().is_some() {
            focus::focus_if_lost(".target[tabindex='0'], #confirm");
        }
    });
    let target = move |pick: Pick| {
        let text = move || {
            cx.words
                .with(|words| session.model.with(|m| target::spoken(words, m, pick)))
        };
        let spot = move || {
            session.model.with(|m| {
                let space = target::place(&m.shown, pick).unwrap_or(m.shown.castle);
                let height = shown::height(&m.shown, space);
                layout.with(|l| {
                    let tiers = l.tiers(space, height, m.shown.castle == space);
                    if let Pick::Tower(tower) = pick
                        && let Some((_, level)) = shown::find(&m.shown, tower)
                    {
                        let on = tiers.target(level - 1);
                        return (on.x + on.w / 2.0, on.y + on.h / 2.0);
                    }
                    let point = tiers.surface(height);
                    (point.x, point.y - 20.0 * tiers.scale)
                })
            })
        };
        let chosen = move || {
            session
                .model
                .with(|m| m.choice.picks().contains(&pick) || m.choice.held().contains(&pick))
        };
        // A second press confirms the pending action.
        let press = move |_| {
            let is_pending = session.model.with_untracked(|m| {
                m.choice.picks().contains(&pick) && m.choice.pending().is_some()
            });
            if is_pending {
                session.confirm();
                return;
            }
            session.opened.set(None);
            choose(session, pick);
            let is_pending = session
                .model
                .with_untracked(|m| m.choice.pending().is_some());
            if is_pending {
                focus::focus("#confirm");
            }
        };
        view! {
            <button
                class="target"
                data-pick=code(pick)
                style:left=move || px(spot().0)
                style:top=move || px(spot().1)
                tabindex=move || if stop.get() == Some(pick) { "0" } else { "-1" }
                aria-pressed=move || if chosen() { "true" } else { "false" }
                aria-label=move || text()
                on:click=press
            ></button>
        }
    };
    view! {
        <section class="targets" class:piece-first=move || session.model.with(|m| m.choice.is_piece_first()) aria-label=cx.text("target.title")>
            <For each=move || picks.get() key=|pick| *pick children=target/>
        </section>
        <section class="unseen" aria-label=cx.text("board.title")>
            <ul>
                {move || Space::all().map(|space| view! { <li>{session.model.with(|m| target::sentences(&[cx.say(&target::describe(&m.shown, space))]))}</li> }).collect_view()}
            </ul>
        </section>
    }
}
