//! Longer texts, loaded when they are wanted.

use crate::context::cx;
use crate::device::page;
use crate::live::{RwSignal, follow};

/// A text file in the chosen language; none until it is there. Another language loads another file.
pub fn text(name: &'static str) -> RwSignal<Option<String>> {
    let cx = cx();
    let text = RwSignal::new(None);
    follow(move || {
        let language = cx.words.with(|w| w.language().code());
        leptos::task::spawn_local(async move {
            let loaded = page::load(&format!("/texts/{name}.{language}.txt")).await;
            text.set(loaded);
        });
    });
    text
}
