//! Calling somebody who looks elsewhere: title, icon, sound, and a notification if they allow it.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Notification, NotificationOptions, NotificationPermission, ServiceWorkerContainer,
    ServiceWorkerRegistration,
};

use crate::context::Cx;
use crate::device::{page, sound};

/// Marks the tab: is it the player's turn?
pub fn mark(cx: Cx, mine: bool) {
    let title = if mine {
        format!("● {} · {}", cx.t("live.your_turn"), cx.t("title.name"))
    } else {
        cx.t("title.page")
    };
    page::document().set_title(&title);
    page::icon(if mine { "icon-turn.svg" } else { "icon.svg" });
}

/// Calls a player whose turn it is at a table, unless they are looking.
pub fn out(cx: Cx, table: &str) {
    if !page::is_hidden() {
        return;
    }
    if cx.preferences.with_untracked(|p| p.sound) == client::Sound::On {
        sound::bell();
    }
    if permission() == Some(NotificationPermission::Granted) {
        let options = NotificationOptions::new();
        // One for each table: the newer takes the place of the older.
        options.set_tag(&format!("turn {table}"));
        options.set_body(&cx.t("live.your_turn"));
        options.set_icon("icon-192.png");
        // What the service worker looks for when it is clicked.
        options.set_data(&JsValue::from_str(&format!("#t/{table}")));
        leptos::task::spawn_local(notify(cx.t("title.name"), options));
    }
}

/// Shows a notification, through the service worker where there is one: phones take it from nobody else.
async fn notify(title: String, options: NotificationOptions) {
    // A browser that shows none has its reasons.
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
    found.dyn_into().ok()
}

/// What the player said about notifications; nothing where there are none.
fn permission() -> Option<NotificationPermission> {
    let known = Reflect::has(&page::window(), &"Notification".into()).unwrap_or(false);
    known.then(Notification::permission)
}

/// Whether somebody could be asked for notifications.
pub fn may_ask() -> bool {
    permission() == Some(NotificationPermission::Default)
}

/// Asks for notifications.
pub fn ask() {
    let _ = Notification::request_permission();
}
