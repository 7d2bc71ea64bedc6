//! What a bot thinks of a game that is over.
//!
//! There are two kinds of knowledge in a review, and it says which is which. The *curve* is an estimate from everything: all hands,
//! all prisoners, but not the order of the draw pile. *What it would have played* comes from a bot that sat at the player's
//! seat, saw and heard what the player saw and heard, remembers all of it, and knows nothing else.

use bots::{Bot, Budget, Estimate, Level, NoClock, Promise, estimate};
use rules::{Action, Actor, Seat, Viewer};
use serde::Serialize;
use wire::Deserialize;

use crate::replay::Replay;

/// A review of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// What is expected after every step.
    pub curve: Vec<Estimate>,
    /// What the bot would have played at every step; none where nobody decided or there was no choice.
    pub advice: Vec<Option<Opinion>>,
}

/// What a bot would have played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opinion {
    /// Whose decision it was.
    pub seat: Seat,
    /// What the player did.
    pub played: Action,
    /// What the bot would have done.
    pub best: Action,
    /// What it expected of that: a chance to win, or cards in all.
    pub promise: f32,
    /// What it expected of what the player did, if it thought about that.
    pub played_promise: Option<f32>,
}

/// A moment that changed a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Turning {
    /// Which step.
    pub step: usize,
    /// Who lost most by it.
    pub seat: Seat,
    /// How much of the chance to win they lost.
    pub lost: f32,
    /// Whether it was their own decision.
    pub own: bool,
}

/// The estimate after every step: quick.
pub fn curve(replay: &Replay) -> Vec<Estimate> {
    replay.steps.iter().map(|s| estimate(&s.state)).collect()
}

/// A bot for every seat that follows the game, so that it can be asked at any step.
pub struct Reviewer<'a> {
    replay: &'a Replay,
    bots: Vec<Bot>,
    next: usize,
}

impl<'a> Reviewer<'a> {
    /// Begins after the deal.
    pub fn new(replay: &'a Replay) -> Reviewer<'a> {
        let state = replay.state(0);
        let bots = state
            .seats()
            .map(|seat| Bot::new(Level::Master, seat, 1, &state.view(Viewer::Seat(seat))))
            .collect();
        Reviewer {
            replay,
            bots,
            next: 1,
        }
    }

    /// What a bot at the player's seat says to the next step; none when all steps were looked at. `playouts` says how long it
    /// may think.
    pub fn next(&mut self, playouts: u32) -> Option<Option<Opinion>> {
        let step = self.replay.steps.get(self.next)?;
        let before = self.replay.state(self.next - 1);
        let opinion = match (before.actor(), step.seat, step.action) {
            (Actor::Player(actor), Some(seat), Some(action)) if actor == seat => {
                self.think(before, seat, action, playouts)
            }
            _ => None,
        };
        self.follow();
        Some(opinion)
    }

    /// Follows the game up to a step without an opinion on it.
    pub fn skip_to(&mut self, step: usize) {
        while self.next < step.min(self.replay.steps.len()) {
            self.follow();
        }
    }

    /// All bots see what their seats saw of a step.
    fn follow(&mut self) {
        if let Some(step) = self.replay.steps.get(self.next) {
            for bot in &mut self.bots {
                let viewer = Viewer::Seat(bot.seat());
                for &event in &step.events {
                    bot.observe(&step.state.event_seen_by(event, viewer));
                }
            }
            self.next += 1;
        }
    }

    fn think(
        &mut self,
        before: &rules::State,
        seat: Seat,
        played: Action,
        playouts: u32,
    ) -> Option<Opinion> {
        let view = before.view(Viewer::Seat(seat));
        let bot = self.bots.get_mut(seat.index())?;
        let advice = bot.explain(&view, Budget::Iterations(playouts), &NoClock, 64);
        let number = |promise: Promise| match promise {
            Promise::Win(n) | Promise::Cards(n) => n,
        };
        let [best, _, ..] = &advice[..] else {
            return None;
        };
        let same = advice.iter().find(|a| a.action == played);
        Some(Opinion {
            seat,
            played,
            best: best.action,
            promise: number(best.promise),
            played_promise: same.map(|a| number(a.promise)),
        })
    }
}

/// Reviews a whole game.
pub fn review(replay: &Replay, playouts: u32) -> Review {
    let mut reviewer = Reviewer::new(replay);
    let mut advice = vec![None];
    while let Some(opinion) = reviewer.next(playouts) {
        advice.push(opinion);
    }
    Review {
        curve: curve(replay),
        advice,
    }
}

/// The steps at which somebody's chance fell most, the largest fall first. In solo and cooperative games a fall is cards lost,
/// as a part of thirty.
pub fn turning_points(replay: &Replay, curve: &[Estimate], most: usize) -> Vec<Turning> {
    let mut list: Vec<Turning> = (1..curve.len())
        .filter_map(|step| {
            let (seat, lost) = fall(&curve[step - 1], &curve[step])?;
            let own = replay.steps.get(step)?.seat == Some(seat);
            Some(Turning {
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

/// Who lost most between two estimates, and how much.
fn fall(before: &Estimate, after: &Estimate) -> Option<(Seat, f32)> {
    match (before, after) {
        (Estimate::Win(before), Estimate::Win(after)) => before
            .iter()
            .zip(after)
            .enumerate()
            .map(|(i, (b, a))| (Seat(i as u8), b - a))
            .max_by(|one, other| one.1.total_cmp(&other.1)),
        (Estimate::Cards(before), Estimate::Cards(after)) => {
            Some((Seat(0), (after - before) / 30.0))
        }
        _ => None,
    }
}
