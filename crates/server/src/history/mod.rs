//! What people have played: results, ratings, circles, and the board of the deal of the day.
//!
//! The node that stores the last entry of a game stores its result ([`store()`]). If it dies in between, the result is
//! stored when the table is loaded the next time.

mod api;
mod boards;
mod circle_api;
pub mod circles;
pub mod deals;
mod games;
mod ratings;
mod references;
mod result;
pub mod standings;
mod store;
#[cfg(test)]
mod tests;
pub mod totals;

pub use api::routes;
pub use boards::Boards;
pub use circles::name_of_person;
#[cfg(test)]
pub use deals::tests::deal_record;
pub use games::{
    GamePosition, MAX_COUNTED, StoredGame, StoredSeat, companions, games_of, games_of_circle,
};
pub use ratings::{ShownRating, shown_gain};
pub use references::{reference, resolve};
pub use result::GameResult;
#[cfg(test)]
pub use store::WITHOUT_RESULTS;
pub use store::{
    has_missing, name_of, ratings_of, ratings_of_bots, remove_name, store, store_missing,
    without_results,
};
pub use totals::{OpponentTotals, Totals};
