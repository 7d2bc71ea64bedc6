//! Where the keyboard is.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::page::{document, sleep};

thread_local! {
    /// Where the keyboard was before the boxes that are open.
    static BEFORE: RefCell<Vec<Option<HtmlElement>>> = const { RefCell::new(Vec::new()) };
}

fn focused() -> Option<HtmlElement> {
    document().active_element()?.dyn_into().ok()
}

/// Moves the keyboard's focus, after the page has changed.
pub fn focus(selector: &'static str) {
    leptos::task::spawn_local(async move {
        sleep(30).await;
        if let Ok(Some(element)) = document().query_selector(selector)
            && let Some(element) = element.dyn_ref::<HtmlElement>()
        {
            let _ = element.focus();
        }
    });
}

/// Remembers where the keyboard is, before a box opens.
pub fn remember() {
    BEFORE.with_borrow_mut(|all| all.push(focused()));
}

/// Goes back to where the keyboard was, unless something else took it.
pub fn give_back() {
    let Some(element) = BEFORE.with_borrow_mut(Vec::pop).flatten() else {
        return;
    };
    leptos::task::spawn_local(async move {
        sleep(30).await;
        let body = document().body();
        if focused().is_none_or(|e| Some(e) == body) && element.is_connected() {
            let _ = element.focus();
        }
    });
}

/// At the last thing in a box the Tab key leads to the first, and back again: whether that was so.
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
