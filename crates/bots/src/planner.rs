//! Planning the rest of a turn: every order of cards, dice by expectation, spells, refresh.
//!
//! The plan ends where the turn ends, or where somebody else decides; there the evaluation speaks.

use rules::{Action, Actions, Actor, Chance, Phase, Seat, State};

use crate::net::Evaluation;

/// How far a plan looks: how many of the positions after an action are followed further, per depth.
/// The best ones by evaluation are followed, the others are taken as they look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    first: usize,
    second: usize,
    later: usize,
}

impl Widths {
    /// No looking further: the action that looks best at once.
    pub(crate) const GREEDY: Widths = Widths {
        first: 0,
        second: 0,
        later: 0,
    };
    /// The whole turn.
    pub(crate) const TURN: Widths = Widths {
        first: 24,
        second: 5,
        later: 2,
    };
    /// The whole turn, only what looks promising.
    pub(crate) const NARROW: Widths = Widths {
        first: 2,
        second: 1,
        later: 1,
    };

    fn at(self, depth: usize, choices: usize) -> usize {
        match depth {
            // With many spells to cast there is much to look at: follow less of it.
            0 if choices > 60 => self.first / 2,
            0 => self.first,
            1 => self.second,
            2..=5 => self.later,
            _ => 0,
        }
    }
}

/// A way to play on: actions up to the end of the turn, a roll, or somebody else's decision.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub actions: Vec<Action>,
    pub value: f32,
    end: State,
}

/// Plans for one seat.
pub(crate) struct Planner<'a> {
    evaluation: &'a Evaluation,
    seat: Seat,
    widths: Widths,
    /// The best lines so far, best first, and how many are wanted.
    lines: Vec<Line>,
    most: usize,
    path: Vec<Action>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(evaluation: &'a Evaluation, seat: Seat, widths: Widths) -> Planner<'a> {
        Planner {
            evaluation,
            seat,
            widths,
            lines: Vec::new(),
            most: 0,
            path: Vec::new(),
        }
    }

    /// The best ways to play on, best first.
    pub(crate) fn lines(mut self, state: &State, most: usize) -> Vec<Line> {
        self.most = most;
        self.best(state, 0);
        self.lines
    }

    /// The best action now, with what it promises.
    #[cfg(feature = "tuning")]
    pub(crate) fn act(mut self, state: &State) -> Option<(Action, f32)> {
        self.most = 1;
        self.best(state, 0);
        let line = self.lines.first()?;
        Some((*line.actions.first()?, line.value))
    }

    /// What the best way to play on promises.
    pub(crate) fn value(&mut self, state: &State) -> f32 {
        let mut state = *state;
        Self::settle(&mut state);
        if self.goes_on(&state) {
            self.best(&state, 0)
        } else if state.phase() == Phase::Rolling {
            self.dice(&state, 0)
        } else {
            self.look(&state)
        }
    }

    fn look(&self, state: &State) -> f32 {
        self.evaluation.value(state, self.seat)
    }

    /// Whether this seat still has something to decide in this turn.
    fn goes_on(&self, state: &State) -> bool {
        state.actor() == Actor::Player(self.seat)
    }

    /// Lets others pass in windows (R13.3), and this seat too while it plans its cards: what to do
    /// in a window is decided when it is there.
    fn settle(state: &mut State) {
        while let (Actor::Player(seat), Phase::Window | Phase::Free) =
            (state.actor(), state.phase())
        {
            state.apply_unchecked(seat, Action::Pass, &mut ());
        }
    }

    /// Tries everything; returns the best value. There is always an action.
    fn best(&mut self, state: &State, depth: usize) -> f32 {
        let mut list = Actions::new();
        state.legal_actions(&mut list);
        let mut best = f32::NEG_INFINITY;
        let mut open = Vec::new();
        for action in list.iter() {
            if is_social(action) {
                continue;
            }
            let mut next = *state;
            next.apply_unchecked(self.seat, action, &mut ());
            if next.phase() == Phase::Rolling {
                let value = self.dice(&next, depth);
                self.path.push(action);
                best = best.max(self.found(&next, value));
                self.path.pop();
                continue;
            }
            Self::settle(&mut next);
            let value = self.look(&next);
            if self.goes_on(&next) && !same_turn_is_over(state, &next) {
                open.push((value, action, next));
            } else {
                self.path.push(action);
                best = best.max(self.found(&next, value));
                self.path.pop();
            }
        }
        let width = self.widths.at(depth, list.len());
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (i, (value, action, next)) in open.into_iter().enumerate() {
            self.path.push(action);
            let value = if i < width {
                self.best(&next, depth + 1)
            } else {
                self.found(&next, value)
            };
            self.path.pop();
            best = best.max(value);
        }
        best
    }

    /// The expectation of a roll and its rerolls (R4.8): roll again whenever that promises more.
    fn dice(&mut self, state: &State, depth: usize) -> f32 {
        let (most, path) = (
            std::mem::take(&mut self.most),
            std::mem::take(&mut self.path),
        );
        let mut accept = [f32::NEG_INFINITY; 6];
        for (value, roll) in accept.iter_mut().zip(1..) {
            let mut rolled = *state;
            if rolled.apply_chance(Chance::Roll(roll)).is_ok() {
                *value = self.accept(&rolled, depth);
            }
        }
        (self.most, self.path) = (most, path);
        let mean = |floor: f32| accept.iter().map(|v| v.max(floor)).sum::<f32>() / 6.0;
        (0..state.rerolls()).fold(mean(f32::NEG_INFINITY), |again, _| mean(again))
    }

    /// The best that can be done with what was rolled.
    fn accept(&mut self, state: &State, depth: usize) -> f32 {
        let mut list = Actions::new();
        state.legal_actions(&mut list);
        let mut best = f32::NEG_INFINITY;
        let mut open = Vec::new();
        for action in list.iter() {
            let Action::Accept(_) = action else { continue };
            let mut next = *state;
            next.apply_unchecked(self.seat, action, &mut ());
            Self::settle(&mut next);
            let value = self.look(&next);
            best = best.max(value);
            if self.goes_on(&next) && !same_turn_is_over(state, &next) {
                open.push((value, next));
            }
        }
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        let width = self.widths.at(depth + 1, 0).min(2);
        for (_, next) in open.into_iter().take(width) {
            best = best.max(self.best(&next, depth + 1));
        }
        best
    }

    /// Notes where a line ends.
    fn found(&mut self, end: &State, value: f32) -> f32 {
        let full = self.lines.len() >= self.most;
        if self.most == 0 || full && self.lines.last().is_some_and(|l| l.value >= value) {
            return value;
        }
        // The same position by another order of cards is the same line.
        let same = |l: &Line| l.value.to_bits() == value.to_bits() && l.end == *end;
        if self.lines.iter().any(same) {
            return value;
        }
        if full {
            self.lines.pop();
        }
        let at = self.lines.partition_point(|l| l.value >= value);
        let line = Line {
            actions: self.path.clone(),
            value,
            end: *end,
        };
        self.lines.insert(at, line);
        value
    }
}

/// Whether a new turn has begun in between (nothing was to be refilled).
fn same_turn_is_over(before: &State, after: &State) -> bool {
    before.active() != after.active() || before.round() != after.round()
}

/// Asking, offering and giving: decided apart, by what the partner makes of it.
pub(crate) fn is_social(action: Action) -> bool {
    matches!(action, Action::Ask | Action::Offer(_) | Action::Give(_))
}
