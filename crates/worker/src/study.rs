//! Puzzles and finished games.

use towers_rules::Action;
use towers_study::puzzle::{self, Puzzle};
use towers_study::replay::Replay;
use towers_study::review::{Opinion, Reviewer};

/// The puzzle of a day as a line of text.
pub fn daily_puzzle(day: &str) -> Option<String> {
    puzzle::of_the_day(day).map(|puzzle| puzzle.to_string())
}

/// Every solution of a puzzle, the shortest first.
pub fn solutions(line: &str) -> Option<Vec<Vec<Action>>> {
    let puzzle: Puzzle = line.parse().ok()?;
    let solved = puzzle::solve(&puzzle.state().ok()?, puzzle.goal).ok()?;
    Some(solved.solutions)
}

/// A bot's opinions on some steps of a game.
pub fn opinions(
    replay: &Replay,
    first: usize,
    steps: usize,
    playouts: u32,
) -> Vec<Option<Opinion>> {
    let mut reviewer = Reviewer::new(replay);
    reviewer.skip_to(first);
    (0..steps).map_while(|_| reviewer.next(playouts)).collect()
}
