//! Longer texts, loaded on demand.

use leptos::prelude::*;
use towers_client::address;

use crate::context::cx;
use crate::device::http;

/// The parts of a language's text file, separated by form feeds.
#[derive(Clone, Copy)]
pub enum TextPart {
    Rules,
    Tutorial,
}

/// A text in the chosen language; `None` until it is loaded.
pub fn text(part: TextPart) -> RwSignal<Option<String>> {
    let cx = cx();
    let text = RwSignal::new(None);
    Effect::new(move |_| {
        let language = cx.words.with(|w| w.language().code());
        leptos::task::spawn_local(async move {
            let loaded = http::text(&address::texts(language)).await;
            text.try_set(
                loaded.and_then(|all| Some(all.split('\u{c}').nth(part as usize)?.into())),
            );
        });
    });
    text
}
