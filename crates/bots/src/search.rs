//! The Master's search: sampled expectimax over turns.
//!
//! The planner proposes the best whole turns. Each is played out many times, some turns further, in sampled states that fit
//! what is known, with a fast policy for everybody; the evaluation rates the final position. All proposals use the same
//! sampled states and the same rolls and draws (common random numbers), so that differences show early. Proposals that fall
//! behind are dropped, and the search stops when only one first action is left.

use fastrand::Rng;
use towers_rules::{Actor, Phase, Seat, State};

use crate::budget::BudgetUse;
use crate::flow::{follow, turn_is_over};
use crate::net::Evaluation;
use crate::planner::ActionLine;
use crate::quick::Quick;

/// Parameters of the search. The number of turns is measured in `docs/history/bots.md`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchParameters {
    /// The number of whole turns that are compared.
    pub lines: usize,
    /// The number of turns played out after this one.
    pub turns: usize,
    /// A line is dropped when it is this many standard errors behind the best one.
    pub z_threshold: f32,
    /// The search stops when all lines are within this difference of the best one.
    pub epsilon: f32,
}

impl SearchParameters {
    /// The parameters that measured strongest.
    pub(crate) fn of(state: &State) -> SearchParameters {
        // A solo turn is one card without opponents, so it pays to look further ahead.
        let (turns, epsilon) = if state.shares_pieces() {
            (4, 0.05)
        } else {
            (2, 0.004)
        };
        let parameters = SearchParameters {
            lines: 12,
            turns,
            z_threshold: 2.5,
            epsilon,
        };
        #[cfg(feature = "tuning")]
        let parameters = parameters.overridden_by_environment();
        parameters
    }

    /// For experiments: `SEARCH=12,2,2.5` in the environment sets lines, turns and `z_threshold`.
    #[cfg(feature = "tuning")]
    fn overridden_by_environment(mut self) -> SearchParameters {
        let text = std::env::var("SEARCH").unwrap_or_default();
        let parts: Vec<&str> = text.split(',').collect();
        if let [lines, turns, z] = parts.as_slice() {
            self.lines = lines.parse().unwrap_or(self.lines);
            self.turns = turns.parse().unwrap_or(self.turns);
            self.z_threshold = z.parse().unwrap_or(self.z_threshold);
        }
        self
    }
}

/// Playouts of every line between two comparisons.
const BATCH: usize = 8;
/// Playouts of a line before it may be dropped.
const MIN_PLAYOUTS: usize = 24;
/// Playouts of a line after which the search stops: the evaluation is not exact enough for more.
const MAX_PLAYOUTS: usize = 6000;
/// Decisions in a playout, as a guard against endless games.
const MAX_PLAYOUT_DECISIONS: usize = 400;

/// A line with the results of its playouts.
pub(crate) struct Candidate {
    pub line: ActionLine,
    pub mean: f32,
    values: Vec<f32>,
}

/// Plays out the lines until the budget is used up or the decision is clear; best first.
pub(crate) fn search(
    lines: Vec<ActionLine>,
    seat: Seat,
    evaluation: &Evaluation,
    style: SearchParameters,
    meter: &mut BudgetUse<'_>,
    rng: &mut Rng,
    mut world: impl FnMut(&mut Rng) -> Option<State>,
) -> Vec<Candidate> {
    let mut tried: Vec<Candidate> = lines
        .into_iter()
        .map(|line| Candidate {
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
                one.values.push(value - one.line.price);
            }
            meter.spend(tried.len() as u32);
            if meter.used() >= 1.0 {
                break;
            }
        }
        rank(&mut tried);
        let Some(best) = tried.first() else { break };
        let rounds = best.values.len();
        if rounds == 0 || rounds >= MAX_PLAYOUTS {
            break;
        }
        if rounds >= MIN_PLAYOUTS {
            let leads: Vec<Margin> = tried.iter().map(|one| lead(best, one)).collect();
            let is_close = |lead: &Margin| lead.mean + 2.0 * lead.error < style.epsilon;
            if leads.iter().all(is_close) {
                break;
            }
            let mut leads = leads.into_iter();
            let mut behind = |_: &Candidate| {
                let lead = leads.next();
                lead.is_some_and(|l| l.mean > style.z_threshold * l.error && l.mean > 0.0)
            };
            let gone;
            (gone, tried) = tried.into_iter().partition(&mut behind);
            out.extend::<Vec<Candidate>>(gone);
        }
    }
    rank(&mut out);
    tried.extend(out);
    tried
}

fn rank(tried: &mut [Candidate]) {
    for one in tried.iter_mut() {
        if !one.values.is_empty() {
            one.mean = one.values.iter().sum::<f32>() / one.values.len() as f32;
        }
    }
    tried.sort_by(|a, b| b.mean.total_cmp(&a.mean));
}

/// Whether all remaining lines begin with the same action.
fn is_clear(tried: &[Candidate]) -> bool {
    let first = |one: &Candidate| one.line.actions.first().copied();
    tried.windows(2).all(|two| first(&two[0]) == first(&two[1]))
}

/// How far the best line is ahead of another.
struct Margin {
    mean: f32,
    error: f32,
}

/// Compares results in the same sampled states.
fn lead(best: &Candidate, one: &Candidate) -> Margin {
    let n = one.values.len().min(best.values.len()) as f32;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (a, b) in best.values.iter().zip(&one.values) {
        let difference = a - b;
        sum += difference;
        squares += difference * difference;
    }
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0);
    Margin {
        mean,
        error: (variance / n).sqrt(),
    }
}

/// Plays a line and some more turns; returns the evaluation of the final position.
fn playout(
    world: &State,
    line: &ActionLine,
    seat: Seat,
    quick: &mut Quick<'_>,
    style: SearchParameters,
    dice: &mut Rng,
) -> f32 {
    let mut state = *world;
    follow(&mut state, seat, &line.actions, &mut ());
    let (mut ended, mut turn, mut refilling) = (0, *world, false);
    for _ in 0..MAX_PLAYOUT_DECISIONS {
        // A turn ends with its refill, or without one after a refresh that drew first (R4.5).
        let refills = state.phase() == Phase::Refill;
        let over = turn_is_over(&turn, &state);
        if (refills || over) && !refilling {
            ended += 1;
            if ended > style.turns {
                break;
            }
        }
        if over {
            turn = state;
        }
        refilling = refills;
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => {
                let chance = state.sample_chance(|n| dice.u32(0..n.max(1)));
                if chance.is_none_or(|c| state.apply_chance(c).is_err()) {
                    break;
                }
            }
            Actor::Player(actor) => {
                let Some(action) = quick.act(&state, actor, dice) else {
                    break;
                };
                state.apply_unchecked(actor, action, &mut ());
            }
        }
    }
    quick.value(&state, seat)
}
