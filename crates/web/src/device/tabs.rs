//! Other tabs of the same browser. A game on this device is played in one tab only.

use gloo_events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{BroadcastChannel, MessageEvent};

/// Announces to other tabs which game is opened here, and listens for theirs.
#[derive(Clone, Copy)]
pub struct Tabs(StoredValue<Option<(BroadcastChannel, EventListener)>, LocalStorage>);

impl Tabs {
    /// Listens for games that other tabs open, until the current owner is disposed of. Does nothing in browsers without
    /// `BroadcastChannel`.
    pub fn listen(opened: impl Fn(String) + 'static) -> Tabs {
        let channel = BroadcastChannel::new("towers.games").ok();
        let heard = channel.map(|channel| {
            let listener = EventListener::new(&channel, "message", move |event| {
                let message = event.dyn_ref::<MessageEvent>();
                if let Some(id) = message.and_then(|m| m.data().as_string()) {
                    opened(id);
                }
            });
            (channel, listener)
        });
        let tabs = Tabs(StoredValue::new_local(heard));
        on_cleanup(move || tabs.close());
        tabs
    }

    /// Announces that a game is opened here.
    pub fn announce(self, id: &str) {
        self.0.with_value(|heard| {
            if let Some((channel, _)) = heard {
                // Errors are ignored: only other tabs need the message.
                let _ = channel.post_message(&id.into());
            }
        });
    }

    fn close(self) {
        if let Some((channel, _)) = self.0.try_update_value(Option::take).flatten() {
            channel.close();
        }
    }
}
