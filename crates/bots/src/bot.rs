//! A bot at its seat.

use fastrand::Rng;
use rules::{Action, Actions, Event, Phase, Seat, State, View};

use crate::budget::{Budget, Clock, Meter};
use crate::explain::{Advice, advise};
use crate::level::Level;
use crate::memory::Memory;
use crate::net::Evaluation;
use crate::planner::{Line, Planner, Widths, is_social};
use crate::search::{Style, search};
use crate::{novice, partner};

/// A player that thinks. It is given what its seat can see and nothing else: views and events.
///
/// ```
/// use bots::{Bot, Budget, Level, NoClock};
/// use rules::{Seat, Viewer};
///
/// let mut state = rules::examples::opening();
/// let view = state.view(Viewer::Seat(Seat(0)));
/// let mut bot = Bot::new(Level::Adept, Seat(0), 7, &view);
/// let action = bot.act(&view, Budget::Iterations(100), &NoClock).expect("it is its turn");
/// let mut events = Vec::new();
/// state.apply_watched(Seat(0), action, &mut events)?;
/// for event in events {
///     bot.observe(&event);
/// }
/// # Ok::<(), rules::Illegal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bot {
    level: Level,
    seat: Seat,
    rng: Rng,
    memory: Memory,
}

/// Guesses at a partner's hand when a card is to be handed over.
const GUESSES: usize = 2;

impl Bot {
    /// A bot that sits down at a seat. It knows what the view shows; later, what it observes.
    pub fn new(level: Level, seat: Seat, seed: u64, view: &View) -> Bot {
        Bot {
            level,
            seat,
            rng: Rng::with_seed(seed),
            memory: Memory::new(seat, level.recall(), view),
        }
    }

    /// Its level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Its seat.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What it remembers.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Takes in something that happened, as its seat sees it. Every event belongs here, in order, its
    /// own actions' too.
    pub fn observe(&mut self, event: &Event) {
        self.memory.observe(event);
    }

    /// What it does now; none if the decision is not its own or the view contradicts itself.
    pub fn act(&mut self, view: &View, budget: Budget, clock: &dyn Clock) -> Option<Action> {
        let mut meter = Meter::new(budget, clock);
        let state = self.decides(view)?;
        let mut list = Actions::new();
        state.legal_actions(&mut list);
        if list.len() == 1 {
            return list.get(0);
        }
        let action = self.choose(view, &state, &mut meter);
        action.filter(|&a| list.contains(a)).or_else(|| list.get(0))
    }

    /// What it does out of turn as the active player's partner (R12.2, R12.3), if anything. To be
    /// asked while the active player is to choose a card.
    pub fn offer(&mut self, view: &View) -> Option<Action> {
        let turn = &view.turn;
        let early = turn.phase == Phase::Turn && turn.played == 0 && view.outcome.is_none();
        if !early || !view.options.teams || self.level < Level::Adept {
            return None;
        }
        let state = self.imagine(view)?;
        if state.partner(state.active()) != Some(self.seat) {
            return None;
        }
        let worlds = self.guesses(view);
        let evaluation = Evaluation::of(&state);
        let action = partner::offers(&worlds, self.seat, &evaluation, Widths::NARROW)?;
        state.is_legal(self.seat, action).then_some(action)
    }

    /// The best few actions of its seat with what they promise and why, best first.
    pub fn explain(
        &mut self,
        view: &View,
        budget: Budget,
        clock: &dyn Clock,
        most: usize,
    ) -> Vec<Advice> {
        let mut meter = Meter::new(budget, clock);
        let Some(state) = self.decides(view) else {
            return Vec::new();
        };
        let evaluation = Evaluation::of(&state);
        let lines = if self.level.searches() {
            self.search(view, &state, &evaluation, &mut meter)
        } else {
            let planner = Planner::new(&evaluation, self.seat, self.widths());
            planner.lines(&state, 4 * most.max(8))
        };
        advise(&state, self.seat, &lines, most)
    }

    fn widths(&self) -> Widths {
        match self.level {
            Level::Novice | Level::Apprentice => Widths::GREEDY,
            Level::Adept | Level::Master => Widths::TURN,
        }
    }

    /// A state that could be the real one, if the decision is this bot's.
    fn decides(&mut self, view: &View) -> Option<State> {
        if view.to_act() != Some(self.seat) {
            return None;
        }
        self.imagine(view)
    }

    /// A state that could be the real one.
    fn imagine(&mut self, view: &View) -> Option<State> {
        self.memory.look(view);
        let known = self.memory.knowledge();
        view.sample(&known, |n| self.rng.u32(0..n.max(1))).ok()
    }

    fn guesses(&mut self, view: &View) -> Vec<State> {
        (0..GUESSES).filter_map(|_| self.imagine(view)).collect()
    }

    fn choose(&mut self, view: &View, state: &State, meter: &mut Meter<'_>) -> Option<Action> {
        if self.level == Level::Novice {
            return novice::act(state, self.seat, &mut self.rng);
        }
        let evaluation = Evaluation::of(state);
        if state.phase() == Phase::Asked {
            let worlds = self.guesses(view);
            return partner::hands_over(&worlds, self.seat, &evaluation, Widths::GREEDY);
        }
        let lines = if self.level.searches() {
            self.search(view, state, &evaluation, meter)
        } else {
            Planner::new(&evaluation, self.seat, self.widths()).lines(state, 1)
        };
        let plan = &lines.first()?.actions;
        if self.level >= Level::Adept && partner::asks(state, self.seat, plan) {
            return Some(Action::Ask);
        }
        plan.first().copied().filter(|&a| !is_social(a))
    }

    /// The planner's best lines, played out; best first.
    fn search(
        &mut self,
        view: &View,
        state: &State,
        evaluation: &Evaluation,
        meter: &mut Meter<'_>,
    ) -> Vec<Line> {
        let style = Style::of(state);
        let lines = Planner::new(evaluation, self.seat, self.widths()).lines(state, style.lines);
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
