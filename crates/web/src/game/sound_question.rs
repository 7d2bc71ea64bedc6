//! The question whether to play sounds.

use leptos::prelude::*;
use towers_art::Layout;

use super::{placed, zone};
use crate::context::cx;

/// Asks once, in the first game on this device, whether to play sounds. It covers the tools, which are not needed to
/// play.
#[component]
pub fn SoundQuestion(layout: Memo<Layout>) -> impl IntoView {
    let cx = cx();
    view! {
        <Show when=move || cx.preferences.with(|p| p.asks_sound)>
            <section class="sound-question panel" use:placed=zone(layout, |l| l.zones.tools) aria-labelledby="sound-asked">
                <p id="sound-asked">"♪ " {cx.text("sound.ask")}</p>
                <div class="buttons">
                    <button class="primary" id="sound-yes" on:click=move |_| cx.set_sound(true)>{cx.text("sound.yes")}</button>
                    <button class="plain" id="sound-no" on:click=move |_| cx.set_sound(false)>{cx.text("sound.no")}</button>
                </div>
            </section>
        </Show>
    }
}
