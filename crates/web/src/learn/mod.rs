//! Learning the game: a first game, the rules, puzzles.

pub mod lesson;
pub mod puzzle;
pub mod puzzles;
pub mod rules;
pub mod stage;
pub mod texts;
