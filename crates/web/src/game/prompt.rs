//! The prompt: what is going on, and what the player has to do.

use leptos::prelude::*;
use towers_client::words::{Message, say};
use towers_client::{Intent, Model, Route};
use towers_rules::{Declared, Phase, RefreshDraw, RefreshTower, Seat};

use super::clock::ClockLine;
use crate::context::cx;
use crate::session::Session;

/// What the viewer has to do, or whom the table waits for.
fn status(m: &Model) -> Message {
    let view = &m.shown;
    let turn = &view.turn;
    let who = |key: &'static str, seat: Seat| say(key).with("who", m.names.of(seat));
    if let Some(outcome) = view.outcome {
        return towers_client::log::over(&outcome, view, &m.names);
    }
    if !m.is_mine() {
        return match view.to_act() {
            // R12.2: the partner is the viewer and may offer something.
            Some(seat) if !m.optional().is_empty() => who("ask.visit", seat),
            Some(seat) if Some(seat) == m.me() && m.is_busy() => say("ask.wait"),
            Some(seat) => who("ask.others", seat),
            None => say("ask.wait"),
        };
    }
    // The effects of a pending card are listed below, so its name is enough here.
    if let (Some(Intent::Card(card)), Some(_)) = (m.choice.intent(), m.choice.pending()) {
        return towers_client::labels::card(card);
    }
    if let Some(&piece) = m.choice.held().first() {
        return say("ask.held").with("piece", towers_client::target::label(view, piece));
    }
    let must = view.options.refresh_tower == RefreshTower::Must;
    match turn.phase {
        Phase::Opening if turn.active != turn.actor => who("ask.opening_other", turn.active),
        Phase::Opening if m.choice.intent().is_none() => say("ask.opening"),
        Phase::Turn | Phase::Opening => match m.choice.intent() {
            None if view.options.mode == towers_rules::Mode::Versus => {
                say("ask.turn").with("n", turn.played + 1)
            }
            None => say("ask.turn_one"),
            Some(Intent::Card(card)) => {
                say("ask.card").with("card", towers_client::labels::card(card))
            }
            Some(Intent::Refresh) if view.options.refresh_draw == RefreshDraw::First => {
                say("ask.refresh_first")
            }
            Some(Intent::Refresh) if must => say("ask.refresh_must"),
            Some(Intent::Refresh) => say("ask.refresh"),
            Some(Intent::Spell(spell)) => {
                say("ask.spell").with("spell", towers_client::labels::spell(spell))
            }
            Some(Intent::Give) => say("ask.give"),
            Some(Intent::Offer) => say("ask.offer"),
            Some(_) => say("ask.choose"),
        },
        // Without a movable piece there is nothing to choose.
        Phase::Rolled if m.choice.pending().is_some() => {
            say("ask.rolled_only").with("n", turn.rolled)
        }
        Phase::Rolled => say("ask.rolled").with("n", turn.rolled),
        Phase::Refreshed if must => say("ask.refreshed_must"),
        Phase::Refreshed => say("ask.refreshed"),
        Phase::End => match m.choice.intent() {
            Some(Intent::Spell(spell)) => {
                say("ask.spell").with("spell", towers_client::labels::spell(spell))
            }
            _ => say("ask.end"),
        },
        Phase::Asked => who("ask.asked", turn.active),
        Phase::Offered => say("ask.offered_hidden"),
        Phase::Return => say("ask.return"),
        Phase::Window => declared(m),
        Phase::Closing if turn.active == turn.actor => say("ask.closing"),
        Phase::Closing => who("ask.closing_other", turn.active),
        Phase::Cast | Phase::Before | Phase::After | Phase::With => {
            let spell = turn.spell();
            let spell = spell.map_or(say("ask.choose"), towers_client::labels::spell);
            say("ask.claimed").with("spell", spell)
        }
        _ => say("ask.wait"),
    }
}

/// The declared move, to which players may react (R13.2).
fn declared(m: &Model) -> Message {
    let turn = &m.shown.turn;
    let who = m.names.of(turn.active);
    match turn.declared {
        Declared::Wizard { on, steps, .. } => {
            let from =
                towers_client::shown::space_of(&m.shown, on).map_or(0, towers_rules::Space::number);
            say("ask.window_wizard")
                .with("who", who)
                .with("from", from)
                .with("n", steps)
        }
        Declared::Tower { tower, steps } => say("ask.window_tower")
            .with("who", who)
            .with("tower", tower.letter())
            .with("n", steps),
        Declared::Nothing | Declared::None => say("ask.window_nothing").with("who", who),
    }
}

/// Solo and cooperative games: cards used so far, the goal, the rating in reach, and the best result so far
/// (R14.3).
#[component]
fn Goal(session: Session) -> impl IntoView {
    let cx = cx();
    let shelf = crate::device::storage::shelf();
    let best = match session.daily() {
        Some(day) => shelf.daily(&day).map(|n| say("goal.best").with("n", n)),
        None => session
            .model
            .with_untracked(|m| shelf.best(&m.table.settings))
            .map(|n| say("goal.best_ever").with("n", n)),
    };
    let remark = session.deal_source().and_then(towers_client::daily::remark);
    let parts = move || {
        session.model.with(|m| {
            let view = &m.shown;
            (view.options.mode != towers_rules::Mode::Versus).then(|| {
                let rating = towers_rules::Rating::of(view.score);
                let key = towers_client::result::rating_key(rating);
                let mut parts = vec![
                    cx.say(&say("goal.cards").with("n", view.score).with("goal", GOAL)),
                    cx.say(&say("goal.reach").with("rating", say(key))),
                ];
                parts.extend(best.iter().chain(&remark).map(|text| cx.say(text)));
                parts.join(" · ")
            })
        })
    };
    move || parts().map(|text| view! { <p class="goal" id="goal">{text}</p> })
}

/// The goal of a solo or cooperative game: at most this many cards (R14.3).
const GOAL: u16 = 30;

/// The current event or prompt, the preview, and why an action is not possible.
#[component]
pub fn Prompt(session: Session) -> impl IntoView {
    let cx = cx();
    let line = move || {
        let told = session
            .ticker
            .get()
            .filter(|_| session.model.with(|m| !m.is_mine()));
        let paused = session.awaits_step.get();
        let told = told.map(|t| cx.say(&t));
        // While somebody decides, their last event is not all there is to say.
        let now = session.model.with(|m| {
            let waits = !m.is_busy() && m.shown.outcome.is_none();
            waits.then(|| cx.say(&status(m)))
        });
        let told = match now {
            Some(now) => told.map(|told| format!("{told} {now}")),
            None => told,
        };
        let told = if paused {
            Some(format!(
                "{} · {}",
                cx.t("show.paused"),
                told.unwrap_or_default()
            ))
        } else {
            told
        };
        told.unwrap_or_else(|| session.model.with(|m| cx.say(&status(m))))
    };
    let preview = move || {
        let hover = session.hover.get();
        session.model.with(|m| m.effects(hover.as_ref()))
    };
    let mine = move || session.model.with(Model::is_mine);
    // For tests: the number of the open decision.
    let decision = move || {
        let number = session.model.with(Model::decision);
        number.map_or(String::new(), |n| n.to_string())
    };
    let notice = move || {
        session.notice.get().map(|why| {
            view! {
                <p class="why" role="alert">
                    {cx.say(&why.message)}
                    " "
                    {(!why.clause.is_empty()).then(|| view! {
                        <a href=Route::Rules(Some(why.clause.into())).href() target="_blank" rel="noopener">{why.clause}</a>
                    })}
                </p>
            }
        })
    };
    view! {
        <div class="prompt panel" class:mine=move || mine() data-decision=decision>
            // On small screens these are one paragraph, so spaces separate them.
            <p class="status" id="status">{move || line()}</p>
            " "
            <Goal session/>
            " "
            <ClockLine session/>
            " "
            <ul class="preview">
                {move || preview().iter().map(|l| view! { <li class=l.key.replace('.', "-")>{cx.say(l)}</li>" " }).collect_view()}
            </ul>
            " "
            {move || notice()}
        </div>
    }
}
