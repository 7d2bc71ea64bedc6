//! What can be picked, as buttons: for keyboards and screen readers, and the board in words.

use client::words::{Message, say};
use client::{Model, Pick, labels, shown};
use leptos::prelude::*;
use rules::{Space, View};

use super::session::Session;
use crate::context::cx;
use crate::device::page::px;
use crate::live::Memo;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, keyed};

/// The picks that belong to a space, from the top down.
pub fn picks_at(view: &View, space: Space, offers: &[Pick]) -> Vec<Pick> {
    let height = |pick: &Pick| match pick {
        Pick::Tower(tower) => shown::find(view, *tower).map(|f| f.1),
        Pick::Wizard(..) => Some(99),
        _ => Some(50),
    };
    let mut here: Vec<Pick> = offers
        .iter()
        .copied()
        .filter(|p| place(view, *p) == Some(space))
        .collect();
    here.sort_by_key(|p| std::cmp::Reverse(height(p)));
    here
}

/// The space of a pick.
pub fn place(view: &View, pick: Pick) -> Option<Space> {
    match pick {
        Pick::Wizard(space, _) | Pick::Space(space) => Some(space),
        Pick::Tower(tower) => shown::find(view, tower).map(|f| f.0),
        Pick::Direction(_) => Some(view.castle),
        _ => None,
    }
}

/// A pick in words.
pub fn label(view: &View, pick: Pick) -> Message {
    match pick {
        Pick::Wizard(space, colour) => say("target.wizard")
            .with("colour", labels::colour(colour))
            .with("space", space.number()),
        Pick::Tower(tower) => {
            let space = shown::find(view, tower).map_or(0, |f| f.0.number());
            say("target.tower")
                .with("tower", tower.letter())
                .with("space", space)
        }
        Pick::Space(space) => say("target.top").with("space", space.number()),
        Pick::Direction(way) => say("target.castle").with("way", labels::direction(way)),
        Pick::Nothing => say("target.nothing"),
        Pick::Dice => say("target.dice"),
        Pick::Card(card) => labels::card(card),
        Pick::Count(n) => say("count.flasks").with("n", n),
    }
}

/// What picking something would do, in words.
pub fn outcome(model: &Model, pick: Pick) -> Vec<Message> {
    let mut choice = model.choice.clone();
    choice.pick(pick);
    let Some((me, action)) = model.me().zip(choice.pending()) else {
        return Vec::new();
    };
    client::preview::preview(&model.shown, me, action)
        .map(|p| p.lines)
        .unwrap_or_default()
}

/// Buttons over the pieces that can be picked. Pointers use the pieces themselves.
#[component]
pub fn Targets(session: Session, layout: Memo<art::Layout>) -> Markup {
    let cx = cx();
    let picks = Memo::new(move || {
        session.model.with(|m| {
            let list = if m.is_mine() {
                m.choice.alternatives()
            } else {
                Vec::new()
            };
            list.into_iter()
                .filter(|p| place(&m.shown, *p).is_some())
                .collect::<Vec<_>>()
        })
    });
    let target = move |pick: Pick| {
        let text = move || {
            session.model.with(|m| {
                let mut words = vec![cx.say(&label(&m.shown, pick))];
                words.extend(outcome(m, pick).iter().map(|line| cx.say(line)));
                words.join(". ")
            })
        };
        let spot = move || {
            session.model.with(|m| {
                let space = place(&m.shown, pick).unwrap_or(m.shown.castle);
                layout.with(|l| {
                    let up = match pick {
                        Pick::Tower(t) => shown::find(&m.shown, t).map_or(0, |f| f.1 - 1),
                        _ => shown::height(&m.shown, space),
                    };
                    let tiers = l.tiers(
                        space.index(),
                        shown::height(&m.shown, space),
                        m.shown.castle == space,
                    );
                    let point = tiers.surface(up);
                    (point.x, point.y - 20.0 * tiers.scale)
                })
            })
        };
        let chosen = move || session.model.with(|m| m.choice.picks().contains(&pick));
        view! {
            <button
                class="target"
                style:left=move || px(spot().0)
                style:top=move || px(spot().1)
                aria-pressed=move || if chosen() { "true" } else { "false" }
                aria-label=move || text()
                on:click=move |_| {
                    session.pick(pick);
                    crate::device::focus::focus("#confirm");
                }
            ></button>
        }
    };
    view! {
        <section class="targets" aria-label=cx.text("target.title")>
            {keyed(move || picks.get(), |pick| *pick, target)}
        </section>
        <section class="unseen" aria-label=cx.text("board.title")>
            <ul>
                {move || Space::all().map(|space| view! { <li>{session.model.with(|m| cx.say(&describe(&m.shown, space)))}</li> }).collect_view()}
            </ul>
        </section>
    }
}

/// A space in words: what everybody can see, and no more.
fn describe(view: &View, space: Space) -> Message {
    let levels = &view.spaces[space.index()];
    let towers: Vec<_> = levels
        .iter()
        .filter_map(|l| l.tower)
        .map(|t| t.to_string())
        .collect();
    let wizards = labels::wizards(shown::exposed(view, space));
    let key = match (towers.is_empty(), wizards.is_empty(), view.castle == space) {
        (true, _, true) => "board.castle",
        (false, _, true) => "board.castle_on",
        (true, true, _) => "board.empty",
        (true, false, _) => "board.wizards",
        (false, true, _) => "board.towers",
        (false, false, _) => "board.both",
    };
    let mut message = say(key).with("space", space.number());
    if matches!(key, "board.castle_on" | "board.towers" | "board.both") {
        message = message
            .with("n", towers.len() as u32)
            .with("towers", towers.join(" "));
    }
    if matches!(key, "board.wizards" | "board.both") {
        message = message.with("wizards", wizards);
    }
    message
}
