//! Means with confidence intervals, and Elo.

use serde::{Deserialize, Serialize};

/// A sum of integers and of their squares, so that the order of adding does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub n: u64,
    pub sum: i64,
    pub squares: i64,
}

/// A mean and half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    pub mean: f64,
    pub within: f64,
}

impl Tally {
    pub fn add(&mut self, value: i64) {
        self.n += 1;
        self.sum += value;
        self.squares += value * value;
    }

    pub fn merge(&mut self, other: &Tally) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean in units of `unit`, with its 95 % interval by the normal distribution.
    pub fn mean(&self, unit: f64) -> Mean {
        if self.n == 0 {
            return Mean {
                mean: 0.0,
                within: f64::INFINITY,
            };
        }
        let n = self.n as f64;
        let mean = self.sum as f64 / n;
        let variance = (self.squares as f64 / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        Mean {
            mean: mean / unit,
            within: 1.96 * (variance / n).sqrt() / unit,
        }
    }
}

/// The Elo difference for this score, where 0.5 means equal.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.001, 0.999);
    400.0 * (score / (1.0 - score)).log10()
}

/// Elo ratings with half their 95 % intervals from pairwise results: `games[i][j]` games in which `i` scored
/// `score[i][j]`. The mean rating is 0.
pub fn ratings(games: &[Vec<f64>], score: &[Vec<f64>]) -> Vec<Mean> {
    let n = games.len();
    let mut rating = vec![0.0f64; n];
    let scale = std::f64::consts::LN_10 / 400.0;
    let expected = |a: f64, b: f64| 1.0 / (1.0 + ((b - a) * scale).exp());
    let mut information = vec![0.0f64; n];
    for _ in 0..500 {
        for i in 0..n {
            let (mut slope, mut steep) = (0.0, 0.0);
            for j in (0..n).filter(|&j| j != i) {
                let e = expected(rating[i], rating[j]);
                slope += score[i][j] - games[i][j] * e;
                steep += games[i][j] * e * (1.0 - e);
            }
            information[i] = steep;
            if steep > 0.0 {
                rating[i] = (rating[i] + 0.7 * slope / steep / scale).clamp(-2000.0, 2000.0);
            }
        }
        let middle = rating.iter().sum::<f64>() / n.max(1) as f64;
        for r in &mut rating {
            *r -= middle;
        }
    }
    rating
        .iter()
        .zip(&information)
        .map(|(&mean, &steep)| Mean {
            mean,
            within: 1.96 / steep.max(1e-9).sqrt() / scale,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_are_191_elo() {
        assert!((elo(0.75) - 190.8).abs() < 0.1);
        let games = vec![vec![0.0, 100.0], vec![100.0, 0.0]];
        let score = vec![vec![0.0, 75.0], vec![25.0, 0.0]];
        let found = ratings(&games, &score);
        assert!((found[0].mean - found[1].mean - 190.8).abs() < 0.5);
    }

    #[test]
    fn tallies_of_shards_add_up() {
        let (mut all, mut one, mut two) = (Tally::default(), Tally::default(), Tally::default());
        for (i, value) in [3, 1, 4, 1, 5].into_iter().enumerate() {
            all.add(value);
            let part = if i % 2 == 0 { &mut one } else { &mut two };
            part.add(value);
        }
        one.merge(&two);
        assert_eq!(one, all);
    }
}
