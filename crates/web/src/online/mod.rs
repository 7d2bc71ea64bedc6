//! Tables on a server.

mod around;
mod board;
mod lobby;
mod mine;
mod room;
mod share;

pub use board::BoardScreen;
pub use lobby::LobbyScreen;
pub use mine::Mine;
pub use room::TableScreen;
