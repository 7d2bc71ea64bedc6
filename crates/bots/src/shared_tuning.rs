//! Tuning the evaluation of solo and cooperative games by self-play: play alone, note positions with
//! the cards still used after them, fit the net.

use std::borrow::Cow;

use fastrand::Rng;
use rules::{Action, Actions, Actor, Phase, Seat, Setup, State};

use crate::budget::{Budget, Meter, NoClock};
use crate::net::Evaluation;
use crate::planner::{Planner, Widths};
use crate::quick::Quick;
use crate::search::{Style, search};
use crate::shared_features::{FEATURES, features, rule_of_thumb};
use crate::shared_net::{CARDS, HIDDEN, STEP, usual};

pub use crate::shared_net::SharedNet;

/// Who plays the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The best single action by the net.
    Greedy,
    /// The best turn by so many playouts.
    Search(u32),
}

/// A position with what is usually needed from there, and the cards that were, by [`CARDS`].
pub struct Sample {
    list: Vec<(u16, u8)>,
    usual: f32,
    target: f32,
}

/// A position on the way.
struct Noted {
    list: Vec<(u16, u8)>,
    score: u16,
    usual: f32,
    guess: f32,
    /// What follows was not meant: it says nothing about this position.
    whim: bool,
}

/// A position is taught by what comes soon more than by how the game ends: by so much less per turn,
/// the rest by what the net makes of the next position. The luck of a whole game would drown the
/// difference that one card makes.
const TRACE: f32 = 0.8;
/// One in so many turns is random, so that unusual positions are met too.
const WHIM: u32 = 20;
/// What a lost game counts as, in cards.
const LOST: f32 = 75.0;

/// Plays a game and notes positions; returns its score and whether it was won.
pub fn game(
    setup: &Setup,
    net: &SharedNet,
    player: Player,
    rng: &mut Rng,
    out: &mut Vec<Sample>,
) -> (u16, bool) {
    let Ok(mut state) = State::new(setup) else {
        return (0, false);
    };
    let evaluation = Evaluation::Shared(Cow::Owned(net.clone()));
    let mut noted: Vec<Noted> = Vec::new();
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
                state.legal_actions(&mut list);
                let whim = rng.u32(0..WHIM) == 0;
                let action = if whim {
                    if let Some(last) = noted.last_mut() {
                        last.whim = true;
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

/// From the end backwards: the cards still used, partly as it went, partly as the net guessed.
fn teach(noted: Vec<Noted>, total: f32, out: &mut Vec<Sample>) {
    let (mut score, mut guess, mut after) = (total, 0.0, 0.0);
    for noted in noted.into_iter().rev() {
        let own = f32::from(noted.score);
        let trace = if noted.whim { 0.0 } else { TRACE };
        after = (score - own) / CARDS + trace * after + (1.0 - trace) * guess;
        (score, guess) = (own, noted.guess);
        out.push(Sample {
            list: noted.list,
            usual: noted.usual,
            target: after.max(0.0),
        });
    }
}

fn note(state: &State, net: &SharedNet) -> Noted {
    let mut list = Vec::new();
    features(state, |feature, times| list.push((feature as u16, times)));
    Noted {
        list,
        score: state.score(),
        usual: usual(state) / CARDS,
        guess: net.cards(state) / CARDS,
        whim: false,
    }
}

fn act(
    state: &State,
    seat: Seat,
    evaluation: &Evaluation,
    player: Player,
    rng: &mut Rng,
) -> Option<Action> {
    match player {
        Player::Greedy => Quick::new(evaluation).act(state, seat, rng),
        Player::Search(playouts) => {
            let style = Style {
                lines: 6,
                ..Style::of(state)
            };
            let lines = Planner::new(evaluation, seat, Widths::TURN).lines(state, style.lines);
            let mut meter = Meter::new(Budget::Iterations(playouts), &NoClock);
            let world = |_: &mut Rng| Some(*state);
            let tried = search(lines, seat, evaluation, style, &mut meter, rng, world);
            tried.first()?.line.actions.first().copied()
        }
    }
}

type Row = [f32; HIDDEN];

/// Adam over all weights of a net: the rows of the features, then those of bias and output.
pub struct Trainer {
    weights: Vec<Row>,
    mean: Vec<Row>,
    square: Vec<Row>,
    step: i32,
}

const BIAS: usize = FEATURES;
const OUT: usize = FEATURES + 1;
/// Positions between two corrections of the weights.
const BATCH: usize = 256;
/// An error counts no more than this: a lost game should not drown the others.
const WORST: f32 = 3.0;

impl Trainer {
    /// Goes on from a net; a net of zeros is woken up with the rule of thumb in two units and small
    /// random weights in the others.
    pub fn new(net: &SharedNet, rng: &mut Rng) -> Trainer {
        let stored = net.rows.iter().chain([&net.bias, &net.out]);
        let mut weights: Vec<Row> = stored.map(|row| row.map(|w| f32::from(w) * STEP)).collect();
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
        Trainer {
            mean: zeros.clone(),
            square: zeros,
            weights,
            step: 0,
        }
    }

    /// The net as it is now.
    pub fn net(&self) -> SharedNet {
        let row = |at: usize| self.weights[at].map(|w| (w / STEP).round() as i16);
        SharedNet {
            rows: (0..FEATURES).map(row).collect(),
            bias: row(BIAS),
            out: row(OUT),
        }
    }

    /// One pass over the positions; returns the mean loss.
    pub fn epoch(&mut self, samples: &mut [Sample], rate: f32, rng: &mut Rng) -> f32 {
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

    /// The mean loss on positions that were not learnt from.
    pub fn loss(&self, samples: &[Sample]) -> f32 {
        let loss = |s: &Sample| f64::from((self.guess(s).1 - s.target).powi(2));
        (samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64) as f32
    }

    /// The hidden layer and what comes of it.
    fn guess(&self, sample: &Sample) -> (Row, f32) {
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

    /// The loss of a position; adds how the weights should change.
    fn learn(&self, sample: &Sample, slope: &mut [Row]) -> f32 {
        let (hidden, guess) = self.guess(sample);
        let error = (guess - sample.target).clamp(-WORST, WORST);
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

    fn correct(&mut self, slope: &[Row], rate: f32, n: f32) {
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
            // What can be stored in a byte.
            *w = (*w - rate * change).clamp(-3.1, 3.1);
        }
    }
}
