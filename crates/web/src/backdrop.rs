//! The valley behind everything that is not the board.

use leptos::prelude::*;

use crate::context::cx;

/// The valley, without pieces.
#[component]
pub fn Backdrop() -> impl IntoView {
    let cx = cx();
    let scenery = move || {
        let (w, h) = cx.size.get();
        art::landscape::scenery(&art::Layout::fit(w, h))
    };
    view! { <div class="backdrop page" aria-hidden="true" inner_html=scenery></div> }
}
