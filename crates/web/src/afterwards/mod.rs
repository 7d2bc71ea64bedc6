//! Reviewing a finished game: the board at every step, statistics, a bot's opinion, the fairness check.

pub mod curve;
pub mod fairness;
pub mod numbers;
pub mod open;
pub mod replay;
