//! The Master's search: sampled expectimax over turns.
//!
//! The planner proposes the best whole turns. Each is then played out many times, in worlds that
//! could be the real one, some turns further, everybody playing sensibly; the evaluation judges where
//! that ends. All proposals meet the same worlds and the same luck, so that their differences show
//! early. Those that fall behind are dropped, and thinking stops when only one first action is left.

use fastrand::Rng;
use rules::{Action, Actor, Phase, Seat, State};

use crate::budget::Meter;
use crate::net::Evaluation;
use crate::planner::{Line, Planner, Widths};

/// How the search thinks; measured in `docs/experiments.md`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// How many whole turns are compared.
    pub lines: usize,
    /// How many turns are played out after this one.
    pub turns: usize,
    /// How everybody plays in them.
    pub policy: Widths,
    /// How many standard errors behind the best a line has to be to be dropped.
    pub doubt: f32,
}

impl Style {
    /// What measured strongest.
    pub(crate) fn of(state: &State) -> Style {
        if state.shares_pieces() {
            Style {
                lines: 12,
                turns: 6,
                policy: Widths::GREEDY,
                doubt: 2.5,
            }
        } else {
            Style {
                lines: 12,
                turns: 2,
                policy: Widths::GREEDY,
                doubt: 2.5,
            }
        }
    }
}

/// Playouts of every line between two looks at how they stand.
const BATCH: usize = 8;
/// Playouts of a line before it may be dropped.
const FAIR: usize = 24;
/// No line is worth more playouts than this: the evaluation is not that exact.
const ENOUGH: usize = 6000;
/// Decisions in a playout; a guard against playing on for ever.
const LONGEST: usize = 400;

/// A line with what its playouts came to.
pub(crate) struct Tried {
    pub line: Line,
    pub mean: f32,
    values: Vec<f32>,
}

/// Plays the lines out until the budget is used up or the decision is clear; best first.
pub(crate) fn search(
    lines: Vec<Line>,
    seat: Seat,
    evaluation: &Evaluation,
    style: Style,
    meter: &mut Meter<'_>,
    rng: &mut Rng,
    mut world: impl FnMut(&mut Rng) -> Option<State>,
) -> Vec<Tried> {
    let mut tried: Vec<Tried> = lines
        .into_iter()
        .map(|line| Tried {
            mean: line.value,
            line,
            values: Vec::new(),
        })
        .collect();
    let mut out = Vec::new();
    while meter.used() < 1.0 && !is_clear(&tried) {
        for _ in 0..BATCH {
            let Some(state) = world(rng) else {
                break;
            };
            let luck = rng.u64(..);
            for one in &mut tried {
                let mut dice = Rng::with_seed(luck);
                let value = playout(&state, &one.line, seat, evaluation, style, &mut dice);
                one.values.push(value);
            }
            meter.spend(tried.len() as u32);
            if meter.used() >= 1.0 {
                break;
            }
        }
        rank(&mut tried);
        let Some(best) = tried.first() else { break };
        let rounds = best.values.len();
        if rounds == 0 || rounds >= ENOUGH {
            break;
        }
        if rounds >= FAIR {
            let behind = |one: &Tried| is_behind(one, best, style.doubt);
            let dropped: Vec<bool> = tried.iter().map(behind).collect();
            let mut dropped = dropped.into_iter();
            let (gone, left) = tried
                .into_iter()
                .partition(|_| dropped.next().unwrap_or(false));
            tried = left;
            out.extend::<Vec<Tried>>(gone);
        }
    }
    rank(&mut out);
    tried.extend(out);
    tried
}

fn rank(tried: &mut [Tried]) {
    for one in tried.iter_mut() {
        if !one.values.is_empty() {
            one.mean = one.values.iter().sum::<f32>() / one.values.len() as f32;
        }
    }
    tried.sort_by(|a, b| b.mean.total_cmp(&a.mean));
}

/// Whether all lines that are left begin with the same action.
fn is_clear(tried: &[Tried]) -> bool {
    let first = |one: &Tried| one.line.actions.first().copied();
    tried.windows(2).all(|two| first(&two[0]) == first(&two[1]))
}

/// Whether a line is so far behind that more playouts would hardly change it, by the differences in
/// the same worlds.
fn is_behind(one: &Tried, best: &Tried, doubt: f32) -> bool {
    let n = one.values.len().min(best.values.len()) as f32;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (a, b) in best.values.iter().zip(&one.values) {
        let difference = a - b;
        sum += difference;
        squares += difference * difference;
    }
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0);
    let error = (variance / n).sqrt();
    mean > doubt * error && mean > 0.0
}

/// Plays a line and some turns more; what the evaluation makes of the end.
fn playout(
    world: &State,
    line: &Line,
    seat: Seat,
    evaluation: &Evaluation,
    style: Style,
    dice: &mut Rng,
) -> f32 {
    let mut state = *world;
    for &action in &line.actions {
        // What a lifted tower shows may differ from world to world.
        if !state.is_legal(seat, action) {
            break;
        }
        state.apply_unchecked(seat, action, &mut ());
    }
    let (mut ended, mut refilling) = (0, false);
    for _ in 0..LONGEST {
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => {
                if state.phase() == Phase::Refill && !refilling {
                    refilling = true;
                    ended += 1;
                    if ended > style.turns {
                        break;
                    }
                }
                let chance = state.sample_chance(|n| dice.u32(0..n.max(1)));
                if chance.is_none_or(|c| state.apply_chance(c).is_err()) {
                    break;
                }
            }
            Actor::Player(actor) => {
                refilling = false;
                let action = policy(&state, actor, evaluation, style.policy);
                let Some(action) = action else { break };
                state.apply_unchecked(actor, action, &mut ());
            }
        }
    }
    evaluation.value(&state, seat)
}

/// How everybody plays in a playout.
fn policy(state: &State, actor: Seat, evaluation: &Evaluation, widths: Widths) -> Option<Action> {
    match state.phase() {
        Phase::Window | Phase::Free => Some(Action::Pass),
        Phase::Asked => Some(Action::Decline),
        _ => Planner::new(evaluation, actor, widths)
            .act(state)
            .map(|(action, _)| action),
    }
}
