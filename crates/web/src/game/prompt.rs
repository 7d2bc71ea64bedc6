//! What is going on, and what is asked for.

use client::words::{Message, say};
use client::{Intent, Model};
use leptos::prelude::*;
use rules::{Declared, Phase, Seat};

use super::clock::ClockLine;
use super::session::Session;
use crate::context::cx;
use crate::markup::{Markup, view};
use crate::parts::CollectView;

/// What is asked of the viewer, or whom the table waits for.
fn status(m: &Model) -> Message {
    let view = &m.shown;
    let turn = &view.turn;
    let who = |key: &'static str, seat: Seat| say(key).with("who", m.names.of(seat));
    if let Some(outcome) = view.outcome {
        return client::log::over(&outcome, view, &m.names);
    }
    if !m.is_mine() {
        return match view.to_act() {
            Some(seat) if Some(seat) == m.me() && m.is_busy() => say("ask.wait"),
            Some(seat) => who("ask.others", seat),
            None => say("ask.wait"),
        };
    }
    // What is pending is told below; here it is enough to name it.
    if let (Some(Intent::Card(card)), Some(_)) = (m.choice.intent(), m.choice.pending()) {
        return client::labels::card(card);
    }
    match turn.phase {
        Phase::Turn => match m.choice.intent() {
            None if view.options.mode == rules::Mode::Versus => {
                say("ask.turn").with("n", turn.played + 1)
            }
            None => say("ask.turn_one"),
            Some(Intent::Card(card)) => say("ask.card").with("card", client::labels::card(card)),
            Some(Intent::Refresh) => say("ask.refresh"),
            Some(Intent::Spell(spell)) => {
                say("ask.spell").with("spell", client::labels::spell(spell))
            }
            Some(Intent::Give) => say("ask.give"),
            Some(Intent::Offer) => say("ask.offer"),
            Some(_) => say("ask.choose"),
        },
        // Where nothing can move, nothing is to be chosen.
        Phase::Rolled if m.choice.pending().is_some() => {
            say("ask.rolled_only").with("n", turn.rolled)
        }
        Phase::Rolled => say("ask.rolled").with("n", turn.rolled),
        Phase::End => match m.choice.intent() {
            Some(Intent::Spell(spell)) => {
                say("ask.spell").with("spell", client::labels::spell(spell))
            }
            _ => say("ask.end"),
        },
        Phase::Asked => who("ask.asked", turn.active),
        Phase::Offered => match turn.offered {
            Some(card) => say("ask.offered").with("card", client::labels::card(card)),
            None => say("ask.choose"),
        },
        Phase::Return => say("ask.return"),
        Phase::Window | Phase::Free => declared(m),
        Phase::Before | Phase::After | Phase::With => {
            let spell = turn.claim.map_or(say("ask.choose"), client::labels::spell);
            say("ask.claimed").with("spell", spell)
        }
        _ => say("ask.wait"),
    }
}

/// What was declared, and may be reacted to (R13.2).
fn declared(m: &Model) -> Message {
    let turn = &m.shown.turn;
    let who = m.names.of(turn.active);
    match turn.declared {
        Declared::Wizard { on, steps, .. } => {
            let from = client::shown::space_of(&m.shown, on).map_or(0, rules::Space::number);
            say("ask.window_wizard")
                .with("who", who)
                .with("from", from)
                .with("n", steps)
        }
        Declared::Tower { tower, steps } => say("ask.window_tower")
            .with("who", who)
            .with("tower", tower.letter())
            .with("n", steps),
        Declared::Nothing | Declared::None if turn.phase == Phase::Free => say("ask.free"),
        Declared::Nothing | Declared::None => say("ask.window_nothing").with("who", who),
    }
}

/// What is going on, what is asked for, what would happen, and why something cannot be done.
#[component]
pub fn Prompt(session: Session) -> Markup {
    let cx = cx();
    let line = move || {
        let told = session
            .ticker
            .get()
            .filter(|_| session.model.with(|m| !m.is_mine()));
        told.map_or_else(
            || session.model.with(|m| cx.say(&status(m))),
            |t| cx.say(&t),
        )
    };
    let preview = move || {
        session
            .model
            .with(|m| m.preview().map(|p| p.lines).unwrap_or_default())
    };
    let mine = move || session.model.with(Model::is_mine);
    let notice = move || {
        session.notice.get().map(|why| {
            view! {
                <p class="why" role="alert">
                    {cx.say(&why.message)}
                    " "
                    {(!why.clause.is_empty()).then(|| view! {
                        <a href=format!("#rules/{}", why.clause) target="_blank" rel="noopener">{why.clause}</a>
                    })}
                </p>
            }
        })
    };
    view! {
        <div class="prompt panel" class:mine=move || mine()>
            <p class="status" id="status">{move || line()}</p>
            <ClockLine session/>
            <ul class="preview">
                {move || preview().iter().map(|l| view! { <li class=l.key.replace('.', "-")>{cx.say(l)}</li> }).collect_view()}
            </ul>
            {move || notice()}
        </div>
    }
}
