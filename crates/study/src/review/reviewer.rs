//! The evaluation of a whole game, and bots that follow it at every seat.

use towers_bots::{Bot, Budget, Estimate, Expectation, NoClock, Strength, estimate};
use towers_rules::{Action, Actor, Seat, State, Viewer};

use super::{Curve, Opinion, Review};
use crate::replay::Replay;

/// The estimate after every step; fast.
pub fn curve(replay: &Replay) -> Curve {
    let (mut chances, mut cards) = (Vec::new(), Vec::new());
    for step in &replay.steps {
        match estimate(&step.state) {
            Estimate::Win(by_seat) => chances.push(by_seat),
            Estimate::Cards(number) => cards.push(number),
        }
    }
    // A game is measured in cards either at every step or at none.
    if cards.is_empty() {
        Curve::Win(chances)
    } else {
        Curve::Cards(cards)
    }
}

/// A bot at every seat that follows the game and can be asked at any step.
pub struct Reviewer<'a> {
    replay: &'a Replay,
    bots: Vec<Bot>,
    next: usize,
}

impl<'a> Reviewer<'a> {
    /// Starts after the deal.
    pub fn new(replay: &'a Replay) -> Reviewer<'a> {
        let state = replay.state(0);
        let bots = state
            .seats()
            .map(|seat| Bot::new(Strength::Master, seat, 1, &state.view(Viewer::Seat(seat))))
            .collect();
        Reviewer {
            replay,
            bots,
            next: 1,
        }
    }

    /// The opinion of a bot at the player's seat on the next step; the outer `None` after the last step. `playouts`
    /// bounds the search.
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

    /// Follows the game up to a step without opinions.
    pub fn skip_to(&mut self, step: usize) {
        while self.next < step.min(self.replay.steps.len()) {
            self.follow();
        }
    }

    /// Shows a step to all bots as their seats saw it.
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
        before: &State,
        seat: Seat,
        played: Action,
        playouts: u32,
    ) -> Option<Opinion> {
        let view = before.view(Viewer::Seat(seat));
        let bot = self.bots.get_mut(seat.index())?;
        let advice = bot.explain(&view, Budget::Iterations(playouts), &NoClock, 64);
        let number = |promise: Expectation| match promise {
            Expectation::Win(n) | Expectation::Cards(n) => n,
        };
        let [best, _, ..] = &advice[..] else {
            return None;
        };
        let same = advice.iter().find(|a| a.action == played);
        Some(Opinion {
            seat,
            played,
            best: best.action,
            promise: number(best.expectation),
            played_promise: same.map(|a| number(a.expectation)),
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
