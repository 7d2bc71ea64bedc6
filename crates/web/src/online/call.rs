//! Calling somebody who looks elsewhere: title, icon, sound, and a notification if they allow it.

use leptos::prelude::*;
use web_sys::{Notification, NotificationOptions, NotificationPermission, VisibilityState};

use crate::context::Cx;
use crate::device::{page, sound};

fn is_hidden() -> bool {
    page::document().visibility_state() == VisibilityState::Hidden
}

/// Says whether it is the player's turn.
pub fn turn(cx: Cx, mine: bool) {
    let title = if mine {
        format!("● {} · {}", cx.t("live.your_turn"), cx.t("title.name"))
    } else {
        cx.t("title.page")
    };
    page::document().set_title(&title);
    page::icon(if mine { "icon-turn.svg" } else { "icon.svg" });
    if !(mine && is_hidden()) {
        return;
    }
    if cx.preferences.with_untracked(|p| p.sound) == client::Sound::On {
        sound::bell();
    }
    if Notification::permission() == NotificationPermission::Granted {
        let options = NotificationOptions::new();
        options.set_tag("turn");
        options.set_body(&cx.t("live.your_turn"));
        // A browser that shows none has its reasons.
        let _ = Notification::new_with_options(&cx.t("title.name"), &options);
    }
}

/// Whether somebody could be asked for notifications.
pub fn may_ask() -> bool {
    js_sys::Reflect::has(&page::window(), &"Notification".into()).unwrap_or(false)
        && Notification::permission() == NotificationPermission::Default
}

/// Asks for notifications.
pub fn ask() {
    let _ = Notification::request_permission();
}
