//! The landscape behind the pieces of a game and behind every page.

use leptos::prelude::*;
use towers_art::Layout;
use towers_art::landscape::{LAYERS, Layers};

use crate::context::cx;
use crate::device::paint::{self, PaintStage};

/// The landscape of a layout. Painting is slow, so layers are added one by one: sky and ground first, the rest after
/// everything else, to keep the page responsive.
#[component]
pub fn Valley(layout: Memo<Layout>, class: &'static str) -> impl IntoView {
    let layers = [(); LAYERS].map(|()| RwSignal::new(String::new()));
    let newest = StoredValue::new(0);
    Effect::new(move |_| {
        let layout = layout.get();
        newest.update_value(|n| *n += 1);
        let this = newest.get_value();
        leptos::task::spawn_local(async move {
            paint::step(PaintStage::Ground).await;
            let mut pictures = Layers::new(&layout);
            for (place, layer) in layers.into_iter().enumerate() {
                // Sky and ground come first, finer layers after everything else.
                paint::step(if place < 3 {
                    PaintStage::Ground
                } else {
                    PaintStage::Landscape
                })
                .await;
                // The component was removed or resized meanwhile.
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

/// The landscape behind a page.
#[component]
pub fn Backdrop() -> impl IntoView {
    let cx = cx();
    let layout = Memo::new(move |_| {
        let (w, h) = cx.size.get();
        Layout::picture(w, h)
    });
    view! { <Valley layout class="backdrop page"/> }
}
