//! The valley: behind the pieces of a game, and behind every page.

use art::Layout;
use art::landscape::{LAYERS, Layers};
use leptos::prelude::*;

use crate::context::cx;
use crate::device::turns;
use crate::live::{Memo, RwSignal, StoredValue, follow};
use crate::markup::{Markup, view};
use crate::parts::CollectView;

/// The valley for a layout. It takes a while to paint, so it comes one layer after the other, sky and ground first and the
/// rest when everything else is there: the page can answer in between.
#[component]
pub fn Valley(layout: Memo<Layout>, class: &'static str) -> Markup {
    let layers = [(); LAYERS].map(|()| RwSignal::new(String::new()));
    let newest = StoredValue::new(0);
    follow(move || {
        let layout = layout.get();
        newest.update_value(|n| *n += 1);
        let this = newest.get_value();
        leptos::task::spawn_local(async move {
            turns::turn(1).await;
            let mut pictures = Layers::new(&layout);
            for (place, layer) in layers.into_iter().enumerate() {
                // Sky and ground come first, all that is finer after everything else.
                turns::turn(if place < 3 { 1 } else { 9 }).await;
                // Gone, or of another size by now.
                if newest.try_get_value() != Some(this) {
                    return;
                }
                layer.set(pictures.next().unwrap_or_default());
            }
        });
    });
    let shown = layers
        .into_iter()
        .map(|layer| view! { <div inner_html=move || layer.get()></div> });
    view! { <div class=class aria-hidden="true">{shown.collect_view()}</div> }
}

/// The valley behind a page.
#[component]
pub fn Backdrop() -> Markup {
    let cx = cx();
    let layout = Memo::new(move || {
        let (w, h) = cx.size.get();
        Layout::fit(w, h)
    });
    view! { <Valley layout class="backdrop page"/> }
}
