//! Between a screen and its table: messages there and back.
//!
//! A table on this device and a table on a server are the same to the screen.

use table::{ClientMessage, Millis, ServerMessage};

/// A way to a table.
pub trait Transport {
    /// Says something to the table.
    fn send(&mut self, now: Millis, message: ClientMessage);

    /// The next thing the table has said, if anything is there.
    fn receive(&mut self) -> Option<ServerMessage>;
}
