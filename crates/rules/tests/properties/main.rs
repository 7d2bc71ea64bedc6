//! Properties of every state, checked on random games of all variants.

#[path = "../common/mod.rs"]
mod common;

mod found;
mod legality;
mod replay;
mod round_trips;
mod variety;
mod views;
