//! The keyboard focus.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::page::{document, sleep};

thread_local! {
    /// The elements that had the focus before each open dialog.
    static BEFORE: RefCell<Vec<Option<HtmlElement>>> = const { RefCell::new(Vec::new()) };
    /// The last one of them outside of all dialogs.
    static OUTSIDE: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
}

fn focused() -> Option<HtmlElement> {
    document().active_element()?.dyn_into().ok()
}

/// Moves the focus after the page has changed.
pub fn focus(selector: &'static str) {
    leptos::task::spawn_local(async move {
        sleep(30).await;
        focus_now(selector);
    });
}

/// Moves the focus after the page has changed, if the element that had it is gone.
pub fn focus_if_lost(selector: &'static str) {
    leptos::task::spawn_local(async move {
        sleep(30).await;
        let body = document().body();
        if focused().is_none_or(|e| Some(e) == body) {
            focus_now(selector);
        }
    });
}

/// Moves the focus to an element that already exists.
pub fn focus_now(selector: &str) {
    if let Ok(Some(element)) = document().query_selector(selector)
        && let Some(element) = element.dyn_ref::<HtmlElement>()
    {
        // An element that cannot be focused leaves the focus unchanged.
        let _ = element.focus();
    }
}

/// Moves the focus to the first match of a selector inside an element.
pub fn focus_inside(element: &Element, selector: &str) {
    let found = element.query_selector(selector).ok().flatten();
    if let Some(found) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot be focused leaves the focus unchanged.
        let _ = found.focus();
    }
}

/// An attribute of the element that has the focus.
pub fn value(attribute: &str) -> Option<String> {
    focused()?.get_attribute(attribute)
}

/// Whether key presses belong to a text field or a dialog.
pub fn is_taken() -> bool {
    let fields = "input, textarea, select, [contenteditable], [role=dialog]";
    let inside = focused().is_some_and(|e| e.closest(fields).ok().flatten().is_some());
    let dialog = document().query_selector("[role=dialog]");
    inside || dialog.ok().flatten().is_some()
}

/// Whether the focused element handles Enter itself.
pub fn is_on_button() -> bool {
    focused().is_some_and(|e| e.matches("button, a[href], summary").unwrap_or(false))
}

/// Remembers the focused element before a dialog opens.
pub fn remember() {
    let focused = focused();
    let in_dialog = |e: &HtmlElement| e.closest("[role=dialog]").ok().flatten().is_some();
    if let Some(outside) = focused.clone().filter(|e| !in_dialog(e)) {
        OUTSIDE.set(Some(outside));
    }
    BEFORE.with_borrow_mut(|all| all.push(focused));
}

/// Restores the focus, unless another element has it. A dialog that replaced another one was opened from an element that
/// is gone: then the element before both gets the focus.
pub fn give_back() {
    let Some(element) = BEFORE.with_borrow_mut(Vec::pop) else {
        return;
    };
    leptos::task::spawn_local(async move {
        sleep(30).await;
        let body = document().body();
        if focused().is_some_and(|e| Some(e) != body) {
            return;
        }
        let mut known = [element, OUTSIDE.with_borrow(Clone::clone)]
            .into_iter()
            .flatten();
        if let Some(element) = known.find(|e| e.is_connected()) {
            let _ = element.focus();
        }
    });
}

/// Keeps the Tab key inside a dialog: wraps from the last element to the first, or back. Returns whether it wrapped.
pub fn turn_around(inside: &str, backwards: bool) -> bool {
    let kinds = [
        "button:enabled",
        "a[href]",
        "input",
        "select",
        "textarea",
        "summary",
    ];
    let selector = kinds.map(|kind| format!("{inside} {kind}")).join(",");
    let Ok(list) = document().query_selector_all(&selector) else {
        return false;
    };
    let at = |n: u32| list.get(n)?.dyn_into::<HtmlElement>().ok();
    let (Some(first), Some(last)) = (at(0), at(list.length().saturating_sub(1))) else {
        return false;
    };
    let (end, other) = if backwards {
        (first, last)
    } else {
        (last, first)
    };
    let turns = focused().as_ref() == Some(&end);
    if turns {
        let _ = other.focus();
    }
    turns
}
