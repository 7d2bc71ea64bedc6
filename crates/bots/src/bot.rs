//! A bot at a seat.

use fastrand::Rng;
use towers_rules::{Action, Event, Phase, Seat, State, View};

use crate::budget::{Budget, BudgetUse, TimeSource};
use crate::explain::{Advice, advise};
use crate::memory::BotMemory;
use crate::net::Evaluation;
use crate::planner::{ActionLine, Planner, Widths, is_social};
use crate::search::{SearchParameters, search};
use crate::strength::Strength;
use crate::{flow, novice, partner, reactions};

/// A computer player. It only receives what its seat can see: views and events.
///
/// ```
/// use towers_bots::{Bot, Budget, Strength, NoClock};
/// use towers_rules::{Seat, Viewer};
///
/// let mut state = towers_rules::examples::opening();
/// let view = state.view(Viewer::Seat(Seat(0)));
/// let mut bot = Bot::new(Strength::Adept, Seat(0), 7, &view);
/// let action = bot.act(&view, Budget::Iterations(100), &NoClock).expect("it is its turn");
/// let mut events = Vec::new();
/// state.apply_observed(Seat(0), action, &mut events)?;
/// for event in events {
///     bot.observe(&event);
/// }
/// # Ok::<(), towers_rules::Illegal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bot {
    strength: Strength,
    seat: Seat,
    rng: Rng,
    memory: BotMemory,
}

/// The number of guesses at a partner's hand when a card is to be handed over.
const GUESSES: usize = 2;

impl Bot {
    /// A bot at a seat. It knows the view; later, also what it observes.
    pub fn new(strength: Strength, seat: Seat, seed: u64, view: &View) -> Bot {
        Bot {
            strength,
            seat,
            rng: Rng::with_seed(seed),
            memory: BotMemory::new(seat, strength.recall(), view),
        }
    }

    /// How well it plays.
    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// The seat that it decides for.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What it remembers.
    pub fn memory(&self) -> &BotMemory {
        &self.memory
    }

    /// Records an event as its seat sees it. Pass every event, in order, including those of its own actions.
    pub fn observe(&mut self, event: &Event) {
        self.memory.observe(event);
    }

    /// The action it takes now; `None` if another player decides or the view contradicts itself.
    pub fn act(&mut self, view: &View, budget: Budget, clock: &dyn TimeSource) -> Option<Action> {
        let mut meter = BudgetUse::new(budget, clock);
        let state = self.decides(view)?;
        let list = state.legal_actions();
        if list.len() == 1 {
            return list.get(0);
        }
        let action = self.choose(view, &state, &mut meter);
        action.filter(|&a| list.contains(a)).or_else(|| list.get(0))
    }

    /// The action it takes out of turn as the active player's partner (R12.2, R12.3), if any. Ask while the active
    /// player chooses.
    pub fn offer(&mut self, view: &View) -> Option<Action> {
        if self.strength < Strength::Adept || !partner::may_help(view, self.seat) {
            return None;
        }
        let worlds = self.guesses(view);
        let state = worlds.first()?;
        let evaluation = self.evaluation(state);
        let action = partner::offers(&worlds, self.seat, &evaluation, Widths::NARROW)?;
        state.is_legal(self.seat, action).then_some(action)
    }

    /// The best few actions of its seat with their expected results and benefits, best first.
    pub fn explain(
        &mut self,
        view: &View,
        budget: Budget,
        clock: &dyn TimeSource,
        most: usize,
    ) -> Vec<Advice> {
        let mut meter = BudgetUse::new(budget, clock);
        let Some(state) = self.decides(view) else {
            return Vec::new();
        };
        let evaluation = self.evaluation(&state);
        let lines = if self.strength.searches() {
            self.search(view, &state, &evaluation, &mut meter)
        } else {
            self.plan(&state, &evaluation, 4 * most.max(8))
        };
        advise(&state, self.seat, &lines, most)
    }

    fn evaluation(&self, state: &State) -> Evaluation {
        match self.strength {
            Strength::Novice | Strength::Apprentice => Evaluation::of(state),
            Strength::Adept | Strength::Master => Evaluation::patient(state),
        }
    }

    fn widths(&self) -> Widths {
        match self.strength {
            Strength::Novice | Strength::Apprentice => Widths::GREEDY,
            Strength::Adept | Strength::Master => Widths::TURN,
        }
    }

    /// A state that fits the view, if this bot decides.
    fn decides(&mut self, view: &View) -> Option<State> {
        if view.to_act() != Some(self.seat) {
            return None;
        }
        self.imagine(view)
    }

    /// A state that fits the view and the memory.
    fn imagine(&mut self, view: &View) -> Option<State> {
        self.memory.record(view);
        let known = self.memory.knowledge();
        view.sample(&known, |n| self.rng.u32(0..n.max(1))).ok()
    }

    fn guesses(&mut self, view: &View) -> Vec<State> {
        (0..GUESSES).filter_map(|_| self.imagine(view)).collect()
    }

    fn choose(&mut self, view: &View, state: &State, meter: &mut BudgetUse<'_>) -> Option<Action> {
        if self.strength == Strength::Novice {
            return novice::act(state, self.seat, &mut self.rng);
        }
        let evaluation = self.evaluation(state);
        match state.phase() {
            Phase::Asked => {
                let worlds = self.guesses(view);
                return partner::hands_over(&worlds, self.seat, &evaluation, Widths::GREEDY);
            }
            // R12.2: the card is unknown, but an offer is well meant, and the card may be returned.
            Phase::Offered => return Some(Action::AcceptOffer),
            _ if reactions::can_wait(state, self.seat) => return Some(Action::Pass),
            _ => {}
        }
        let lines = if flow::quiet(state).is_some() {
            self.react(view, state, &evaluation, meter)
        } else if self.strength.searches() {
            self.search(view, state, &evaluation, meter)
        } else {
            self.plan(state, &evaluation, 1)
        };
        let plan = &lines.first()?.actions;
        if self.strength >= Strength::Adept && partner::asks(state, self.seat, plan) {
            return Some(Action::Ask);
        }
        plan.first().copied().filter(|&a| !is_social(a))
    }

    /// The best lines in a window or series (§13). Passing is searched only against lines that the planner rates
    /// higher.
    fn react(
        &mut self,
        view: &View,
        state: &State,
        evaluation: &Evaluation,
        meter: &mut BudgetUse<'_>,
    ) -> Vec<ActionLine> {
        let searches = self.strength.searches();
        let most = if searches {
            SearchParameters::of(state).lines
        } else {
            2
        };
        let lines =
            reactions::worth_casting(state, self.strength, self.plan(state, evaluation, most));
        if searches && lines.len() > 1 {
            meter.limit(reactions::BUDGET_SHARE);
            return self.play_out(lines, view, state, evaluation, meter);
        }
        lines
    }

    /// The planner's best lines, best first.
    fn plan(&self, state: &State, evaluation: &Evaluation, most: usize) -> Vec<ActionLine> {
        Planner::new(evaluation, self.seat, self.widths()).lines(state, most)
    }

    /// The planner's best lines after playouts, best first.
    fn search(
        &mut self,
        view: &View,
        state: &State,
        evaluation: &Evaluation,
        meter: &mut BudgetUse<'_>,
    ) -> Vec<ActionLine> {
        let lines = self.plan(state, evaluation, SearchParameters::of(state).lines);
        self.play_out(lines, view, state, evaluation, meter)
    }

    /// These lines with their results in playouts, best first.
    fn play_out(
        &mut self,
        lines: Vec<ActionLine>,
        view: &View,
        state: &State,
        evaluation: &Evaluation,
        meter: &mut BudgetUse<'_>,
    ) -> Vec<ActionLine> {
        let style = SearchParameters::of(state);
        let known = self.memory.knowledge();
        let world = |rng: &mut Rng| view.sample(&known, |n| rng.u32(0..n.max(1))).ok();
        search(
            lines,
            self.seat,
            evaluation,
            style,
            meter,
            &mut self.rng,
            world,
        )
        .into_iter()
        .map(|tried| {
            let mut line = tried.line;
            line.value = tried.mean;
            line
        })
        .collect()
    }
}
