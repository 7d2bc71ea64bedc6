//! Puzzles: a position, a goal for one turn, and the number of solutions.

mod book;
#[cfg(feature = "analysis")]
mod generator;
mod goal;
#[cfg(feature = "analysis")]
mod grade;
#[cfg(feature = "analysis")]
mod solver;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use towers_rules::{Seat, State};

pub use book::book;
#[cfg(feature = "analysis")]
pub use generator::{PuzzleFilter, generate, of_seed, of_the_day};
pub use goal::Goal;
#[cfg(feature = "analysis")]
pub use solver::{SolverResult, Unsolvable, solve};

/// The difficulty of a puzzle.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// For beginners.
    #[default]
    Easy,
    /// Needs a plan.
    Medium,
    /// Needs a good plan.
    Hard,
}

impl Grade {
    /// All grades, easiest first.
    pub const ALL: [Grade; 3] = [Grade::Easy, Grade::Medium, Grade::Hard];

    /// Its name in data and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Easy => "easy",
            Grade::Medium => "medium",
            Grade::Hard => "hard",
        }
    }

    pub fn from_name(name: &str) -> Option<Grade> {
        Grade::ALL.into_iter().find(|g| g.name() == name)
    }
}

/// A puzzle with the solver's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    pub goal: Goal,
    pub grade: Grade,
    /// The number of different solutions.
    pub solutions: u32,
    /// The number of actions in the shortest solution.
    pub actions: u32,
    /// The position, in notation.
    pub position: String,
}

/// Why a text is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a puzzle: {0}")]
pub struct NotAPuzzle(pub String);

impl Puzzle {
    /// Parses the position.
    pub fn state(&self) -> Result<State, NotAPuzzle> {
        self.position
            .parse::<State>()
            .map_err(|e| NotAPuzzle(e.to_string()))
    }

    /// A stable key, for storing progress.
    pub fn key(&self) -> String {
        let sum = |n: u64, b: u8| (n ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        let text = self.to_string();
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, sum);
        format!("{:08x}", hash as u32)
    }
}

/// One line: goal, grade, solutions, actions, `|`, position.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {} {} | {}",
            self.goal,
            self.grade.name(),
            self.solutions,
            self.actions,
            self.position
        )
    }
}

impl FromStr for Puzzle {
    type Err = NotAPuzzle;

    fn from_str(line: &str) -> Result<Puzzle, NotAPuzzle> {
        let wrong = |what: &str| NotAPuzzle(what.to_string());
        let (head, position) = line
            .split_once(" | ")
            .ok_or_else(|| wrong("expected ' | ' before the position"))?;
        let words: Vec<&str> = head.split(' ').collect();
        let [goal, grade, solutions, actions] = words[..] else {
            return Err(wrong("expected goal, grade, solutions and actions"));
        };
        let number = |text: &str| text.parse().map_err(|_| wrong("invalid number"));
        Ok(Puzzle {
            goal: goal
                .parse()
                .map_err(|e: goal::NoSuchGoal| wrong(&e.to_string()))?,
            grade: Grade::from_name(grade).ok_or_else(|| wrong("unknown grade"))?,
            solutions: number(solutions)?,
            actions: number(actions)?,
            position: position.into(),
        })
    }
}

/// Whether the turn that began with `start` has ended.
pub fn turn_is_over(start: &State, now: &State) -> bool {
    now.phase() == towers_rules::Phase::Refill
        || now.outcome().is_some()
        || now.active() != start.active()
        || now.round() != start.round()
}

/// The seat whose turn the puzzle is about.
pub fn solver_seat(state: &State) -> Seat {
    state.active()
}
