//! Layers over a screen, such as dialogs: the browser's back button closes the topmost one.
//!
//! While a layer is open, the history has an extra entry for it, with the same address. Closing a layer by its own
//! button keeps the entry; going back over it skips to the previous one.

use std::cell::{Cell, RefCell};

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::page;

/// The state object of the history entry.
const LAYER: &str = "layer";

thread_local! {
    static OPEN: RefCell<Vec<(u32, Callback<()>)>> = const { RefCell::new(Vec::new()) };
    static COUNT: Cell<u32> = const { Cell::new(0) };
    /// The address of the layer entry while it is current.
    static CURRENT: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn is_layer() -> bool {
    let state = page::window().history().and_then(|h| h.state());
    state.is_ok_and(|state| state == JsValue::from_str(LAYER))
}

/// Opens a layer for the lifetime of the current component.
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

/// Starts listening to the browser's back button.
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
