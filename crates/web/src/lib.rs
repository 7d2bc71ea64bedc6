//! The browser client of *Wandering Towers*.
//!
//! [`mount`] puts it into the page. [`think`] is what the worker runs: the same program, loaded a second time, so that bots never
//! hold up the page.

#![allow(
    clippy::format_collect,
    clippy::large_types_passed_by_value,
    clippy::needless_pass_by_value,
    clippy::must_use_candidate,
    reason = "components take their properties by value and are used by macros"
)]
#![allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "numbers of the page are floats and signed"
)]
#![allow(
    clippy::unused_self,
    reason = "questions are asked of the context they belong to"
)]
#![allow(
    clippy::redundant_closure,
    reason = "closures written out in a view share one type"
)]

mod afterwards;
mod app;
mod backdrop;
mod context;
mod device;
mod game;
mod learn;
mod live;
mod markup;
mod online;
mod parts;
mod settings;
mod setup;
mod start;
mod thinker;

use wasm_bindgen::prelude::wasm_bindgen;

/// Puts the client into the page.
#[wasm_bindgen]
pub fn mount() {
    // As it is shipped, a panic has no words.
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    if let Some(body) = device::page::document().body() {
        markup::mount(app::App, &body);
    }
}

/// Answers a question of the page: what would a bot do? Both are JSON.
#[wasm_bindgen]
pub fn think(question: &str) -> String {
    thinker::answer(question)
}
