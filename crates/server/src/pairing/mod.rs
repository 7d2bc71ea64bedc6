//! "Find me a game": people who wait for the same kind of game are paired, whichever server they are connected to. And
//! invitations of former opponents.

mod api;
mod gathering;
mod invitations;
mod matching;
mod waiting;

pub use api::routes;
pub use invitations::{Invitation, invitations_of, shown_invitations};
