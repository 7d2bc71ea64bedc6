//! The WebSocket of a table.

use gloo_events::EventListener;
use towers_client::address;
use wasm_bindgen::JsCast;
use web_sys::{CloseEvent, Event, MessageEvent, WebSocket};

use crate::device::page;

/// A WebSocket with its listeners. Dropping it closes it and removes them.
pub struct Socket {
    inner: WebSocket,
    _listeners: [EventListener; 3],
}

impl Socket {
    /// Connects to a table; only as a spectator if `watch`.
    pub fn connect(
        table: &str,
        watch: bool,
        on_open: impl Fn() + 'static,
        on_text: impl Fn(String) + 'static,
        on_close: impl Fn(Option<u16>) + 'static,
    ) -> Option<Socket> {
        let location = page::window().location();
        let scheme = if location.protocol().ok()? == "https:" {
            "wss"
        } else {
            "ws"
        };
        let host = location.host().ok()?;
        let url = format!("{scheme}://{host}{}", address::socket(table, watch));
        let inner = WebSocket::new(&url).ok()?;
        let open = EventListener::new(&inner, "open", move |_| on_open());
        let message = EventListener::new(&inner, "message", move |event: &Event| {
            let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
            if let Some(text) = data.and_then(|d| d.as_string()) {
                on_text(text);
            }
        });
        let close = EventListener::new(&inner, "close", move |event: &Event| {
            let code = event.dyn_ref::<CloseEvent>().map(CloseEvent::code);
            on_close(code);
        });
        Some(Socket {
            inner,
            _listeners: [open, message, close],
        })
    }

    /// Sends a text. The text is lost if the socket is not open.
    pub fn send(&self, text: &str) {
        if self.inner.ready_state() == WebSocket::OPEN {
            let _ = self.inner.send_with_str(text);
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = self.inner.close();
    }
}
