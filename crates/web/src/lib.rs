//! The browser client of *Wandering Towers*.
//!
//! [`mount`] inserts it into the page. Bots, puzzle solver and review are a separate program, `towers-worker`, so that
//! they neither block the page nor delay its loading.

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
mod call;
mod context;
mod device;
mod game;
mod learn;
mod navigation;
mod online;
mod parts;
mod session;
mod settings;
mod setup;
mod start;
mod talk;
mod transport;

use wasm_bindgen::prelude::wasm_bindgen;

/// Fetches the texts of the person's language and mounts the client. Returns whether it succeeded.
#[wasm_bindgen]
pub async fn mount() -> bool {
    // Release builds have no panic messages.
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    let Some(words) = context::first_words().await else {
        return false;
    };
    leptos::mount::mount_to_body(move || leptos::view! { <app::App words/> });
    true
}
