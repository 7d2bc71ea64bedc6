//! The fast policy of playouts: the action with the best evaluation, without allocating.

use fastrand::Rng;
use towers_rules::{Action, Actions, Chance, Declared, Phase, Seat, SpellTime, State};

use crate::flow::settle;
use crate::net::Evaluation;
use crate::planner::is_social;
use crate::reactions::price;

/// A greedy policy that reuses its lists.
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

    /// The action that a seat takes.
    pub(crate) fn act(&mut self, state: &State, seat: Seat, dice: &mut Rng) -> Option<Action> {
        match state.phase() {
            Phase::Window if considers_spells(state, seat) => return Some(self.react(state, seat)),
            phase if phase.is_window() => return Some(Action::Pass),
            Phase::Asked => return Some(Action::Decline),
            Phase::Offered => return Some(Action::AcceptOffer),
            _ => {}
        }
        let mut list = std::mem::take(&mut self.list);
        state.legal_actions_into(&mut list);
        let mut best = (f32::NEG_INFINITY, list.get(0));
        for action in list.iter().filter(|&a| !is_social(a)) {
            let mut next = *state;
            next.apply_unchecked(seat, action, &mut ());
            let value = match next.phase() {
                Phase::Rolling => self.roll(&next, seat, dice),
                Phase::Redraw => self.redraw(&next, seat),
                _ => {
                    settle(&mut next);
                    self.evaluation.value(&next, seat)
                }
            };
            if value > best.0 {
                best = (value, Some(action));
            }
        }
        self.list = list;
        best.1
    }

    /// The reaction of a seat to a declared move: the best spell before it, if it gains enough.
    fn react(&mut self, state: &State, seat: Seat) -> Action {
        let mut list = std::mem::take(&mut self.list);
        state.legal_actions_into(&mut list);
        let value = |action| {
            let mut next = *state;
            next.apply_unchecked(seat, action, &mut ());
            settle(&mut next);
            self.evaluation.value(&next, seat)
        };
        let pass = value(Action::Pass);
        let mut best = (pass + price(pass), Action::Pass);
        for action in &list {
            if let Action::Before(_) = action {
                let value = value(action);
                if value > best.0 {
                    best = (value, action);
                }
            }
        }
        self.list = list;
        best.1
    }

    /// The value of a roll, estimated from one die and its opposite face, whose mean is that of a fair die.
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
        self.accept_best(&rolled, seat)
    }

    /// The value of a refresh that draws first: that of its best tower, whichever cards come (R4.5).
    fn redraw(&mut self, state: &State, seat: Seat) -> f32 {
        let mut drawn = *state;
        while drawn.phase() == Phase::Redraw {
            let chance = drawn.sample_chance(|_| 0);
            if chance.is_none_or(|c| drawn.apply_chance(c).is_err()) {
                return f32::NEG_INFINITY;
            }
        }
        self.accept_best(&drawn, seat)
    }

    fn accept_best(&mut self, rolled: &State, seat: Seat) -> f32 {
        rolled.legal_actions_into(&mut self.accepts);
        let mut best = f32::NEG_INFINITY;
        for action in &self.accepts {
            if let Action::Accept(_) = action {
                let mut next = *rolled;
                next.apply_unchecked(seat, action, &mut ());
                settle(&mut next);
                best = best.max(self.evaluation.value(&next, seat));
            }
        }
        best
    }
}

/// Whether a seat considers a spell before the declared move: against a wizard about to come home, and for its own move
/// where it has no other moment to cast (R13.2). Elsewhere it casts before it chooses a card.
fn considers_spells(state: &State, seat: Seat) -> bool {
    if seat == state.active() {
        state.options().spell_time == SpellTime::Declared
    } else {
        enters(state)
    }
}

/// Whether the declared move brings a wizard home (R5.4).
fn enters(state: &State) -> bool {
    match state.turn().declared {
        Declared::Wizard { on, steps, .. } => state.space_of(on).ahead(steps) == state.castle(),
        _ => false,
    }
}
