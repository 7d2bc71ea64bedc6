//! The people at a table on a server, and their chat.

mod calls;
mod chat;
mod people;
mod seats;

pub use calls::CallsLink;
pub use chat::{ChatBubble, ChatDrawer, ChatPanel, fits, sign};
pub use people::ReportTable;
pub use seats::{SeatList, away_clock, away_words, sit_anywhere};
