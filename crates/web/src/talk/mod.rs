//! The people at a table on a server, and their chat.

mod chat;
mod people;
mod seats;

pub use chat::{ChatBubble, ChatDrawer, ChatPanel, fits, sign};
pub use people::ReportTable;
pub use seats::{SeatList, away_clock, away_words};
