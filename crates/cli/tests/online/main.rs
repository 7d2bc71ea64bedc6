//! Tests with the real process and real sockets.

mod client;
mod clocks;
mod commands;
mod documents;
mod games;
mod hostile;
mod kills;
mod leaks;
mod limits;
mod player;
mod process;
mod python;
mod rooms;
mod tls;
