//! The Master's search: sampled expectimax over turns.
//!
//! The planner proposes the best whole turns. Each is then played out many times, in worlds that
//! could be the real one, some turns further, everybody playing sensibly; the evaluation judges where
//! that ends. All proposals meet the same worlds and the same luck, so that their differences show
//! early. Those that fall behind are dropped, and thinking stops when only one first action is left.

use fastrand::Rng;
use rules::{Actor, Phase, Seat, State};

use crate::budget::Meter;
use crate::net::Evaluation;
use crate::planner::Line;
use crate::quick::Quick;

/// How the search thinks; measured in `docs/experiments.md`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// How many whole turns are compared.
    pub lines: usize,
    /// How many turns are played out after this one.
    pub turns: usize,
    /// How many standard errors behind the best a line has to be to be dropped.
    pub doubt: f32,
    /// A difference that is not worth more thought.
    pub trifle: f32,
}

impl Style {
    /// What measured strongest.
    pub(crate) fn of(state: &State) -> Style {
        // Alone a turn is one card, and nobody else is in the way: it pays to look further.
        let (turns, trifle) = if state.shares_pieces() {
            (4, 0.05)
        } else {
            (2, 0.004)
        };
        let style = Style {
            lines: 12,
            turns,
            doubt: 2.5,
            trifle,
        };
        #[cfg(feature = "tuning")]
        let style = style.tried_out();
        style
    }

    /// For experiments: `STYLE=12,2,2.5` in the environment sets lines, turns and doubt.
    #[cfg(feature = "tuning")]
    fn tried_out(mut self) -> Style {
        let text = std::env::var("STYLE").unwrap_or_default();
        let parts: Vec<&str> = text.split(',').collect();
        if let [lines, turns, doubt] = parts.as_slice() {
            self.lines = lines.parse().unwrap_or(self.lines);
            self.turns = turns.parse().unwrap_or(self.turns);
            self.doubt = doubt.parse().unwrap_or(self.doubt);
        }
        self
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
    let mut quick = Quick::new(evaluation);
    while meter.used() < 1.0 && !is_clear(&tried) {
        for _ in 0..BATCH {
            let Some(state) = world(rng) else {
                break;
            };
            let luck = rng.u64(..);
            for one in &mut tried {
                let mut dice = Rng::with_seed(luck);
                let value = playout(&state, &one.line, seat, &mut quick, style, &mut dice);
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
            let leads: Vec<Lead> = tried.iter().map(|one| lead(best, one)).collect();
            let trifling = |lead: &Lead| lead.mean + 2.0 * lead.error < style.trifle;
            if leads.iter().all(trifling) {
                break;
            }
            let mut leads = leads.into_iter();
            let mut behind = |_: &Tried| {
                let lead = leads.next();
                lead.is_some_and(|l| l.mean > style.doubt * l.error && l.mean > 0.0)
            };
            let gone;
            (gone, tried) = tried.into_iter().partition(&mut behind);
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

/// By how much the best line is ahead of another.
struct Lead {
    mean: f32,
    error: f32,
}

/// By the differences in the same worlds.
fn lead(best: &Tried, one: &Tried) -> Lead {
    let n = one.values.len().min(best.values.len()) as f32;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (a, b) in best.values.iter().zip(&one.values) {
        let difference = a - b;
        sum += difference;
        squares += difference * difference;
    }
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0);
    Lead {
        mean,
        error: (variance / n).sqrt(),
    }
}

/// Plays a line and some turns more; what the evaluation makes of the end.
fn playout(
    world: &State,
    line: &Line,
    seat: Seat,
    quick: &mut Quick<'_>,
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
                let Some(action) = quick.act(&state, actor, dice) else {
                    break;
                };
                state.apply_unchecked(actor, action, &mut ());
            }
        }
    }
    quick.value(&state, seat)
}
