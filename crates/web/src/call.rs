//! Calls a player who is in another tab or window: title, icon, sound, and a notification if allowed.

use js_sys::Reflect;
use towers_client::Route;
use towers_client::sound::SoundEffect;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Notification, NotificationOptions, NotificationPermission, ServiceWorkerContainer,
    ServiceWorkerRegistration,
};

use crate::context::Cx;
use crate::device::page;

/// Marks the tab if it is the player's turn.
pub fn mark(cx: Cx, mine: bool) {
    let title = if mine {
        format!("● {} · {}", cx.t("live.your_turn"), cx.t("title.name"))
    } else {
        cx.t("title.page")
    };
    page::document().set_title(&title);
    page::icon(if mine { "icon-turn.svg" } else { "icon.svg" });
}

/// Calls the player to a table, unless the page is visible.
pub fn call(cx: Cx, table: &Route) {
    if !page::is_hidden() {
        return;
    }
    cx.play(SoundEffect::Call);
    if permission() == Some(NotificationPermission::Granted) {
        let options = NotificationOptions::new();
        // One notification per table: a new one replaces the old one.
        options.set_tag(&format!("turn {table}"));
        options.set_body(&cx.t("live.your_turn"));
        options.set_icon("icon-192.png");
        // The service worker opens this address on a click.
        options.set_data(&JsValue::from_str(&table.href()));
        leptos::task::spawn_local(notify(cx.t("title.name"), options));
    }
}

/// Shows a notification, through the service worker if there is one. Phones accept no other way.
async fn notify(title: String, options: NotificationOptions) {
    // Errors are ignored: without permission the browser shows nothing, and nothing depends on it.
    match registration().await {
        Some(worker) => {
            if let Ok(shown) = worker.show_notification_with_options(&title, &options) {
                let _ = JsFuture::from(shown).await;
            }
        }
        None => {
            let _ = Notification::new_with_options(&title, &options);
        }
    }
}

async fn registration() -> Option<ServiceWorkerRegistration> {
    let navigator = page::window().navigator();
    let workers = Reflect::get(&navigator, &"serviceWorker".into()).ok()?;
    let workers: ServiceWorkerContainer = workers.dyn_into().ok()?;
    let found = JsFuture::from(workers.get_registration()).await.ok()?;
    found.dyn_into::<ServiceWorkerRegistration>().ok()?;
    // A service worker that is still being installed shows nothing.
    let active = JsFuture::from(workers.ready().ok()?).await.ok()?;
    active.dyn_into().ok()
}

/// The player's permission for notifications; `None` if the browser has none.
fn permission() -> Option<NotificationPermission> {
    let known = Reflect::has(&page::window(), &"Notification".into()).unwrap_or(false);
    known.then(Notification::permission)
}

/// Whether the player can be asked for permission.
pub fn may_ask() -> bool {
    permission() == Some(NotificationPermission::Default)
}

/// Asks for permission to show notifications.
pub fn ask() {
    let _ = Notification::request_permission();
}
