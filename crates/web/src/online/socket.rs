//! The browser's socket.

use wasm_bindgen::prelude::*;
use web_sys::{CloseEvent, MessageEvent, WebSocket};

use crate::device::page;

/// A socket with what listens to it. Dropped, it is closed and nobody listens any more.
pub struct Socket {
    inner: WebSocket,
    _open: Closure<dyn Fn()>,
    _message: Closure<dyn Fn(MessageEvent)>,
    _close: Closure<dyn Fn(CloseEvent)>,
}

impl Socket {
    /// Connects to a table.
    pub fn connect(
        table: &str,
        opened: impl Fn() + 'static,
        heard: impl Fn(String) + 'static,
        closed: impl Fn(u16) + 'static,
    ) -> Option<Socket> {
        let location = page::window().location();
        let scheme = if location.protocol().ok()? == "https:" {
            "wss"
        } else {
            "ws"
        };
        let host = location.host().ok()?;
        let url = format!("{scheme}://{host}/api/tables/{table}/socket");
        let socket = WebSocket::new(&url).ok()?;
        let open = Closure::<dyn Fn()>::new(opened);
        let message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string() {
                heard(text);
            }
        });
        let close =
            Closure::<dyn Fn(CloseEvent)>::new(move |event: CloseEvent| closed(event.code()));
        socket.set_onopen(Some(open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(close.as_ref().unchecked_ref()));
        Some(Socket {
            inner: socket,
            _open: open,
            _message: message,
            _close: close,
        })
    }

    /// Says something; what cannot be said now is lost.
    pub fn say(&self, text: &str) {
        if self.inner.ready_state() == WebSocket::OPEN {
            let _ = self.inner.send_with_str(text);
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.inner.set_onopen(None);
        self.inner.set_onmessage(None);
        self.inner.set_onclose(None);
        let _ = self.inner.close();
    }
}
