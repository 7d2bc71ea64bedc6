//! The evaluation: from features to a chance to win, or to the cards still needed.
//!
//! One hidden layer. A player's part of it is fed by that player's features and by the mean of the
//! opponents' features; the players' scores then compete in a softmax. The weights are tuned by
//! self-play (`examples/tune.rs`) and stored as one byte each.

use std::sync::LazyLock;

use rules::{Mode, Seat, State};

use crate::features::{FEATURES, Features, NO_FEATURES, features};

/// Units of the hidden layer.
pub(crate) const HIDDEN: usize = 32;
type Row = [f32; HIDDEN];

/// The weights of one evaluation.
#[derive(Clone)]
pub struct Net {
    /// From a player's own features.
    pub(crate) own: Vec<Row>,
    /// From the mean of the others' features.
    pub(crate) others: Vec<Row>,
    pub(crate) bias: Row,
    pub(crate) out: Row,
}

/// A stored byte times this is a weight.
const STEP: f32 = 1.0 / 40.0;

impl Net {
    /// A net from stored bytes; what is missing is zero.
    pub fn from_bytes(bytes: &[u8]) -> Net {
        let mut numbers = bytes
            .iter()
            .map(|&b| f32::from(b.cast_signed()) * STEP)
            .chain(std::iter::repeat(0.0));
        let mut row = || std::array::from_fn(|_| numbers.next().unwrap_or(0.0));
        let own = (0..FEATURES).map(|_| row()).collect();
        let others = (0..FEATURES).map(|_| row()).collect();
        Net {
            own,
            others,
            bias: row(),
            out: row(),
        }
    }

    /// The bytes to store.
    #[cfg(feature = "tuning")]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.own
            .iter()
            .chain(&self.others)
            .chain([&self.bias, &self.out])
            .flatten()
            .map(|w| ((w / STEP).round().clamp(-127.0, 127.0) as i8).cast_unsigned())
            .collect()
    }

    /// The score of every owner.
    pub(crate) fn scores(&self, lists: &[Features]) -> [f32; 6] {
        let n = lists.len();
        let mut own = [[0.0; HIDDEN]; 6];
        let mut sum = [0.0; HIDDEN];
        let mut seen = [[0.0; HIDDEN]; 6];
        for (i, list) in lists.iter().enumerate() {
            own[i] = self.bias;
            for (feature, value) in list.iter() {
                add(&mut own[i], &self.own[feature], value);
                if n > 1 {
                    add(&mut seen[i], &self.others[feature], value);
                }
            }
            add(&mut sum, &seen[i], 1.0);
        }
        let share = if n > 1 { 1.0 / (n - 1) as f32 } else { 0.0 };
        let mut scores = [0.0; 6];
        for i in 0..n {
            let mut score = 0.0;
            for k in 0..HIDDEN {
                let h = own[i][k] + (sum[k] - seen[i][k]) * share;
                score += h.max(0.0) * self.out[k];
            }
            scores[i] = score;
        }
        scores
    }
}

#[inline]
fn add(to: &mut Row, row: &Row, times: f32) {
    for (t, r) in to.iter_mut().zip(row) {
        *t += r * times;
    }
}

/// The nets in use: by number of players, and one for playing together.
static NETS: LazyLock<[Net; 4]> = LazyLock::new(|| {
    [
        Net::from_bytes(include_bytes!("../weights/two.bin")),
        Net::from_bytes(include_bytes!("../weights/four.bin")),
        Net::from_bytes(include_bytes!("../weights/six.bin")),
        Net::from_bytes(include_bytes!("../weights/solo.bin")),
    ]
});

/// Which net fits a table.
pub(crate) fn net_index(state: &State) -> usize {
    match (state.options().mode, state.players()) {
        (Mode::Solo | Mode::Coop, _) => 3,
        (Mode::Versus, ..=2) => 0,
        (Mode::Versus, 3 | 4) => 1,
        (Mode::Versus, _) => 2,
    }
}

/// The evaluation of one table's positions.
#[derive(Clone)]
pub struct Evaluation {
    net: std::borrow::Cow<'static, Net>,
}

/// Cards still needed per unit of the solo net's score.
pub(crate) const CARDS: f32 = 10.0;
/// What a lost solo game counts as, in cards, and each wizard that is not home.
const LOST: f32 = 90.0;

impl Evaluation {
    /// The one for this table.
    pub fn of(state: &State) -> Evaluation {
        Evaluation {
            net: std::borrow::Cow::Borrowed(&NETS[net_index(state)]),
        }
    }

    /// One with weights of one's own.
    #[cfg(feature = "tuning")]
    pub fn with(net: Net) -> Evaluation {
        Evaluation {
            net: std::borrow::Cow::Owned(net),
        }
    }

    /// How good a position is for a seat, the more the better: the chance to win, or the cards
    /// needed in all, negative, when everybody plays together.
    pub fn value(&self, state: &State, seat: Seat) -> f32 {
        if let Some(value) = ended(state, seat) {
            return value;
        }
        let mut lists = NO_FEATURES;
        let owners = features(state, &mut lists);
        let scores = self.net.scores(&lists[..owners]);
        if state.shares_pieces() {
            return -(f32::from(state.score()) + CARDS * scores[0]);
        }
        chance(state, &scores, seat)
    }
}

/// A softmax over players, or over teams with the partners' scores added.
fn chance(state: &State, scores: &[f32; 6], seat: Seat) -> f32 {
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

/// The value of a game that is over, or that is over as soon as the hand is refilled.
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
    // R11.2: nothing can change any more once the round's last turn is over.
    let last = (state.active().0 + 1) % state.players() == state.start().0;
    if state.phase() != rules::Phase::Refill || !last || !state.is_final() {
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
