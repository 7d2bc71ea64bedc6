//! The valley: behind the pieces of a game, and behind every page.

use leptos::prelude::*;

use crate::context::cx;
use crate::device::page;
use crate::markup::{Markup, view};

/// The valley for a layout. It takes a while to paint, so everything else comes first.
#[component]
pub fn Valley(layout: Memo<art::Layout>, class: &'static str) -> Markup {
    let due = page::after(20);
    let scenery = move || {
        if due.get() {
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
    let layout = Memo::new(move |_| {
        let (w, h) = cx.size.get();
        art::Layout::fit(w, h)
    });
    view! { <Valley layout class="backdrop page"/> }
}
