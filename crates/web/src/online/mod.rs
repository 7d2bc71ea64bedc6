//! Tables on a server.

mod around;
mod board;
mod device;
mod lobby;
mod mine;
mod room;
mod share;

pub use board::BoardScreen;
pub use device::DeviceScreen;
pub use lobby::LobbyScreen;
pub use mine::Mine;
pub use room::TableScreen;
