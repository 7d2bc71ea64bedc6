//! Tuning the evaluation of solo and cooperative games by self-play: play games, record positions with the cards used
//! after them, fit the net.

use std::borrow::Cow;

use fastrand::Rng;
use towers_rules::{Action, Actions, Actor, Phase, Seat, Setup, State};

use crate::budget::{Budget, BudgetUse, NoClock};
use crate::net::Evaluation;
use crate::planner::{Planner, Widths};
use crate::quick::Quick;
use crate::search::{SearchParameters, search};
use crate::shared_features::{FEATURES, features, rule_of_thumb};
use crate::shared_net::{CARDS, HIDDEN, STEP, usual};

pub use crate::shared_net::SharedNet;

/// The policy that plays the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedPlayer {
    /// The best single action by the net.
    Greedy,
    /// The best turn by this many playouts.
    Search(u32),
}

/// A position with its usual number of cards needed and the number that was, divided by `CARDS`.
pub struct SharedSample {
    list: Vec<(u16, u8)>,
    usual: f32,
    target: f32,
}

struct RecordedPosition {
    list: Vec<(u16, u8)>,
    score: u16,
    usual: f32,
    guess: f32,
    /// The next move was random, so what follows says nothing about this position.
    explores: bool,
}

/// TD(λ): per turn, this weight of the game's actual course; the rest is the net's value of the next position. The luck
/// of a whole game would hide the difference that one card makes.
const TRACE: f32 = 0.8;
/// One turn in this many is random, so that training sees unusual positions.
const EXPLORATION: u32 = 20;
/// The cards that a lost game counts as.
const LOST: f32 = 75.0;

/// Plays a game and records positions; returns its score and whether it was won.
pub fn game(
    setup: &Setup,
    net: &SharedNet,
    player: SharedPlayer,
    rng: &mut Rng,
    out: &mut Vec<SharedSample>,
) -> (u16, bool) {
    let Ok(mut state) = State::new(setup) else {
        return (0, false);
    };
    let evaluation = Evaluation::Shared(Cow::Owned(net.clone()));
    let mut noted: Vec<RecordedPosition> = Vec::new();
    let mut list = Actions::new();
    let mut refilling = false;
    loop {
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => {
                if state.phase() == Phase::Refill && !refilling {
                    refilling = true;
                    noted.push(note(&state, net));
                }
                let chance = state.sample_chance(|n| rng.u32(0..n));
                if chance.is_none_or(|c| state.apply_chance(c).is_err()) {
                    break;
                }
            }
            Actor::Player(seat) => {
                refilling = false;
                if state.phase() == Phase::End {
                    noted.push(note(&state, net));
                }
                state.legal_actions_into(&mut list);
                let explores = rng.u32(0..EXPLORATION) == 0;
                let action = if explores {
                    if let Some(last) = noted.last_mut() {
                        last.explores = true;
                    }
                    list.get(rng.usize(0..list.len()))
                } else {
                    act(&state, seat, &evaluation, player, rng)
                };
                let Some(action) = action.or_else(|| list.get(0)) else {
                    break;
                };
                state.apply_unchecked(seat, action, &mut ());
            }
        }
    }
    let won = state.outcome().is_some_and(|o| !o.winners.is_empty());
    let total = f32::from(state.score());
    teach(noted, if won { total } else { LOST.max(total) }, out);
    (state.score(), won)
}

/// Computes targets backwards from the end: the cards still used, mixed with the net's predictions.
fn teach(noted: Vec<RecordedPosition>, total: f32, out: &mut Vec<SharedSample>) {
    let (mut score, mut guess, mut after) = (total, 0.0, 0.0);
    for noted in noted.into_iter().rev() {
        let own = f32::from(noted.score);
        let trace = if noted.explores { 0.0 } else { TRACE };
        after = (score - own) / CARDS + trace * after + (1.0 - trace) * guess;
        (score, guess) = (own, noted.guess);
        out.push(SharedSample {
            list: noted.list,
            usual: noted.usual,
            target: after.max(0.0),
        });
    }
}

fn note(state: &State, net: &SharedNet) -> RecordedPosition {
    let mut list = Vec::new();
    features(state, |feature, times| list.push((feature as u16, times)));
    RecordedPosition {
        list,
        score: state.score(),
        usual: usual(state) / CARDS,
        guess: net.cards(state) / CARDS,
        explores: false,
    }
}

fn act(
    state: &State,
    seat: Seat,
    evaluation: &Evaluation,
    player: SharedPlayer,
    rng: &mut Rng,
) -> Option<Action> {
    match player {
        SharedPlayer::Greedy => Quick::new(evaluation).act(state, seat, rng),
        SharedPlayer::Search(playouts) => {
            let style = SearchParameters {
                lines: 6,
                ..SearchParameters::of(state)
            };
            let lines = Planner::new(evaluation, seat, Widths::TURN).lines(state, style.lines);
            let mut meter = BudgetUse::new(Budget::Iterations(playouts), &NoClock);
            let world = |_: &mut Rng| Some(*state);
            let tried = search(lines, seat, evaluation, style, &mut meter, rng, world);
            tried.first()?.line.actions.first().copied()
        }
    }
}

type FloatRow = [f32; HIDDEN];

/// Adam over all weights of a net: the rows of the features, then those of bias and output.
pub struct SharedTrainer {
    weights: Vec<FloatRow>,
    mean: Vec<FloatRow>,
    square: Vec<FloatRow>,
    step: i32,
}

const BIAS: usize = FEATURES;
const OUT: usize = FEATURES + 1;
/// Positions per update of the weights.
const BATCH: usize = 256;
/// Errors are clipped to this value, so that a lost game does not outweigh the others.
const MAX_ERROR: f32 = 3.0;

impl SharedTrainer {
    /// Continues from a net. A net of zeros is initialised with the rule of thumb in two units and small random weights
    /// in the others.
    pub fn new(net: &SharedNet, rng: &mut Rng) -> SharedTrainer {
        let stored = net.rows.iter().chain([&net.bias, &net.out]);
        let mut weights: Vec<FloatRow> =
            stored.map(|row| row.map(|w| f32::from(w) * STEP)).collect();
        if weights.iter().flatten().all(|&w| w == 0.0) {
            for (i, row) in weights.iter_mut().enumerate() {
                row.fill_with(|| (rng.f32() * 2.0 - 1.0) * 0.1);
                row[..2].fill(match i {
                    OUT => 0.5,
                    BIAS => 2.0,
                    feature => rule_of_thumb(feature) / CARDS,
                });
            }
        }
        let zeros = vec![[0.0; HIDDEN]; weights.len()];
        SharedTrainer {
            mean: zeros.clone(),
            square: zeros,
            weights,
            step: 0,
        }
    }

    /// The net with its current weights.
    pub fn net(&self) -> SharedNet {
        let row = |at: usize| self.weights[at].map(|w| (w / STEP).round() as i16);
        SharedNet {
            rows: (0..FEATURES).map(row).collect(),
            bias: row(BIAS),
            out: row(OUT),
        }
    }

    /// One pass over the positions; returns the mean loss.
    pub fn epoch(&mut self, samples: &mut [SharedSample], rate: f32, rng: &mut Rng) -> f32 {
        rng.shuffle(samples);
        let mut total = 0.0;
        let mut slope = vec![[0.0; HIDDEN]; self.weights.len()];
        for batch in samples.chunks(BATCH) {
            slope.fill([0.0; HIDDEN]);
            for sample in batch {
                total += f64::from(self.learn(sample, &mut slope));
            }
            self.correct(&slope, rate, batch.len() as f32);
        }
        (total / samples.len().max(1) as f64) as f32
    }

    /// The mean loss on held-out positions.
    pub fn loss(&self, samples: &[SharedSample]) -> f32 {
        let loss = |s: &SharedSample| f64::from((self.guess(s).1 - s.target).powi(2));
        (samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64) as f32
    }

    /// The hidden layer and the output.
    fn guess(&self, sample: &SharedSample) -> (FloatRow, f32) {
        let mut hidden = self.weights[BIAS];
        for &(f, v) in &sample.list {
            let v = f32::from(v);
            for (h, w) in hidden.iter_mut().zip(&self.weights[f as usize]) {
                *h += w * v;
            }
        }
        let out = hidden.iter().zip(&self.weights[OUT]);
        let sum: f32 = out.map(|(h, o)| h.max(0.0) * o).sum();
        (hidden, sample.usual + sum)
    }

    /// The loss of a position; adds its gradient to `slope`.
    fn learn(&self, sample: &SharedSample, slope: &mut [FloatRow]) -> f32 {
        let (hidden, guess) = self.guess(sample);
        let error = (guess - sample.target).clamp(-MAX_ERROR, MAX_ERROR);
        let mut back = [0.0; HIDDEN];
        for k in 0..HIDDEN {
            if hidden[k] > 0.0 {
                slope[OUT][k] += error * hidden[k];
                back[k] = error * self.weights[OUT][k];
                slope[BIAS][k] += back[k];
            }
        }
        for &(f, v) in &sample.list {
            let v = f32::from(v);
            for (s, b) in slope[f as usize].iter_mut().zip(&back) {
                *s += b * v;
            }
        }
        (guess - sample.target).powi(2)
    }

    fn correct(&mut self, slope: &[FloatRow], rate: f32, n: f32) {
        self.step += 1;
        let (fix1, fix2) = (1.0 - 0.9f32.powi(self.step), 1.0 - 0.999f32.powi(self.step));
        let weights = self.weights.iter_mut().flatten();
        let moments = self.mean.iter_mut().flatten();
        let squares = self.square.iter_mut().flatten();
        for (((w, m), q), s) in weights
            .zip(moments)
            .zip(squares)
            .zip(slope.iter().flatten())
        {
            let s = s / n + 1e-6 * *w;
            *m = 0.9 * *m + 0.1 * s;
            *q = 0.999 * *q + 0.001 * s * s;
            let change = (*m / fix1) / ((*q / fix2).sqrt() + 1e-8);
            // The range that fits into a byte.
            *w = (*w - rate * change).clamp(-3.1, 3.1);
        }
    }
}
