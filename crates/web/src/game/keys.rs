//! The keyboard during a game, wherever the focus is: 1 to 4 choose cards, letters towers, arrows walk around the ring of targets, Enter
//! confirms, Escape cancels.

use leptos::ev::keydown;
use leptos::prelude::*;
use towers_client::Pick;
use towers_rules::Tower;
use web_sys::KeyboardEvent;

use super::{hand, targets};
use crate::device::focus;
use crate::session::Session;

/// Listens for the lifetime of the current component. Escape calls `close`, even if the focus is elsewhere.
pub fn listen(session: Session, close: impl Fn() + 'static) {
    let handle = window_event_listener(keydown, move |e| {
        if e.key() == "Escape" && session.is_open() && !e.default_prevented() {
            session.opened.set(None);
            session.hints.set(None);
            close();
        }
        press(session, &e);
    });
    on_cleanup(move || handle.remove());
}

fn press(session: Session, e: &KeyboardEvent) {
    let with_modifier = e.ctrl_key() || e.alt_key() || e.meta_key();
    if with_modifier || e.default_prevented() || focus::is_taken() || !session.is_open() {
        return;
    }
    // Ignore key repeat.
    if e.key() == "Enter" && e.repeat() {
        e.prevent_default();
        return;
    }
    let key = e.key();
    match key.as_str() {
        "Escape" => session.take_back(),
        "ArrowRight" | "ArrowDown" => walk(session, e, true),
        "ArrowLeft" | "ArrowUp" => walk(session, e, false),
        // A focused button handles Enter itself.
        "Enter" if !focus::is_on_button() => confirm_or_begin(session, e),
        "1" | "2" | "3" | "4" => choose_card(session, key.as_bytes()[0] - b'1'),
        _ => {
            let letter = key.chars().next().filter(|_| key.len() == 1);
            if let Some(tower) = letter.and_then(|l| Tower::from_letter(l.to_ascii_uppercase())) {
                choose_tower(session, tower);
            }
        }
    }
}

/// Confirms the pending action. With nothing pending, moves the focus to the first available card, piece or button.
fn confirm_or_begin(session: Session, e: &KeyboardEvent) {
    let (is_pending, is_mine) = session
        .model
        .with_untracked(|m| (m.choice.pending().is_some(), m.is_mine()));
    if is_pending {
        session.confirm();
    } else if is_mine {
        // The same key press must not activate the newly focused button.
        e.prevent_default();
        targets::focus_first();
    }
}

/// Walks around the ring of targets. While the log has the focus, arrows scroll it instead.
fn walk(session: Session, e: &KeyboardEvent, forwards: bool) {
    if focus::value("class").is_some_and(|class| class.contains("log-panel")) {
        return;
    }
    e.prevent_default();
    targets::walk(session, forwards);
}

fn choose_card(session: Session, place: u8) {
    let card = session.model.with_untracked(|m| {
        let hand = m.shown.hand.as_ref().filter(|_| m.is_mine())?;
        hand.get(usize::from(place)).copied()
    });
    if let Some(card) = card {
        hand::choose(session, card);
    }
}

/// Chooses a tower and focuses the confirm button if an action is pending.
fn choose_tower(session: Session, tower: Tower) {
    let pick = Pick::Tower(tower);
    if !session.model.with_untracked(towers_client::Model::is_mine) {
        return;
    }
    if !targets::choose(session, pick) {
        session.explain(pick);
    } else if session
        .model
        .with_untracked(|m| m.choice.pending().is_some())
    {
        // Focus the tower at once, so that Enter works before the confirm button exists.
        targets::focus_on(pick);
        focus::focus("#confirm");
    }
}
