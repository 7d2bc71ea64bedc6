//! Every way a turn can go, as long as no die decides.

use std::collections::HashSet;

use rules::{Action, Actions, Actor, Phase, State};

use super::goal::Goal;
use super::turn_is_over;

/// What the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// A shortest line for every different position in which the turn can end with the goal reached, the
    /// shortest first; lines that do something besides are left out.
    pub solutions: Vec<Vec<Action>>,
    /// In how many different positions the turn can end in all.
    pub endings: u32,
    /// How many positions were looked at.
    pub positions: u32,
    /// How often a die could have been rolled: lines with dice are not followed, since they need luck.
    pub rolls: u32,
}

impl Solved {
    /// The shortest solution, if there is one.
    pub fn shortest(&self) -> Option<&[Action]> {
        self.solutions.first().map(Vec::as_slice)
    }
}

/// Why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// A solution has to be one player's turn, with nobody else deciding.
    #[error(
        "the turn of one player is to be solved: no reactions, no teams, and a decision of the active player"
    )]
    NotOneTurn,
    /// There are too many positions.
    #[error("there are more than {MOST} positions to look at")]
    TooMany,
}

/// More positions than this are not looked at.
const MOST: usize = 3_000_000;

/// Looks at every way the turn can go. Two lines that end in the same position are one solution.
pub fn solve(start: &State, goal: Goal) -> Result<Solved, Unsolvable> {
    let options = start.options();
    let seat = start.active();
    if options.reactions || options.teams || start.actor() != Actor::Player(seat) {
        return Err(Unsolvable::NotOneTurn);
    }
    let mut found = Solved {
        solutions: Vec::new(),
        endings: 0,
        positions: 1,
        rolls: 0,
    };
    // Every position once, with the action that led there and where it was taken: the shortest way comes first.
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
        state.legal_actions(&mut list);
        for action in list.iter() {
            let mut after = state;
            after.apply_unchecked(seat, action, &mut ());
            if after.phase() == Phase::Rolling {
                found.rolls += 1;
            } else if seen.insert(after) {
                nodes.push((after, here, Some(action)));
            }
        }
        if nodes.len() > MOST {
            return Err(Unsolvable::TooMany);
        }
    }
    found.positions = nodes.len() as u32;
    found.solutions.sort_by_key(Vec::len);
    drop_detours(&mut found.solutions);
    Ok(found)
}

/// A line that does all of another solution, and something besides, is not a solution of its own.
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

/// Whether all actions of a line are in a longer one.
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
