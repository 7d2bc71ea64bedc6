//! Using this person on another device: six words and a QR code, or the words of the other device.

use leptos::prelude::*;
use leptos::task::spawn_local;
use towers_client::{Route, address};

use super::share::code;
use crate::context::cx;
use crate::device::page;
use crate::device::storage::shelf;

/// Offers this person to another device, or accepts the words of one.
#[component]
pub fn DeviceScreen(
    /// The words in the address, separated by hyphens.
    words: Option<String>,
) -> impl IntoView {
    let cx = cx();
    // Who comes by the code of another device has nothing to offer.
    let is_scanned = words.is_some();
    let offered = RwSignal::new(None::<String>);
    let typed = RwSignal::new(words.unwrap_or_default().replace('-', " "));
    let is_busy = RwSignal::new(false);
    let is_secure = page::is_secure();
    let problem = RwSignal::new((!is_secure).then_some("device.insecure"));
    let offer = move |_| {
        is_busy.set(true);
        spawn_local(async move {
            page::session().await;
            let words = page::devices("invite", &shelf().bundle()).await;
            problem.set(words.is_none().then_some("device.offer_failed"));
            offered.set(words);
            is_busy.set(false);
        });
    };
    let accept = move |_| {
        is_busy.set(true);
        spawn_local(async move {
            let bundle = page::devices("claim", &typed.get_untracked()).await;
            is_busy.set(false);
            match bundle {
                Some(bundle) => {
                    // The seats belong to the person even without a bundle.
                    let _ = shelf().adopt(&bundle);
                    page::open_page(address::ME_JOINED);
                }
                None => problem.set(Some("device.wrong")),
            }
        });
    };
    // A bundle that was opened on the data page just before.
    spawn_local(async move {
        if let Some(bundle) = page::devices("opened", "").await {
            let is_taken = shelf().adopt(&bundle).is_ok();
            page::open_page(if is_taken {
                address::DATA_TAKEN
            } else {
                address::DATA_NOT_TAKEN
            });
        }
    });
    // In the fragment, which browsers do not send: the words are for the other device alone.
    let link = |words: &str| {
        let route = Route::Device(Some(words.replace(' ', "-")));
        page::link(&Route::Start) + &route.href()
    };
    view! {
        <div class="setup">
            <main class="panel sheet" id="device">
                <h1>{cx.text("device.title")}</h1>
                <p>{cx.text("device.about")}</p>
                <Show when=move || !is_scanned && offered.with(Option::is_none)>
                    <button class="primary" id="offer" disabled=move || is_busy.get() || !is_secure on:click=offer>{cx.text("device.offer")}</button>
                </Show>
                <Show when=move || offered.with(Option::is_some)>
                    <p class="about">{cx.text("device.offered")}</p>
                    <p class="link" id="words">{move || offered.get()}</p>
                    <div class="qr" role="img" aria-label=cx.text("room.qr") inner_html=move || {
                        offered.with(|words| code(&link(words.as_deref().unwrap_or_default())))
                    }></div>
                </Show>
                <label class="field">
                    <span>{cx.text("device.words")}</span>
                    <input type="text" id="typed-words" autocomplete="off" autocapitalize="none" spellcheck="false"
                        prop:value=typed on:input:target=move |e| typed.set(e.target().value())/>
                </label>
                <div class="buttons">
                    <button id="accept" class:primary=is_scanned disabled=move || is_busy.get() || !is_secure || typed.with(|t| t.trim().is_empty()) on:click=accept>{cx.text("device.accept")}</button>
                    <button class="plain" on:click=move |_| cx.go(Route::Start)>{cx.text("over.start")}</button>
                </div>
                <p role="status" id="device-problem">{move || problem.get().map(|key| cx.t(key))}</p>
            </main>
        </div>
    }
}
