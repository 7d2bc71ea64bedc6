//! The evaluation of games against each other: from features to a chance to win. For solo and cooperative games see
//! `shared_net.rs`.
//!
//! One hidden layer. A player's part of it receives that player's features and the mean of the opponents' features; the
//! players' scores then compete in a softmax. The weights are tuned by self-play (`examples/tune.rs`) and stored as one
//! byte each.

use std::borrow::Cow;
use std::sync::LazyLock;

use towers_rules::{MAX_SEATS, Seat, State};

use crate::features::{FEATURES, Sink, features};
use crate::rows::{List, Row};
use crate::shared_net::{SharedNet, net_for};

/// The number of units in the hidden layer.
pub(crate) const HIDDEN: usize = 32;
/// The weights of one evaluation, in steps of `STEP`.
#[derive(Clone)]
pub struct Net {
    /// The weights of a feature for its owner's part of the hidden layer, then for the others' parts.
    pub(crate) rows: Vec<Row>,
    pub(crate) bias: [i16; HIDDEN],
    pub(crate) out: [i16; HIDDEN],
}

/// The weight that a stored 1 stands for.
pub(crate) const STEP: f32 = 1.0 / 40.0;

impl Net {
    /// A net from stored bytes; missing ones are zero.
    pub fn from_bytes(bytes: &[u8]) -> Net {
        let mut numbers = bytes.iter().map(|&b| i16::from(b.cast_signed()));
        let mut next = || numbers.next().unwrap_or(0);
        let rows = (0..FEATURES)
            .map(|_| std::array::from_fn(|_| next()))
            .collect();
        Net {
            rows,
            bias: std::array::from_fn(|_| next()),
            out: std::array::from_fn(|_| next()),
        }
    }

    /// The bytes to store.
    #[cfg(feature = "tuning")]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.rows
            .iter()
            .flatten()
            .chain(&self.bias)
            .chain(&self.out)
            .map(|&w| (w.clamp(-127, 127) as i8).cast_unsigned())
            .collect()
    }

    /// The score of every owner.
    fn scores(&self, state: &State) -> [f32; MAX_SEATS] {
        let mut lists = OwnerLists(std::array::from_fn(|_| List::new()));
        let n = features(state, &mut lists);
        let mut parts = [[0; 2 * HIDDEN]; MAX_SEATS];
        for (part, list) in parts.iter_mut().zip(&lists.0[..n]) {
            *part = list.sum(&self.rows, &[0; 2 * HIDDEN]);
        }
        let mut all = [0i16; HIDDEN];
        for part in &parts[..n] {
            for (a, p) in all.iter_mut().zip(&part[HIDDEN..]) {
                *a += p;
            }
        }
        // The mean of the others without a division: every other term is multiplied by the number of others.
        let others = i32::from(n.max(2) as u8) - 1;
        let mut scores = [0.0; MAX_SEATS];
        for (score, part) in scores.iter_mut().zip(&parts[..n]) {
            let mut sum = 0;
            for k in 0..HIDDEN {
                let own = i32::from(self.bias[k] + part[k]) * others;
                let hidden = own + i32::from(all[k] - part[HIDDEN + k]);
                sum += hidden.max(0) * i32::from(self.out[k]);
            }
            *score = sum as f32 / others as f32 * (STEP * STEP);
        }
        scores
    }
}

/// The features of every owner.
struct OwnerLists([List<64>; MAX_SEATS]);

impl Sink for OwnerLists {
    #[inline]
    fn add(&mut self, owner: usize, feature: usize, times: u8) {
        self.0[owner].push(feature, times);
    }
}

/// The nets by number of players.
static NETS: LazyLock<[Net; 3]> = LazyLock::new(|| {
    [
        Net::from_bytes(include_bytes!("../weights/two.bin")),
        Net::from_bytes(include_bytes!("../weights/four.bin")),
        Net::from_bytes(include_bytes!("../weights/six.bin")),
    ]
});

/// The evaluation of a table's positions.
#[derive(Clone)]
pub enum Evaluation {
    /// Against each other: the chance to win. The number is added to an owner's score for every full flask.
    Versus(Cow<'static, Net>, f32),
    /// Solo and cooperative: the number of cards needed.
    Shared(Cow<'static, SharedNet>),
}

/// The value of a full flask with reactions, added to a score.
const FLASK: f32 = 0.3;

/// The cards that a lost solo game counts as, and the extra for each wizard that is not home.
const LOST: f32 = 90.0;

impl Evaluation {
    /// The evaluation of positions like this.
    pub fn of(state: &State) -> Evaluation {
        if state.shares_pieces() {
            return Evaluation::Shared(Cow::Borrowed(net_for(state)));
        }
        let net = match state.players() {
            ..=2 => &NETS[0],
            3 | 4 => &NETS[1],
            _ => &NETS[2],
        };
        Evaluation::Versus(Cow::Borrowed(net), 0.0)
    }

    /// The evaluation for a bot that saves flasks for other players' turns. The nets were trained on games without
    /// reactions, where a flask is useful on the player's own turn only.
    pub(crate) fn patient(state: &State) -> Evaluation {
        let mut evaluation = Evaluation::of(state);
        if let Evaluation::Versus(_, flask) = &mut evaluation
            && state.options().reactions
        {
            *flask = FLASK;
        }
        evaluation
    }

    /// The value of a position for a seat, higher is better: the chance to win, or the negative number of cards needed
    /// in solo and cooperative games.
    pub fn value(&self, state: &State, seat: Seat) -> f32 {
        if let Some(value) = ended(state, seat) {
            return value;
        }
        match self {
            Evaluation::Versus(net, flask) => {
                let mut scores = net.scores(state);
                if *flask > 0.0 {
                    for owner in state.seats() {
                        scores[owner.index()] += flask * f32::from(state.flasks(owner).full);
                    }
                }
                chance(state, &scores, seat)
            }
            Evaluation::Shared(net) => -(f32::from(state.score()) + net.cards(state)),
        }
    }
}

/// A softmax over players, or over teams with the partners' scores added.
fn chance(state: &State, scores: &[f32; MAX_SEATS], seat: Seat) -> f32 {
    let n = state.players() as usize;
    let sides = if state.options().teams { n / 2 } else { n };
    let side = |i: usize| {
        if sides < n {
            scores[i] + scores[i + sides]
        } else {
            scores[i]
        }
    };
    let own = side(seat.index() % sides);
    let sum: f32 = (0..sides).map(|i| (side(i) - own).min(60.0).exp()).sum();
    1.0 / sum
}

/// The value of a game that is over, or will be over once the hand is refilled.
fn ended(state: &State, seat: Seat) -> Option<f32> {
    if state.shares_pieces() {
        let outcome = state.outcome()?;
        let score = f32::from(state.score());
        let left = f32::from(state.wizards_each() - state.home(Seat(0)));
        return Some(if outcome.winners.is_empty() {
            -(LOST + 4.0 * left)
        } else {
            -score
        });
    }
    let share = |wins: &dyn Fn(Seat) -> bool| {
        let winners = state.seats().filter(|&s| wins(s)).count();
        if wins(seat) {
            1.0 / winners.max(1) as f32 * if state.options().teams { 2.0 } else { 1.0 }
        } else {
            0.0
        }
    };
    if let Some(outcome) = state.outcome() {
        return Some(share(&|s| outcome.winners.contains(s)));
    }
    // R11.2: nothing can change once the last turn of the round is over.
    let last = (state.active().0 + 1) % state.players() == state.start().0;
    if state.phase() != towers_rules::Phase::Refill || !last || !state.is_final() {
        return None;
    }
    let full = |s: Seat| {
        let own = state.flasks(s).full;
        own + state.partner(s).map_or(0, |p| state.flasks(p).full)
    };
    let most = state
        .seats()
        .filter(|&s| state.has_finished(s))
        .map(full)
        .max()?;
    Some(share(&|s| state.has_finished(s) && full(s) == most))
}
