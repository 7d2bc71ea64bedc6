//! The details of an item: what it is, what it could do now, and which of its parts can be picked.

use leptos::prelude::*;
use towers_art::scene::Mark;
use towers_art::side_view::SideView;
use towers_client::explain::{explain, things};
use towers_client::{Intent, Model, Pick, Thing, picture, target};
use towers_rules::{Memory, Space};

use super::actions::is_second;
use crate::context::cx;
use crate::parts::Dialog;
use crate::session::Session;

/// A stack from the side, with its possible picks.
fn side(m: &Model, space: Space) -> (String, Vec<Pick>) {
    let picks = if m.is_mine() {
        target::picks_at(&m.shown, space, &m.choice.targets())
    } else {
        Vec::new()
    };
    let marks: Vec<_> = picks
        .iter()
        .filter_map(|p| Some((picture::piece(*p, &m.shown)?, Mark::Legal)))
        .collect();
    let board = m.shown.diagram();
    let side = SideView {
        board: &board,
        space,
        marks: &marks,
        show_prisoners: m.shown.options.memory == Memory::Assisted,
    };
    (side.svg(), picks)
}

/// The picture of an item, with its possible picks.
fn picture_of(m: &Model, thing: Thing) -> (Option<String>, Vec<Pick>) {
    match thing {
        Thing::Stack(space) => {
            let (svg, picks) = side(m, space);
            (Some(svg), picks)
        }
        Thing::Castle => (Some(side(m, m.shown.castle).0), Vec::new()),
        Thing::Spell(spell) => {
            let cost = m.shown.options.costs.of(spell);
            let tile = towers_art::pieces::spell::tile(spell, cost);
            (Some(tile), Vec::new())
        }
        Thing::DiscardPile => (m.top.map(towers_art::pieces::book::card), Vec::new()),
        Thing::Player(seat) => {
            let look = super::players::picture(&m.shown, seat, false);
            (Some(look), Vec::new())
        }
        Thing::Die | Thing::DrawPile | Thing::Table => (None, Vec::new()),
    }
}

/// The details of an item, with a button for each possible pick.
#[component]
pub fn LookDialog(session: Session) -> impl IntoView {
    let cx = cx();
    let content = move || {
        let thing = session.opened.get()?;
        let (it, (svg, picks)) = session
            .model
            .with(|m| (explain(m, thing), picture_of(m, thing)));
        let button = move |pick: Pick| {
            let words = session.model.with(|m| {
                let what = cx.say(&target::label(&m.shown, pick));
                let then: Vec<_> = target::outcome(m, pick).iter().map(|l| cx.say(l)).collect();
                (what, then.join(" "))
            });
            view! {
                // The second tap of a double tap on the stack does not choose what opens below it.
                <button class="row" on:click=move |e| if !is_second(&e) { session.pick(pick) }>
                    <b>{words.0}</b>
                    <small>{words.1}</small>
                </button>
            }
        };
        // While a piece is being chosen for a card, omit the explanation.
        let choosing = session.model.with(|m| {
            matches!(
                m.choice.intent(),
                Some(
                    Intent::Card(_)
                        | Intent::Roll
                        | Intent::Spell(_)
                        | Intent::Before(_)
                        | Intent::Refresh
                )
            ) && !picks.is_empty()
        });
        // For keyboards and screen readers: everything on the table, in a list.
        let rows = move |thing: Thing| {
            let (it, cx) = (session.model.with(|m| explain(m, thing)), cx);
            let words: Vec<_> = it.lines.iter().take(2).map(|l| cx.say(l)).collect();
            view! {
                <button class="row" on:click=move |_| session.look_at(thing)>
                    <b>{cx.say(&it.title)}</b>
                    <small>{words.join(" ")}</small>
                </button>
            }
        };
        let all = match thing {
            Thing::Table => session.model.with(|m| things(&m.shown)),
            _ => Vec::new(),
        };
        let lines = if choosing { Vec::new() } else { it.lines };
        let title = Signal::derive(move || cx.say(&it.title));
        let class = if matches!(thing, Thing::Stack(_)) {
            "opened"
        } else {
            "opened opened-thing"
        };
        Some(view! {
            <Dialog title close=move || session.opened.set(None)>
                <div class=class>
                    {svg.map(|svg| view! { <div class="opened-look" aria-hidden="true" inner_html=svg></div> })}
                    <div class="opened-words">
                        <div class="opened-picks">{all.into_iter().map(rows).collect_view()}{picks.into_iter().map(button).collect_view()}</div>
                        {lines.iter().map(|l| view! { <p>{cx.say(l)}</p> }).collect_view()}
                    </div>
                </div>
            </Dialog>
        })
    };
    view! {
        <button class="spell-button look-around" on:click=move |_| session.look_at(Thing::Table)>{cx.text("look.title")}</button>
        {move || content()}
    }
}
