//! Calling a player whose page is closed: push messages, webhooks, a calendar feed.

mod addresses;
mod calendar;
mod encoding;
mod encryption;
mod notice;
mod plan;
mod post;
mod push;
#[cfg(test)]
mod receiver;
#[cfg(test)]
mod tests;
mod vapid;
