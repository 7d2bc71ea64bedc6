//! Tuning the evaluation by self-play: play games, record positions with their results, fit the net.
//!
//! Games are played on full states. That is fair, because the planner only reads the hand of the active player and the
//! board.

use std::borrow::Cow;

use fastrand::Rng;
use towers_rules::{Actions, Actor, MAX_SEATS, Phase, Seat, Setup, State};

use crate::features::{FEATURES, Sink, features};
use crate::net::{Evaluation, HIDDEN, STEP};
use crate::novice;
use crate::planner::{Planner, Widths};

pub use crate::net::Net;

/// The policy that plays the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingPlayer {
    /// The Novice, to start with.
    Novice,
    /// The best single action by the net.
    Greedy,
    /// The best turn by the net.
    Turn,
}

/// A position with the result of its game.
pub struct Sample {
    lists: Vec<Vec<(u16, u8)>>,
    /// Each owner's share of the win.
    target: [f32; MAX_SEATS],
}

/// One action in this many is random, so that training sees unusual positions.
const EXPLORATION: u32 = 24;

/// Plays a game and records positions at the ends of turns and some in between.
pub fn game(
    setup: &Setup,
    net: &Net,
    player: TrainingPlayer,
    rng: &mut Rng,
    out: &mut Vec<Sample>,
) {
    let Ok(mut state) = State::new(setup) else {
        return;
    };
    let evaluation = Evaluation::Versus(Cow::Owned(net.clone()), 0.0);
    let first = out.len();
    let mut refilling = false;
    let mut list = Actions::new();
    loop {
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => {
                if state.phase() == Phase::Refill && !refilling {
                    refilling = true;
                    note(&state, out);
                }
                let Some(chance) = state.sample_chance(|n| rng.u32(0..n)) else {
                    break;
                };
                if state.apply_chance(chance).is_err() {
                    break;
                }
            }
            Actor::Player(seat) => {
                refilling = false;
                state.legal_actions_into(&mut list);
                let action = if rng.u32(0..EXPLORATION) == 0 {
                    list.get(rng.usize(0..list.len()))
                } else {
                    act(&state, seat, &evaluation, player, rng)
                };
                let Some(action) = action.or_else(|| list.get(0)) else {
                    break;
                };
                state.apply_unchecked(seat, action, &mut ());
                if state.phase() == Phase::Turn && state.actions_used() > 0 && rng.u32(0..3) == 0 {
                    note(&state, out);
                }
            }
        }
    }
    let target = outcome(&state);
    for sample in &mut out[first..] {
        sample.target = target;
    }
}

fn act(
    state: &State,
    seat: Seat,
    evaluation: &Evaluation,
    player: TrainingPlayer,
    rng: &mut Rng,
) -> Option<towers_rules::Action> {
    let widths = match player {
        TrainingPlayer::Novice => return novice::act(state, seat, rng),
        TrainingPlayer::Greedy => Widths::GREEDY,
        TrainingPlayer::Turn => Widths::TURN,
    };
    Planner::new(evaluation, seat, widths)
        .act(state)
        .map(|(action, _)| action)
}

fn outcome(state: &State) -> [f32; MAX_SEATS] {
    let mut target = [0.0; MAX_SEATS];
    if let Some(outcome) = state.outcome() {
        let shares = if outcome.winners.is_empty() {
            state.seats().collect()
        } else {
            outcome.winners
        };
        for seat in shares.iter() {
            target[seat.index()] = 1.0 / f32::from(shares.len());
        }
    }
    target
}

fn note(state: &State, out: &mut Vec<Sample>) {
    let mut lists = RecordedLists(vec![Vec::new(); MAX_SEATS]);
    let owners = features(state, &mut lists);
    lists.0.truncate(owners);
    out.push(Sample {
        lists: lists.0,
        target: [0.0; MAX_SEATS],
    });
}

struct RecordedLists(Vec<Vec<(u16, u8)>>);

impl Sink for RecordedLists {
    fn add(&mut self, owner: usize, feature: usize, times: u8) {
        self.0[owner].push((feature as u16, times));
    }
}

/// Adam over all weights of a net.
pub struct Trainer {
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    step: i32,
}

/// A feature has a row of weights: for its owner, then for the others.
const ROW: usize = 2 * HIDDEN;
const BIAS: usize = FEATURES * ROW;
const OUT: usize = BIAS + HIDDEN;
const ALL: usize = OUT + HIDDEN;
/// Positions per update of the weights.
const BATCH: usize = 256;

impl Trainer {
    /// Continues from a net; a net of zeros is initialised with small random weights.
    pub fn new(net: &Net, rng: &mut Rng) -> Trainer {
        let stored = net.rows.iter().flatten().chain(&net.bias).chain(&net.out);
        let mut weights: Vec<f32> = stored.map(|&w| f32::from(w) * STEP).collect();
        if weights.iter().all(|&w| w == 0.0) {
            for (i, w) in weights.iter_mut().enumerate() {
                let size = if i >= OUT { 0.5 } else { 0.15 };
                *w = (rng.f32() * 2.0 - 1.0) * size;
            }
        }
        Trainer {
            weights,
            mean: vec![0.0; ALL],
            square: vec![0.0; ALL],
            step: 0,
        }
    }

    /// The net with its current weights.
    pub fn net(&self) -> Net {
        let number = |at: usize| (self.weights[at] / STEP).round() as i16;
        Net {
            rows: (0..FEATURES)
                .map(|f| std::array::from_fn(|k| number(f * ROW + k)))
                .collect(),
            bias: std::array::from_fn(|k| number(BIAS + k)),
            out: std::array::from_fn(|k| number(OUT + k)),
        }
    }

    /// One pass over the positions; returns the mean loss.
    pub fn epoch(&mut self, samples: &mut [Sample], rate: f32, rng: &mut Rng) -> f32 {
        rng.shuffle(samples);
        let mut total = 0.0;
        for batch in samples.chunks(BATCH) {
            let mut slope = vec![0.0; ALL];
            for sample in batch {
                total += f64::from(self.learn(sample, Some(&mut slope)));
            }
            self.correct(&slope, rate, batch.len() as f32);
        }
        (total / samples.len().max(1) as f64) as f32
    }

    /// The mean loss on held-out positions.
    pub fn loss(&self, samples: &[Sample]) -> f32 {
        let total: f64 = samples.iter().map(|s| f64::from(self.learn(s, None))).sum();
        (total / samples.len().max(1) as f64) as f32
    }

    fn correct(&mut self, slope: &[f32], rate: f32, n: f32) {
        self.step += 1;
        let (fix1, fix2) = (1.0 - 0.9f32.powi(self.step), 1.0 - 0.999f32.powi(self.step));
        for (i, s) in slope.iter().enumerate() {
            let s = s / n + 1e-6 * self.weights[i];
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * s;
            self.square[i] = 0.999 * self.square[i] + 0.001 * s * s;
            let change = (self.mean[i] / fix1) / ((self.square[i] / fix2).sqrt() + 1e-8);
            // The range that fits into a byte.
            self.weights[i] = (self.weights[i] - rate * change).clamp(-3.1, 3.1);
        }
    }

    /// The loss of a position; adds its gradient to `slope`.
    fn learn(&self, sample: &Sample, slope: Option<&mut Vec<f32>>) -> f32 {
        let n = sample.lists.len();
        let share = if n > 1 { 1.0 / (n - 1) as f32 } else { 0.0 };
        let mut hidden = vec![[0.0f32; HIDDEN]; n];
        let mut seen = vec![[0.0f32; HIDDEN]; n];
        let mut sum = [0.0f32; HIDDEN];
        for i in 0..n {
            hidden[i].copy_from_slice(&self.weights[BIAS..OUT]);
            for &(f, v) in &sample.lists[i] {
                let (at, v) = (f as usize * ROW, f32::from(v));
                for k in 0..HIDDEN {
                    hidden[i][k] += self.weights[at + k] * v;
                    seen[i][k] += self.weights[at + HIDDEN + k] * v;
                }
            }
            for k in 0..HIDDEN {
                sum[k] += seen[i][k];
            }
        }
        let mut scores = [0.0f32; MAX_SEATS];
        for i in 0..n {
            for k in 0..HIDDEN {
                hidden[i][k] += (sum[k] - seen[i][k]) * share;
                scores[i] += hidden[i][k].max(0.0) * self.weights[OUT + k];
            }
        }
        let (loss, errors) = judge(&scores[..n], &sample.target);
        let Some(slope) = slope else { return loss };
        let mut back = vec![[0.0f32; HIDDEN]; n];
        let mut all = [0.0f32; HIDDEN];
        for i in 0..n {
            for k in 0..HIDDEN {
                if hidden[i][k] > 0.0 {
                    slope[OUT + k] += errors[i] * hidden[i][k];
                    back[i][k] = errors[i] * self.weights[OUT + k];
                    slope[BIAS + k] += back[i][k];
                    all[k] += back[i][k];
                }
            }
        }
        for (list, back) in sample.lists.iter().zip(&back) {
            for &(f, v) in list {
                let (at, v) = (f as usize * ROW, f32::from(v));
                for k in 0..HIDDEN {
                    slope[at + k] += back[k] * v;
                    slope[at + HIDDEN + k] += (all[k] - back[k]) * share * v;
                }
            }
        }
        loss
    }
}

/// The loss and its gradient per score: cross entropy of a softmax.
fn judge(scores: &[f32], target: &[f32; MAX_SEATS]) -> (f32, [f32; MAX_SEATS]) {
    let mut errors = [0.0; MAX_SEATS];
    let most = scores.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    let sum: f32 = scores.iter().map(|s| (s - most).exp()).sum();
    let mut loss = 0.0;
    for (i, s) in scores.iter().enumerate() {
        let p = (s - most).exp() / sum;
        loss -= target[i] * p.max(1e-9).ln();
        errors[i] = p - target[i];
    }
    (loss, errors)
}
