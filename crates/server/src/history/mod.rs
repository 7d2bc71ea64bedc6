//! What people have played: results, ratings, circles, and the board of the deal of the day.
//!
//! The node that stores the last entry of a game stores its result ([`store`]). If it dies in between, the result is
//! stored when the table is loaded the next time.

mod api;
mod circle_api;
mod circles;
mod deals;
mod games;
mod ratings;
mod references;
mod result;
mod standings;
mod store;
#[cfg(test)]
mod tests;
mod totals;

pub use api::routes;
pub use circles::name_of_person;
#[cfg(test)]
pub use deals::tests::deal_record;
pub use games::{GamePosition, StoredGame, companions, games_of};
pub use ratings::ShownRating;
pub use references::{reference, resolve};
pub use result::GameResult;
pub use store::{has_missing, ratings_of, remove_name, store, store_missing, without_results};
pub use totals::Totals;
