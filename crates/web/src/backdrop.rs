//! The valley: behind the pieces of a game, and behind every page.

use leptos::prelude::*;

use crate::context::cx;
use crate::device::page;
use crate::markup::{Markup, view};

/// The valley for a layout. It takes a while to paint, so everything else comes first.
#[component]
pub fn Valley(#[prop(into)] layout: Signal<art::Layout>, class: &'static str) -> Markup {
    let painted = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        page::sleep(20).await;
        painted.try_set(true);
    });
    let scenery = move || {
        if painted.get() {
            layout.with(art::landscape::scenery)
        } else {
            String::new()
        }
    };
    view! { <div class=class aria-hidden="true" inner_html=scenery></div> }
}

/// The valley behind a page.
#[component]
pub fn Backdrop() -> Markup {
    let cx = cx();
    let layout = Signal::derive(move || {
        let (w, h) = cx.size.get();
        art::Layout::fit(w, h)
    });
    view! { <Valley layout class="backdrop page"/> }
}
