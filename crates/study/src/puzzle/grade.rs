//! The grade of a puzzle, derived from the solver's result.

use towers_rules::Move::Wizard;
use towers_rules::{Action, Cast, State};

use super::{Goal, Grade, NotAPuzzle, Puzzle, SolverResult, solve};

impl Puzzle {
    /// Makes a puzzle of a position if its goal can be reached this turn without luck.
    pub fn of(goal: Goal, position: &str) -> Result<Option<(Puzzle, SolverResult)>, NotAPuzzle> {
        let state = position
            .parse::<State>()
            .map_err(|e| NotAPuzzle(e.to_string()))?;
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
}

/// Grades by the ratio of endings to solutions, the length of the shortest solution, and the kinds of actions it needs.
fn grade(state: &State, solved: &SolverResult) -> Grade {
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

pub(super) fn is_spell(action: Action) -> bool {
    match action {
        Action::Cast(_) => true,
        Action::Play(_, Wizard { piggyback, .. }) | Action::Accept(Wizard { piggyback, .. }) => {
            piggyback
        }
        _ => false,
    }
}

/// Whether a spell is cast on another player's wizard.
fn moves_others(state: &State, action: Action) -> bool {
    let own = state.wizard_colour(state.owner(state.active()));
    match action {
        Action::Cast(Cast::AdvanceWizard(w) | Cast::HeadwindWizard(w)) => w.colour != own,
        Action::Cast(Cast::NudgeCastle(_) | Cast::SwapTowers(..)) => true,
        _ => false,
    }
}
