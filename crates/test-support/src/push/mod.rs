//! The other side of push messages: a push service on loopback, and a browser with a subscription.

mod receiver;
mod subscriber;

pub use receiver::{Received, Receiver};
pub use subscriber::{Subscriber, verify};
