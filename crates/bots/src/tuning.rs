//! Tuning the evaluation by self-play: play games, note positions with how they ended, fit the net.
//!
//! Games are played on full states, which is fair: the planner looks at nothing but the hand of the
//! one who acts and at what is on the board.

use fastrand::Rng;
use rules::{Actions, Actor, MAX_SEATS, Phase, Seat, Setup, State};

use crate::features::{FEATURES, Sink, features};
use crate::net::{CARDS, Evaluation, HIDDEN, STEP};
use crate::novice;
use crate::planner::{Planner, Widths};

pub use crate::net::Net;

/// Who plays the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The Novice, to begin with.
    Novice,
    /// The best single action by a rule of thumb, to begin with where Novices never get anywhere: alone.
    Thumb,
    /// The best single action by the net.
    Greedy,
    /// The best turn by the net.
    Turn,
}

/// A position with how its game ended.
pub struct Sample {
    lists: Vec<Vec<(u16, u8)>>,
    /// Each owner's share of the win; alone or together: cards still used, by [`CARDS`].
    target: [f32; MAX_SEATS],
}

/// The most cards still needed that a position can be taught.
const MOST_CARDS: f32 = 80.0 / CARDS;
/// Alone, a position is taught by what comes soon more than by how the game ends: by so much less per
/// turn, the rest by what the net makes of the next position. The luck of a whole game would drown
/// the difference that one card makes.
const TRACE: f32 = 0.8;
/// One in so many actions is random, so that unusual positions are met too.
const WHIM: u32 = 24;

/// Plays a game and notes positions at the ends of turns and some in between; returns its score.
pub fn game(setup: &Setup, net: &Net, player: Player, rng: &mut Rng, out: &mut Vec<Sample>) -> u16 {
    let Ok(mut state) = State::new(setup) else {
        return 0;
    };
    let evaluation = Evaluation::with(net.clone());
    let first = out.len();
    let mut scores = Vec::new();
    let mut refilling = false;
    let mut list = Actions::new();
    loop {
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => {
                if state.phase() == Phase::Refill && !refilling {
                    refilling = true;
                    note(&state, out);
                    scores.push((state.score(), evaluation.scores(&state)[0]));
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
                state.legal_actions(&mut list);
                let action = if rng.u32(0..WHIM) == 0 {
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
                    scores.push((0, 0.0));
                }
            }
        }
    }
    let target = outcome(&state);
    let trace = match player {
        Player::Novice | Player::Thumb => 1.0,
        Player::Greedy | Player::Turn => TRACE,
    };
    let mut next = (target[0], 0.0);
    let mut after = 0.0; // cards still used, as taught to the position after
    for (sample, (score, guess)) in out[first..].iter_mut().zip(scores).rev() {
        if !state.shares_pieces() {
            sample.target = target;
            continue;
        }
        let used = (next.0 - f32::from(score)) / CARDS;
        after = (used + trace * after + (1.0 - trace) * next.1).clamp(0.0, MOST_CARDS);
        next = (f32::from(score), guess);
        sample.target[0] = after;
    }
    state.score()
}

fn act(
    state: &State,
    seat: Seat,
    evaluation: &Evaluation,
    player: Player,
    rng: &mut Rng,
) -> Option<rules::Action> {
    if player == Player::Turn && state.shares_pieces() {
        return ahead(state, seat, evaluation, rng);
    }
    let widths = match player {
        Player::Novice => return novice::act(state, seat, rng),
        Player::Thumb => return thumb(state, seat, rng),
        Player::Greedy => Widths::GREEDY,
        Player::Turn => Widths::TURN,
    };
    Planner::new(evaluation, seat, widths)
        .act(state)
        .map(|(action, _)| action)
}

/// Alone a turn is one card, so looking at the turn is not enough: the best few actions by what the
/// best next one would be worth after some draws.
fn ahead(
    state: &State,
    seat: Seat,
    evaluation: &Evaluation,
    rng: &mut Rng,
) -> Option<rules::Action> {
    let lines = Planner::new(evaluation, seat, Widths::GREEDY).lines(state, 4);
    let seed = rng.u64(..);
    let mut best = None;
    for line in lines {
        let action = *line.actions.first()?;
        let mut sum = 0.0;
        for draw in 0..3 {
            let mut luck = Rng::with_seed(seed + draw);
            let mut after = *state;
            after.apply_unchecked(seat, action, &mut ());
            if after.phase() == Phase::Rolling {
                return Some(action);
            }
            while let Some(chance) = after.sample_chance(|n| luck.u32(0..n)) {
                after.apply_chance(chance).ok()?;
            }
            sum += Planner::new(evaluation, seat, Widths::GREEDY).value(&after);
        }
        if best.is_none_or(|(most, _)| sum > most) {
            best = Some((sum, action));
        }
    }
    best.map(|(_, action)| action)
}

/// The fewest cards still needed by a rule of thumb: one per wizard to get home, some for the way, one
/// more if it is imprisoned, less if a card that brings it home is at hand.
fn thumb(state: &State, seat: Seat, rng: &mut Rng) -> Option<rules::Action> {
    let mut list = Actions::new();
    state.legal_actions(&mut list);
    let cost = |action: rules::Action| {
        let mut after = *state;
        after.apply_unchecked(seat, action, &mut ());
        let owner = after.owner(seat);
        let mut cost = f32::from(after.flasks(seat).empty) * 0.8;
        for surface in rules::Surface::all() {
            let n = f32::from(after.count(surface, owner));
            let space = after.space_of(surface);
            let far = after.castle().number().wrapping_sub(space.number()) & 15;
            let covered = after.tower_on(surface).is_some();
            cost += n * (1.0 + 0.02 * f32::from(far) + if covered { 0.7 } else { 0.0 });
            let hit = |card: rules::Card| card.dice() == 0 && card.wizard_steps(0) == Some(far);
            if n > 0.0 && !covered && after.hand(seat).iter().any(hit) {
                cost -= 0.6;
            }
        }
        cost
    };
    list.iter()
        .map(|action| (action, cost(action) + rng.f32() * 0.05))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(action, _)| action)
}

fn outcome(state: &State) -> [f32; MAX_SEATS] {
    let mut target = [0.0; MAX_SEATS];
    if state.shares_pieces() {
        let lost = state.outcome().is_none_or(|o| o.winners.is_empty());
        target[0] = f32::from(state.score()) + if lost { 20.0 } else { 0.0 };
        return target;
    }
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
    let mut lists = Lists(vec![Vec::new(); MAX_SEATS]);
    let owners = features(state, &mut lists);
    lists.0.truncate(owners);
    out.push(Sample {
        lists: lists.0,
        target: [0.0; MAX_SEATS],
    });
}

struct Lists(Vec<Vec<(u16, u8)>>);

impl Sink for Lists {
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
/// Positions between two corrections of the weights.
const BATCH: usize = 256;

impl Trainer {
    /// Goes on from a net; a net of zeros is woken up with small random weights.
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

    /// The net as it is now.
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

    /// The mean loss on positions that were not learnt from.
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
            // What can be stored in a byte.
            self.weights[i] = (self.weights[i] - rate * change).clamp(-3.1, 3.1);
        }
    }

    /// The loss of a position, and how the weights should change.
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

/// The loss and its slope per score: cross entropy of a softmax, or squares for cards.
fn judge(scores: &[f32], target: &[f32; MAX_SEATS]) -> (f32, [f32; MAX_SEATS]) {
    let mut errors = [0.0; MAX_SEATS];
    if let [score] = scores {
        errors[0] = (score - target[0]).clamp(-1.0, 1.0);
        return ((score - target[0]).powi(2), errors);
    }
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
