//! Planning the rest of a turn: every order of cards, expected dice, spells, refresh.
//!
//! A plan ends with the turn or where somebody else decides; the evaluation rates that position. Others are assumed to
//! pass in windows (§13).

use std::cell::Cell;

use towers_rules::{Action, Actor, Chance, Phase, Seat, Spell, SpellRight, State};

use crate::flow::{quiet, settle, turn_is_over};
use crate::net::Evaluation;

/// The width of a plan: per depth, how many positions after an action are searched further. The best ones by evaluation
/// are searched; the others keep their evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    first: usize,
    second: usize,
    later: usize,
    /// The number of spells searched in the windows of the bot's own action (R13.4).
    spells: usize,
}

impl Widths {
    /// Depth one: the action with the best evaluation.
    pub(crate) const GREEDY: Widths = Widths {
        first: 0,
        second: 0,
        later: 0,
        spells: 0,
    };
    /// The whole turn.
    pub(crate) const TURN: Widths = Widths {
        first: 24,
        second: 5,
        later: 2,
        spells: 2,
    };
    /// The whole turn, promising positions only.
    pub(crate) const NARROW: Widths = Widths {
        first: 2,
        second: 1,
        later: 1,
        spells: 0,
    };

    fn at(self, depth: usize, choices: usize) -> usize {
        match depth {
            // Many castable spells make many positions, so fewer of each are searched.
            0 if choices > 60 => self.first / 2,
            0 => self.first,
            1 => self.second,
            2..=5 => self.later,
            _ => 0,
        }
    }
}

/// The number of casts in a window that are searched to the end of the bot's turn.
const MAX_CASTS: usize = 6;

/// Evaluations before a plan stops searching deeper: many spells and flasks make very many lines.
const MAX_EVALUATIONS: usize = 4000;

/// A sequence of actions up to the end of the turn, a roll, or somebody else's decision.
#[derive(Clone, Debug)]
pub(crate) struct ActionLine {
    pub actions: Vec<Action>,
    pub value: f32,
    /// A penalty for casting in a window.
    pub price: f32,
    end: State,
}

impl ActionLine {
    /// Whether it begins with a pass or the end of a series.
    pub(crate) fn is_quiet(&self) -> bool {
        self.actions.first().copied().is_some_and(is_quiet)
    }
}

/// A position in which this seat decides again.
struct OpenPosition {
    value: f32,
    action: Action,
    /// The spells cast in the windows of the action.
    spell: Vec<Action>,
    next: State,
    /// Searched even if others look better, because its value shows only later.
    always: bool,
}

/// Plans for one seat.
pub(crate) struct Planner<'a> {
    evaluation: &'a Evaluation,
    seat: Seat,
    widths: Widths,
    /// The best lines so far, best first, and how many are wanted.
    lines: Vec<ActionLine>,
    most: usize,
    /// The best line that casts nothing now, kept even if many are better.
    quiet: Option<ActionLine>,
    path: Vec<Action>,
    /// The number of positions evaluated so far.
    evaluations: Cell<usize>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(evaluation: &'a Evaluation, seat: Seat, widths: Widths) -> Planner<'a> {
        Planner {
            evaluation,
            seat,
            widths,
            lines: Vec::new(),
            most: 0,
            quiet: None,
            path: Vec::new(),
            evaluations: Cell::new(0),
        }
    }

    /// The best lines, best first. In a window or series they always include one that casts nothing.
    pub(crate) fn lines(mut self, state: &State, most: usize) -> Vec<ActionLine> {
        self.most = most;
        self.best(state, 0);
        if let Some(quiet) = self.quiet
            && most > 1
            && !self.lines.iter().any(ActionLine::is_quiet)
        {
            self.lines.pop();
            self.lines.push(quiet);
        }
        self.lines
    }

    /// The best action now, with its value.
    #[cfg(feature = "tuning")]
    pub(crate) fn act(mut self, state: &State) -> Option<(Action, f32)> {
        self.most = 1;
        self.best(state, 0);
        let line = self.lines.first()?;
        Some((*line.actions.first()?, line.value))
    }

    /// The value of the best line.
    pub(crate) fn value(&mut self, state: &State) -> f32 {
        let mut state = *state;
        settle(&mut state);
        if self.decides(&state) {
            self.best(&state, 0)
        } else {
            self.value_of_others_turn(&state, 0)
        }
    }

    fn rate(&self, state: &State) -> f32 {
        self.evaluations.set(self.evaluations.get() + 1);
        self.evaluation.value(state, self.seat)
    }

    /// The value of a position in which others or chance decide.
    fn value_of_others_turn(&mut self, state: &State, depth: usize) -> f32 {
        match state.phase() {
            Phase::Rolling => self.dice(state, depth),
            Phase::Redraw => self.redraw(state, depth),
            _ => self.rate(state),
        }
    }

    /// Whether this seat decides next.
    fn decides(&self, state: &State) -> bool {
        state.actor() == Actor::Player(self.seat)
    }

    /// Searches all actions and returns the best value; there is always an action.
    fn best(&mut self, state: &State, depth: usize) -> f32 {
        let list = state.legal_actions();
        let mut best = f32::NEG_INFINITY;
        let mut open = Vec::new();
        for action in list.iter().filter(|&a| !is_social(a)) {
            let mut next = *state;
            next.apply_unchecked(self.seat, action, &mut ());
            if matches!(next.phase(), Phase::Rolling | Phase::Redraw) {
                let value = self.value_of_others_turn(&next, depth);
                best = best.max(self.found(&[action], &next, value));
                continue;
            }
            for (spell, after) in self.spells(state, &next) {
                best = best.max(self.tried(state, action, spell, after, &mut open));
            }
            best = best.max(self.tried(state, action, Vec::new(), next, &mut open));
        }
        let mut width = self.widths.at(depth, list.len());
        if quiet(state).is_some() {
            width = width.min(MAX_CASTS);
        }
        open.sort_by(|a, b| b.value.total_cmp(&a.value));
        for (i, node) in open.into_iter().enumerate() {
            let free = usize::from(!is_quiet(node.action));
            let begun = self.path.len();
            self.path.push(node.action);
            self.path.extend(node.spell);
            let goes_on = i < width && self.evaluations.get() < MAX_EVALUATIONS;
            let value = if goes_on || node.always {
                self.best(&node.next, depth + free)
            } else {
                self.found(&[], &node.next, node.value)
            };
            self.path.truncate(begun);
            best = best.max(value);
        }
        best
    }

    /// Records the position after an action as the end of a line, or queues it for a deeper search.
    fn tried(
        &mut self,
        state: &State,
        action: Action,
        spell: Vec<Action>,
        mut next: State,
        open: &mut Vec<OpenPosition>,
    ) -> f32 {
        if action == Action::Pass && self.waits(&mut next) {
            // A spell that was not cast before the move can be cast after it.
            open.push(OpenPosition {
                value: f32::INFINITY,
                action,
                spell,
                next,
                always: true,
            });
            return f32::NEG_INFINITY;
        }
        let mut rest = next;
        settle(&mut rest);
        let value = self.rate(&rest);
        let in_series = next.phase().is_series() && self.decides(&next);
        if !in_series {
            next = rest;
        }
        if !self.decides(&next) || turn_is_over(state, &next) {
            let last = [&[action], &*spell].concat();
            return self.found(&last, &rest, value);
        }
        // R13.4: a claim has the value of the cast that follows.
        let claimed = in_series && quiet(&next).is_none();
        open.push(OpenPosition {
            value,
            action,
            spell,
            next,
            always: claimed || is_quiet(action) && self.widths.first > 0,
        });
        f32::NEG_INFINITY
    }

    /// Whether this seat gets a closing window after passing (R13.4); if so, advances the state to it. With a shared
    /// right that is uncertain, and a claim is the way to cast after the move.
    fn waits(&self, next: &mut State) -> bool {
        if next.options().spell_right != SpellRight::Each {
            return false;
        }
        let mut later = *next;
        while later.phase() == Phase::Window
            && let Actor::Player(seat) = later.actor()
        {
            later.apply_unchecked(seat, Action::Pass, &mut ());
        }
        while later.phase() == Phase::Closing
            && let Actor::Player(seat) = later.actor()
            && seat != self.seat
        {
            later.apply_unchecked(seat, Action::Pass, &mut ());
        }
        let asked = later.phase() == Phase::Closing && !turn_is_over(next, &later);
        if asked {
            *next = later;
        }
        asked
    }

    /// The most promising spells in the windows of an action that the bot declared (R13.4), with the resulting positions.
    fn spells(&self, state: &State, next: &State) -> Vec<(Vec<Action>, State)> {
        let declared = next.phase() == Phase::Window && state.phase() != Phase::Window;
        if !declared || !self.decides(next) {
            return Vec::new();
        }
        if self.widths.spells == 0 {
            let ridden = self.ride(next);
            return ridden
                .map(|state| (vec![Action::WithPiggyback], state))
                .into_iter()
                .collect();
        }
        let mut found: Vec<(f32, Vec<Action>, State)> = Vec::new();
        let list = next.legal_actions();
        for action in list.iter().filter(|&a| a != Action::Pass) {
            let mut after = *next;
            after.apply_unchecked(self.seat, action, &mut ());
            if let Action::After(_) = action {
                self.cast_now(&after, &[action], &mut found);
            } else {
                found.push((self.rest(&after), vec![action], after));
            }
        }
        // With a right for each player there are no claims, but a window after the move.
        let mut later = *next;
        later.apply_unchecked(self.seat, Action::Pass, &mut ());
        if self.waits(&mut later) {
            self.cast_now(&later, &[], &mut found);
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(self.widths.spells);
        found.into_iter().map(|(_, cast, to)| (cast, to)).collect()
    }

    /// Adds the spells that this seat can cast now, after others passed.
    fn cast_now(&self, state: &State, claim: &[Action], out: &mut Vec<(f32, Vec<Action>, State)>) {
        let mut state = *state;
        while state.phase() == Phase::Window
            && let Actor::Player(seat) = state.actor()
        {
            state.apply_unchecked(seat, Action::Pass, &mut ());
        }
        if !self.decides(&state) || !matches!(state.phase(), Phase::After | Phase::Closing) {
            return;
        }
        let list = state.legal_actions();
        for action in list.iter().filter(|&a| !is_quiet(a)) {
            let mut after = state;
            after.apply_unchecked(self.seat, action, &mut ());
            out.push((self.rest(&after), [claim, &[action]].concat(), after));
        }
    }

    /// The value of a position if nobody casts any more.
    fn rest(&self, state: &State) -> f32 {
        let mut rest = *state;
        settle(&mut rest);
        self.rate(&rest)
    }

    /// The position with a rider of this seat beside the declared wizard, if possible (R13.8).
    fn ride(&self, declared: &State) -> Option<State> {
        let spells = declared.spells();
        if declared.phase() != Phase::Window
            || !self.decides(declared)
            || !spells.contains(Spell::Piggyback)
            || !declared.is_legal(self.seat, Action::WithPiggyback)
        {
            return None;
        }
        let mut ridden = *declared;
        ridden.apply_unchecked(self.seat, Action::WithPiggyback, &mut ());
        Some(ridden)
    }

    /// Plans without recording lines, because what follows depends on chance.
    fn without_recording<T>(&mut self, plan: impl FnOnce(&mut Self) -> T) -> T {
        let most = std::mem::take(&mut self.most);
        let (path, quiet) = (std::mem::take(&mut self.path), self.quiet.take());
        let result = plan(self);
        (self.most, self.path, self.quiet) = (most, path, quiet);
        result
    }

    /// The expected value of a roll and its rerolls (R4.8): reroll whenever that is worth more.
    fn dice(&mut self, state: &State, depth: usize) -> f32 {
        let mut accept = [f32::NEG_INFINITY; 6];
        for (value, roll) in accept.iter_mut().zip(1..) {
            let mut rolled = *state;
            if rolled.apply_chance(Chance::Roll(roll)).is_ok() {
                *value = self.without_recording(|plan| plan.accept(&rolled, depth));
            }
        }
        let mean = |floor: f32| accept.iter().map(|v| v.max(floor)).sum::<f32>() / 6.0;
        (0..state.rerolls()).fold(mean(f32::NEG_INFINITY), |again, _| mean(again))
    }

    /// The value of a refresh that draws first: that of its best tower (R4.5). The drawn cards do not matter, since
    /// they are kept.
    fn redraw(&mut self, state: &State, depth: usize) -> f32 {
        let mut drawn = *state;
        while drawn.phase() == Phase::Redraw {
            let chance = drawn.sample_chance(|_| 0);
            if chance.is_none_or(|c| drawn.apply_chance(c).is_err()) {
                return self.rate(state);
            }
        }
        self.without_recording(|plan| plan.accept(&drawn, depth))
    }

    /// The best value after accepting a roll, or for the tower of a refresh.
    fn accept(&mut self, state: &State, depth: usize) -> f32 {
        let list = state.legal_actions();
        let mut best = f32::NEG_INFINITY;
        let mut open = Vec::new();
        for action in &list {
            let Action::Accept(_) = action else { continue };
            let mut next = *state;
            next.apply_unchecked(self.seat, action, &mut ());
            for mut next in self.ride(&next).into_iter().chain([next]) {
                settle(&mut next);
                let value = self.rate(&next);
                best = best.max(value);
                if self.decides(&next) && !turn_is_over(state, &next) {
                    open.push((value, next));
                }
            }
        }
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        let width = self.widths.at(depth + 1, 0).min(2);
        for (_, next) in open.into_iter().take(width) {
            best = best.max(self.best(&next, depth + 1));
        }
        best
    }

    /// Records the end of a line.
    fn found(&mut self, last: &[Action], end: &State, value: f32) -> f32 {
        if self.most == 0 {
            return value;
        }
        let first = self.path.iter().chain(last).next();
        let casts_nothing = first.copied().is_some_and(is_quiet);
        if casts_nothing && self.quiet.as_ref().is_none_or(|l| l.value < value) {
            self.quiet = Some(self.line(last, end, value));
        }
        let full = self.lines.len() >= self.most;
        if full && self.lines.last().is_some_and(|l| l.value >= value) {
            return value;
        }
        // The same position by another order of cards is the same line.
        let same = |l: &ActionLine| l.value.to_bits() == value.to_bits() && l.end == *end;
        if self.lines.iter().any(same) {
            return value;
        }
        if full {
            self.lines.pop();
        }
        let at = self.lines.partition_point(|l| l.value >= value);
        let line = self.line(last, end, value);
        self.lines.insert(at, line);
        value
    }

    fn line(&self, last: &[Action], end: &State, value: f32) -> ActionLine {
        ActionLine {
            actions: [&self.path, last].concat(),
            value,
            price: 0.0,
            end: *end,
        }
    }
}

/// Whether an action asks, offers or gives; those are decided in `partner.rs`.
pub(crate) fn is_social(action: Action) -> bool {
    matches!(action, Action::Ask | Action::Offer(_) | Action::Give(_))
}

/// Whether an action passes or ends a series.
pub(crate) fn is_quiet(action: Action) -> bool {
    matches!(action, Action::Pass | Action::Done)
}
