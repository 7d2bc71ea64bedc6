//! Why an action is good, in a form that a program can put into words.

use rules::{Action, Event, Seat, State};
use serde::Serialize;

use crate::planner::Line;

/// An action with what it promises.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// What to do.
    pub action: Action,
    /// What the rest of the turn would be, as far as no die decides: this action first.
    pub line: Vec<Action>,
    /// What it promises.
    pub promise: Promise,
    /// What it achieves in this turn, the most important first.
    pub reasons: Vec<Reason>,
}

/// What is expected of an action.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// The chance to win, 0 to 1.
    Win(f32),
    /// Cards used in all at the end of a solo or cooperative game.
    Cards(f32),
}

/// What an action achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// It ends the game with a win.
    Wins,
    /// Own wizards come home.
    BringsHome {
        /// How many.
        wizards: u8,
    },
    /// A flask is filled.
    FillsFlask {
        /// How many flasks in this turn.
        flasks: u8,
    },
    /// Wizards of others are imprisoned.
    Imprisons {
        /// How many.
        wizards: u8,
    },
    /// Own wizards see the light again.
    Frees {
        /// How many.
        wizards: u8,
    },
    /// Own wizards come nearer to the castle.
    Advances {
        /// By how many spaces in all.
        spaces: u8,
    },
    /// The castle goes elsewhere.
    MovesCastle,
    /// A die decides.
    Rolls,
    /// Three new cards.
    Refreshes,
    /// Flasks are kept for later.
    Waits,
}

/// The best line of each first action.
pub(crate) fn advise(state: &State, seat: Seat, lines: &[Line], most: usize) -> Vec<Advice> {
    let mut advice: Vec<Advice> = Vec::new();
    for line in lines {
        let Some(&action) = line.actions.first() else {
            continue;
        };
        if advice.len() < most && advice.iter().all(|a| a.action != action) {
            advice.push(Advice {
                action,
                line: line.actions.clone(),
                promise: if state.shares_pieces() {
                    Promise::Cards(-line.value)
                } else {
                    Promise::Win(line.value)
                },
                reasons: reasons(state, seat, &line.actions),
            });
        }
    }
    advice
}

fn reasons(state: &State, seat: Seat, line: &[Action]) -> Vec<Reason> {
    let mut after = *state;
    let mut events = Vec::new();
    for &action in line {
        if !after.is_legal(seat, action) {
            break;
        }
        after.apply_unchecked(seat, action, &mut events);
    }
    let own = state.wizard_colour(state.moves_wizards_of(seat));
    let (mut home, mut flasks, mut caught, mut freed, mut spaces) = (0, 0, 0, 0, 0);
    let mut reasons = Vec::new();
    for event in &events {
        match *event {
            Event::WizardMoved {
                colour,
                from,
                to,
                onto,
            } if colour == own => {
                if onto.is_none() {
                    home += 1;
                } else {
                    spaces += to.number().wrapping_sub(state.space_of(from).number()) & 15;
                }
            }
            Event::FlaskFilled { .. } => flasks += 1,
            Event::Imprisoned { wizards, .. } => caught += wizards.total() - wizards.of(own),
            Event::Uncovered { wizards, .. } => freed += wizards.of(own),
            Event::CastleMoved { .. } => reasons.push(Reason::MovesCastle),
            Event::Refreshed { .. } => reasons.push(Reason::Refreshes),
            Event::Over { outcome } if outcome.winners.contains(seat) => reasons.push(Reason::Wins),
            _ => {}
        }
    }
    let counted = [
        (home, Reason::BringsHome { wizards: home }),
        (flasks, Reason::FillsFlask { flasks }),
        (caught, Reason::Imprisons { wizards: caught }),
        (freed, Reason::Frees { wizards: freed }),
        (spaces, Reason::Advances { spaces }),
    ];
    reasons.extend(counted.into_iter().filter(|c| c.0 > 0).map(|c| c.1));
    if matches!(line.last(), Some(Action::Roll(_) | Action::Reroll)) {
        reasons.push(Reason::Rolls);
    }
    if matches!(line, [Action::End | Action::Pass | Action::Done, ..]) {
        reasons.push(Reason::Waits);
    }
    reasons.sort_unstable();
    reasons
}
