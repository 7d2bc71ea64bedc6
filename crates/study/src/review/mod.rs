//! A bot's review of a finished game.
//!
//! A review keeps two kinds of knowledge apart. The *curve* is an estimate from full information: all hands and all
//! prisoners, but not the order of the draw pile. An *opinion* comes from a bot at the player's seat that observed and
//! remembers what the player observed, and knows nothing else.

#[cfg(feature = "analysis")]
mod reviewer;

use serde::{Deserialize, Serialize};
use towers_rules::{Action, Seat};

use crate::replay::Replay;

#[cfg(feature = "analysis")]
pub use reviewer::{Reviewer, curve, review};

/// The estimate after every step of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// Chances to win from 0 to 1, by step and then by seat; partners share theirs.
    Win(Vec<Vec<f32>>),
    /// The expected total number of cards at the end of a solo or cooperative game, by step.
    Cards(Vec<f32>),
}

impl Curve {
    /// The number of steps.
    pub fn len(&self) -> usize {
        match self {
            Curve::Win(steps) => steps.len(),
            Curve::Cards(steps) => steps.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The seat that lost most by a step, and how much: a part of the chance to win, or of thirty cards.
    fn fall(&self, step: usize) -> Option<(Seat, f32)> {
        let before = step.checked_sub(1)?;
        match self {
            Curve::Win(steps) => steps
                .get(before)?
                .iter()
                .zip(steps.get(step)?)
                .enumerate()
                .map(|(i, (b, a))| (Seat(i as u8), b - a))
                .max_by(|one, other| one.1.total_cmp(&other.1)),
            Curve::Cards(steps) => Some((Seat(0), (steps.get(step)? - steps.get(before)?) / 30.0)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    pub curve: Curve,
    /// The bot's opinion on every step; `None` where nobody decided or there was no choice.
    pub advice: Vec<Option<Opinion>>,
}

/// What a bot would have played in a player's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opinion {
    /// The seat that decided.
    pub seat: Seat,
    /// The player's action.
    pub played: Action,
    /// The bot's action.
    pub best: Action,
    /// The expected result of the bot's action: a chance to win, or cards in total.
    pub promise: f32,
    /// The expected result of the player's action, if the bot considered it.
    pub played_promise: Option<f32>,
}

/// A step that changed the course of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct TurningPoint {
    pub step: usize,
    /// The seat that lost most by it.
    pub seat: Seat,
    /// The loss in the chance to win.
    pub lost: f32,
    /// Whether it was that seat's own decision.
    pub own: bool,
}

/// The steps with the largest fall in a player's chance, largest first. In solo and cooperative games a fall is the
/// number of cards lost, divided by thirty.
pub fn turning_points(replay: &Replay, curve: &Curve, most: usize) -> Vec<TurningPoint> {
    let mut list: Vec<TurningPoint> = (1..curve.len())
        .filter_map(|step| {
            let (seat, lost) = curve.fall(step)?;
            let own = replay.steps.get(step)?.seat == Some(seat);
            Some(TurningPoint {
                step,
                seat,
                lost,
                own,
            })
        })
        .filter(|t| t.lost > 0.03)
        .collect();
    list.sort_by(|a, b| b.lost.total_cmp(&a.lost));
    list.truncate(most);
    list
}
