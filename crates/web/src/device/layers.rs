//! Layers over a screen, such as dialogs: the browser's back button closes the topmost one.
//!
//! While a layer is open, the history has an entry of its own for it, with the same address. A layer that is closed by its own button
//! leaves the entry where it is; going back over it goes on to the entry before.

use std::cell::{Cell, RefCell};

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::page;

/// The state of the entry.
const LAYER: &str = "layer";

thread_local! {
    static OPEN: RefCell<Vec<(u32, Callback<()>)>> = const { RefCell::new(Vec::new()) };
    static COUNT: Cell<u32> = const { Cell::new(0) };
    /// The address of the entry of the layers, while it is the current one.
    static CURRENT: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn is_layer() -> bool {
    let state = page::window().history().and_then(|h| h.state());
    state.is_ok_and(|state| state == JsValue::from_str(LAYER))
}

/// Opens a layer for as long as the current component is there.
pub fn open(close: Callback<()>) {
    let id = COUNT.replace(COUNT.get().wrapping_add(1));
    OPEN.with_borrow_mut(|open| open.push((id, close)));
    on_cleanup(move || OPEN.with_borrow_mut(|open| open.retain(|(other, _)| *other != id)));
    enter();
}

fn enter() {
    if !is_layer()
        && let Ok(history) = page::window().history()
    {
        let _ = history.push_state(&JsValue::from_str(LAYER), "");
    }
    CURRENT.replace(Some(page::hash()));
}

/// Follows the browser's back button from now on.
pub fn follow() {
    let popped = window_event_listener(leptos::ev::popstate, move |_| {
        let now = is_layer().then(page::hash);
        let before = CURRENT.replace(now.clone());
        if now.is_some() || before != Some(page::hash()) {
            return;
        }
        let top = OPEN.with_borrow(|open| open.last().copied());
        match top {
            Some((_, close)) => {
                close.run(());
                if OPEN.with_borrow(|open| open.len() > 1) {
                    enter();
                }
            }
            None => {
                if let Ok(history) = page::window().history() {
                    let _ = history.back();
                }
            }
        }
    });
    on_cleanup(move || popped.remove());
}
