//! How everybody plays in a playout: the action that looks best at once, found without any waste.

use fastrand::Rng;
use rules::{Action, Actions, Chance, Phase, Seat, State};

use crate::net::Evaluation;
use crate::planner::is_social;

/// A greedy player that keeps its lists.
pub(crate) struct Quick<'a> {
    evaluation: &'a Evaluation,
    list: Actions,
    accepts: Actions,
}

impl<'a> Quick<'a> {
    pub(crate) fn new(evaluation: &'a Evaluation) -> Quick<'a> {
        Quick {
            evaluation,
            list: Actions::new(),
            accepts: Actions::new(),
        }
    }

    /// What a position is worth to a seat.
    pub(crate) fn value(&self, state: &State, seat: Seat) -> f32 {
        self.evaluation.value(state, seat)
    }

    /// What a seat does.
    pub(crate) fn act(&mut self, state: &State, seat: Seat, dice: &mut Rng) -> Option<Action> {
        match state.phase() {
            Phase::Window | Phase::Free => return Some(Action::Pass),
            Phase::Asked => return Some(Action::Decline),
            _ => {}
        }
        let mut list = std::mem::take(&mut self.list);
        state.legal_actions(&mut list);
        let mut best = (f32::NEG_INFINITY, list.get(0));
        for action in list.iter().filter(|&a| !is_social(a)) {
            let mut next = *state;
            next.apply_unchecked(seat, action, &mut ());
            let value = if next.phase() == Phase::Rolling {
                self.roll(&next, seat, dice)
            } else {
                pass(&mut next);
                self.evaluation.value(&next, seat)
            };
            if value > best.0 {
                best = (value, Some(action));
            }
        }
        self.list = list;
        best.1
    }

    /// What a roll promises, by a die and its underside: together they are as good as average.
    fn roll(&mut self, state: &State, seat: Seat, dice: &mut Rng) -> f32 {
        let value = dice.u8(1..=6);
        let (one, other) = (
            self.accept(state, seat, value),
            self.accept(state, seat, 7 - value),
        );
        f32::midpoint(one, other)
    }

    fn accept(&mut self, state: &State, seat: Seat, value: u8) -> f32 {
        let mut rolled = *state;
        if rolled.apply_chance(Chance::Roll(value)).is_err() {
            return f32::NEG_INFINITY;
        }
        rolled.legal_actions(&mut self.accepts);
        let mut best = f32::NEG_INFINITY;
        for action in self.accepts.iter() {
            if let Action::Accept(_) = action {
                let mut next = rolled;
                next.apply_unchecked(seat, action, &mut ());
                pass(&mut next);
                best = best.max(self.evaluation.value(&next, seat));
            }
        }
        best
    }
}

/// Nobody reacts (R13.3).
fn pass(state: &mut State) {
    while let (rules::Actor::Player(seat), Phase::Window | Phase::Free) =
        (state.actor(), state.phase())
    {
        state.apply_unchecked(seat, Action::Pass, &mut ());
    }
}
