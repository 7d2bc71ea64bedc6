//! Longer texts, loaded when they are wanted.

use crate::context::cx;
use crate::device::page;
use crate::live::{RwSignal, follow};

/// The texts in the file of a language, with a new page between them.
#[derive(Clone, Copy)]
pub enum Text {
    Rules,
    Tutorial,
}

/// A text in the chosen language; none until it is there. Another language loads another file.
pub fn text(part: Text) -> RwSignal<Option<String>> {
    let cx = cx();
    let text = RwSignal::new(None);
    follow(move || {
        let language = cx.words.with(|w| w.language().code());
        leptos::task::spawn_local(async move {
            let loaded = page::load(&format!("/texts/{language}.txt")).await;
            text.set(loaded.and_then(|all| Some(all.split('\u{c}').nth(part as usize)?.into())));
        });
    });
    text
}
