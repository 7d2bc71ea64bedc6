//! Dragging a card of the hand onto a piece that it moves.

use leptos::prelude::*;
use towers_client::{Hover, Intent};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use super::gesture::{drop_card, is_far};
use crate::device::page::px;
use crate::session::Session;

#[derive(Clone, Copy)]
pub struct CardDrag {
    session: Session,
    intent: Intent,
    /// The id of the pointer that pressed the card, and its position.
    pressed: StoredValue<Option<(i32, (i32, i32))>>,
    /// The offset of the card from its place.
    pub offset: RwSignal<Option<(i32, i32)>>,
    /// Whether the next click is part of a drag.
    has_dropped: StoredValue<bool>,
}

impl CardDrag {
    pub fn new(session: Session, intent: Intent) -> CardDrag {
        CardDrag {
            session,
            intent,
            pressed: StoredValue::new(None),
            offset: RwSignal::new(None),
            has_dropped: StoredValue::new(false),
        }
    }

    pub fn transform(self) -> String {
        let Some((x, y)) = self.offset.get() else {
            return String::new();
        };
        // Rotate after the translation; in the other order the rotation would change its direction.
        let (x, y) = (px(f64::from(x)), px(f64::from(y)));
        format!("translate({x}, {y}) rotate(3deg)")
    }

    pub fn press(self, e: &PointerEvent) {
        let can = self
            .session
            .model
            .with_untracked(|m| m.is_mine() && m.choice.can(self.intent));
        let spot = (e.client_x(), e.client_y());
        let pressed = (can && e.button() == 0).then_some((e.pointer_id(), spot));
        self.pressed.set_value(pressed);
        self.has_dropped.set_value(false);
        // A fast mouse leaves the card before the drag starts; the browser captures touch pointers itself.
        let card = e
            .current_target()
            .and_then(|t| t.dyn_into::<Element>().ok())
            .filter(|_| pressed.is_some());
        if let Some(card) = card {
            // A pointer that no longer exists cannot be captured; its drag ends by itself.
            let _ = card.set_pointer_capture(e.pointer_id());
        }
    }

    /// Moves the card with the pointer and highlights the pieces that it can move.
    pub fn follow(self, e: &PointerEvent) {
        let Some((pointer, spot)) = self.pressed.get_value() else {
            return;
        };
        let is_dragged = self.offset.with_untracked(Option::is_some);
        if pointer != e.pointer_id() || !(is_dragged || is_far(spot, e)) {
            return;
        }
        if !is_dragged {
            self.session.hover.set(Some(Hover::Intent(self.intent)));
        }
        let (x, y) = spot;
        self.offset.set(Some((e.client_x() - x, e.client_y() - y)));
    }

    /// Drops the card on the element under the pointer.
    pub fn release(self, e: &PointerEvent) {
        let is_dragged = self.offset.with_untracked(Option::is_some);
        let at = (e.client_x(), e.client_y());
        self.cancel();
        if is_dragged {
            self.has_dropped.set_value(true);
            drop_card(self.session, self.intent, at, e.pointer_type() == "mouse");
        }
    }

    /// Ends the drag and returns the card to its place.
    pub fn cancel(self) {
        self.pressed.set_value(None);
        if self.offset.with_untracked(Option::is_some) {
            self.offset.set(None);
            self.session.hover.set(None);
        }
    }

    /// Whether a click belongs to the drag that has just ended.
    pub fn takes_click(self) -> bool {
        let takes = self.has_dropped.get_value();
        self.has_dropped.set_value(false);
        takes
    }
}
