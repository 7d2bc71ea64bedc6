//! Puzzles: a position, a goal for one turn, and how many ways lead there.

mod book;
mod generator;
mod goal;
mod solver;

use std::fmt;
use std::str::FromStr;

use rules::notation::read_position;
use rules::{Action, Cast, Seat, State};
use serde::Serialize;
use wire::Deserialize;

pub use book::{book, of_the_day};
pub use generator::{Wish, generate, of_seed};
pub use goal::Goal;
pub use solver::{Solved, solve};

/// How hard a puzzle is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// For the first evening.
    #[default]
    Easy,
    /// Needs a plan.
    Medium,
    /// Needs a good one.
    Hard,
}

impl Grade {
    /// All three, the easiest first.
    pub const ALL: [Grade; 3] = [Grade::Easy, Grade::Medium, Grade::Hard];

    /// Its name in data and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Easy => "easy",
            Grade::Medium => "medium",
            Grade::Hard => "hard",
        }
    }

    /// The grade with this name.
    pub fn from_name(name: &str) -> Option<Grade> {
        Grade::ALL.into_iter().find(|g| g.name() == name)
    }
}

/// A puzzle: what its position asks for, and what the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// What is to be achieved this turn.
    pub goal: Goal,
    /// How hard it is.
    pub grade: Grade,
    /// In how many really different ways the goal can be reached.
    pub solutions: u32,
    /// How many actions the shortest solution has.
    pub actions: u32,
    /// The position, in notation.
    pub position: String,
}

/// Why a text is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a puzzle: {0}")]
pub struct NotAPuzzle(pub String);

impl Puzzle {
    /// The position.
    pub fn state(&self) -> Result<State, NotAPuzzle> {
        read_position(&self.position).map_err(|e| NotAPuzzle(e.to_string()))
    }

    /// Makes a puzzle of a position if its goal can be reached this turn without luck.
    pub fn of(goal: Goal, position: &str) -> Result<Option<(Puzzle, Solved)>, NotAPuzzle> {
        let state = read_position(position).map_err(|e| NotAPuzzle(e.to_string()))?;
        let solved = solve(&state, goal).map_err(|e| NotAPuzzle(e.to_string()))?;
        let Some(shortest) = solved.shortest() else {
            return Ok(None);
        };
        let puzzle = Puzzle {
            goal,
            grade: grade(&state, &solved),
            solutions: solved.solutions.len() as u32,
            actions: shortest.len() as u32,
            position: position.into(),
        };
        Ok(Some((puzzle, solved)))
    }

    /// A name that stays the same as long as the puzzle does: for keeping progress.
    pub fn key(&self) -> String {
        let sum = |n: u64, b: u8| (n ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        let text = self.to_string();
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, sum);
        format!("{:08x}", hash as u32)
    }
}

/// From how many ways the turn can end for each that solves it, how long the solution is, and what it needs.
fn grade(state: &State, solved: &Solved) -> Grade {
    let ways = f64::from(solved.endings) / solved.solutions.len().max(1) as f64;
    let length = solved.shortest().map_or(0, <[Action]>::len);
    let spell = |line: &Vec<Action>| line.iter().any(|a| is_spell(*a));
    let needs_spell = solved.solutions.iter().all(spell);
    let others = |line: &Vec<Action>| line.iter().any(|a| moves_others(state, *a));
    let needs_others = solved.solutions.iter().all(others);
    let points = ways.log2()
        + 2.5 * length.saturating_sub(1) as f64
        + f64::from(u8::from(needs_spell))
        + f64::from(u8::from(needs_others));
    match points {
        ..9.0 => Grade::Easy,
        9.0..13.0 => Grade::Medium,
        _ => Grade::Hard,
    }
}

fn is_spell(action: Action) -> bool {
    use rules::Move::Wizard;
    match action {
        Action::Cast(_) => true,
        Action::Play(_, Wizard { piggyback, .. }) | Action::Accept(Wizard { piggyback, .. }) => {
            piggyback
        }
        _ => false,
    }
}

/// Whether a spell is cast on somebody else's wizard.
fn moves_others(state: &State, action: Action) -> bool {
    let own = state.wizard_colour(state.owner(state.active()));
    match action {
        Action::Cast(Cast::AdvanceWizard(w) | Cast::HeadwindWizard(w)) => w.colour != own,
        Action::Cast(Cast::NudgeCastle(_) | Cast::SwapTowers(..)) => true,
        _ => false,
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
            .ok_or_else(|| wrong("there is no ' | ' before the position"))?;
        let words: Vec<&str> = head.split(' ').collect();
        let [goal, grade, solutions, actions] = words[..] else {
            return Err(wrong("goal, grade, solutions and actions come first"));
        };
        let number = |text: &str| text.parse().map_err(|_| wrong("a number is wrong"));
        Ok(Puzzle {
            goal: goal
                .parse()
                .map_err(|e: goal::NoSuchGoal| wrong(&e.to_string()))?,
            grade: Grade::from_name(grade).ok_or_else(|| wrong("there is no such grade"))?,
            solutions: number(solutions)?,
            actions: number(actions)?,
            position: position.into(),
        })
    }
}

/// Whether a position is the end of the turn that began with another one.
pub fn turn_is_over(start: &State, now: &State) -> bool {
    now.phase() == rules::Phase::Refill
        || now.outcome().is_some()
        || now.active() != start.active()
        || now.round() != start.round()
}

/// Whose turn a puzzle is about.
pub fn solver_seat(state: &State) -> Seat {
    state.active()
}
