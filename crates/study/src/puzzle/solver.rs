//! Exhaustive search of a turn without dice.

use std::collections::HashSet;

use towers_rules::{Action, Actions, Actor, Phase, State};

use super::goal::Goal;
use super::turn_is_over;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverResult {
    /// A shortest line for each different final position with the goal reached, shortest first, without detours.
    pub solutions: Vec<Vec<Action>>,
    /// The number of different positions in which the turn can end.
    pub endings: u32,
    /// The number of positions searched.
    pub positions: u32,
    /// How often a die could have been rolled. Lines with dice are not searched, since they need luck.
    pub rolls: u32,
}

impl SolverResult {
    pub fn shortest(&self) -> Option<&[Action]> {
        self.solutions.first().map(Vec::as_slice)
    }
}

/// Why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// Somebody else decides in the turn.
    #[error(
        "only the turn of a single player can be solved: no reactions, no teams, and the active player is to act"
    )]
    NotOneTurn,
    /// The search has too many positions.
    #[error("the search exceeds {MAX_POSITIONS} positions")]
    TooMany,
}

/// The search gives up after this many positions.
const MAX_POSITIONS: usize = 3_000_000;

/// Searches every line of the turn. Two lines that end in the same position are one solution.
pub fn solve(start: &State, goal: Goal) -> Result<SolverResult, Unsolvable> {
    let options = start.options();
    let seat = start.active();
    if options.reactions || options.teams || start.actor() != Actor::Player(seat) {
        return Err(Unsolvable::NotOneTurn);
    }
    let mut found = SolverResult {
        solutions: Vec::new(),
        endings: 0,
        positions: 1,
        rolls: 0,
    };
    // Every position once, with the action that led there and its predecessor: breadth first, so the shortest line
    // comes first.
    let mut seen = HashSet::from([*start]);
    let mut nodes: Vec<(State, usize, Option<Action>)> = vec![(*start, 0, None)];
    let mut list = Actions::new();
    let mut next = 0;
    while let Some(&(state, ..)) = nodes.get(next) {
        let here = next;
        next += 1;
        if turn_is_over(start, &state) {
            found.endings += 1;
            if goal.is_reached(start, &state) {
                found.solutions.push(line(&nodes, here));
            }
            continue;
        }
        state.legal_actions_into(&mut list);
        for action in &list {
            let mut after = state;
            after.apply_unchecked(seat, action, &mut ());
            if after.phase() == Phase::Rolling {
                found.rolls += 1;
            } else if seen.insert(after) {
                nodes.push((after, here, Some(action)));
            }
        }
        if nodes.len() > MAX_POSITIONS {
            return Err(Unsolvable::TooMany);
        }
    }
    found.positions = nodes.len() as u32;
    found.solutions.sort_by_key(Vec::len);
    drop_detours(&mut found.solutions);
    Ok(found)
}

/// Removes lines that contain all actions of another solution and some more.
fn drop_detours(solutions: &mut Vec<Vec<Action>>) {
    let mut kept: Vec<Vec<Action>> = Vec::new();
    for line in solutions.drain(..) {
        let holds = |short: &Vec<Action>| short.len() < line.len() && is_part(short, &line);
        if !kept.iter().any(holds) {
            kept.push(line);
        }
    }
    *solutions = kept;
}

/// Whether a longer line contains all actions of a shorter one.
fn is_part(short: &[Action], long: &[Action]) -> bool {
    let mut left = long.to_vec();
    short.iter().all(|action| {
        let at = left.iter().position(|a| a == action);
        at.map(|at| left.swap_remove(at)).is_some()
    })
}

/// The actions that led to a node.
fn line(nodes: &[(State, usize, Option<Action>)], mut at: usize) -> Vec<Action> {
    let mut line = Vec::new();
    while let (_, from, Some(action)) = nodes[at] {
        line.push(action);
        at = from;
    }
    line.reverse();
    line
}
