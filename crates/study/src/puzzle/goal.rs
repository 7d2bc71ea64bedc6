//! The goals of puzzles.

use std::fmt;
use std::str::FromStr;

use towers_rules::{Phase, Seat, State, Surface};

/// What has to be achieved by the end of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// This many more of the player's wizards are home.
    Home(u8),
    /// This many more wizards of others are imprisoned than before.
    Imprison(u8),
    /// An imprisoned wizard of the player is free or home, no other one of the player's was imprisoned for it, and no
    /// other player's wizard was freed.
    Free,
    /// The game is won by this player alone.
    Win,
}

/// An unknown name of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("goals are home-1 to home-5, imprison-1 to imprison-9, free and win")]
pub struct NoSuchGoal;

impl Goal {
    /// Whether the goal is reached, given the start and the end of the turn.
    pub fn is_reached(self, start: &State, end: &State) -> bool {
        let seat = start.owner(start.active());
        match self {
            Goal::Home(n) => end.home(seat) >= start.home(seat) + n,
            Goal::Imprison(n) => {
                let others = |state: &State| -> u8 {
                    let others = state.owners().filter(|&o| o != seat);
                    others.map(|o| imprisoned(state, o)).sum()
                };
                others(end) >= others(start) + n
            }
            Goal::Free => {
                let held = |state: &State, o| imprisoned(state, o);
                let nobody_else = start
                    .owners()
                    .filter(|&o| o != seat)
                    .all(|o| held(end, o) >= held(start, o));
                let caught = Surface::all()
                    .any(|s| !exposed(end, s) && end.count(s, seat) > 0 && exposed(start, s));
                held(end, seat) < held(start, seat) && nobody_else && !caught
            }
            Goal::Win => wins(end, start.active()),
        }
    }
}

fn exposed(state: &State, surface: Surface) -> bool {
    state.exposed(state.space_of(surface)) == surface
}

/// The number of imprisoned wizards of an owner.
pub fn imprisoned(state: &State, owner: Seat) -> u8 {
    Surface::all()
        .filter(|&s| !exposed(state, s))
        .map(|s| state.count(s, owner))
        .sum()
}

/// Whether a turn with this end has won the game for this seat alone, whichever cards are drawn now.
fn wins(end: &State, seat: Seat) -> bool {
    let mut after = *end;
    while after.phase() == Phase::Refill {
        let chance = after.sample_chance(|_| 0);
        if chance.is_none_or(|c| after.apply_chance(c).is_err()) {
            return false;
        }
    }
    after
        .outcome()
        .is_some_and(|o| o.winners.len() == 1 && o.winners.contains(seat))
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Home(n) => write!(f, "home-{n}"),
            Goal::Imprison(n) => write!(f, "imprison-{n}"),
            Goal::Free => f.write_str("free"),
            Goal::Win => f.write_str("win"),
        }
    }
}

impl FromStr for Goal {
    type Err = NoSuchGoal;

    fn from_str(text: &str) -> Result<Goal, NoSuchGoal> {
        let number = |digits: &str, most| {
            let n = digits.parse::<u8>().ok().filter(|n| (1..=most).contains(n));
            n.filter(|n| n.to_string() == digits).ok_or(NoSuchGoal)
        };
        match text.split_once('-') {
            Some(("home", n)) => Ok(Goal::Home(number(n, 5)?)),
            Some(("imprison", n)) => Ok(Goal::Imprison(number(n, 9)?)),
            None if text == "free" => Ok(Goal::Free),
            None if text == "win" => Ok(Goal::Win),
            _ => Err(NoSuchGoal),
        }
    }
}
