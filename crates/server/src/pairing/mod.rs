//! "Find me a game": people who wait for the same are paired, at whichever server they are. And invitations of people
//! with whom one has played.

mod api;
mod gathering;
mod invitations;
mod matching;
mod waiting;

pub use api::routes;
pub use invitations::{Invitation, invitations_of, shown_invitations};
