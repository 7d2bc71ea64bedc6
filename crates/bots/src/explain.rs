//! The reasons for an action, in a form that a program can put into words.

use std::collections::BinaryHeap;

use towers_rules::{Action, Event, Seat, State};

use crate::flow::{follow, settle_observed};
use crate::planner::ActionLine;

/// An action with its expected result and its benefits.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Advice {
    /// The action advised.
    pub action: Action,
    /// The rest of the turn up to the next roll, this action first.
    pub line: Vec<Action>,
    /// Its expected result.
    pub expectation: Expectation,
    /// What it achieves in this turn, the most important first.
    pub benefits: Vec<Benefit>,
}

/// The expected result of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "snake_case")
)]
pub enum Expectation {
    /// The chance to win, 0 to 1.
    Win(f32),
    /// The total number of cards used at the end of a solo or cooperative game.
    Cards(f32),
}

/// Something an action achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "benefit", rename_all = "snake_case")
)]
#[allow(missing_docs, reason = "fields whose name says everything")]
pub enum Benefit {
    /// The game is won.
    Wins,
    /// The player's wizards come home.
    BringsHome {
        wizards: u8,
    },
    FillsFlask {
        /// The number of flasks filled in this turn.
        flasks: u8,
    },
    /// Wizards of others are imprisoned.
    Imprisons {
        wizards: u8,
    },
    /// The player's wizards are freed.
    Frees {
        wizards: u8,
    },
    /// The player's wizards come closer to the castle.
    Advances {
        /// The sum of the distances.
        spaces: u8,
    },
    MovesCastle,
    Rolls,
    /// Three new cards are drawn.
    Refreshes,
    /// Flasks are saved for later.
    Waits,
}

/// The best line of each first action.
pub(crate) fn advise(state: &State, seat: Seat, lines: &[ActionLine], most: usize) -> Vec<Advice> {
    let mut advice: Vec<Advice> = Vec::new();
    for line in lines {
        let Some(&action) = line.actions.first() else {
            continue;
        };
        if advice.len() < most && advice.iter().all(|a| a.action != action) {
            advice.push(Advice {
                action,
                line: line.actions.clone(),
                expectation: if state.shares_pieces() {
                    Expectation::Cards(-line.value)
                } else {
                    Expectation::Win(line.value)
                },
                benefits: benefits(state, seat, &line.actions),
            });
        }
    }
    advice
}

fn benefits(state: &State, seat: Seat, line: &[Action]) -> Vec<Benefit> {
    let mut after = *state;
    let mut events = Vec::new();
    follow(&mut after, seat, line, &mut events);
    // R13.2: a declared move is made if nobody reacts.
    settle_observed(&mut after, &mut events);
    let own = state.wizard_colour(state.moves_wizards_of(seat));
    let (mut home, mut flasks, mut caught, mut freed, mut spaces) = (0, 0, 0, 0, 0);
    let mut benefits = BinaryHeap::new();
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
            Event::FlaskFilled { seat: whose } => {
                let own = [seat, state.owner(seat)].contains(&whose);
                flasks += u8::from(own || state.partner(seat) == Some(whose));
            }
            Event::Imprisoned {
                seat: mover,
                wizards,
                ..
            } if mover == seat => caught += wizards.total() - wizards.of(own),
            Event::Uncovered { wizards, .. } => freed += wizards.of(own),
            Event::CastleMoved { .. } => benefits.push(Benefit::MovesCastle),
            Event::Refreshed { seat: whose } if whose == seat => benefits.push(Benefit::Refreshes),
            Event::Over { outcome } if outcome.winners.contains(seat) => {
                benefits.push(Benefit::Wins);
            }
            _ => {}
        }
    }
    let counted = [
        (home, Benefit::BringsHome { wizards: home }),
        (flasks, Benefit::FillsFlask { flasks }),
        (caught, Benefit::Imprisons { wizards: caught }),
        (freed, Benefit::Frees { wizards: freed }),
        (spaces, Benefit::Advances { spaces }),
    ];
    benefits.extend(counted.into_iter().filter(|c| c.0 > 0).map(|c| c.1));
    if matches!(line.last(), Some(Action::Roll(_) | Action::Reroll)) {
        benefits.push(Benefit::Rolls);
    }
    if matches!(line, [Action::End | Action::Pass | Action::Done, ..]) {
        benefits.push(Benefit::Waits);
    }
    benefits.into_sorted_vec()
}
