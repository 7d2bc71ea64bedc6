//! The budget of a decision, and the clock it is measured with.

use std::time::Duration;

/// How long a bot may think about one decision. Levels that do not search ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many playouts in total: the same decision every time for the same seed.
    Iterations(u32),
    /// This much time by the caller's clock; less when the decision is clear.
    Time(Duration),
}

/// The caller's clock, so that bots run where the standard library has none.
///
/// Any closure that returns the time since a fixed moment is a clock.
pub trait TimeSource {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;
}

impl<F: Fn() -> Duration> TimeSource for F {
    fn now(&self) -> Duration {
        self()
    }
}

/// A clock that stands still, for budgets of iterations.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl TimeSource for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A budget and how much of it is used.
pub(crate) struct BudgetUse<'a> {
    budget: Budget,
    clock: &'a dyn TimeSource,
    begun: Duration,
    used: u32,
    /// The part of the budget that may be used.
    share: f32,
}

impl<'a> BudgetUse<'a> {
    pub(crate) fn new(budget: Budget, clock: &'a dyn TimeSource) -> BudgetUse<'a> {
        BudgetUse {
            budget,
            clock,
            begun: clock.now(),
            used: 0,
            share: 1.0,
        }
    }

    /// Restricts the budget to a share of itself.
    pub(crate) fn limit(&mut self, share: f32) {
        self.share = share;
    }

    /// Counts playouts.
    pub(crate) fn spend(&mut self, playouts: u32) {
        self.used += playouts;
    }

    /// The used part of the budget, 1 or more when it is used up.
    pub(crate) fn used(&self) -> f32 {
        let used = match self.budget {
            Budget::Iterations(n) => self.used as f32 / n.max(1) as f32,
            Budget::Time(limit) => {
                let gone = self.clock.now().saturating_sub(self.begun);
                gone.as_secs_f32() / limit.as_secs_f32().max(1e-6)
            }
        };
        used / self.share
    }
}
