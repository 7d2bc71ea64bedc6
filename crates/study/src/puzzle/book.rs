//! The puzzles that come with the game, and the puzzle of the day.

use super::{Puzzle, Wish, of_seed};

/// The puzzles that come with the game, as they were made by `towers puzzle generate`.
const BOOK: &str = include_str!("../../data/puzzles.txt");

/// The puzzles that come with the game, the easiest first.
pub fn book() -> Vec<Puzzle> {
    BOOK.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.parse().ok())
        .collect()
}

/// The puzzle of a day, written as `2026-11-15`: made from the date, the same for everybody, every day another.
pub fn of_the_day(day: &str) -> Option<Puzzle> {
    let sum = |n: u64, b: u8| (n ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    let seed = day.bytes().fold(0xcbf2_9ce4_8422_2325, sum);
    of_seed(seed, Wish::default())
}
