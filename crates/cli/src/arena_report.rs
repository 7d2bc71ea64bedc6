//! The results of an arena: printing, storing and merging.

use std::fmt;

use serde::{Deserialize, Serialize};
use towers_rules::Setup;

use crate::arena::{DealResult, WIN, rotations};
use crate::contest::DecisionTimes;
use crate::failure::Failure;
use crate::statistics::{Mean, Tally, elo, ratings};

/// The results of an arena. Shards of the same contest can be merged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArenaReport {
    pub setup: Setup,
    pub seed: u64,
    /// The requested games per pairing.
    pub games: u64,
    pub bots: Vec<String>,
    pub shards: Vec<String>,
    pub pairings: Vec<Pairing>,
    pub thoughts: Vec<ThinkingTimes>,
    /// Wall time.
    pub seconds: f64,
    /// Derived figures for readers; ignored when read back.
    #[serde(skip_deserializing)]
    pub summary: Option<ArenaSummary>,
}

/// The games of one lineup.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The bot at each seat, before rotation.
    pub seats: Vec<usize>,
    pub games: u64,
    pub capped: u64,
    /// Per bot and deal: wins in parts of 60, all its seats together.
    pub wins: Vec<Tally>,
}

/// Thinking time of a bot.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ThinkingTimes {
    pub decisions: u64,
    pub nanoseconds: u64,
    pub longest_nanoseconds: u64,
}

/// The derived figures.
#[derive(Clone, Debug, Serialize)]
pub struct ArenaSummary {
    pub pairings: Vec<PairingSummary>,
    pub elo: Vec<Rated>,
    pub games: u64,
    pub capped_share: f64,
    pub moves_per_second: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct PairingSummary {
    pub bots: Vec<Share>,
    pub games: u64,
    pub capped_share: f64,
    /// The advantage of the first bot over the second: the estimate and the ends of its 95 % interval.
    pub elo_difference: Option<[f64; 3]>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Share {
    pub bot: String,
    pub win_rate: Mean,
    /// The share that equal players would win.
    pub equal: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Rated {
    pub bot: String,
    pub elo: Mean,
    pub mean_decision_ms: f64,
    pub longest_decision_ms: f64,
}

impl ArenaReport {
    pub fn add(&mut self, pairing: usize, deal: &DealResult) {
        let to = &mut self.pairings[pairing];
        to.games += deal.games;
        to.capped += deal.capped;
        for (bot, tally) in to.wins.iter_mut().enumerate() {
            if to.seats.contains(&bot) {
                tally.add(deal.wins[bot]);
            }
        }
        for (sum, thought) in self.thoughts.iter_mut().zip(&deal.times) {
            sum.add(*thought);
        }
    }

    /// Adds another shard of the same contest.
    pub fn merge(&mut self, other: &ArenaReport) -> Result<(), Failure> {
        let same = self.setup == other.setup
            && (self.seed, self.games, &self.bots) == (other.seed, other.games, &other.bots)
            && self.pairings.len() == other.pairings.len();
        if !same {
            return Err(Failure::input("these are not shards of the same contest"));
        }
        if let Some(twice) = other.shards.iter().find(|s| self.shards.contains(s)) {
            return Err(Failure::input(format!("shard {twice} occurs twice")));
        }
        self.shards.extend(other.shards.iter().cloned());
        self.seconds += other.seconds;
        for (to, from) in self.pairings.iter_mut().zip(&other.pairings) {
            to.games += from.games;
            to.capped += from.capped;
            for (a, b) in to.wins.iter_mut().zip(&from.wins) {
                a.merge(b);
            }
        }
        for (to, from) in self.thoughts.iter_mut().zip(&other.thoughts) {
            to.decisions += from.decisions;
            to.nanoseconds += from.nanoseconds;
            to.longest_nanoseconds = to.longest_nanoseconds.max(from.longest_nanoseconds);
        }
        Ok(())
    }

    pub fn complete(&self) -> ArenaReport {
        let mut report = self.clone();
        report.summary = Some(self.summary());
        report
    }

    /// The rating of every bot.
    pub fn ratings(&self) -> Vec<Rated> {
        self.summary().elo
    }

    fn summary(&self) -> ArenaSummary {
        let n = self.bots.len();
        let mut games = vec![vec![0.0; n]; n];
        let mut score = vec![vec![0.0; n]; n];
        let mut pairings = Vec::new();
        for pairing in &self.pairings {
            let summary = self.pairing(pairing);
            let mut who: Vec<usize> = pairing.seats.clone();
            who.dedup();
            who.truncate(2);
            if let ([a, b], Some(difference)) = (who.as_slice(), summary.elo_difference) {
                let won = 1.0 / (1.0 + 10f64.powf(-difference[0] / 400.0));
                let played = pairing.games as f64;
                for (i, j, share) in [(*a, *b, won), (*b, *a, 1.0 - won)] {
                    games[i][j] += played;
                    score[i][j] += played * share;
                }
            }
            pairings.push(summary);
        }
        let all: u64 = self.pairings.iter().map(|p| p.games).sum();
        let capped: u64 = self.pairings.iter().map(|p| p.capped).sum();
        let moves: u64 = self.thoughts.iter().map(|t| t.decisions).sum();
        let elo = ratings(&games, &score)
            .into_iter()
            .zip(&self.thoughts)
            .zip(&self.bots)
            .map(|((elo, thought), bot)| Rated {
                bot: bot.clone(),
                elo,
                mean_decision_ms: thought.nanoseconds as f64
                    / thought.decisions.max(1) as f64
                    / 1e6,
                longest_decision_ms: thought.longest_nanoseconds as f64 / 1e6,
            })
            .collect();
        ArenaSummary {
            pairings,
            elo,
            games: all,
            capped_share: capped as f64 / all.max(1) as f64,
            moves_per_second: moves as f64 / self.seconds.max(1e-9),
        }
    }

    fn pairing(&self, pairing: &Pairing) -> PairingSummary {
        let unit = WIN as f64 * rotations(&pairing.seats).len() as f64;
        let seats = pairing.seats.len() as f64;
        let mut bots = Vec::new();
        let mut order: Vec<usize> = Vec::new();
        for &bot in &pairing.seats {
            if !order.contains(&bot) {
                order.push(bot);
            }
        }
        for &bot in &order {
            let held = pairing.seats.iter().filter(|&&b| b == bot).count() as f64;
            bots.push(Share {
                bot: self.bots[bot].clone(),
                win_rate: pairing.wins[bot].mean(unit),
                equal: held / seats,
            });
        }
        let elo_difference = (bots.len() == 2).then(|| {
            let (first, second) = (&bots[0], &bots[1]);
            // Use wins per seat, so that one against three is comparable.
            let difference = |shift: f64| {
                let a = (first.win_rate.mean + shift).clamp(0.0, 1.0) / first.equal;
                let b = (second.win_rate.mean - shift).clamp(0.0, 1.0) / second.equal;
                elo(a / (a + b).max(1e-9))
            };
            let within = first.win_rate.within;
            [difference(0.0), difference(-within), difference(within)]
        });
        PairingSummary {
            bots,
            games: pairing.games,
            capped_share: pairing.capped as f64 / pairing.games.max(1) as f64,
            elo_difference,
        }
    }
}

impl ThinkingTimes {
    fn add(&mut self, thought: DecisionTimes) {
        self.decisions += thought.decisions;
        self.nanoseconds += thought.time.as_nanos() as u64;
        let longest = thought.longest.as_nanos() as u64;
        self.longest_nanoseconds = self.longest_nanoseconds.max(longest);
    }
}

impl fmt::Display for ArenaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary();
        for pairing in &summary.pairings {
            for (i, share) in pairing.bots.iter().enumerate() {
                let comma = if i > 0 { ", " } else { "" };
                write!(
                    f,
                    "{comma}{} {:.1} % ±{:.1}",
                    share.bot,
                    100.0 * share.win_rate.mean,
                    100.0 * share.win_rate.within
                )?;
                if (share.equal - 0.5).abs() > 0.01 {
                    write!(f, " (equal: {:.1} %)", 100.0 * share.equal)?;
                }
            }
            write!(f, "; {} games", pairing.games)?;
            if let Some([likely, low, high]) = pairing.elo_difference {
                write!(f, "; Elo {likely:+.0} ({low:+.0} to {high:+.0})")?;
            }
            writeln!(f, "; cap {:.1} %", 100.0 * pairing.capped_share)?;
        }
        writeln!(f)?;
        for rated in &summary.elo {
            writeln!(
                f,
                "{:>16}  Elo {:+5.0} ±{:3.0}   {:9.3} ms per decision, at most {:.1}",
                rated.bot,
                rated.elo.mean,
                rated.elo.within,
                rated.mean_decision_ms,
                rated.longest_decision_ms
            )?;
        }
        writeln!(
            f,
            "{} games in {:.1} s, {:.0} moves per second, {:.1} % ended by the limit on rounds",
            summary.games,
            self.seconds,
            summary.moves_per_second,
            100.0 * summary.capped_share
        )
    }
}
