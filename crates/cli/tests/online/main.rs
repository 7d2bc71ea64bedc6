//! Tests with the real process and real sockets.

mod abuse;
mod backups;
mod client;
mod clocks;
mod commands;
mod disk;
mod documents;
mod games;
mod hostile;
mod kills;
mod leaks;
mod limits;
mod nodes;
mod player;
mod process;
mod python;
mod rooms;
mod tls;
mod tough;
