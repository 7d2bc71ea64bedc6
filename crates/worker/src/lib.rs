//! The program that runs beside the page: bots, puzzle solver and review.
//!
//! The page ([`towers_client::worker`]) sends a request and receives one response, both as JSON.

mod bots;
mod study;

use std::cell::RefCell;
use std::time::Duration;

use bots::Bots;
use towers_client::worker::{Job, JobRequest, JobResponse, JobResult};
use towers_study::{review, statistics};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static BOTS: RefCell<Bots> = RefCell::default();
}

/// Executes a request. Returns an empty text if the request cannot be parsed.
#[wasm_bindgen]
pub fn respond(request: &str) -> String {
    let clock = || Duration::from_secs_f64(js_sys::Date::now() / 1000.0);
    BOTS.with_borrow_mut(|bots| respond_with(bots, &clock, request))
        .unwrap_or_default()
}

fn respond_with(
    bots: &mut Bots,
    clock: &dyn Fn() -> Duration,
    request: &str,
) -> Result<String, serde_json::Error> {
    let JobRequest { id, job } = serde_json::from_str(request)?;
    let result = match job {
        Job::Decide(position) => JobResult::Decision(bots.decide(&position, clock)),
        Job::DailyPuzzle { day } => JobResult::Puzzle(study::daily_puzzle(&day)),
        Job::SolvePuzzle { puzzle } => JobResult::Solutions(study::solutions(&puzzle)),
        Job::Evaluate { replay } => JobResult::Curve(review::curve(&replay)),
        Job::Count { replay } => JobResult::Statistics(statistics::statistics(&replay)),
        Job::Review {
            replay,
            first,
            steps,
            playouts,
        } => JobResult::Opinions(study::opinions(&replay, first, steps, playouts)),
    };
    serde_json::to_string(&JobResponse { id, result })
}

#[cfg(test)]
mod tests;
